// Patterns with a root, rank 0, by the library's own collectives: broadcast, collect, reduction.
#pragma once

#include "benchmarks/messages/patterns/pattern.hpp"

namespace heorot::patterns {

constexpr int root = 0;

/// The root's message to all others.
class Broadcast final : public Letters {
  public:
    explicit Broadcast(const Setting& setting);
    Work work() const override;
    void transfer() override;

  private:
    std::span<double> message_;
};

/// A message from every rank to the root, which keeps them in order of rank.
class Collect final : public Letters {
  public:
    explicit Collect(const Setting& setting);
    Work work() const override;
    void transfer() override;

  private:
    std::span<double> out_;
    std::span<double> all_;  // on the root
};

/// The sum, or the largest, of the elements with the same number on every rank, to the root.
class Reduction final : public Pattern {
  public:
    enum class Operation { sum, maximum };

    Reduction(const Setting& setting, Operation operation);
    Work work() const override;
    void fill(std::int64_t round) override;
    void stamp(std::int64_t body) override;
    void transfer() override;
    std::int64_t n_wrong(std::int64_t round) const override;
    std::int64_t n_wrong_ends(std::int64_t body) const override;
    std::span<double> received() override { return result_.all(); }

  private:
    double expected(std::int64_t i, std::int64_t round) const;

    Operation operation_;
    MPI_Op mpi_operation_;
    payload::Buffer<double> out_;
    payload::Buffer<double> result_;  // on the root
};

}  // namespace heorot::patterns
