// Operations on arrays of doubles in the memory of another rank: put, get, accumulate.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "benchmarks/messages/one_sided/window.hpp"
#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/elements.hpp"
#include "harness/program.hpp"

namespace heorot::one_sided {

enum class Transfer { put, get, accumulate, get_accumulate };
inline constexpr std::array<std::string_view, 4> transfer_names = {"put", "get", "accumulate",
                                                                   "get_accumulate"};

/// One body: a number of operations on n doubles each, in one epoch.
struct Shape {
    Transfer transfer;
    Epoch epoch;
    std::size_t n;             ///< doubles of one operation
    std::size_t n_operations;  ///< in one epoch
    std::size_t length() const { return n * n_operations; }
    bool has_result() const {
        return transfer == Transfer::get || transfer == Transfer::get_accumulate;
    }
    bool adds() const {
        return transfer == Transfer::accumulate || transfer == Transfer::get_accumulate;
    }
    /// The operation whose ends a body stamps or checks: each in turn.
    std::size_t watched(std::int64_t body) const {
        return static_cast<std::uint32_t>(body) % static_cast<std::uint32_t>(n_operations);
    }
    /// The stamp of a body.
    double stamp(std::int64_t body) const {
        return payload::stamp(static_cast<int>(watched(body)), body);
    }
    /// The part of `elements` that operation s is about.
    std::span<double> part(std::span<double> elements, std::size_t s) const {
        return elements.subspan(s * n, n);
    }
};

/// The two ends: rank 0 of `ends` is the target, rank 1 the origin. Successive epochs use the two
/// halves of the memory in turn, so that the target may look at one while the next epoch is on.
class Transfers {
  public:
    /// `length` is the largest of any shape. **Collective** over `ends`, which must outlive it.
    Transfers(Program& program, const Communicator& ends, bool plays, std::size_t length,
              Memory memory);

    /// Measures and verifies one shape. **Collective** over the job.
    void run(const std::string& region, const Shape& shape);

  private:
    bool is_origin() const { return plays_ && !window_.is_target(); }
    bool is_target() const { return plays_ && window_.is_target(); }
    std::span<double> memory(const Shape& shape) const;
    double original(const Shape& shape, std::size_t i, std::int64_t body) const;
    std::int64_t n_wrong_at(const Shape& shape, std::span<const double> half, std::int64_t n_bodies,
                            std::int64_t parity) const;
    std::int64_t n_wrong_at_target(const Shape& shape, std::int64_t n_bodies) const;
    std::int64_t n_wrong_results(const Shape& shape, std::int64_t body) const;

    void prepare(const Shape& shape);
    void issue(const Shape& shape, std::int64_t body) const;
    void origin_epoch(const Shape& shape, std::int64_t body);
    void target_epoch(const Shape& shape, std::int64_t body);
    std::int64_t n_wrong_untimed(const Shape& shape);

    Program& program_;
    bool plays_;
    Window window_;
    payload::Buffer<double> source_;  // of the origin: what is put or added
    payload::Buffer<double> result_;  // and what it gets
    std::int64_t round_ = 0;          // a number for each time that the contents are made anew
    std::int64_t n_wrong_ends_ = 0;
};

}  // namespace heorot::one_sided
