// The operator of the flow equations, as many points of a row at a time as vectors have lanes, in
// one pass over memory.
//
// Checked against the equations, point by point and term by term, in tests/npb/flow/test_flow.cpp:
// operator_follows_the_definition.
#include "benchmarks/npb/flow/rhs.hpp"

#include <algorithm>
#include <array>

#include "benchmarks/npb/flow/exact.hpp"
#include "numerics/lanes.hpp"

namespace heorot::flow {

namespace {

constexpr double inner_weights[5] = {1.0, -4.0, 6.0, -4.0, 1.0};  // NOLINT: of i - 2 ... i + 2

/// Weights of the points i - 2 ... i + 2 in the fourth difference at point i of n, without the
/// wall and what lies behind it: (.., .., 5, -4, 1) and (.., -4, 6, -4, 1) next to the lower wall.
std::array<double, 5> fourth_difference(int i, int n) {
    std::array<double, 5> weights;
    std::copy_n(inner_weights, 5, weights.begin());
    if (i <= 2) weights[0] = 0.0;
    if (i <= 1) weights[1] = 0.0;
    if (i >= n - 3) weights[4] = 0.0;
    if (i >= n - 2) weights[3] = 0.0;
    if (i <= 1 || i >= n - 2) weights[2] = 5.0;
    return weights;
}

/// Factors of u at the points i - 2 ... i + 2 in one direction: second difference and dissipation.
/// `Number` is double for all lanes alike, Lanes where they differ.
template <class Number>
struct Weights {
    std::array<Number, 5> of;
};

Weights<double> weights_at(const DirectionCoefficients& c, int i, int n) {
    const auto fourth = fourth_difference(i, n);
    Weights<double> weights;
    for (std::size_t o = 0; o < 5; ++o) weights.of[o] = -dissipation * fourth[o];
    weights.of[1] += c.dxtx1;
    weights.of[2] -= 2.0 * c.dxtx1;
    weights.of[3] += c.dxtx1;
    return weights;
}

/// The weights in x of every group of points of a row. Only the first group and the last two
/// can contain points near a wall, so four kinds are enough.
class RowWeights {
  public:
    RowWeights(const Box& box, const DirectionCoefficients& c)
        : n_groups_((box.last(0) - box.first(0) + n_lanes - 1) / n_lanes) {
        for (int group = 0; group < n_groups_; ++group) {
            if (group > 1 && group < n_groups_ - 2) continue;
            auto& weights = kinds_[kind(group)];
            for (int lane = 0; lane < n_lanes; ++lane) {
                const int i = box.begin[0] + box.first(0) + group * n_lanes + lane;
                const auto mine = weights_at(c, i, box.grid[0]);
                for (std::size_t o = 0; o < 5; ++o) weights.of[o][lane] = mine.of[o];
            }
        }
    }
    int n_groups() const { return n_groups_; }
    const Weights<Lanes>& operator[](int group) const { return kinds_[kind(group)]; }

  private:
    std::size_t kind(int group) const {
        if (group >= n_groups_ - 2)
            return std::size_t{4} - static_cast<std::size_t>(n_groups_ - group);
        return group == 0 ? 0 : 1;
    }

    int n_groups_;
    std::array<Weights<Lanes>, 4> kinds_;
};

/// u at the points of a group, and values derived from it.
struct State {
    Lanes u[n_components];  // NOLINT: vectors are not for std::array's calls
    Lanes v[3];             // NOLINT: velocity
    Lanes inverse;          // 1 / rho
    Lanes q;                // kinetic energy per volume
};

[[gnu::always_inline]] inline State state_at(const double* u, Index component) {
    State s;
    for (int m = 0; m < n_components; ++m) s.u[m] = load(u + m * component);
    s.inverse = 1.0 / s.u[0];
    for (int d = 0; d < 3; ++d) s.v[d] = s.u[1 + d] * s.inverse;
    s.q = 0.5 * (s.v[0] * s.u[1] + s.v[1] * s.u[2] + s.v[2] * s.u[3]);
    return s;
}

using Sum = Lanes[n_components];

/// Adds what an adjacent point in direction D contributes: weight u, viscous terms, and -tx2 f for
/// the upper neighbour or +tx2 f for the lower one, f being the convective flux.
template <int D, class Number>
[[gnu::always_inline]] inline void add_neighbour(const double* u, Index component,
                                                 const Number& weight, double flux_factor,
                                                 const DirectionCoefficients& c, Sum& sum) {
    const State s = state_at(u, component);
    const Lanes flux_velocity = flux_factor * s.v[D];
    for (int m = 0; m < n_components; ++m) sum[m] += weight * s.u[m];
    sum[0] += flux_factor * s.u[1 + D];
    for (int d = 0; d < 3; ++d) {
        sum[1 + d] += flux_velocity * s.u[1 + d];
        sum[1 + d] += (d == D ? c.xxcon1 : c.xxcon2) * s.v[d];
    }
    sum[1 + D] += (flux_factor * c2) * (s.u[4] - s.q);
    sum[4] += flux_velocity * (c1 * s.u[4] - c2 * s.q);
    sum[4] += c.xxcon4 * s.v[D] * s.v[D];
    sum[4] += s.inverse * (c.xxcon3 * s.q + c.xxcon5 * s.u[4]);
}

/// Adds weight u at a point two away.
template <class Number>
[[gnu::always_inline]] inline void add_far(const double* u, Index component, const Number& weight,
                                           Sum& sum) {
    for (int m = 0; m < n_components; ++m) sum[m] += weight * load(u + m * component);
}

/// All neighbours of a point in direction D; `weights` at distance zero is left to add_centre.
template <int D, class Number>
[[gnu::always_inline]] inline void add_direction(const double* u, const Layout& layout,
                                                 const Weights<Number>& weights, Index lower_two,
                                                 Index upper_two, const DirectionCoefficients& c,
                                                 Sum& sum) {
    const Index stride = layout.stride(D);
    const Index component = layout.component();
    add_far(u + lower_two, component, weights.of[0], sum);
    add_neighbour<D>(u - stride, component, weights.of[1], c.tx2, c, sum);
    add_neighbour<D>(u + stride, component, weights.of[3], -c.tx2, c, sum);
    add_far(u + upper_two, component, weights.of[4], sum);
}

/// Contributions of the point itself in all three directions, without its weight in the
/// differences of u.
struct CentreFactors {
    explicit CentreFactors(const Coefficients& c) {
        for (std::size_t d = 0; d < 3; ++d) {
            velocity[d] = -2.0 * c.direction[d].xxcon1;
            for (std::size_t other = 0; other < 3; ++other) {
                if (other != d) velocity[d] -= 2.0 * c.direction[other].xxcon2;
            }
            square[d] = -2.0 * c.direction[d].xxcon4;
            kinetic -= 2.0 * c.direction[d].xxcon3;
            energy -= 2.0 * c.direction[d].xxcon5;
        }
    }
    std::array<double, 3> velocity = {};
    std::array<double, 3> square = {};
    double kinetic = 0.0;
    double energy = 0.0;
};

[[gnu::always_inline]] inline void add_centre(const double* u, Index component, const Lanes& weight,
                                              const CentreFactors& c, Sum& sum) {
    const State s = state_at(u, component);
    for (int m = 0; m < n_components; ++m) sum[m] += weight * s.u[m];
    for (std::size_t d = 0; d < 3; ++d) {
        sum[1 + d] += c.velocity[d] * s.v[d];
        sum[4] += c.square[d] * s.v[d] * s.v[d];
    }
    sum[4] += s.inverse * (c.kinetic * s.q + c.energy * s.u[4]);
}

/// One row and all that does not change along it.
struct Row {
    const Layout& layout;
    const Coefficients& coefficients;
    const CentreFactors& centre;
    const RowWeights& in_x;
    Weights<double> in_y;
    Weights<double> in_z;

    /// Distance of the point two away, zero if it is not used: there may be no memory for it.
    static Index far(double weight, Index offset) { return weight == 0.0 ? 0 : offset; }

    void compute(const double* u, const double* forcing, double scale, double* rhs) const {
        const Index component = layout.component();
        const auto& direction = coefficients.direction;
        const Index two_rows = 2 * layout.row();
        const Index two_planes = 2 * layout.plane();
        for (int group = 0; group < in_x.n_groups(); ++group) {
            const Index i = Index{group} * n_lanes;
            const double* const here = u + i;
            const auto& x = in_x[group];
            Sum sum;
            for (int m = 0; m < n_components; ++m) {
                const Index at = i + m * component;
                sum[m] = load(forcing + at);
                // The next row: 16 streams are more than the hardware follows by itself.
                __builtin_prefetch(forcing + at + layout.row());
                __builtin_prefetch(rhs + at + layout.row(), 1);
                __builtin_prefetch(u + at + two_planes + layout.row());
            }
            add_centre(here, component, x.of[2] + (in_y.of[2] + in_z.of[2]), centre, sum);
            add_direction<0>(here, layout, x, -2, 2, direction[0], sum);
            add_direction<1>(here, layout, in_y, far(in_y.of[0], -two_rows),
                             far(in_y.of[4], two_rows), direction[1], sum);
            add_direction<2>(here, layout, in_z, far(in_z.of[0], -two_planes),
                             far(in_z.of[4], two_planes), direction[2], sum);
            for (int m = 0; m < n_components; ++m) {
                store(rhs + i + m * component, scale * sum[m]);
            }
        }
    }
};

}  // namespace

void compute_rhs_planes(const Field& u, const Field& forcing, const Coefficients& coefficients,
                        double scale, Field& rhs, int k_begin, int k_end) {
    const Layout& layout = u.layout();
    const Box& box = layout.box();
    const RowWeights in_x(box, coefficients.direction[0]);
    const CentreFactors centre(coefficients);
    for (int k = k_begin; k < k_end; ++k) {
        const auto in_z = weights_at(coefficients.direction[2], box.begin[2] + k, box.grid[2]);
        for (int j = box.first(1); j < box.last(1); ++j) {
            const auto in_y = weights_at(coefficients.direction[1], box.begin[1] + j, box.grid[1]);
            const Row row = {layout, coefficients, centre, in_x, in_y, in_z};
            const Index start = layout.at(box.first(0), j, k);
            row.compute(u.component(0) + start, forcing.component(0) + start, scale,
                        rhs.component(0) + start);
        }
    }
}

void compute_rhs(const Field& u, const Field& forcing, const Coefficients& coefficients,
                 double scale, Field& rhs) {
    const Box& box = u.box();
#pragma omp parallel for schedule(static) if (box.is_worth_threads())
    for (int k = box.first(2); k < box.last(2); ++k) {
        compute_rhs_planes(u, forcing, coefficients, scale, rhs, k, k + 1);
    }
}

void set_forcing(Field& forcing, const Coefficients& coefficients, Field& scratch) {
    set_exact(scratch, coefficients.h);
    forcing.fill(0.0);
    compute_rhs(scratch, forcing, coefficients, -1.0, forcing);
}

void add(const Field& r, Field& u) {
    const Box& box = u.box();
    const Layout& layout = u.layout();
#pragma omp parallel for schedule(static) if (box.is_worth_threads())
    for (int k = box.first(2); k < box.last(2); ++k) {
        for (int m = 0; m < n_components; ++m) {
            for (int j = box.first(1); j < box.last(1); ++j) {
                const double* const from = r.component(m) + layout.at(0, j, k);
                double* const to = u.component(m) + layout.at(0, j, k);
#pragma omp simd
                for (int i = box.first(0); i < box.last(0); ++i) to[i] += from[i];
            }
        }
    }
}

}  // namespace heorot::flow
