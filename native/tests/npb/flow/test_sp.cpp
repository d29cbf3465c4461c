// Tests of the scalar pentadiagonal solver: lines, eigenvectors, a time step by several threads.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/flow/rhs.hpp"
#include "benchmarks/npb/sp/eigenvectors.hpp"
#include "benchmarks/npb/sp/pentadiagonal.hpp"
#include "benchmarks/npb/sp/step.hpp"
#include "harness/array.hpp"
#include "harness/measure/clock.hpp"
#include "numerics/random.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot;  // NOLINT: a test of one family

constexpr double e = 0.05;

/// Lines of n random points with two rows before and behind; the systems are diagonally
/// dominant.
class Lines {
  public:
    explicit Lines(sp::Index n) : n_(n), memory_(static_cast<std::size_t>(n + 4)) {
        Random random(314159265);
        for (sp::Row& row : memory_) {
            row = sp::Row{};
            for (int lane = 0; lane < n_lanes; ++lane) {
                for (auto& f : row.f) f[lane] = 2.0 * random.next() - 1.0;
                row.p[0][lane] = 0.3 * random.next() - 0.15;
                row.p[1][lane] = 0.2 + 0.05 * random.next();
                row.p[2][lane] = 0.15 * random.next();
            }
        }
    }
    sp::Index n() const { return n_; }
    sp::Row* rows() { return memory_.data() + 2; }
    const sp::Row* rows() const { return memory_.data() + 2; }

  private:
    sp::Index n_;
    Array<sp::Row> memory_;
};

/// Element (i, i + distance) of system s in one lane, as the specification has it.
double element(const Lines& lines, sp::Index i, sp::Index distance, int s, int lane) {
    const auto term = [&](sp::Index at, std::size_t which) {
        return lines.rows()[at].p[which][lane];
    };
    const double sign = s == 0 ? 0.0 : s == 1 ? 1.0 : -1.0;
    const bool at_wall = i == 0 || i == lines.n() - 1;
    const sp::Index j = i + distance;
    switch (distance) {
        case 0:
            return 1.0 + 2.0 * term(i, 1) + (at_wall ? 5.0 : 6.0) * e;
        case -1:
            return -(term(j, 0) + sign * term(j, 2)) - term(j, 1) - 4.0 * e;
        case 1:
            return term(j, 0) + sign * term(j, 2) - term(j, 1) - 4.0 * e;
        default:
            return e;
    }
}

/// Largest |A x - f| over all rows, lanes and right-hand sides.
double defect(const Lines& given, const Lines& solved) {
    double largest = 0.0;
    for (sp::Index i = 0; i < given.n(); ++i) {
        for (int lane = 0; lane < n_lanes; ++lane) {
            for (std::size_t c = 0; c < 5; ++c) {
                double sum = -given.rows()[i].f[c][lane];
                for (sp::Index d = -2; d <= 2; ++d) {
                    if (i + d < 0 || i + d >= given.n()) continue;
                    const int s = c < 3 ? 0 : static_cast<int>(c) - 2;
                    sum += element(given, i, d, s, lane) * solved.rows()[i + d].f[c][lane];
                }
                largest = std::max(largest, std::abs(sum));
            }
        }
    }
    return largest;
}

/// Solves lines cut into parts, each in memory of its own as if by another rank.
void solve(Lines& lines, const std::vector<sp::Index>& lengths) {
    struct Part {
        sp::Index begin;
        sp::Index n;
        Array<sp::Row> memory;
        sp::Row* rows() { return memory.data() + 2; }
    };
    std::vector<Part> parts;
    sp::Index begin = 0;
    for (const sp::Index n : lengths) {
        parts.push_back({begin, n, Array<sp::Row>(static_cast<std::size_t>(n + 4))});
        std::copy_n(lines.rows() + begin - 2, n + 4, parts.back().memory.data());
        begin += n;
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        sp::Row* const rows = parts[p].rows();
        const sp::Terms before = rows[-1].terms();
        rows[-2] = rows[-1] = sp::Row{};
        if (p > 0) std::copy_n(parts[p - 1].rows() + parts[p - 1].n - 2, 2, rows - 2);
        eliminate(rows, parts[p].n, e, {p == 0, p + 1 == parts.size()}, before);
    }
    for (std::size_t p = parts.size(); p-- > 0;) {
        sp::Row* const rows = parts[p].rows();
        for (std::size_t i = 0; i < 2; ++i) {
            rows[parts[p].n + static_cast<sp::Index>(i)].f =
                p + 1 < parts.size() ? parts[p + 1].rows()[i].f : sp::State{};
        }
        substitute(rows, parts[p].n);
        std::copy_n(rows, parts[p].n, lines.rows() + parts[p].begin);
    }
}

void solution_times_matrix_is_right_hand_side() {
    for (const sp::Index n : {3, 4, 5, 11, 64}) {
        const Lines given(n);
        Lines lines(n);
        solve(lines, {n});
        CHECK(defect(given, lines) < 1e-14 && "A x = f for all three systems");
    }
}

void cut_lines_have_the_same_solution() {
    using Lengths = std::vector<sp::Index>;
    for (const auto& lengths : {Lengths{4, 7}, Lengths{1, 10}, Lengths{10, 1}, Lengths{1, 1, 9},
                                Lengths{5, 1, 5}, Lengths{2, 3, 2, 1, 1, 4}}) {
        const sp::Index n = std::accumulate(lengths.begin(), lengths.end(), sp::Index{0});
        const Lines given(n);
        Lines lines(n);
        solve(lines, lengths);
        CHECK(defect(given, lines) < 1e-14 && "lines cut into parts have the same solution");
    }
}

constexpr std::array<double, 5> some_flow = {1.3, 0.4, -0.7, 0.9, 4.0};

sp::State lanes_of_state(const std::array<double, 5>& values) {
    sp::State state;
    for (std::size_t m = 0; m < 5; ++m) state[m] = Lanes{} + values[m];
    return state;
}

void changes_of_variables_end_where_they_began() {
    const sp::Flow flow = sp::flow_of(lanes_of_state(some_flow));
    const std::array<double, 5> r = {0.3, -1.0, 0.8, 2.0, -0.4};
    sp::State state = lanes_of_state(r);
    txinvr(flow, state);
    sp::ninvr(state);
    sp::pinvr(state);
    tzetar(flow, state);
    double largest = 0.0;
    for (std::size_t m = 0; m < 5; ++m) largest = std::max(largest, std::abs(state[m][0] - r[m]));
    CHECK(largest < 1e-14 && "T_z (T_z^-1 T_y) (T_y^-1 T_x) T_x^-1 = 1");
}

/// Convective flux in direction d.
std::array<double, 5> flux(const std::array<double, 5>& u, std::size_t d) {
    const double v = u[d + 1] / u[0];
    const double kinetic = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0];
    const double pressure = flow::c2 * (u[4] - kinetic);
    std::array<double, 5> f = {u[d + 1], v * u[1], v * u[2], v * u[3], v * (u[4] + pressure)};
    f[d + 1] += pressure;
    return f;
}

/// |A t - lambda t| with A t as a difference of fluxes, where t is column m of T_d.
double eigenvector_defect(std::size_t d, std::size_t m) {
    const sp::Flow flow = sp::flow_of(lanes_of_state(some_flow));
    sp::State column = lanes_of_state({});
    column[m] = Lanes{} + 1.0;
    if (d < 1) sp::ninvr(column);
    if (d < 2) sp::pinvr(column);
    tzetar(flow, column);
    constexpr double h = 1e-5;
    auto ahead = some_flow;
    auto behind = some_flow;
    for (std::size_t c = 0; c < 5; ++c) {
        ahead[c] += h * column[c][0];
        behind[c] -= h * column[c][0];
    }
    const double sound = m < 3 ? 0.0 : m == 3 ? flow.sound[0] : -flow.sound[0];
    const double lambda = flow.velocity[d][0] + sound;
    double largest = 0.0;
    for (std::size_t c = 0; c < 5; ++c) {
        const double product = (flux(ahead, d)[c] - flux(behind, d)[c]) / (2.0 * h);
        largest = std::max(largest, std::abs(product - lambda * column[c][0]));
    }
    return largest;
}

void columns_are_eigenvectors() {
    for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t m = 0; m < 5; ++m) {
            CHECK(eigenvector_defect(d, m) < 1e-8 && "A T = T diag(v, v, v, v + a, v - a)");
        }
    }
}

/// Three steps from the initial field on a grid of odd sizes.
flow::Field advanced(int n_threads) {
    const Extent grid = {11, 7, 14};
    const Box box = Box::whole(grid);
    const flow::Coefficients c(flow::unit_spacing(grid), 0.01);
    flow::Field u(box);
    flow::Field forcing(box);
    flow::Field r(box);
    flow::set_forcing(forcing, c, r);
    flow::initialise(u, c.h);
    const Clock clock;
    Phases phases(clock);
    sp::StepPhases step_phases(phases);
    sp::LineBuffers buffers(14, n_threads);
    for (int s = 0; s < 3; ++s) sp::step({u, forcing, r}, c, buffers, step_phases);
    return u;
}

void threads_do_not_matter() {
    const flow::Field alone = advanced(1);
    const flow::Field together = advanced(3);
    const Box& box = alone.box();
    bool same = true;
    bool moved = false;
    for (int m = 0; m < flow::n_components; ++m) {
        for (int k = 0; k < box.size(2); ++k) {
            for (int j = 0; j < box.size(1); ++j) {
                for (int i = 0; i < box.size(0); ++i) {
                    same = same && alone(m, i, j, k) == together(m, i, j, k);
                }
            }
        }
    }
    flow::Field start(box);
    flow::initialise(start, flow::unit_spacing(box.grid));
    for (int i = 1; i < 10; ++i) moved = moved || alone(1, i, 3, 5) != start(1, i, 3, 5);
    CHECK(same && "three threads get what one gets");
    CHECK(moved && "a step changes the field");
    CHECK((alone(1, 0, 3, 5) == start(1, 0, 3, 5)) && "walls stay");
    CHECK((alone(4, 10, 6, 13) == start(4, 10, 6, 13)) && "corners stay");
}

}  // namespace

int main() {
    solution_times_matrix_is_right_hand_side();
    cut_lines_have_the_same_solution();
    changes_of_variables_end_where_they_began();
    columns_are_eigenvectors();
    threads_do_not_matter();
    return heorot::tests::result();
}
