// Tasks of the victims: a sum over all of them, and an exchange with the neighbours in a ring of
// random order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/messages/payload/buffer.hpp"
#include "harness/program.hpp"

namespace heorot::congestion {

/// The operations of a victim. Each is numbered, stamps what it sends and looks at what has come. A
/// default-constructed one, that of an aggressor, does nothing.
class Victims {
  public:
    Victims() = default;
    /// `victims` must outlive this, and are at least two; the ring exchanges at most `n_largest`
    /// doubles and has the same order for the same seed.
    Victims(const Communicator& victims, std::size_t n_largest, std::int64_t seed);

    /// The sum of a double over all victims, on each. **Collective** over the victims.
    void sum();
    /// Exchanges n doubles with each neighbour. **Collective.**
    void exchange(std::size_t n);

    /// The same, outside any timer, with contents of which every element is known; the number of
    /// elements that came out wrong or were written behind. **Collective** over the victims.
    std::int64_t n_wrong_sums(Program& program, std::int64_t round);
    std::int64_t n_wrong_elements(Program& program, std::size_t n, std::int64_t round);

    std::int64_t n_done() const { return n_done_; }
    /// Results and ends of messages of sum() and exchange() that were wrong.
    std::int64_t n_wrong() const { return n_wrong_; }
    /// Both are 0 again.
    void reset() { n_done_ = n_wrong_ = 0; }

  private:
    /// A message in each direction, the one to the next rank of the ring first.
    struct Messages {
        std::span<double> to_next;
        std::span<double> to_last;
        std::span<double> from_last;
        std::span<double> from_next;
    };
    Messages messages(std::size_t n) const;
    void pass(const Messages& through) const;

    const Communicator* victims_ = nullptr;
    int next_ = 0;
    int last_ = 0;
    payload::Buffer<double> out_{0};
    payload::Buffer<double> in_{0};
    std::size_t n_largest_ = 0;
    std::int64_t n_done_ = 0;
    std::int64_t n_wrong_ = 0;
};

}  // namespace heorot::congestion
