// One box: boundary and initial values, forcing, residual, and the two sweeps of SSOR.
#include "benchmarks/npb/lu/solver.hpp"

#include <algorithm>

#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/lu/pipeline.hpp"

namespace heorot::lu {

namespace {

bool contains(Range range, int i) {
    return i >= range.first && i < range.end;
}

/// Sets one lane to the stencil of point i of n: second difference, and a fourth difference that
/// is one-sided next to the walls.
void set_stencil(Stencil& stencil, int lane, int i, int n, double second_difference) {
    const bool low = i == 1;
    const bool high = i == n - 2;
    const double centre = low || high ? 5.0 : 6.0;
    const std::array<double, 5> fourth = {i > 2 ? 1.0 : 0.0, low ? 0.0 : -4.0, centre,
                                          high ? 0.0 : -4.0, i < n - 3 ? 1.0 : 0.0};
    const std::array<double, 5> second = {0.0, 1.0, -2.0, 1.0, 0.0};
    for (std::size_t d = 0; d < 5; ++d) {
        stencil.at[d][lane] = second_difference * second[d] - flow::dissipation * fourth[d];
    }
}

/// Planes in the order of a sweep, `n` at a time.
std::vector<Range> chunks_of(Range planes, int n, bool upwards) {
    std::vector<Range> chunks;
    for (int k = planes.first; k < planes.end; k += n) {
        chunks.push_back({k, std::min(k + n, planes.end)});
    }
    if (!upwards) {
        for (Range& chunk : chunks) {
            chunk = {planes.first + planes.end - chunk.end,
                     planes.first + planes.end - chunk.first};
        }
    }
    return chunks;
}

}  // namespace

Solver::Solver(const Box& box, const flow::Coefficients& coefficients, TimedPhases& phases)
    : box_(box),
      layout_(box, Layout::Rows::solved),
      coefficients_(coefficients),
      phases_(phases),
      lower_(coefficients, omega, Triangle::lower),
      upper_(coefficients, omega, Triangle::upper),
      columns_(solved_in(box, 0)),
      rows_(solved_in(box, 1)),
      planes_(solved_in(box, 2)),
      u_(Layout(box, Layout::Rows::all)),
      residual_(layout_),
      forcing_(layout_) {
    make_tables();
    const Range all_planes = {0, layout_.n_planes()};
#pragma omp parallel
    {
        const Range blocks = share_of_blocks();
        for (int block = blocks.first; block < blocks.end; ++block) {
            u_.fill(block, all_planes, 1.0);
            residual_.fill(block, planes_, 0.0);
        }
    }
    for (const int around : {-1, layout_.n_blocks()}) u_.fill(around, all_planes, 1.0);
}

void Solver::make_tables() {
    const auto& direction = coefficients_.direction;
    const Stencil none = {};
    x_.assign(static_cast<std::size_t>(layout_.n_steps()), none);
    y_.assign(static_cast<std::size_t>(layout_.n_blocks()), none);
    z_.assign(static_cast<std::size_t>(layout_.n_planes()), none);
    solved_columns_.resize(x_.size());
    solved_rows_.resize(y_.size());
    for (int lane = 0; lane < n_lanes; ++lane) {
        for (std::size_t t = 0; t < x_.size(); ++t) {
            const int i = layout_.column_at(static_cast<int>(t), lane);
            solved_columns_[t][lane] = contains(columns_, i) ? -1 : 0;
            if (contains(columns_, i)) {
                set_stencil(x_[t], lane, i, box_.grid[0], direction[0].dxtx1);
            }
        }
        for (std::size_t b = 0; b < y_.size(); ++b) {
            const int j = layout_.row_at(static_cast<int>(b), lane);
            solved_rows_[b][lane] = contains(rows_, j) ? -1 : 0;
            if (contains(rows_, j)) set_stencil(y_[b], lane, j, box_.grid[1], direction[1].dxtx1);
        }
        for (int k = planes_.first; k < planes_.end; ++k) {
            set_stencil(z_[static_cast<std::size_t>(k)], lane, k, box_.grid[2], direction[2].dxtx1);
        }
    }
}

/// The blocks of the calling thread of a team.
Range Solver::share_of_blocks() const {
    const int n = n_threads_in_team();
    const int thread = thread_number();
    return {layout_.n_blocks() * thread / n, layout_.n_blocks() * (thread + 1) / n};
}

/// Sets u to value(point) at all points; padding remains.
template <class Value>
void Solver::set_u(Value value) {
    const Box stored = with_halo(box_);
#pragma omp parallel for schedule(static)
    for (int k = stored.begin[2]; k < stored.end[2]; ++k) {
        for (int j = stored.begin[1]; j < stored.end[1]; ++j) {
            for (int i = stored.begin[0]; i < stored.end[0]; ++i) {
                const flow::Five all = value(Extent{i, j, k});
                for (int m = 0; m < flow::n_components; ++m) {
                    u_.at(m, i, j, k) = all[static_cast<std::size_t>(m)];
                }
            }
        }
    }
}

void Solver::initialise() {
    set_u([&](const Extent& point) {
        return flow::initial_solution(box_.grid, coefficients_.h, point);
    });
}

void Solver::erhs(Scratch& scratch) {
    set_u([&](const Extent& point) {
        const flow::Spacing& h = coefficients_.h;
        return flow::exact_solution(point[0] * h[0], point[1] * h[1], point[2] * h[2]);
    });
#pragma omp parallel num_threads(team_size(scratch))
    {
        const Range blocks = share_of_blocks();
        for (int block = blocks.first; block < blocks.end; ++block) {
            forcing_.fill(block, planes_, 0.0);
            rhs_block(scratch, block, planes_);
            std::copy_n(residual_.line(block, planes_.first), layout_.n_in_planes(planes_.size()),
                        forcing_.line(block, planes_.first));
        }
    }
}

void Solver::rhs(Scratch& scratch) {
    const auto timed = phases_.phases.enter(phases_.rhs);
#pragma omp parallel num_threads(team_size(scratch))
    {
        const Range blocks = share_of_blocks();
        for (const Range planes : chunks_of(planes_, 8, true)) {
            for (int block = blocks.first; block < blocks.end; ++block) {
                rhs_block(scratch, block, planes);
            }
        }
    }
}

void Solver::rhs_block(Scratch& scratch, int block, Range planes) {
    const auto timed = phases_.phases.enter(phases_.rhs);
    const int thread = thread_number();
    const int first = layout_.step_of(columns_.first, layout_.row_at(block, 0));
    const int end = layout_.step_of(columns_.end, layout_.row_at(block, 0)) + n_lanes - 1;
    const auto plane_of_u = [&](int k) {
        return u_.line(block, std::clamp(k, 0, layout_.n_planes() - 1));
    };
    const auto make_states = [&](int k) {
        const Cell* u = u_.line(block, k);
        FlowState* states = scratch.states(thread, k);
        for (int t = first - 1; t < end + 1; ++t) states[t] = flow_state(u[t]);
    };
    make_states(planes.first - 1);
    make_states(planes.first);
    for (int k = planes.first; k < planes.end; ++k) {
        make_states(k + 1);
        ResidualLine line = {};
        for (int d = 0; d < 5; ++d) line.u[d] = plane_of_u(k + d - 2);
        line.u_below = u_.line(block - 1, k);
        line.u_above = u_.line(block + 1, k);
        for (int d = 0; d < 3; ++d) line.state[d] = scratch.states(thread, k + d - 1);
        line.forcing = forcing_.line(block, k);
        line.residual = residual_.line(block, k);
        line.x = x_.data();
        line.y = &y_[static_cast<std::size_t>(block)];
        line.z = &z_[static_cast<std::size_t>(k)];
        line.solved_columns = solved_columns_.data();
        line.solved_rows = &solved_rows_[static_cast<std::size_t>(block)];
        rhs_line(line, first, end, coefficients_);
    }
}

void Solver::lower(Scratch& scratch, Neighbours* neighbours) {
    sweep<Triangle::lower>(scratch, neighbours, false);
}

void Solver::rhs_and_lower(Scratch& scratch, Neighbours* neighbours) {
    sweep<Triangle::lower>(scratch, neighbours, true);
}

void Solver::upper(Scratch& scratch, Neighbours* neighbours) {
    sweep<Triangle::upper>(scratch, neighbours, false);
}

/// Threads for a parallel region: every one has a block.
int Solver::team_size(const Scratch& scratch) const {
    return std::clamp(layout_.n_blocks(), 1, scratch.n_threads());
}

template <Triangle triangle>
void Solver::sweep(Scratch& scratch, Neighbours* neighbours, bool with_rhs) {
    constexpr bool upwards = triangle == Triangle::lower;
    const auto timed = phases_.phases.enter(upwards ? phases_.lower : phases_.upper);
    const bool alone = team_size(scratch) == 1 && neighbours == nullptr;
    const auto chunks = chunks_of(planes_, alone ? 8 : 2, upwards);
    scratch.restart();
    if (neighbours != nullptr) neighbours->start_sweep(upwards ? 1 : -1, chunks);
#pragma omp parallel num_threads(team_size(scratch))
    {
        Pipeline pipeline(scratch, neighbours, upwards, static_cast<int>(chunks.size()));
        const Range blocks = share_of_blocks();
        for (int block = blocks.first; block < blocks.end; ++block) {
            std::fill_n(scratch.plane_contributions(block), layout_.n_steps(), Cell{});
        }
        for (const Range planes : chunks) {
            pipeline.start_chunk();
            for (int n = 0; n < blocks.size(); ++n) {
                const int block = upwards ? blocks.first + n : blocks.end - 1 - n;
                if (with_rhs) rhs_block(scratch, block, planes);
                const Range rows = {layout_.row_at(block, 0), layout_.row_at(block + 1, 0)};
                pipeline.unpack(residual_, rows);
                if (n == 0) pipeline.wait_for_row_before();
                solve_block<triangle>(scratch, pipeline.row_before(n == 0), block, planes);
                pipeline.pack(residual_, rows);
            }
            pipeline.finish_chunk();
        }
        pipeline.finish();
    }
    if (neighbours != nullptr) neighbours->finish_sweep();
}

template <Triangle triangle>
void Solver::solve_block(Scratch& scratch, const Edges& row_before, int block, Range planes) {
    constexpr bool upwards = triangle == Triangle::lower;
    // The halo on the side where the sweep begins is swept too: its v is a neighbour's.
    const int before = upwards ? 1 : 0;
    const int after = upwards ? 0 : 1;
    const int first = layout_.step_of(columns_.first - before, layout_.row_at(0, 0));
    const int end = layout_.step_of(columns_.end + after, layout_.row_at(0, 0)) + n_lanes - 1;
    const Edges out = scratch.edges(thread_number());
    for (int n = 0; n < planes.size(); ++n) {
        const int k = upwards ? planes.first + n : planes.end - 1 - n;
        const SweepLine line = {.u = u_.line(block, k),
                                .v = residual_.line(block, k),
                                .plane_contributions = scratch.plane_contributions(block),
                                .edge_in = row_before.step(k),
                                .edge_out = out.step(k),
                                .solved_columns = solved_columns_.data(),
                                .solved_rows = &solved_rows_[static_cast<std::size_t>(block)],
                                .hands_on = layout_.row_at(block + 1, 0) > rows_.end};
        if constexpr (upwards) {
            sweep_line<triangle>(line, first, end, lower_, coefficients_.dt);
        } else {
            sweep_line<triangle>(line, first, end, upper_, 1.0 / (omega * (2.0 - omega)));
        }
    }
}

}  // namespace heorot::lu
