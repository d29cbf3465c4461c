// Patterns of pairs: the ping-pong, contiguous and strided, and halves that exchange.
#pragma once

#include "benchmarks/messages/patterns/pattern.hpp"

namespace heorot::patterns {

/// The pairs of ranks that exchange, as one rank sees them.
struct Pairing {
    int partner = MPI_PROC_NULL;  ///< MPI_PROC_NULL: this rank rests
    bool leads = false;           ///< whether it sends first
    std::size_t n_pairs = 1;

    bool rests() const { return partner == MPI_PROC_NULL; }
};

/// Rank 0 and the first rank of the upper half.
Pairing single_pair(const Communicator& world);
/// Rank i of the lower half and rank i of the upper one. Of an odd number of ranks the one between
/// the halves rests.
Pairing regular_pairs(const Communicator& world);
/// The same with the upper half in an order that `seed` draws, the same on every rank: each order
/// is as likely as any other.
Pairing random_pairs(const Communicator& world, std::uint64_t seed);

enum class Directions { one_after_the_other, both_at_once };

/// Every pair exchanges a message in each direction.
class Pairs final : public Letters {
  public:
    Pairs(const Setting& setting, const Pairing& pairing, Directions directions);
    Work work() const override;
    bool keeps_in_step() const override { return pairing_.n_pairs == 1; }
    void transfer() override;

  private:
    Pairing pairing_;
    Directions directions_;
    std::size_t message_bytes_;
    std::span<double> out_;
    std::span<double> in_;
};

/// A ping-pong of every stride-th element of a buffer, into every stride-th of another, by a
/// derived datatype (MPI_Type_vector).
class Strided final : public Pattern {
  public:
    explicit Strided(const Setting& setting);
    Strided(const Strided&) = delete;
    Strided& operator=(const Strided&) = delete;
    ~Strided() override;
    Work work() const override;
    bool keeps_in_step() const override { return true; }
    void fill(std::int64_t round) override;
    void stamp(std::int64_t body) override;
    void transfer() override;
    std::int64_t n_wrong(std::int64_t round) const override;
    std::int64_t n_wrong_ends(std::int64_t body) const override;
    std::span<double> received() override { return in_.all(); }

  private:
    Pairing pairing_;
    std::size_t length_;
    std::size_t stride_;
    payload::Buffer<double> out_;
    payload::Buffer<double> in_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace heorot::patterns
