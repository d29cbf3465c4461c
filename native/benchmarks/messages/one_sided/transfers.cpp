// Epochs of transfers on both ends, and their expected results.
#include "benchmarks/messages/one_sided/transfers.hpp"

#include <algorithm>
#include <cmath>

namespace heorot::one_sided {

namespace {

constexpr int of_target = 0;  // whose elements are whose
constexpr int of_origin = 1;
constexpr double unwritten = -1.0;

/// How many of the first n bodies use the half of this parity.
std::int64_t n_of_parity(std::int64_t n_bodies, std::int64_t parity) {
    return (n_bodies + 1 - parity) / 2;
}

}  // namespace

Transfers::Transfers(Program& program, const Communicator& ends, bool plays, std::size_t length,
                     Memory memory)
    : program_(program),
      plays_(plays),
      window_(ends, plays ? 2 * length * sizeof(double) : 0, memory),
      source_(is_origin() ? length : 0),
      result_(is_origin() ? length : 0) {}

/// Both halves, on the target.
std::span<double> Transfers::memory(const Shape& shape) const {
    return is_target() ? window_.memory<double>().first(2 * shape.length()) : std::span<double>{};
}

/// Element i of the half that `body` uses, as it is when it starts.
double Transfers::original(const Shape& shape, std::size_t i, std::int64_t body) const {
    const auto index = static_cast<std::int64_t>(i);
    const double before = payload::element(index, of_target, 2 * round_ + (body & 1));
    if (!shape.adds()) return before;
    const std::int64_t n_added = body / 2;
    return before + static_cast<double>(n_added) * payload::element(index, of_origin, round_);
}

/// Makes all contents anew. **Collective** over the ends.
void Transfers::prepare(const Shape& shape) {
    ++round_;
    const std::size_t length = shape.length();
    window_.at_target<double>([&](std::span<double> memory) {
        payload::fill(memory.first(length), of_target, 2 * round_);
        payload::fill(memory.subspan(length, length), of_target, 2 * round_ + 1);
        window_.guard_behind(2 * length * sizeof(double));
        return 0;
    });
    if (!is_origin()) return;
    payload::fill(source_.first(length), of_origin, round_);
    std::ranges::fill(result_.first(length), unwritten);
    result_.guard_behind(length);
}

void Transfers::issue(const Shape& shape, std::int64_t body) const {
    constexpr int target = Window::target;
    const auto n = static_cast<int>(shape.n);
    const std::size_t start = (body & 1) == 0 ? 0 : shape.length();
    for (std::size_t i = 0; i < shape.length(); i += shape.n) {
        const auto where = static_cast<MPI_Aint>((start + i) * sizeof(double));
        const double* const source = source_.data() + i;
        double* const result = result_.data() + i;
        switch (shape.transfer) {
            case Transfer::put:
                MPI_Put(source, n, MPI_DOUBLE, target, where, n, MPI_DOUBLE, window_.mpi());
                break;
            case Transfer::get:
                MPI_Get(result, n, MPI_DOUBLE, target, where, n, MPI_DOUBLE, window_.mpi());
                break;
            case Transfer::accumulate:
                MPI_Accumulate(source, n, MPI_DOUBLE, target, where, n, MPI_DOUBLE, MPI_SUM,
                               window_.mpi());
                break;
            case Transfer::get_accumulate:
                MPI_Get_accumulate(source, n, MPI_DOUBLE, result, n, MPI_DOUBLE, target, where, n,
                                   MPI_DOUBLE, MPI_SUM, window_.mpi());
                break;
        }
    }
}

void Transfers::origin_epoch(const Shape& shape, std::int64_t body) {
    const std::size_t watched = shape.watched(body);
    const auto result = shape.has_result() ? shape.part(result_.all(), watched) : result_.first(0);
    payload::put_ends(result, unwritten);
    if (shape.transfer == Transfer::put) {
        payload::put_ends(shape.part(source_.all(), watched), shape.stamp(body));
    }
    window_.open(shape.epoch, End::origin);
    issue(shape, body);
    window_.close(shape.epoch, End::origin);
    if (result.empty()) return;
    const std::size_t first = watched * shape.n;
    n_wrong_ends_ += result.front() == original(shape, first, body) ? 0 : 1;
    n_wrong_ends_ += result.back() == original(shape, first + shape.n - 1, body) ? 0 : 1;
}

void Transfers::target_epoch(const Shape& shape, std::int64_t body) {
    window_.open(shape.epoch, End::target);
    window_.close(shape.epoch, End::target);
    if (shape.transfer != Transfer::put || !has_target_calls(shape.epoch)) return;
    const std::size_t used = (body & 1) == 0 ? 0 : shape.length();
    const auto half = window_.memory<double>().subspan(used, shape.length());
    n_wrong_ends_ +=
        payload::n_wrong_ends(shape.part(half, shape.watched(body)), shape.stamp(body));
}

/// The elements of a half that n_bodies bodies have not left as they must.
std::int64_t Transfers::n_wrong_at(const Shape& shape, std::span<const double> half,
                                   std::int64_t n_bodies, std::int64_t parity) const {
    const std::int64_t n_here = n_of_parity(n_bodies, parity);
    const std::int64_t next = 2 * n_here + parity;  // the body that would come next
    std::int64_t n_wrong = 0;
    if (shape.transfer != Transfer::put || n_here == 0) {
        for (std::size_t i = 0; i < half.size(); ++i) {
            n_wrong += half[i] == original(shape, i, next) ? 0 : 1;
        }
        return n_wrong;
    }
    const std::int64_t last = next - 2;
    const auto n_operations = static_cast<std::int64_t>(shape.n_operations);
    for (std::size_t s = 0; s < shape.n_operations; ++s) {
        const auto part = half.subspan(s * shape.n, shape.n);
        // The last put has the stamps of the body that checked this operation last.
        const auto late =
            static_cast<std::int64_t>(shape.watched(last)) - static_cast<std::int64_t>(s);
        const std::int64_t stamped = last - (late < 0 ? late + n_operations : late);
        const auto first = static_cast<std::int64_t>(s * shape.n);
        const std::size_t n_stamped = stamped < 0 ? 0 : std::min<std::size_t>(shape.n, 2);
        if (n_stamped > 0) n_wrong += payload::n_wrong_ends(part, shape.stamp(stamped));
        const std::size_t skip = n_stamped > 0 ? 1 : 0;
        n_wrong += payload::n_wrong(part.subspan(skip, shape.n - n_stamped), of_origin, round_,
                                    first + static_cast<std::int64_t>(skip));
    }
    return n_wrong;
}

/// The wrong elements of both halves, and the bytes behind them that were written to.
std::int64_t Transfers::n_wrong_at_target(const Shape& shape, std::int64_t n_bodies) const {
    program_.corruptible(memory(shape));
    if (!plays_) return 0;
    return window_.at_target<double>([&](std::span<const double> memory) {
        const std::size_t length = shape.length();
        return n_wrong_at(shape, memory.first(length), n_bodies, 0) +
               n_wrong_at(shape, memory.subspan(length, length), n_bodies, 1) +
               window_.n_touched_behind(2 * length * sizeof(double));
    });
}

/// The same of the origin's results, in all of `body`.
std::int64_t Transfers::n_wrong_results(const Shape& shape, std::int64_t body) const {
    std::int64_t n_wrong = result_.n_touched_behind(shape.length());
    for (std::size_t i = 0; i < shape.length() && shape.has_result(); ++i) {
        n_wrong += result_.data()[i] == original(shape, i, body) ? 0 : 1;
    }
    return n_wrong;
}

/// Enough epochs to check all contents of both halves; returns the number of wrong elements.
/// **Collective** over the job.
std::int64_t Transfers::n_wrong_untimed(const Shape& shape) {
    constexpr std::int64_t n_bodies = 3;
    std::int64_t n_wrong = 0;
    if (plays_) {
        prepare(shape);
        window_.begin(shape.epoch);
        for (std::int64_t body = 0; body < n_bodies; ++body) {
            if (is_origin()) {
                std::ranges::fill(result_.first(shape.length()), unwritten);
                origin_epoch(shape, body);
                n_wrong += n_wrong_results(shape, body);
            } else {
                target_epoch(shape, body);
            }
        }
        window_.end(shape.epoch);
    }
    return n_wrong + n_wrong_at_target(shape, n_bodies);
}

void Transfers::run(const std::string& name, const Shape& shape) {
    std::int64_t n_wrong = n_wrong_untimed(shape);
    std::int64_t body = 0;
    n_wrong_ends_ = 0;
    if (plays_) {
        prepare(shape);
        window_.begin(shape.epoch);
    }
    const std::size_t bytes = shape.length() * sizeof(double);
    const bool both_ways = shape.transfer == Transfer::get_accumulate;
    const auto region = program_.measure(
        {.region = name,
         .point = {{"epoch", name_of(shape.epoch)},
                   {"bytes", static_cast<std::int64_t>(shape.n * sizeof(double))}},
         .counts = {{"operations", shape.n_operations}, {"bytes", both_ways ? 2 * bytes : bytes}}},
        [&] {
            if (is_origin()) {
                origin_epoch(shape, body++);
            } else if (plays_) {
                target_epoch(shape, body++);
            }
        });
    if (plays_) window_.end(shape.epoch);
    const auto n_missing = static_cast<double>(plays_ ? std::abs(region.n_bodies - body) : 0);
    const auto n_wrong_ends = static_cast<double>(n_wrong_ends_);
    n_wrong += n_wrong_at_target(shape, body) + n_wrong_untimed(shape);
    program_.check(region, "bodies missing", n_missing, 0.0);
    program_.check(region, "wrong ends in timed bodies", n_wrong_ends, 0.0);
    program_.check(region, "wrong elements before, after and in the sum of the timed bodies",
                   static_cast<double>(n_wrong), 0.0);
}

}  // namespace heorot::one_sided
