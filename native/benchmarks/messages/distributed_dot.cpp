// messages/distributed_dot: how fast is a distributed DDOT, by reduction algorithm?
//
// Method    Vectors x and y of n doubles in all (--n; or --n-per-rank on each rank) are distributed
//           in even blocks:
//             s = sum over the ranks of (sum over the block of x(i) y(i)), on every rank in the end
//             naive: every rank sends its partial sum to rank 0, which receives them in the order
//               of the ranks, adds, and sends the sum to every rank
//             tree: blocking sends and receives up a binomial tree, where in step k ranks 2^k apart
//               meet, and down again
//             library: MPI_Reduce to rank 0 and MPI_Bcast
//             allreduce: MPI_Allreduce
//             local: the partial sums without messages: memory bandwidth of all ranks at once
//           All bodies start at a common instant, and each ends with the last rank. The vectors are
//           in caches if they fit there.
// Counts    flops = 2 n, however many ranks there are; the p - 1 additions of partial sums are left
//           out. The versions "naive" and "tree" send 2 (p - 1) messages of 8 bytes in a body.
// Comparable  In part: with the distributed dot product of EuroBen (mod1i), whose vector lengths
//           are not stated; this one adds "allreduce" and "local".
// Verified  Every body, warm-up included, on every rank: the dot product equals its closed form
//           exactly, because vectors hold small whole numbers that depend on the position in the
//           whole vector, and the first element of each block is the number of the body and of the
//           rank. All versions do the same untimed at odd lengths, below and above the number of
//           ranks.
// Source    A. J. van der Steen, An evaluation of some Beowulf clusters, WFI-2000-07, Utrecht
//           University, 2000: mod1i, its three versions, and the reading of one processor from
//           several.
// Example   heorot run messages/distributed_dot --set n=16M --ranks 2
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/messages/payload/elements.hpp"
#include "harness/program.hpp"

namespace {

namespace payload = heorot::payload;
using Index = std::int64_t;

constexpr int tag = 29;
// The periods of x and y are coprime: no two blocks of up to half a million elements are alike.
constexpr Index x_period = 1021;
constexpr Index y_period = 509;
// Beyond, a dot product might exceed 2^53 and lose digits.
constexpr std::size_t longest = std::size_t{1} << 33U;

constexpr double x_at(Index i) {
    return static_cast<double>(1 + i % x_period);
}
constexpr double y_at(Index i) {
    return static_cast<double>(1 + i % y_period);
}

/// The sum of x(i) y(i) over i < n: over a common period every pair of values occurs once.
double dot_before(Index n) {
    constexpr Index period = x_period * y_period;
    constexpr Index of_period = x_period * (x_period + 1) / 2 * (y_period * (y_period + 1) / 2);
    const Index n_periods = n / period;
    auto sum = static_cast<double>(n_periods) * static_cast<double>(of_period);
    for (Index i = 0; i < n % period; ++i) sum += x_at(i) * y_at(i);
    return sum;
}

/// The sum of x(i) y(i): sums side by side, so that no addition waits for the last one.
double dot(const double* x, const double* y, Index n) {
    constexpr Index width = 32;
    std::array<double, width> sums{};
    Index i = 0;
    for (; i + width <= n; i += width) {
#pragma omp simd
        for (Index j = 0; j < width; ++j) sums[static_cast<std::size_t>(j)] += x[i + j] * y[i + j];
    }
    double sum = 0.0;
    for (; i < n; ++i) sum += x[i] * y[i];
    for (const double part : sums) sum += part;
    return sum;
}

/// The vectors, of which this rank has a block.
class Vectors {
  public:
    Vectors(const heorot::Communicator& world, Index n);

    /// The partial sum of this rank, whose first element becomes the stamp of body number `body`.
    double partial(Index body) {
        if (length_ > 0) x_[0] = payload::stamp(rank_, body);
        return dot(x_.data(), y_.data(), length_);
    }
    /// The expected result of partial().
    double expected_partial(Index body) const {
        return partial_rest_ + (length_ > 0 ? y_at(first_) * payload::stamp(rank_, body) : 0.0);
    }
    /// The expected sum over ranks.
    double expected(Index body) const {
        return rest_ + stamp_factor_ * (payload::stamp(0, body) - payload::stamp(0, 0));
    }

  private:
    int rank_;
    Index first_;
    Index length_;
    heorot::Array<double> x_;
    heorot::Array<double> y_;
    double partial_rest_;        // what the elements behind the stamp contribute
    double rest_;                // the dot product in body number 0
    double stamp_factor_ = 0.0;  // how much more it is in each body after that
};

Vectors::Vectors(const heorot::Communicator& world, Index n)
    : rank_(world.rank()),
      first_(n * rank_ / world.size()),
      length_(n * (rank_ + 1) / world.size() - first_),
      x_(static_cast<std::size_t>(length_)),
      y_(static_cast<std::size_t>(length_)),
      partial_rest_(dot_before(first_ + length_) - dot_before(first_)),
      rest_(dot_before(n)) {
    for (Index i = 0; i < length_; ++i) {
        x_[static_cast<std::size_t>(i)] = x_at(first_ + i);
        y_[static_cast<std::size_t>(i)] = y_at(first_ + i);
    }
    if (length_ > 0) partial_rest_ -= x_at(first_) * y_at(first_);
    for (int rank = 0; rank < world.size(); ++rank) {
        const Index start = n * rank / world.size();
        if (n * (rank + 1) / world.size() == start) continue;
        rest_ += y_at(start) * (payload::stamp(rank, 0) - x_at(start));
        stamp_factor_ += y_at(start);
    }
}

// The versions: each turns the partial sum of this rank into the sum of all, on every rank.
// **Collective.**

double receive(MPI_Comm group, int from) {
    double value = std::numeric_limits<double>::quiet_NaN();
    MPI_Recv(&value, 1, MPI_DOUBLE, from, tag, group, MPI_STATUS_IGNORE);
    return value;
}

void send(MPI_Comm group, double value, int to) {
    MPI_Send(&value, 1, MPI_DOUBLE, to, tag, group);
}

double sum_naively(const heorot::Communicator& world, double sum) {
    if (world.rank() != 0) {
        send(world.mpi(), sum, 0);
        return receive(world.mpi(), 0);
    }
    for (int rank = 1; rank < world.size(); ++rank) sum += receive(world.mpi(), rank);
    for (int rank = 1; rank < world.size(); ++rank) send(world.mpi(), sum, rank);
    return sum;
}

double sum_in_tree(const heorot::Communicator& world, double sum) {
    const int rank = world.rank();
    int step = 1;
    for (; step < world.size() && rank % (2 * step) == 0; step *= 2) {
        if (rank + step < world.size()) sum += receive(world.mpi(), rank + step);
    }
    if (rank > 0) {  // `step` is the lowest bit of its number
        send(world.mpi(), sum, rank - step);
        sum = receive(world.mpi(), rank - step);
    }
    for (step /= 2; step > 0; step /= 2) {
        if (rank + step < world.size()) send(world.mpi(), sum, rank + step);
    }
    return sum;
}

double sum_by_library(const heorot::Communicator& world, double partial) {
    double sum = std::numeric_limits<double>::quiet_NaN();
    MPI_Reduce(&partial, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, world.mpi());
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, world.mpi());
    return sum;
}

double sum_by_allreduce(const heorot::Communicator& world, double partial) {
    double sum = std::numeric_limits<double>::quiet_NaN();
    MPI_Allreduce(&partial, &sum, 1, MPI_DOUBLE, MPI_SUM, world.mpi());
    return sum;
}

double stay_partial(const heorot::Communicator& /*world*/, double partial) {
    return partial;
}

struct Version {
    const char* name;
    double (*sum)(const heorot::Communicator& world, double partial);
};
constexpr std::array<Version, 5> versions = {{{"naive", sum_naively},
                                              {"tree", sum_in_tree},
                                              {"library", sum_by_library},
                                              {"allreduce", sum_by_allreduce},
                                              {"local", stay_partial}}};

double expected(const Version& version, const Vectors& vectors, Index body) {
    return version.sum == stay_partial ? vectors.expected_partial(body) : vectors.expected(body);
}

/// Measures and verifies one version.
void run(heorot::Program& program, const Version& version, Vectors& vectors, Index n) {
    const heorot::Communicator& world = program.world();
    Index n_bodies = 0;
    Index n_wrong = 0;
    const auto body = [&] {
        const double result = version.sum(world, vectors.partial(n_bodies));
        n_wrong += result == expected(version, vectors, n_bodies) ? 0 : 1;
        ++n_bodies;
    };
    const auto region = program.measure(
        {.region = version.name, .point = {{"n", n}}, .counts = {{"flops", 2 * n}}, .each = true},
        body);
    program.check(region, "timed bodies missing",
                  std::abs(static_cast<double>(region.n_bodies - n_bodies)), 0.0);
    program.check(region, "timed dot products that are wrong", static_cast<double>(n_wrong), 0.0);
    double result = version.sum(world, vectors.partial(n_bodies));
    program.corruptible(result);
    program.check(region, "deviation of an untimed dot product",
                  std::abs(result - expected(version, vectors, n_bodies)), 0.0);
}

/// Dot products of all versions that are wrong at odd lengths. **Collective.**
double n_wrong_at_odd_lengths(const heorot::Communicator& world) {
    const Index size = world.size();
    double n_wrong = 0.0;
    for (const Index n : {Index{1}, size - 1, size + 1, 2 * size + 1, Index{4099}}) {
        Vectors vectors(world, n);
        for (const Version& version : versions) {
            const double result = version.sum(world, vectors.partial(n));
            n_wrong += result == expected(version, vectors, n) ? 0.0 : 1.0;
        }
    }
    return n_wrong;
}

void distributed_dot(heorot::Program& program) {
    // 1. Options
    const auto n_in_all = program.option("n", std::size_t{1} << 20U, "elements of each vector");
    const auto n_per_rank =
        program.option("n-per-rank", std::size_t{0}, "elements of it on each rank instead");
    const auto length = either(heorot::ranks() * program.amount("n-per-rank"), program.amount("n"));
    program.takes("memory_bytes", 16.0 * length);
    program.takes("points", double{versions.size()});
    program.takes("flops", double{versions.size()} * 2.0 * length);
    program.start();

    // 2. Problem
    const auto n_ranks = static_cast<std::size_t>(program.world().size());
    if (n_in_all > longest || n_per_rank > longest / n_ranks || n_in_all + n_per_rank == 0) {
        throw heorot::UsageError("a vector has 1 to 2^33 elements", "--n 1M");
    }
    const auto n = static_cast<Index>(n_per_rank > 0 ? n_per_rank * n_ranks : n_in_all);
    Vectors vectors(program.world(), n);

    // 3. Measure, 4. Verify
    program.check("wrong dot products at odd lengths", n_wrong_at_odd_lengths(program.world()),
                  0.0);
    for (const Version& version : versions) run(program, version, vectors, n);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/distributed_dot", distributed_dot);
}
