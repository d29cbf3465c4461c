// FT's transforms there and back against the definition, on as many ranks as there are.
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "benchmarks/npb/ft/field.hpp"
#include "harness/program.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot;
using Complex = std::complex<double>;

const ft::Grid grid = {64, 8, 4};
constexpr std::size_t n_points = std::size_t{64} * 8 * 4;

Complex made_up(int x, int y, int z) {
    return {std::sin(1.0 + 3.0 * x + 5.0 * y * z), std::cos(2.0 * x * y - 7.0 * z)};
}

void make_line(const ft::Grid& /*grid*/, int y, int z, std::span<double> pairs) {
    for (int x = 0; x < grid.nx; ++x) {
        const auto i = 2 * static_cast<std::size_t>(x);
        pairs[i] = made_up(x, y, z).real();
        pairs[i + 1] = made_up(x, y, z).imag();
    }
}

/// A factor of mode k in a direction of n points.
double factor(int k, int n) {
    return 1.0 / (1.0 + k + 2.0 * n);
}

std::size_t place(int x, int y, int z) {
    const int i = (z * grid.ny + y) * grid.nx + x;
    return static_cast<std::size_t>(i);
}

template <class Action>
void for_each_point(const Action& action) {
    for (int z = 0; z < grid.nz; ++z) {
        for (int y = 0; y < grid.ny; ++y) {
            for (int x = 0; x < grid.nx; ++x) action(x, y, z);
        }
    }
}

/// sum_j u_j exp(sign 2 pi i j k / n) for the points j of each line along one direction.
std::vector<Complex> transformed(const std::vector<Complex>& u, int direction, double sign) {
    const int n = direction == 0 ? grid.nx : direction == 1 ? grid.ny : grid.nz;
    std::vector<Complex> result(u.size());
    for_each_point([&](int x, int y, int z) {
        const int k = direction == 0 ? x : direction == 1 ? y : z;
        for (int j = 0; j < n; ++j) {
            const std::size_t from =
                place(direction == 0 ? j : x, direction == 1 ? j : y, direction == 2 ? j : z);
            const double angle = sign * 2.0 * std::numbers::pi * (j * k % n) / n;
            result[place(x, y, z)] += u[from] * std::polar(1.0, angle);
        }
    });
    return result;
}

/// The spectrum of made_up(), damped, and the field that has it.
std::vector<Complex> by_definition() {
    std::vector<Complex> u(n_points);
    for_each_point([&](int x, int y, int z) { u[place(x, y, z)] = made_up(x, y, z); });
    for (int direction = 0; direction < 3; ++direction) u = transformed(u, direction, -1.0);
    for_each_point([&](int x, int y, int z) {
        u[place(x, y, z)] *= factor(x, grid.nx) * factor(y, grid.ny) * factor(z, grid.nz);
    });
    for (int direction = 0; direction < 3; ++direction) u = transformed(u, direction, 1.0);
    return u;
}

void set(std::vector<double>& factors) {
    const auto n = static_cast<int>(factors.size());
    for (int k = 0; k < n; ++k) factors[static_cast<std::size_t>(k)] = factor(k, n);
}

void field_is_that_of_the_definition(Program& program, int n_columns) {
    const auto ranks = ft::RankGrid::of(program.world().size(), n_columns, grid);
    if (ranks.n_rows == 0) return;
    ft::Field field(program, grid, ranks);
    ft::Factors factors(grid);
    for (std::vector<double>* along : {&factors.x, &factors.y, &factors.z}) set(*along);
    field.make_roots();
    field.make_spectrum(make_line);
    field.make_field(factors);
    const std::vector<Complex> expected = by_definition();
    double worst = 0.0;
    double scale = 0.0;
    std::int64_t n_found = 0;
    for_each_point([&](int x, int y, int z) {
        const Complex& wanted = expected[place(x, y, z)];
        scale = std::max(scale, std::abs(wanted));
        const std::int64_t at = field.find(x, y, z);
        if (at < 0) return;
        ++n_found;
        worst = std::max(worst, std::abs(field.at(at) - wanted));
    });
    CHECK(worst <= 1e-14 * scale);
    CHECK(program.world().sum(n_found) == std::int64_t{n_points});
}

void test_ft(Program& program) {
    program.start();
    for (const int n_columns : {0, 1, 2, 4}) field_is_that_of_the_definition(program, n_columns);
    throw Answered{};
}

}  // namespace

int main(int argc, char** argv) {
    const int code = heorot::run(argc, argv, "tests/ft", test_ft);
    return code == 0 ? heorot::tests::result() : code;
}
