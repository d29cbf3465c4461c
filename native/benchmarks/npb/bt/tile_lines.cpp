// Groups of lines: where they begin, how lines along x become lanes, how threads share them.
#include "benchmarks/npb/bt/tile_lines.hpp"

#include <algorithm>

#include "harness/world/threads.hpp"

namespace heorot::bt {

using flow::Field;
using flow::Layout;

namespace {

Index round_up(Index n) {
    return (n + n_lanes - 1) / n_lanes * n_lanes;
}

// Transposed lines: the cell before the first at 0, then whole groups of cells, the cell
// after the last.
Index doubles_per_component(Index n_cells) {
    return n_lanes * (round_up(n_cells) + 2);
}

std::size_t doubles_per_thread(Index longest) {
    return static_cast<std::size_t>(longest * doubles_per_block +
                                    Index{2} * flow::n_components * doubles_per_component(longest));
}

/// As many rows of a tile as vectors have lanes, the last one repeated if there are fewer, and
/// their transpose.
class Rows {
  public:
    Rows(const Layout& layout, int j, int k, const Workspace::OfThread& memory)
        : layout_(layout), memory_(memory) {
        const Box& box = layout.box();
        n_rows_ = std::min(n_lanes, box.last(1) - j);
        n_cells_ = box.last(0) - box.first(0);
        for (int l = 0; l < n_lanes; ++l) {
            starts_[l] = layout.at(box.first(0), j + std::min(l, n_rows_ - 1), k);
        }
    }

    // While these rows are solved, the next ones are fetched.
    Lines lines(const Field& u, const Field& r) const {
        const Index next = starts_[0] + n_lanes * layout_.row();
        return {.u = memory_.u + n_lanes,
                .r = memory_.r + n_lanes,
                .step = n_lanes,
                .component = memory_.component,
                .n_cells = n_cells_,
                .ahead = {u.component(0) + next, r.component(0) + next, layout_.row(), n_lanes,
                          layout_.component()}};
    }
    // Also the points before the first cell and after the last one.
    void load_u(const Field& u) const {
        for (int m = 0; m < flow::n_components; ++m) {
            double* const to = memory_.u + m * memory_.component;
            const double* const from = u.component(m);
            transpose_in(from, to + n_lanes);
            for (int l = 0; l < n_lanes; ++l) {
                to[l] = from[starts_[l] - 1];
                to[(n_cells_ + 1) * n_lanes + l] = from[starts_[l] + n_cells_];
            }
        }
    }
    void load_r(const Field& r) const {
        for (int m = 0; m < flow::n_components; ++m) {
            transpose_in(r.component(m), memory_.r + m * memory_.component + n_lanes);
        }
    }
    void store_r(Field& r) const {
        for (int m = 0; m < flow::n_components; ++m) {
            const double* const from = memory_.r + m * memory_.component + n_lanes;
            for (Index cell = 0; cell < n_cells_; cell += n_lanes) {
                Lanes rows[n_lanes];  // NOLINT
                for (int c = 0; c < n_lanes; ++c) rows[c] = load(from + (cell + c) * n_lanes);
                transpose(rows);
                for (int l = 0; l < n_rows_; ++l) {
                    store(r.component(m) + starts_[l] + cell, rows[l]);
                }
            }
        }
    }

  private:
    void transpose_in(const double* from, double* to) const {
        for (Index cell = 0; cell < n_cells_; cell += n_lanes) {
            Lanes rows[n_lanes];  // NOLINT
            for (int l = 0; l < n_lanes; ++l) rows[l] = load(from + starts_[l] + cell);
            transpose(rows);
            for (int c = 0; c < n_lanes; ++c) store(to + (cell + c) * n_lanes, rows[c]);
        }
    }

    const Layout& layout_;
    const Workspace::OfThread& memory_;
    int n_rows_;
    int n_cells_;
    Index starts_[n_lanes];  // NOLINT: of the first interior point of each row
};

// Lines along y or z need no transpose: neighbours in x are lanes already. Their cells lie too far
// apart for processors to foresee them.
Lines lines_in_place(const Layout& layout, int direction, int inner, int outer, const Field& u,
                     Field& r, int n_cells) {
    constexpr Index cells_ahead = 4;
    const Box& box = layout.box();
    const Index i = box.first(0) + inner * n_lanes;
    const Index step = layout.stride(direction);
    const Index start =
        direction == 1 ? layout.at(i, box.first(1), outer) : layout.at(i, outer, box.first(2));
    const Index soon = start + cells_ahead * step;
    return {.u = u.component(0) + start,
            .r = r.component(0) + start,
            .step = step,
            .component = layout.component(),
            .n_cells = n_cells,
            .ahead = {u.component(0) + soon, r.component(0) + soon, step, n_lanes * step,
                      layout.component()}};
}

/// Calls action(lines, number of the group within the range, memory of the thread) for a range of
/// groups of a tile; lines along x are transposed before, u only if it is needed, and r back
/// afterwards.
template <class Action>
void for_groups(int direction, Range range, bool needs_u, const Field& u, Field& r,
                Workspace& workspace, const Action& action) {
    const Layout& layout = u.layout();
    const Box& box = layout.box();
    const Groups groups(box, direction);
#pragma omp parallel if (box.is_worth_threads())
    {
        const Workspace::OfThread memory = workspace.of_this_thread();
#pragma omp for schedule(static)
        for (int g = range.begin; g < range.end; ++g) {
            const int inner = g % groups.n_inner;
            const int outer = groups.outer_begin + g / groups.n_inner;
            if (direction != 0) {
                action(lines_in_place(layout, direction, inner, outer, u, r, groups.n_cells),
                       g - range.begin, memory);
                continue;
            }
            const Rows rows(layout, box.first(1) + inner * n_lanes, outer, memory);
            if (needs_u) rows.load_u(u);
            rows.load_r(r);
            action(rows.lines(u, r), g - range.begin, memory);
            rows.store_r(r);
        }
    }
}

// The part of group g, or null if there is none.
inline double* part(double* all, Index g, Index n_doubles) {
    return all == nullptr ? nullptr : all + g * n_doubles;
}

}  // namespace

Workspace::Workspace(int longest, int n_threads) : component_(doubles_per_component(longest)) {
    for (int t = 0; t < n_threads; ++t) of_threads_.emplace_back(doubles_per_thread(longest));
}

Workspace::OfThread Workspace::of_this_thread() {
    Array<double>& memory = of_threads_[static_cast<std::size_t>(thread_number())];
    double* const r =
        memory.data() + memory.size() - static_cast<std::size_t>(flow::n_components * component_);
    return {memory.data(), r - flow::n_components * component_, r, component_};
}

Groups::Groups(const Box& box, int direction) {
    const int inner = direction == 0 ? 1 : 0;
    const int outer = direction == 2 ? 1 : 2;
    n_cells = box.last(direction) - box.first(direction);
    n_inner = (box.last(inner) - box.first(inner) + n_lanes - 1) / n_lanes;
    outer_begin = box.first(outer);
    n_outer = box.last(outer) - box.first(outer);
}

void eliminate_tile(const LineOperator& op, int direction, Range range, const Field& u, Field& r,
                    const Faces& faces, Workspace& workspace) {
    for_groups(direction, range, true, u, r, workspace,
               [&](const Lines& lines, Index g, const Workspace::OfThread& /*memory*/) {
                   eliminate(lines, op, part(faces.lower, g, doubles_per_exit),
                             part(faces.c_prime, g, Index{lines.n_cells} * doubles_per_block),
                             part(faces.upper, g, doubles_per_exit));
               });
}

void substitute_tile(const LineOperator& op, int direction, Range range, const Field& u, Field& r,
                     const Faces& faces, Workspace& workspace) {
    for_groups(direction, range, false, u, r, workspace,
               [&](const Lines& lines, Index g, const Workspace::OfThread& /*memory*/) {
                   substitute(lines, op, part(faces.upper, g, doubles_per_vector),
                              part(faces.c_prime, g, Index{lines.n_cells} * doubles_per_block),
                              part(faces.lower, g, doubles_per_vector));
               });
}

void solve(const LineOperator& op, int direction, const Field& u, Field& r, Workspace& workspace) {
    const Range all = {0, Groups(u.box(), direction).n()};
    for_groups(direction, all, true, u, r, workspace,
               [&](const Lines& lines, Index /*g*/, const Workspace::OfThread& memory) {
                   eliminate(lines, op, nullptr, memory.c_prime, nullptr);
                   substitute(lines, op, nullptr, memory.c_prime, nullptr);
               });
}

}  // namespace heorot::bt
