// Interface of a pattern of communication: it moves known contents, verifies their arrival, and
// counts messages and bytes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "harness/world/communicator.hpp"

namespace heorot::patterns {

/// The least bytes that one transfer moves, with any algorithm [B].
struct Work {
    std::size_t bytes = 0;  ///< from one rank to another, over all ranks, each byte once
    /// Through the busiest rank: of its steps, which follow each other, the larger of what enters
    /// and what leaves it, added up.
    std::size_t port_bytes = 0;
};

/// Parameters of the patterns.
struct Setting {
    const Communicator& world;
    std::size_t length;      ///< of a message [double]
    std::size_t stride = 1;  ///< of the elements of a strided message [double]
    std::uint64_t seed = 1;  ///< of the random pairing
};

/// A pattern among the ranks of a group, at one size, with its buffers. All members but work() are
/// called by all ranks alike; those of a timed body, stamp(), transfer() and n_wrong_ends(), do
/// not allocate.
class Pattern {
  public:
    explicit Pattern(const Communicator& world)
        : mpi_(world.mpi()), rank_(world.rank()), n_ranks_(world.size()) {}
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;
    virtual ~Pattern() = default;

    virtual Work work() const = 0;
    /// Whether no rank can run ahead, so that transfers may follow each other untold.
    virtual bool keeps_in_step() const { return false; }
    /// Clears the receive buffers, and fills the send buffers with the contents of `round`.
    virtual void fill(std::int64_t round) = 0;
    /// Writes the number of the body to the ends of the sent messages.
    virtual void stamp(std::int64_t body) = 0;
    /// The measured transfer. **Collective.**
    virtual void transfer() = 0;
    /// The number of elements that differ from those of `round`, plus the number of bytes behind
    /// them that were overwritten.
    virtual std::int64_t n_wrong(std::int64_t round) const = 0;
    /// The number of received ends without the number of the body.
    virtual std::int64_t n_wrong_ends(std::int64_t body) const = 0;
    /// Some of the elements that n_wrong() checks; never empty on rank 0.
    virtual std::span<double> received() = 0;

  protected:
    static constexpr double wiped = -1.0;  // no element is negative

    std::size_t size() const { return static_cast<std::size_t>(n_ranks_); }

    MPI_Comm mpi_;
    int rank_;
    int n_ranks_;
};

/// A pattern whose messages arrive as they were sent.
class Letters : public Pattern {
  public:
    explicit Letters(const Communicator& world) : Pattern(world) {}

    void fill(std::int64_t round) final;
    void stamp(std::int64_t body) final;
    std::int64_t n_wrong(std::int64_t round) const final;
    std::int64_t n_wrong_ends(std::int64_t body) const final;
    std::span<double> received() final;

  protected:
    /// A message as one of its ends sees it.
    struct Letter {
        std::span<double> elements;
        int sender;
        std::int64_t first;  ///< number of the first element among all that the sender fills
    };

    /// Room for n doubles that lives as long as the pattern.
    std::span<double> make_room(std::size_t n);

    std::vector<Letter> outgoing_;
    /// Also what is only kept, such as the message of a root.
    std::vector<Letter> incoming_;

  private:
    std::vector<payload::Buffer<double>> buffers_;
};

constexpr int tag = 23;

inline int narrow(std::size_t n) {
    return static_cast<int>(n);  // sizes are bounded: see payload::largest_message
}

}  // namespace heorot::patterns
