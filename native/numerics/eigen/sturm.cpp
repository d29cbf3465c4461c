// The three-term recurrence without divisions, scaled by powers of two.
#include "numerics/eigen/sturm.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "numerics/lanes.hpp"

namespace heorot::eigen {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr Index width = 4;  // vectors of points at once: as many as hide the latency of a step
constexpr Index n_at_once = width * n_lanes;
// Rows between scalings: a step grows by 3 at most, and shrinks by eps^2 at most.
constexpr Index rows_at_once = 8;
constexpr int mantissa_bits = 52;
constexpr std::uint64_t bias = 1023;

using Bits = std::uint64_t __attribute__((vector_size(sizeof(Lanes))));

/// Sequences at n_at_once points: p(i), p(i - 1), and what is known so far.
struct Sequences {
    Lanes x[width];
    Lanes p[width];
    Lanes before[width];
    Bits n_changes[width];
    Bits exponent[width];
};

/// p(i + 1) = (d(i) - x) p(i) - e(i - 1)^2 p(i - 1) for a row; counts changes of sign.
[[gnu::always_inline]] inline void step(double d, double e2, Sequences& s) {
#pragma GCC unroll 4
    for (Index w = 0; w < width; ++w) {
        const Lanes next = (d - s.x[w]) * s.p[w] - e2 * s.before[w];
        s.n_changes[w] += (std::bit_cast<Bits>(next) ^ std::bit_cast<Bits>(s.p[w])) >> 63U;
        s.before[w] = s.p[w];
        s.p[w] = next;
    }
}

/// Both by a power of two, so that the larger one is from 1 to 2.
[[gnu::always_inline]] inline void scale(Sequences& s) {
#pragma GCC unroll 4
    for (Index w = 0; w < width; ++w) {
        const Lanes a = select(s.p[w] < 0.0, -s.p[w], s.p[w]);
        const Lanes b = select(s.before[w] < 0.0, -s.before[w], s.before[w]);
        const Bits exponent = std::bit_cast<Bits>(select(a > b, a, b)) >> mantissa_bits;
        s.exponent[w] += exponent - bias;
        const auto factor = std::bit_cast<Lanes>((2 * bias - exponent) << mantissa_bits);
        s.p[w] *= factor;
        s.before[w] *= factor;
    }
}

/// The sequences of all rows at the points xs. Not inlined: in registers from start to end.
[[gnu::noinline]] void run(Index n, const double* d, const double* e2, const double* xs,
                           Sequences& all) {
    Sequences s = {};
#pragma GCC unroll 4
    for (Index w = 0; w < width; ++w) {
        s.x[w] = load(xs + w * n_lanes);
        s.p[w] = lanes_of(1.0);
    }
    for (Index i = 0; i < n; i += rows_at_once) {
        const Index end = std::min(n, i + rows_at_once);
        for (Index row = i; row < end; ++row) step(d[row], e2[row], s);
        scale(s);
    }
    all = s;
}

double norm_of(Index n, const double* d, const double* e) {
    double largest = 0.0;
    for (Index i = 0; i < n; ++i) {
        const double above = i > 0 ? std::abs(e[i - 1]) : 0.0;
        const double below = i + 1 < n ? std::abs(e[i]) : 0.0;
        largest = std::max(largest, above + std::abs(d[i]) + below);
    }
    return largest > 0.0 ? largest : 1.0;
}

}  // namespace

Sturm::Sturm(Index n, const double* d, const double* e)
    : norm_(norm_of(n, d, e)), d_(d, d + n), e2_(d_.size(), 0.0) {
    for (double& each : d_) each /= norm_;
    for (std::size_t i = 1; i < e2_.size(); ++i) {
        const double scaled = std::max(std::abs(e[i - 1]) / norm_, 0.5 * eps);
        e2_[i] = scaled * scaled;
    }
}

void Sturm::evaluate(std::vector<Evaluation>& points) const {
    for (std::size_t begin = 0; begin < points.size(); begin += n_at_once) {
        const auto present = std::min<std::size_t>(n_at_once, points.size() - begin);
        double xs[n_at_once];
        for (std::size_t k = 0; k < n_at_once; ++k) {
            xs[k] = points[begin + std::min(k, present - 1)].x;
        }
        Sequences s;
        run(n(), d_.data(), e2_.data(), xs, s);
        for (std::size_t k = 0; k < present; ++k) {
            const std::size_t w = k / n_lanes;
            const std::size_t lane = k % n_lanes;
            Evaluation& point = points[begin + k];
            point.mantissa = std::abs(s.p[w][lane]);
            point.exponent = static_cast<std::int64_t>(s.exponent[w][lane]);
            point.n_below = static_cast<Index>(s.n_changes[w][lane]);
        }
    }
}

}  // namespace heorot::eigen
