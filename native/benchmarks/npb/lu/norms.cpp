// The verified values: norms of residual and error, and the surface integral.
#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/lu/solver.hpp"

namespace heorot::lu {

namespace {

/// Calls visit(i, j, k) for all points of three ranges.
template <class Visit>
void for_each_point(Range columns, Range rows, Range planes, Visit visit) {
    for (int k = planes.first; k < planes.end; ++k) {
        for (int j = rows.first; j < rows.end; ++j) {
            for (int i = columns.first; i < columns.end; ++i) visit(i, j, k);
        }
    }
}

/// The part of a range that is in a box.
Range within(const Box& box, std::size_t d, Range range) {
    return {std::max(box.begin[d], range.first), std::min(box.end[d], range.end)};
}

}  // namespace

flow::Five Solver::l2norm() const {
    const auto timed = phases_.phases.enter(phases_.norm);
    const int first = layout_.step_of(columns_.first, layout_.row_at(0, 0));
    const int end = layout_.step_of(columns_.end, layout_.row_at(0, 0)) + n_lanes - 1;
    std::array<double, flow::n_components> sum = {};
    double* sums = sum.data();
#pragma omp parallel for schedule(static) reduction(+ : sums[ : flow::n_components])
    for (int k = planes_.first; k < planes_.end; ++k) {
        Cell squares = {};
        for (int block = 0; block < layout_.n_blocks(); ++block) {
            const Cell* r = residual_.line(block, k);
            const auto& rows = solved_rows_[static_cast<std::size_t>(block)];
            for (int t = first; t < end; ++t) {
                const LaneMask solved = solved_columns_[static_cast<std::size_t>(t)] & rows;
                for (int m = 0; m < 5; ++m) {
                    squares[m] += select(solved, r[t][m] * r[t][m], Lanes{});
                }
            }
        }
        for (int m = 0; m < 5; ++m) {
            for (int lane = 0; lane < n_lanes; ++lane) sums[m] += squares[m][lane];
        }
    }
    return sum;
}

flow::Five Solver::error() const {
    flow::Five sum = {};
    const flow::Spacing& h = coefficients_.h;
    for_each_point(columns_, rows_, planes_, [&](int i, int j, int k) {
        const auto exact = flow::exact_solution(i * h[0], j * h[1], k * h[2]);
        for (std::size_t m = 0; m < sum.size(); ++m) {
            const double difference = exact[m] - u_.at(static_cast<int>(m), i, j, k);
            sum[m] += difference * difference;
        }
    });
    return sum;
}

/// Trapezoidal rule over the six faces of the block of points i = 1 ... nx - 2, j = 1 ... ny - 3,
/// k = 2 ... nz - 2, which the specification chooses; faces seen from both sides add up.
double Solver::pintgr() const {
    const std::array<Range, 3> faces = {Range{1, box_.grid[0] - 2}, Range{1, box_.grid[1] - 3},
                                        Range{2, box_.grid[2] - 2}};  // first and last points
    const flow::Spacing& h = coefficients_.h;
    const auto is_edge = [&](std::size_t d, int i) {
        return i == faces[d].first || i == faces[d].end;
    };
    const auto all = [&](std::size_t d) {
        return within(box_, d, {faces[d].first, faces[d].end + 1});
    };
    double sum = 0.0;
    for_each_point(all(0), all(1), all(2), [&](int i, int j, int k) {
        const std::array<double, 3> weight = {h[0] * (is_edge(0, i) ? 0.5 : 1.0),
                                              h[1] * (is_edge(1, j) ? 0.5 : 1.0),
                                              h[2] * (is_edge(2, k) ? 0.5 : 1.0)};
        double area = 0.0;
        if (is_edge(0, i)) area += weight[1] * weight[2];
        if (is_edge(1, j)) area += weight[0] * weight[2];
        if (is_edge(2, k)) area += weight[0] * weight[1];
        if (area > 0.0) sum += area * pressure_at(i, j, k);
    });
    return sum;
}

double Solver::pressure_at(int i, int j, int k) const {
    const auto u = [&](int m) { return u_.at(m, i, j, k); };
    const double momentum = u(1) * u(1) + u(2) * u(2) + u(3) * u(3);
    return flow::c2 * (u(4) - 0.5 * momentum / u(0));
}

}  // namespace heorot::lu
