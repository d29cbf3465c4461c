// The lines of a box in one direction, one in each lane, between the fields and a line solve.
//
// Checked against the three factors of a time step, multiplied point by point, in
// tests/npb/flow/test_sp_step.cpp: factors_times_step_is_right_hand_side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "benchmarks/npb/sp/eigenvectors.hpp"
#include "benchmarks/npb/sp/pentadiagonal.hpp"
#include "numerics/lanes.hpp"

namespace heorot::sp {

/// Rows that a group of lines with n points needs in memory: two before, two behind, and room for
/// whole transposed blocks.
inline Index rows_of_line(Index n) {
    return (n + n_lanes - 1) / n_lanes * n_lanes + 4;
}

/// The implicit factor of direction D (0, 1, 2: x, y, z) on one box. Lanes run along x, where
/// points are contiguous; if D is x, along y, and square blocks of points are transposed. Groups of
/// lines are numbered layer by layer: planes of constant z, or of constant y if D is z.
template <int D>
class Sweep {
  public:
    /// The fields must outlive the sweep; of `u` only the sweep in z changes something.
    Sweep(flow::Field& u, flow::Field& r, const flow::Coefficients& c)
        : layout_(u.layout()),
          u_(u.component(0) + first_point()),
          r_(r.component(0) + first_point()),
          n_(n_interior(D)),
          n_lines_(n_interior(lane_direction)),
          n_layers_(n_interior(layer_direction)),
          dissipation_(c.dt * flow::dissipation),
          tx2_(c.dt * c.direction[D].tx2),
          dxtx1_(c.dt * c.direction[D].dxtx1),
          viscous_(c.dt * c.direction[D].xxcon5),
          walls_{layout_.box().has_wall(D, Side::lower), layout_.box().has_wall(D, Side::upper)} {}

    /// Points of a line.
    Index n() const { return n_; }
    Walls walls() const { return walls_; }
    Index n_layers() const { return n_layers_; }
    Index groups_per_layer() const { return (n_lines_ + n_lanes - 1) / n_lanes; }
    Index n_groups() const { return n_layers_ * groups_per_layer(); }

    /// Fills rows[0], ..., rows[n - 1] with right-hand sides and terms of a group, rows[-1] and
    /// rows[n] with the terms of the neighbours. In x, r := T_x^-1 r comes first.
    void load_group(Index number, Row* rows) const;
    void eliminate_group(Row* rows, const Terms& before) const {
        eliminate(rows, n_, dissipation_, walls_, before);
    }
    /// `behind` are the first two solutions behind the lines.
    void substitute_group(Row* rows, const std::array<State, 2>& behind) const {
        rows[n_].f = behind[0];
        rows[n_ + 1].f = behind[1];
        substitute(rows, n_);
    }
    /// Takes the solution out of the rows, in the variables of the next sweep; after the last one
    /// it is added to u.
    void store_group(Index number, const Row* rows) const;

    /// All of it for lines that go from wall to wall.
    void solve_group(Index number, Row* rows) const {
        load_group(number, rows);
        rows[-1] = rows[-2] = Row{};
        eliminate_group(rows, Terms{});
        substitute_group(rows, {});
        store_group(number, rows);
    }

  private:
    static constexpr int lane_direction = D == 0 ? 1 : 0;
    static constexpr int layer_direction = D == 2 ? 1 : 2;

    struct Group {
        Index start;  // of the first line
        int n_lines;  // 1..n_lanes
    };

    Index n_interior(int d) const { return layout_.box().last(d) - layout_.box().first(d); }
    Index first_point() const {
        const Box& box = layout_.box();
        return layout_.at(box.first(0), box.first(1), box.first(2));
    }
    Group group(Index number) const {
        const Index layer = number / groups_per_layer();
        const Index line = number % groups_per_layer() * n_lanes;
        return {layer * layout_.stride(layer_direction) + line * layout_.stride(lane_direction),
                static_cast<int>(std::min<Index>(n_lines_ - line, n_lanes))};
    }

    template <class Number>
    Number* component(Number* field, std::size_t m) const {
        return field + static_cast<Index>(m) * layout_.component();
    }
    State load_state(const double* field, Index at) const {
        State state;
        for (std::size_t m = 0; m < state.size(); ++m) {
            state[m] = load(component(field, m) + at);
        }
        return state;
    }
    /// The diffusion coefficient is the largest of dx + 4/3 c3 c4 / rho, dx + c1 c5 c3 c4 / rho, dx
    /// + c3 c4 / rho and dx, which is always the second: c1 c5 = 1.96.
    Terms terms(const Flow& flow) const {
        return {tx2_ * flow.velocity[D], dxtx1_ + viscous_ * flow.inverse_density,
                tx2_ * flow.sound};
    }
    Terms terms_at(const Group& group, Index i) const;
    void load_lines(const Group& group, Index next, Row* rows) const;
    void prefetch(Index at) const;
    void load_block(const Group& group, Index i, Row* rows) const;
    void store_block(const Group& group, Index i, const Row* rows) const;

    const flow::Layout& layout_;
    double* u_;
    double* r_;
    Index n_;
    Index n_lines_;
    Index n_layers_;
    double dissipation_;
    double tx2_;
    double dxtx1_;
    double viscous_;
    Walls walls_;
};

template <int D>
Terms Sweep<D>::terms_at(const Group& group, Index i) const {
    State u;
    for (int lane = 0; lane < n_lanes; ++lane) {
        const Index line = std::min(lane, group.n_lines - 1) * layout_.stride(lane_direction);
        const Index at = group.start + line + i * layout_.stride(D);
        for (std::size_t m = 0; m < u.size(); ++m) {
            u[m][lane] = component(u_, m)[at];
        }
    }
    return terms(flow_of(u));
}

template <int D>
void Sweep<D>::load_group(Index number, Row* rows) const {
    const Group group = this->group(number);
    if constexpr (D == 0) {
        for (Index i = 0; i < n_; i += n_lanes) load_block(group, i, rows + i);
    } else {
        load_lines(group, this->group(number + 1).start - group.start, rows);
    }
    rows[-1].set_terms(walls_.before ? Terms{} : terms_at(group, -1));
    rows[n_].set_terms(walls_.behind ? Terms{} : terms_at(group, n_));
}

/// Prefetches the points of all fields; invalid addresses are harmless.
template <int D>
void Sweep<D>::prefetch(Index at) const {
    constexpr int for_reading = 0;
    constexpr int into_second_level = 2;
    for (std::size_t m = 0; m < std::tuple_size_v<State>; ++m) {
        __builtin_prefetch(component(r_, m) + at, for_reading, into_second_level);
        __builtin_prefetch(component(u_, m) + at, for_reading, into_second_level);
    }
}

/// Lines in z touch a page per point, which no hardware foresees: it loads one group and asks for
/// the next one, `next` away.
template <int D>
void Sweep<D>::load_lines(const Group& group, Index next, Row* rows) const {
    for (Index i = 0; i < n_; ++i) {
        const Index at = group.start + i * layout_.stride(D);
        if constexpr (D == 2) prefetch(at + next);
        rows[i].f = load_state(r_, at);
        rows[i].set_terms(terms(flow_of(load_state(u_, at))));
    }
}

/// Points i ... i + n_lanes - 1 of lines in x; lines that do not exist repeat the last one.
template <int D>
void Sweep<D>::load_block(const Group& group, Index i, Row* rows) const {
    constexpr std::size_t n_components = std::tuple_size_v<State>;
    Lanes block[n_components + 3][n_lanes];  // NOLINT: as transpose() wants them
    for (int line = 0; line < n_lanes; ++line) {
        const Index at = group.start + std::min(line, group.n_lines - 1) * layout_.row() + i;
        const Flow flow = flow_of(load_state(u_, at));
        State r = load_state(r_, at);
        txinvr(flow, r);
        for (std::size_t m = 0; m < n_components; ++m) block[m][line] = r[m];
        const Terms t = terms(flow);
        block[n_components][line] = t.convection;
        block[n_components + 1][line] = t.diffusion;
        block[n_components + 2][line] = t.sound;
    }
    for (auto& quantity : block) transpose(quantity);
    for (int point = 0; point < n_lanes; ++point) {
        for (std::size_t m = 0; m < n_components; ++m) rows[point].f[m] = block[m][point];
        rows[point].set_terms({block[n_components][point], block[n_components + 1][point],
                               block[n_components + 2][point]});
    }
}

template <int D>
void Sweep<D>::store_group(Index number, const Row* rows) const {
    const Group group = this->group(number);
    if constexpr (D == 0) {
        for (Index i = 0; i < n_; i += n_lanes) store_block(group, i, rows + i);
        return;
    }
    for (Index i = 0; i < n_; ++i) {
        State x = rows[i].f;
        const Index at = group.start + i * layout_.stride(D);
        if constexpr (D == 1) {
            pinvr(x);
            for (std::size_t m = 0; m < x.size(); ++m) store(component(r_, m) + at, x[m]);
        } else {
            const State u = load_state(u_, at);
            tzetar(flow_of(u), x);
            for (std::size_t m = 0; m < x.size(); ++m) {
                double* const to = component(u_, m) + at;
                if (group.n_lines == n_lanes) {
                    store(to, u[m] + x[m]);
                } else {
                    store_first(to, u[m] + x[m], group.n_lines);
                }
            }
        }
    }
}

template <int D>
void Sweep<D>::store_block(const Group& group, Index i, const Row* rows) const {
    Lanes block[std::tuple_size_v<State>][n_lanes];  // NOLINT: as transpose() wants them
    for (int point = 0; point < n_lanes; ++point) {
        State x = rows[point].f;
        ninvr(x);
        for (std::size_t m = 0; m < x.size(); ++m) block[m][point] = x[m];
    }
    for (std::size_t m = 0; m < std::tuple_size_v<State>; ++m) {
        transpose(block[m]);
        double* const to = component(r_, m) + group.start + i;
        for (int line = 0; line < group.n_lines; ++line) {
            store(to + line * layout_.row(), block[m][line]);
        }
    }
}

}  // namespace heorot::sp
