// One time step on a box, threads sharing its planes.
#include "benchmarks/npb/sp/step.hpp"

#include "harness/threads.hpp"
#include "numerics/flow/rhs.hpp"

namespace heorot::sp {

namespace {

template <int D>
void solve_layer(const Sweep<D>& sweep, Index layer, Row* rows) {
    const Index n_groups = sweep.groups_per_layer();
    for (Index g = 0; g < n_groups; ++g) sweep.solve_group(layer * n_groups + g, rows);
}

}  // namespace

LineBuffers::LineBuffers(Index n, int n_threads)
    : stride_(rows_of_line(n)),
      n_threads_(n_threads),
      rows_(static_cast<std::size_t>(stride_ * n_threads)) {}

Row* LineBuffers::mine() {
    return rows_.data() + thread_number() * stride_ + 2;
}

void explicit_part(const Fields& fields, const flow::Coefficients& c, Whole whole,
                   LineBuffers& buffers, StepPhases& phases) {
    const Sweep<0> x(fields.u, fields.r, c);
    const Sweep<1> y(fields.u, fields.r, c);
    const int first = fields.u.box().first(2);
    const int last = fields.u.box().last(2);
#pragma omp parallel for schedule(static) num_threads(buffers.n_threads())
    for (int k = first; k < last; ++k) {
        {
            const auto timed = phases.phases.enter(phases.compute_rhs);
            flow::compute_rhs_planes(fields.u, fields.forcing, c, c.dt, fields.r, k, k + 1);
        }
        if (whole != Whole::none) {
            const auto timed = phases.phases.enter(phases.solve[0]);
            solve_layer(x, k - first, buffers.mine());
        }
        if (whole == Whole::xy) {
            const auto timed = phases.phases.enter(phases.solve[1]);
            solve_layer(y, k - first, buffers.mine());
        }
    }
}

void z_solve(const Fields& fields, const flow::Coefficients& c, LineBuffers& buffers,
             StepPhases& phases) {
    const auto timed = phases.phases.enter(phases.solve[2]);
    const Sweep<2> z(fields.u, fields.r, c);
    const Index n_layers = z.n_layers();
#pragma omp parallel for schedule(static) num_threads(buffers.n_threads())
    for (Index layer = 0; layer < n_layers; ++layer) solve_layer(z, layer, buffers.mine());
}

}  // namespace heorot::sp
