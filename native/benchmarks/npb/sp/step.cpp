// One time step on a box, threads sharing its planes.
#include "benchmarks/npb/sp/step.hpp"

#include "benchmarks/npb/flow/rhs.hpp"
#include "harness/world/threads.hpp"

namespace heorot::sp {

namespace {

template <int D>
void solve_layer(const Sweep<D>& sweep, Index layer, Row* rows) {
    const Index n_groups = sweep.groups_per_layer();
    for (Index g = 0; g < n_groups; ++g) sweep.solve_group(layer * n_groups + g, rows);
}

/// The sweep in z and u := u + r.
void z_solve(const Fields& fields, const flow::Coefficients& c, LineBuffers& buffers,
             StepPhases& phases) {
    const auto timed = phases.phases.enter(phases.solve[2]);
    const Sweep<2> z(fields.u, fields.r, c);
    const Index n_layers = z.n_layers();
#pragma omp parallel for schedule(static) num_threads(buffers.n_threads())
    for (Index layer = 0; layer < n_layers; ++layer) solve_layer(z, layer, buffers.mine());
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
                   const Layers& layers, LineBuffers& buffers, StepPhases& phases) {
    const Sweep<0> x(fields.u, fields.r, c);
    const Sweep<1> y(fields.u, fields.r, c);
    const int first = fields.u.box().first(2);
#pragma omp parallel for schedule(static) num_threads(buffers.n_threads())
    for (Index layer = layers.begin; layer < layers.end; ++layer) {
        {
            const int k = first + static_cast<int>(layer);
            const auto timed = phases.phases.enter(phases.compute_rhs);
            flow::compute_rhs_planes(fields.u, fields.forcing, c, c.dt, fields.r, k, k + 1);
        }
        if (whole != Whole::none) {
            const auto timed = phases.phases.enter(phases.solve[0]);
            solve_layer(x, layer, buffers.mine());
        }
        if (whole == Whole::xy) {
            const auto timed = phases.phases.enter(phases.solve[1]);
            solve_layer(y, layer, buffers.mine());
        }
    }
}

void step(const Fields& fields, const flow::Coefficients& c, LineBuffers& buffers,
          StepPhases& phases) {
    const Box& box = fields.u.box();
    explicit_part(fields, c, Whole::xy, {0, box.last(2) - box.first(2)}, buffers, phases);
    z_solve(fields, c, buffers, phases);
}

}  // namespace heorot::sp
