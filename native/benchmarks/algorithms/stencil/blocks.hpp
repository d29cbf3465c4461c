// Sweeps over a grid in blocks that stay in a cache, one step or several for each pass over memory.
//
// Checked in every run against the factor by which a wave changes: Field::largest_deviation(); and
// against sweep after sweep by definition in tests/algorithms/test_stencil.cpp:
// blocks_equal_plain_sweeps.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "benchmarks/algorithms/stencil/grid.hpp"
#include "benchmarks/algorithms/stencil/rows.hpp"
#include "harness/array.hpp"

namespace heorot::stencil {

/// The row of the plane above that is fetched while row j is computed, `ahead` rows before it is
/// loaded; of the last rows the last one.
inline const double* coming_row(const Layout& layout, const double* u, Index j, Index k,
                                Index ahead) {
    return u + layout.row(std::min(j + 1 + ahead, layout.n_rows - 1), k + 1);
}

/// v := A u, row after row of the definition. Fetches rows `ahead` of the loop, if that is not 0.
template <class Stencil>
void sweep_plainly(const Stencil& stencil, const Layout& layout, const double* u, double* v,
                   Index n_threads, Index ahead = 0) {
    const Shape& shape = layout.shape;
#pragma omp parallel for schedule(static)
    for (Index thread = 0; thread < n_threads; ++thread) {
        const Range planes = slab(shape, thread, n_threads);
        for (Index k = planes.first; k < planes.last; ++k) {
            for (Index j = 1; j <= shape.ny; ++j) {
                const auto at = [&](Index dj, Index dk) { return u + layout.row(j + dj, k + dk); };
                const Rows rows = {{{{at(-1, -1), at(0, -1), at(1, -1)},
                                     {at(-1, 0), at(0, 0), at(1, 0)},
                                     {at(-1, 1), at(0, 1), at(1, 1)}}}};
                const double* const coming = coming_row(layout, u, j, k, ahead);
                for (Index i = 0; ahead > 0 && i < layout.pitch; i += Layout::line) {
                    __builtin_prefetch(coming + i);
                }
                stencil.by_definition(v + layout.row(j, k), rows, shape.nx);
            }
        }
    }
}

/// How blocks are swept: what is fastest differs between processors and levels of the memory.
struct Way {
    std::size_t block_bytes = 0;  ///< what a block should need of a cache
    Index ahead = 0;              ///< by how many rows u is fetched before it is loaded
    bool past_caches = false;     ///< whether v is stored past the caches
};

/// How a pass over memory is cut: threads have slabs of planes; of a slab the thread takes blocks
/// of rows, through all its planes; of a block it makes several steps, one a plane behind the
/// other. Every block computes by itself the points of earlier steps that a step needs
/// beyond its own rows and planes.
class Cut {
  public:
    Cut(const Layout& layout, Index n_steps, const Way& way, Index n_threads);

    const Way& way() const { return way_; }
    Index n_steps() const { return n_steps_; }
    Index n_threads() const { return n_threads_; }
    Index n_blocks() const { return n_blocks_; }
    Range planes(Index thread) const { return slab(shape_, thread, n_threads_); }
    Range rows(Index block) const { return part_of({1, shape_.ny + 1}, block, n_blocks_); }
    /// What step s of n_steps has to compute of `own`, within 1, ..., n.
    Range at_step(Range own, Index s, Index n) const {
        const Index more = n_steps_ - s;
        return {std::max<Index>(1, own.first - more), std::min(n + 1, own.last + more)};
    }
    /// Rows that any step of any block has at most.
    Index most_rows() const;
    /// How many points all steps of all blocks compute: at least n_steps times those of the grid.
    double n_computed() const;

  private:
    Shape shape_;
    Index n_steps_;
    Way way_;
    Index n_threads_;
    Index n_blocks_;
};

/// What one thread needs: of every step but the last the three planes that the next one reads.
class Wavefront {
  public:
    Wavefront(const Layout& layout, const Cut& cut);
    /// First touch, by the thread that will use it.
    void touch();

    /// The n_steps of a block. `own_planes` and `own_rows` are what it has of v.
    template <class Stencil>
    void run(const Stencil& stencil, const double* u, double* v, Range own_planes, Range own_rows);

  private:
    static constexpr Index n_kept = 3;

    /// Row j of plane k after s steps, if it is in the block.
    double* kept(Index s, Index j, Index k) {
        const Index plane = (s - 1) * n_kept + k % n_kept;
        return planes_.data() + Layout::lead +
               (plane * most_rows_ + (j - first_row_)) * layout_.pitch;
    }
    /// The same, or the boundary, which no step changes.
    const double* after(Index s, const double* u, Index j, Index k) {
        const Shape& shape = layout_.shape;
        const bool is_inside = j > 0 && j <= shape.ny && k > 0 && k <= shape.nz;
        return s > 0 && is_inside ? kept(s, j, k) : u + layout_.row(j, k);
    }
    template <class Stencil>
    void step(const Stencil& stencil, const double* u, double* v, Index s, Range rows, Index k);

    const Layout& layout_;
    const Cut& cut_;
    Index most_rows_;
    Index first_row_ = 0;
    Array<double> planes_;
};

/// Step s of plane k of a block.
template <class Stencil>
void Wavefront::step(const Stencil& stencil, const double* u, double* v, Index s, Range rows,
                     Index k) {
    const Index nx = layout_.shape.nx;
    Rows around{};
    for (std::size_t dk = 0; dk < 3; ++dk) {
        for (std::size_t dj = 1; dj < 3; ++dj) {
            around.of[dk][dj] = after(s - 1, u, rows.first + static_cast<Index>(dj) - 2,
                                      k + static_cast<Index>(dk) - 1);
        }
    }
    for (Index j = rows.first; j < rows.last; ++j) {
        for (std::size_t dk = 0; dk < 3; ++dk) {
            auto& of = around.of[dk];
            of = {of[1], of[2], after(s - 1, u, j + 1, k + static_cast<Index>(dk) - 1)};
        }
        const bool is_last = s == cut_.n_steps();
        double* const result = is_last ? v + layout_.row(j, k) : kept(s, j, k);
        const double* const coming =
            s == 1 ? coming_row(layout_, u, j, k, cut_.way().ahead) : around.of[1][1];
        if (is_last && cut_.way().past_caches) {
            stencil.template in_lanes<true>({result, coming}, around, nx);
        } else {
            stencil.in_lanes({result, coming}, around, nx);
        }
        if (!is_last) {
            const double* const boundary = u + layout_.row(j, k);
            result[0] = boundary[0];
            result[nx + 1] = boundary[nx + 1];
        }
    }
}

template <class Stencil>
void Wavefront::run(const Stencil& stencil, const double* u, double* v, Range own_planes,
                    Range own_rows) {
    const Shape& shape = layout_.shape;
    const Index n_steps = cut_.n_steps();
    first_row_ = own_rows.first - (n_steps - 1);
    // Step s follows s - 1 planes behind the first.
    const Index front_last = own_planes.last + (n_steps - 1);
    for (Index front = own_planes.first - (n_steps - 1); front < front_last; ++front) {
        for (Index s = 1; s <= n_steps; ++s) {
            const Range planes = cut_.at_step(own_planes, s, shape.nz);
            const Index k = front - (s - 1);
            if (k < planes.first || k >= planes.last) continue;
            step(stencil, u, v, s, cut_.at_step(own_rows, s, shape.ny), k);
        }
    }
}

/// v := A^n_steps u in one pass over memory.
template <class Stencil>
void sweep_in_blocks(const Stencil& stencil, const Cut& cut, std::span<Wavefront> wavefronts,
                     const double* u, double* v) {
#pragma omp parallel for schedule(static)
    for (Index thread = 0; thread < cut.n_threads(); ++thread) {
        const Range planes = cut.planes(thread);
        if (planes.size() == 0) continue;
        for (Index block = 0; block < cut.n_blocks(); ++block) {
            wavefronts[static_cast<std::size_t>(thread)].run(stencil, u, v, planes,
                                                             cut.rows(block));
        }
        order_nontemporal_stores();
    }
}

}  // namespace heorot::stencil
