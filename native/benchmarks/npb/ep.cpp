// npb/ep: how fast is embarrassingly parallel computation (NPB EP)?
//
// Method    The Embarrassingly Parallel benchmark: 2^m pairs of uniform random numbers u, u' become
//           normal deviates; m = 24, 25, 28, 30, 32, 36, 40 for class S, W, A, B, C, D, E.
//             (x, y) = (2 u - 1, 2 u' - 1), t = x^2 + y^2, accepted if t <= 1
//             X = x sqrt(-2 ln t / t), Y = y sqrt(-2 ln t / t)
//             sums of X and of Y; counts of the pairs with l <= max(|X|, |Y|) < l + 1, l = 0 ... 9
//           These are added up over all ranks. Timed, as one body: the whole benchmark from the
//           seed to the global sums. Batches of 2^16 pairs are dealt out in contiguous shares that
//           differ by one batch at most; threads share a rank's batches. The generator runs in
//           interleaved lanes; logarithm and inverse square root are our own, exact to the last
//           places, and rejected pairs go through the same loops, in vectors.
// Counts    operations = 2^(m+1) (the benchmark's own definition: random numbers made), pairs =
//           2^m, flops = 57 per pair, accepted or not: 5 up to t, 26 for -2 ln t, 22 for the
//           factor, 4 to scale and add. Those for the annuli and comparisons are not counted.
//           What limits: with AVX-512 on Zen 5, 8 pairs take 75 vector instructions in 30 cycles,
//           0.48 of the peak. 30 of them multiply, 12 only add, which counts half of what a fused
//           operation does, and 30 are shifts, masks and comparisons of generator, logarithm and
//           annuli; the division and the generator's integer products take 4 cycles each.
// Comparable  No: the same problems and verification values, so that times to solution are
//           comparable; operations per second do not compare with published Mop/s of NASA's
//           programs, which call the library's logarithm and root pair by pair, where ours are
//           computed in vectors.
// Verified  Both sums equal the published ones, relative deviation <= 1e-8. The ten counts add up
//           to the number of accepted pairs, exactly, which is pi / 4 of all pairs within 1e-3. The
//           accepted pairs of each rank's first 256 batches equal those of an unvectorised recount
//           that steps through the sequence and decides x^2 + y^2 <= 1 in 128-bit integers,
//           exactly.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), section 2.2; classes
//           W, D, E from the NAS Parallel Benchmarks 3.4. G. Marsaglia, T. A. Bray, SIAM Review 6
//           (1964).
// Example   heorot run npb/ep --set class=A --ranks 2
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <span>
#include <vector>

#include "benchmarks/npb/published.hpp"
#include "harness/program.hpp"
#include "numerics/elementary.hpp"
#include "numerics/lanes.hpp"
#include "numerics/random.hpp"

namespace {

using heorot::Lanes;
using heorot::n_lanes;
using Bits = heorot::LaneBits;

struct ProblemClass {
    const char* name;
    int m;
    double sum_x, sum_y;
};

constexpr std::array<ProblemClass, 7> classes = {{
    {"S", 24, -3.247834652034740e+3, -6.958407078382297e+3},
    {"W", 25, -2.863319731645753e+3, -6.320053679109499e+3},
    {"A", 28, -4.295875165629892e+3, -1.580732573678431e+4},
    {"B", 30, 4.033815542441498e+4, -2.660669192809235e+4},
    {"C", 32, 4.764367927995374e+4, -8.084072988043731e+4},
    {"D", 36, 1.982481200946593e+5, -1.020596636361769e+5},
    {"E", 40, -5.319717441530e+5, -3.688834557731e+5},
}};

constexpr std::uint64_t seed = 271828183;
constexpr std::size_t n_annuli = 10;
constexpr std::int64_t pairs_per_batch = std::int64_t{1} << 16;

struct Tally {
    std::array<double, 2> sums = {};                     // of X and of Y
    std::array<std::int64_t, n_annuli + 1> counts = {};  // of the annuli; last, of accepted pairs

    Tally& operator+=(const Tally& other) {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += other.sums[i];
        for (std::size_t l = 0; l < counts.size(); ++l) counts[l] += other.counts[l];
        return *this;
    }
    std::int64_t n_accepted() const { return counts.back(); }
};

struct Share {
    std::int64_t first, last;  // batches, [first, last)
};

/// The numbers x_{k+1}, x_{k+2}, ... by pairs, n_lanes pairs at a time: lane j holds those of the
/// j-th pair, and every step multiplies by a^(2 n_lanes) (leapfrog). The equality with one number
/// after the other is checked in every run: recount_accepted().
class PairsInLanes {
  public:
    explicit PairsInLanes(heorot::Random random) {
        for (int lane = 0; lane < n_lanes; ++lane) {
            first_[lane] = random.advance() << n_spare_bits;
            random.advance();
        }
    }
    /// 2 u - 1 of both numbers of each pair, exact.
    void next(Lanes& x, Lanes& y) {
        x = centred(first_);
        y = centred(first_ * heorot::Random::multiplier);
        first_ *= stride;
    }

  private:
    static constexpr int n_spare_bits = 64 - heorot::Random::n_bits;
    static constexpr std::uint64_t stride =
        heorot::Random::power(heorot::Random::multiplier, std::uint64_t{2} * n_lanes);

    // The 46 bits become the leading ones of the fraction of a number in [2, 4), 2 u + 2.
    static Lanes centred(const Bits& scaled) {
        constexpr std::uint64_t exponent_of_two = 0x4000000000000000U;
        return std::bit_cast<Lanes>((scaled >> 12U) | exponent_of_two) - 3.0;
    }

    Bits first_;  // 2^18 x, so that arithmetic modulo 2^64 is that modulo 2^46 for x
};

/// Blocks of pairs on their way from uniform numbers to deviates. Checked in every run against the
/// published sums, and for the accepted pairs by recount_accepted(), pair by pair.
class Deviates {
  public:
    static constexpr std::size_t n = 32;  // vectors of pairs in a block, which stays in L1d

    /// Takes a block of pairs, in several loops: in one, the operations of a pair, a chain of 150
    /// cycles, would leave no room for those of other pairs in a core's window.
    void add(PairsInLanes& pairs) {
        for (std::size_t j = 0; j < n; ++j) {
            pairs.next(x_[j], y_[j]);
            t_[j] = x_[j] * x_[j] + y_[j] * y_[j];
        }
        make_factors();
        add_deviates();
    }
    /// Of all blocks so far.
    Tally tally() const {
        Tally tally;
        for (int lane = 0; lane < n_lanes; ++lane) {
            tally.sums[0] += sum_x_[lane];
            tally.sums[1] += sum_y_[lane];
            for (std::size_t l = 0; l < counts_.size(); ++l) {
                tally.counts[l] += static_cast<std::int64_t>(counts_[l][lane]);
            }
        }
        return tally;
    }

  private:
    static constexpr std::uint64_t n_bits = 6;  // of a counter of a lane: it counts to n
    static constexpr std::uint64_t mask = (1U << n_bits) - 1;

    // sqrt(q / t) = q / sqrt(q t) with q = -2 ln t; 0 for rejected pairs
    void make_factors() {
        for (std::size_t j = 0; j < n; ++j) {
            const Lanes q = -2.0 * heorot::logarithm(t_[j]);
            factor_[j] = heorot::select(t_[j] <= 1.0, q, Lanes{});
        }
        for (std::size_t j = 0; j < n; ++j) {
            factor_[j] *= heorot::inverse_square_root(factor_[j] * t_[j]);
        }
    }

    // X = x sqrt(q / t), Y likewise. Each lane has the counters of all annuli in one number; a mask
    // is -1 where a pair is accepted, else 0.
    void add_deviates() {
        Lanes sum_x = {};
        Lanes sum_y = {};
        Bits counters = {};
        Bits n_accepted = {};
        for (std::size_t j = 0; j < n; ++j) {
            const Lanes x = x_[j] * factor_[j];
            const Lanes y = y_[j] * factor_[j];
            sum_x += x;
            sum_y += y;
            const auto accepted = std::bit_cast<Bits>(t_[j] <= 1.0);
            const Lanes a = magnitude(x);
            const Lanes b = magnitude(y);
            counters -= accepted << shift_of(a > b ? a : b);
            n_accepted -= accepted;
        }
        sum_x_ += sum_x;
        sum_y_ += sum_y;
        for (std::size_t l = 0; l < n_annuli; ++l) counts_[l] += (counters >> (n_bits * l)) & mask;
        counts_.back() += n_accepted;
    }

    // n_bits l with l = floor(larger), whole numbers being the last bits of a sum with 1.5 2^52.
    static Bits shift_of(const Lanes& larger) {
        constexpr double to_whole = 0x1.8p52;
        const Lanes l = ((larger - 0.5) + to_whole) - to_whole;
        return std::bit_cast<Bits>(l * static_cast<double>(n_bits) + to_whole) & mask;
    }
    static Lanes magnitude(const Lanes& a) {
        constexpr std::uint64_t all_but_sign = 0x7fffffffffffffffU;
        return std::bit_cast<Lanes>(std::bit_cast<Bits>(a) & all_but_sign);
    }

    std::array<Lanes, n> x_, y_, t_, factor_;
    Lanes sum_x_ = {};
    Lanes sum_y_ = {};
    std::array<Bits, n_annuli + 1> counts_ = {};  // of the annuli; last, of accepted pairs
};

std::vector<heorot::Count> counts_of(const ProblemClass& problem) {
    const std::int64_t n_pairs = std::int64_t{1} << problem.m;
    return {{"operations", 2 * n_pairs}, {"pairs", n_pairs}, {"flops", 57 * n_pairs}};
}

heorot::Random random_at(std::int64_t batch) {
    heorot::Random random(seed);
    random.skip(static_cast<std::uint64_t>(2 * pairs_per_batch * batch));
    return random;
}

Tally tally_batches(Share share) {
    Tally total;
#pragma omp parallel
    {
        Deviates deviates;
#pragma omp for schedule(static)
        for (std::int64_t batch = share.first; batch < share.last; ++batch) {
            PairsInLanes pairs(random_at(batch));
            for (std::int64_t pair = 0; pair < pairs_per_batch;
                 pair += static_cast<std::int64_t>(Deviates::n) * n_lanes) {
                deviates.add(pairs);
            }
        }
#pragma omp critical
        total += deviates.tally();
    }
    return total;
}

/// Accepted pairs of `share`, by integer arithmetic: with x = (X - 2^45) / 2^45 a pair is accepted
/// if (X - 2^45)^2 + (Y - 2^45)^2 <= 2^90.
std::int64_t recount_accepted(Share share) {
    __extension__ using Wide = __int128;
    constexpr Wide half = heorot::Random::modulus / 2;
    heorot::Random random = random_at(share.first);
    std::int64_t n_accepted = 0;
    for (std::int64_t pair = 0; pair < pairs_per_batch * (share.last - share.first); ++pair) {
        const Wide x = static_cast<Wide>(random.advance()) - half;
        const Wide y = static_cast<Wide>(random.advance()) - half;
        n_accepted += x * x + y * y <= half * half ? 1 : 0;
    }
    return n_accepted;
}

void ep(heorot::Program& program) {
    // 1. Options
    const auto name = heorot::choose_class(
        program, classes, [](const ProblemClass&) { return 4.0 * heorot::mebibyte; }, counts_of);
    program.start();

    // 2. Problem
    const ProblemClass& problem = heorot::find_class(classes, name);
    const heorot::Communicator& world = program.world();
    const std::int64_t n_pairs = std::int64_t{1} << problem.m;
    const std::int64_t n_batches = n_pairs / pairs_per_batch;
    const Share share = {n_batches * world.rank() / world.size(),
                         n_batches * (world.rank() + 1) / world.size()};

    // 3. Measure
    Tally tally;
    const auto region = program.measure(
        {.region = "ep", .point = {{"class", name}}, .counts = counts_of(problem)}, [&] {
            tally = tally_batches(share);
            world.sum(std::span<double>(tally.sums));
            world.sum(std::span<std::int64_t>(tally.counts));
        });
    program.corruptible(std::span<double>(tally.sums));

    // 4. Verify
    program.check(region, "sum of X, relative deviation",
                  heorot::relative_deviation(tally.sums[0], problem.sum_x), 1e-8);
    program.check(region, "sum of Y, relative deviation",
                  heorot::relative_deviation(tally.sums[1], problem.sum_y), 1e-8);
    std::int64_t n_in_annuli = 0;
    for (std::size_t l = 0; l < n_annuli; ++l) n_in_annuli += tally.counts[l];
    program.check(region, "accepted pairs outside the annuli",
                  static_cast<double>(std::abs(tally.n_accepted() - n_in_annuli)), 0.0);
    program.check(region, "share of accepted pairs, relative deviation from pi/4",
                  heorot::relative_deviation(static_cast<double>(tally.n_accepted()),
                                             std::numbers::pi / 4 * static_cast<double>(n_pairs)),
                  1e-3);
    const Share sample = {share.first, std::min(share.last, share.first + 256)};
    program.check(region, "accepted pairs, difference from integer arithmetic",
                  static_cast<double>(
                      std::abs(tally_batches(sample).n_accepted() - recount_accepted(sample))),
                  0.0);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/ep", ep);
}
