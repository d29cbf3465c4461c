// The V-cycle over the levels.
#include "benchmarks/npb/mg/multigrid.hpp"

#include <algorithm>
#include <cmath>

namespace heorot::mg {

namespace {

std::vector<Level> allocate(const std::vector<Axes>& axes) {
    std::vector<Level> levels;
    levels.reserve(axes.size());
    for (const Axes& level : axes) levels.emplace_back(level);
    return levels;
}

// Ghost points of u that the next finer level needs.
constexpr Index coarse_depth = 2;

bool is_shared(const Level& level) {
    const Axes& axes = level.axes();
    return std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.split; });
}

Planes around(Field& field, Index k) {
    return {field.plane(k - 1), field.plane(k), field.plane(k + 1)};
}

// A thread is worth starting for 2^15 points and 8 planes.
constexpr Index points_per_thread = Index{1} << 15;
constexpr Index planes_per_thread = 8;

}  // namespace

Multigrid::Multigrid(Index n, const Stencil& smoother, const Communicator& world, Phases& phases,
                     int n_threads)
    : n_(n),
      smoother_(smoother),
      world_(world),
      phases_{phases,
              phases.add("resid"),
              phases.add("psinv"),
              phases.add("rprj3"),
              phases.add("interp"),
              phases.add("exchange"),
              phases.add("norm")},
      grid_(choose_grid(world.size(), n)),
      levels_(allocate(make_levels(grid_, world.rank(), n))),
      exchange_(world, grid_, finest().axes()) {
    Index plane_size = 0;
    Index row_size = 0;
    for (const Level& level : levels_) {
        plane_size = std::max(plane_size, level.u.geometry().plane_size());
        row_size = std::max(row_size, level.axes()[0].n);
    }
    for (int thread = 0; thread < n_threads; ++thread) spaces_.emplace_back(plane_size, row_size);
    for (Level& level : levels_) {
        level.u.clear(this->n_threads(level));
        level.rhs.clear(this->n_threads(level));
    }
}

int Multigrid::n_threads(const Level& level) const {
    const auto& [x, y, z] = level.axes();
    const Index worth = std::min(x.n * y.n * z.n / points_per_thread, z.n / planes_per_thread);
    return static_cast<int>(std::clamp<Index>(worth, 1, static_cast<Index>(spaces_.size())));
}

double Multigrid::norm2u3(double sum) {
    const auto timed = phases_.phases.enter(phases_.norm);
    const auto n = static_cast<double>(n_);
    return std::sqrt(world_.sum(sum) / (n * n * n));
}

// One pass over level k; the sum of squares, if that is a task.
double Multigrid::sweep(std::size_t k, const Tasks& tasks) {
    const int n_slabs = n_threads(levels_[k]);
    const auto pass = [&](int slab_number) {
        return SlabSweep(levels_[k], levels_[k - 1], smoother_, tasks,
                         slab(levels_[k].axes(), slab_number, n_slabs),
                         spaces_[static_cast<std::size_t>(slab_number)], phases_);
    };
    double sum = 0.0;
#pragma omp parallel num_threads(n_slabs) if (n_slabs > 1) reduction(+ : sum)
    {
#pragma omp for schedule(static, 1)
        for (int number = 0; number < n_slabs; ++number) pass(number).copy_ends();
#pragma omp for schedule(static, 1)
        for (int number = 0; number < n_slabs; ++number) sum += pass(number).run();
    }
    return sum;
}

// The right-hand side of level k - 1 from that of level k.
void Multigrid::restrict_level(std::size_t k) {
    {
        const auto timed = phases_.phases.enter(phases_.rprj3);
        Level& fine = levels_[k];
        const Shift shift = shift_between(fine.axes(), levels_[k - 1].axes());
        const int n_slabs = n_threads(fine);
#pragma omp parallel for num_threads(n_slabs) if (n_slabs > 1) schedule(static, 1)
        for (int number = 0; number < n_slabs; ++number) {
            const Range planes = coarse_points(slab(fine.axes(), number, n_slabs), shift[2]);
            for (Index plane = planes.first; plane < planes.last; ++plane) {
                const Index here = 2 * plane + 1 - shift[2];
                rprj3(owned(fine.axes(), 0), around(fine.rhs, here), shift,
                      levels_[k - 1].rhs.plane(plane),
                      spaces_[static_cast<std::size_t>(number)].rows);
            }
        }
    }
    complete_rhs(k - 1);
}

// u = S r on the level of 2^3 points.
void Multigrid::solve_coarsest() {
    const auto timed = phases_.phases.enter(phases_.psinv);
    Level& level = levels_.front();
    level.u.clear(1);
    for (Index k = 0; k < level.axes()[2].n; ++k) {
        psinv(owned(level.axes(), 0), smoother_, around(level.rhs, k), level.u.plane(k),
              spaces_.front().rows);
    }
}

// Makes the right-hand side of level k known wherever a rank needs it.
void Multigrid::complete_rhs(std::size_t k) {
    const auto timed = phases_.phases.enter(phases_.exchange);
    if (is_shared(levels_[k])) {
        exchange_.fill_ghosts(levels_[k].rhs, 1);
    } else if (is_shared(levels_[k + 1])) {
        exchange_.gather_level(levels_[k].rhs, levels_[k + 1].axes());
    }
}

// Makes u of level k known wherever a rank needs it.
void Multigrid::complete_u(std::size_t k) {
    const auto timed = phases_.phases.enter(phases_.exchange);
    const bool is_finest = k + 1 == levels_.size();
    if (is_shared(levels_[k])) {
        exchange_.fill_ghosts(levels_[k].u, is_finest ? ghost_depth : coarse_depth);
    } else if (levels_[k].axes()[0].padded && !is_finest && is_shared(levels_[k + 1])) {
        Exchange::fill_padding(levels_[k].u, coarse_depth);
    }
}

// From the right-hand side of the second finest level to its u: u = M v, but for the finest.
void Multigrid::solve_coarse_levels() {
    for (std::size_t k = levels_.size() - 2; k > 0; --k) restrict_level(k);
    solve_coarsest();
    for (std::size_t k = 1; k + 1 < levels_.size(); ++k) {
        sweep(k, {.corrects = true});
        complete_u(k);
    }
}

Multigrid::Norms Multigrid::solve(int n_cycles) {
    const std::size_t top = levels_.size() - 1;
    double sum = sweep(top, {.evaluates = true, .squares = true, .restricts = true});
    Norms norms = {.first = norm2u3(sum), .last = 0.0};
    for (int cycle = 1; cycle <= n_cycles; ++cycle) {
        complete_rhs(top - 1);
        solve_coarse_levels();
        // The next cycle starts from the residual after this one.
        const bool is_last = cycle == n_cycles;
        sum = sweep(top, {.adds_to_u = true,
                          .corrects = true,
                          .evaluates = true,
                          .squares = is_last,
                          .restricts = !is_last});
        if (!is_last) complete_u(top);
    }
    norms.last = norm2u3(sum);
    return norms;
}

}  // namespace heorot::mg
