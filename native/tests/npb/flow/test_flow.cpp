// Tests of the flow operator against the specification's formulas, of initial field and layout.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "benchmarks/npb/flow/rhs.hpp"
#include "tests/npb/flow/by_definition.hpp"
#include "tests/testing.hpp"

namespace {

using heorot::Box;
using heorot::Extent;
using heorot::Side;
using heorot::flow::Coefficients;
using heorot::flow::Field;
using heorot::flow::Five;
using heorot::flow::n_components;
using heorot::tests::operator_by_definition;

const Extent grid = {21, 12, 9};

double value(const Field& u, std::size_t m, const Extent& p) {
    return u(static_cast<int>(m), p[0], p[1], p[2]);
}

Five state(const Field& u, const Extent& p) {
    Five s;
    for (std::size_t m = 0; m < n_components; ++m) s[m] = value(u, m, p);
    return s;
}

template <class Action>
void for_interior(const Box& box, const Action& action) {
    for (int k = box.first(2); k < box.last(2); ++k) {
        for (int j = box.first(1); j < box.last(1); ++j) {
            for (int i = box.first(0); i < box.last(0); ++i) action(Extent{i, j, k});
        }
    }
}

void disturb(Field& u) {
    std::uint64_t state_of_generator = 1;
    const Box& box = u.box();
    for (int m = 0; m < n_components; ++m) {
        for (int k = 0; k < box.size(2); ++k) {
            for (int j = 0; j < box.size(1); ++j) {
                for (int i = 0; i < box.size(0); ++i) {
                    state_of_generator = state_of_generator * 6364136223846793005U + 1;
                    u(m, i, j, k) += static_cast<double>(state_of_generator >> 40U) * 0x1p-26;
                }
            }
        }
    }
}

void operator_follows_the_definition() {
    const Coefficients c(heorot::flow::unit_spacing(grid), 0.01);
    const Box box = Box::whole(grid);
    Field u(box);
    Field rhs(box);
    Field forcing(box);
    heorot::flow::initialise(u, c.h);
    disturb(u);
    heorot::flow::compute_rhs(u, forcing, c, c.dt, rhs);
    const auto state_of_u = [&](const Extent& p) { return state(u, p); };
    double worst = 0.0;
    for_interior(box, [&](const Extent& p) {
        const Five expected = operator_by_definition(state_of_u, p, grid, c.h);
        for (std::size_t m = 0; m < n_components; ++m) {
            const double exact = c.dt * (1.0 + expected[m]);
            worst = std::max(worst, std::abs(value(rhs, m, p) - exact) / (1.0 + std::abs(exact)));
        }
    });
    std::printf("operator: largest relative deviation %.1e\n", worst);
    CHECK((worst < 1e-12) && "rhs = dt (forcing + K(u)) with K term by term as in the equations");
}

double difference(const Five& a, const Five& b) {
    double largest = 0.0;
    for (std::size_t m = 0; m < n_components; ++m) {
        largest = std::max(largest, std::abs(a[m] - b[m]));
    }
    return largest;
}

// Sums of the table's rows, made by hand.
void exact_solution_has_the_tables_values() {
    using heorot::flow::exact_solution;
    CHECK(difference(exact_solution(0, 0, 0), {2, 1, 2, 2, 5}) == 0.0);
    CHECK(difference(exact_solution(1, 0, 0), {7.52, 2.41, 4.34, 4.23, 9.25}) < 1e-14);
    CHECK(difference(exact_solution(0, 1, 0), {5.41, 3.33, 4.53, 4.15, 8.74}) < 1e-14);
    CHECK(difference(exact_solution(0, 0, 1), {6.83, 4.52, 5.45, 5.34, 7.53}) < 1e-14);
    CHECK(std::abs(exact_solution(0.5, 0, 0)[0] - 3.28375) < 1e-14);
    CHECK(std::abs(exact_solution(0, 0.5, 0)[0] - 2.77625) < 1e-14);
    CHECK(std::abs(exact_solution(0, 0, 0.5)[0] - 4.1475) < 1e-14);
}

void exact_solution_is_stationary() {
    const Coefficients c(heorot::flow::unit_spacing(grid), 0.01);
    const Box box = Box::whole(grid);
    Field u(box);
    Field rhs(box);
    Field forcing(box);
    heorot::flow::set_forcing(forcing, c, rhs);
    heorot::flow::set_exact(u, c.h);
    heorot::flow::compute_rhs(u, forcing, c, c.dt, rhs);
    const Five rms = heorot::flow::root_mean_square(heorot::flow::squares(rhs), grid);
    const Five force = heorot::flow::root_mean_square(heorot::flow::squares(forcing), grid);
    for (std::size_t m = 0; m < n_components; ++m) {
        CHECK((force[m] > 1.0) && "the forcing is not zero");
        CHECK((rms[m] <= 1e-14 * force[m]) && "the forcing balances the exact solution");
    }
    const Five error = heorot::flow::error_squares(u, c.h);
    CHECK((std::ranges::max(error) == 0.0) && "the exact solution has no error");
}

// The forcing of a box of the grid, ghosts included, is that of the whole grid.
void box_equals_part_of_the_whole() {
    const Coefficients c(heorot::flow::unit_spacing(grid), 0.01);
    const Box whole = Box::whole(grid);
    Field all(whole);
    Field scratch(whole);
    heorot::flow::set_forcing(all, c, scratch);
    for (const Box& box : {Box{grid, {0, 0, 0}, {10, 6, 9}}, Box{grid, {10, 6, 4}, grid},
                           Box{grid, {7, 2, 2}, {19, 10, 7}}, Box{grid, {2, 3, 0}, {4, 5, 2}}}) {
        Field part(box);
        Field part_scratch(box);
        heorot::flow::set_forcing(part, c, part_scratch);
        double worst = 0.0;
        for_interior(box, [&](const Extent& p) {
            const Extent global = {p[0] + box.begin[0], p[1] + box.begin[1], p[2] + box.begin[2]};
            for (std::size_t m = 0; m < n_components; ++m) {
                worst = std::max(worst, std::abs(value(part, m, p) - value(all, m, global)));
            }
        });
        CHECK((worst <= 1e-11) && "a box computes what the whole grid does");
    }
}

void initial_field_is_exact_on_the_walls() {
    const heorot::flow::Spacing h = heorot::flow::unit_spacing(grid);
    Field u(Box::whole(grid));
    heorot::flow::initialise(u, h);
    double on_walls = 0.0;
    double inside = 0.0;
    for (int k = 0; k < grid[2]; ++k) {
        for (int j = 0; j < grid[1]; ++j) {
            for (int i = 0; i < grid[0]; ++i) {
                const Five exact = heorot::flow::exact_solution(i * h[0], j * h[1], k * h[2]);
                const bool wall = i == 0 || j == 0 || k == 0 || i == grid[0] - 1 ||
                                  j == grid[1] - 1 || k == grid[2] - 1;
                double& worst = wall ? on_walls : inside;
                worst = std::max(worst, std::abs(value(u, 0, {i, j, k}) - exact[0]));
            }
        }
    }
    CHECK((on_walls <= 1e-14) && "the initial field is exact on the walls");
    CHECK((inside > 0.1) && "the initial field is not the solution");
}

void layout_keeps_its_promises() {
    for (int n = 3; n < 70; ++n) {
        const Extent size = {n, 7, 5};
        for (const Box& box : {Box::whole(size), Box{{n + 4, 11, 9}, {2, 2, 2}, {n + 2, 9, 7}}}) {
            const heorot::flow::Layout layout(box);
            const auto row = layout.row();
            const int n_groups = (box.last(0) - box.first(0) + 7) / 8;
            CHECK((row % 8 == 0 && row % 32 != 0) && "rows are whole lines, not a power of two");
            CHECK((layout.plane() % 16 == 8) && "planes are an odd number of lines apart");
            CHECK(((layout.origin() + box.first(0)) % 8 == 0) && "interior rows are aligned");
            CHECK((heorot::flow::Index{8} * n_groups <= row) &&
                  "groups end before the next row's interior");
            const auto last = layout.origin() + 4 * layout.component() +
                              layout.at(box.first(0) + 8 * n_groups + 2, box.size(1) - 1,
                                        box.size(2) - 1 + layout.ghosts(2, Side::upper));
            CHECK(std::cmp_less_equal(last, layout.n_elements()) &&
                  "reading groups stays within the memory");
            CHECK((layout.origin() + layout.at(-layout.ghosts(0, Side::lower),
                                               -layout.ghosts(1, Side::lower),
                                               -layout.ghosts(2, Side::lower)) >=
                   0) &&
                  "ghosts lie within the memory");
        }
    }
}

void add_touches_the_interior_only() {
    const Box box = Box::whole(grid);
    Field u(box);
    Field r(box);
    heorot::flow::add(r, u);
    double sum = 0.0;
    for (int m = 0; m < n_components; ++m) {
        for (int k = 0; k < grid[2]; ++k) {
            for (int j = 0; j < grid[1]; ++j) {
                for (int i = 0; i < grid[0]; ++i) sum += u(m, i, j, k);
            }
        }
    }
    const int n_points = grid[0] * grid[1] * grid[2];
    const int n_interior = (grid[0] - 2) * (grid[1] - 2) * (grid[2] - 2);
    CHECK((sum == 5.0 * (n_points + n_interior)) && "add changes interior points only");
    const Five one = heorot::flow::root_mean_square(heorot::flow::squares(r), grid);
    CHECK((std::abs(one[4] - 1.0) < 1e-14) && "the norm of ones is one");
}

}  // namespace

int main() {
    operator_follows_the_definition();
    exact_solution_has_the_tables_values();
    exact_solution_is_stationary();
    box_equals_part_of_the_whole();
    initial_field_is_exact_on_the_walls();
    layout_keeps_its_promises();
    add_touches_the_interior_only();
    return heorot::tests::result();
}
