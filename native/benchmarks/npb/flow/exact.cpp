// The prescribed solution, the field that the time steps begin from, and norms.
#include "benchmarks/npb/flow/exact.hpp"

#include <cmath>

namespace heorot::flow {

namespace {

// C(m, 1..13) of the specification: the constant; then for each power 1..4 the coefficients of xi,
// eta, zeta.
constexpr int n_coefficients = 13;
constexpr std::array<std::array<double, n_coefficients>, n_components> table = {{
    {2.0, 0.0, 0.0, 4.0, 5.0, 3.0, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5.0, 4.0, 3.0, 2.0, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
}};

double polynomial(double x, double a, double b, double c, double d) {
    return x * (a + x * (b + x * (c + x * d)));
}

/// Coordinates of a point.
using Point = std::array<double, 3>;

Point point_at(const Box& box, const Spacing& h, int i, int j, int k) {
    return {(box.begin[0] + i) * h[0], (box.begin[1] + j) * h[1], (box.begin[2] + k) * h[2]};
}

Five exact_at(const Point& x) {
    return exact_solution(x[0], x[1], x[2]);
}

Five interpolated(const Point& x) {
    std::array<Five, 3> p;  // P_x, P_y, P_z
    for (std::size_t d = 0; d < 3; ++d) {
        Point on_wall = x;
        on_wall[d] = 0.0;
        const Five lower = exact_at(on_wall);
        on_wall[d] = 1.0;
        const Five upper = exact_at(on_wall);
        for (std::size_t m = 0; m < n_components; ++m) {
            p[d][m] = x[d] * upper[m] + (1.0 - x[d]) * lower[m];
        }
    }
    Five u;
    for (std::size_t m = 0; m < n_components; ++m) {
        const double px = p[0][m];
        const double py = p[1][m];
        const double pz = p[2][m];
        u[m] = px + py + pz - px * py - px * pz - py * pz + px * py * pz;
    }
    return u;
}

void set(Field& u, int i, int j, int k, const Five& values) {
    for (int m = 0; m < n_components; ++m) u(m, i, j, k) = values[static_cast<std::size_t>(m)];
}

}  // namespace

Five exact_solution(double xi, double eta, double zeta) {
    Five u;
    for (std::size_t m = 0; m < n_components; ++m) {
        const auto& c = table[m];
        u[m] = c[0] + polynomial(xi, c[1], c[4], c[7], c[10]) +
               polynomial(eta, c[2], c[5], c[8], c[11]) + polynomial(zeta, c[3], c[6], c[9], c[12]);
    }
    return u;
}

// On an edge of the grid, where walls meet, z has the last word, x the first.
Five initial_solution(const Extent& grid, const Spacing& h, const Extent& point) {
    Point x;
    for (std::size_t d = 0; d < 3; ++d) x[d] = point[d] * h[d];
    for (const std::size_t d : {2U, 1U, 0U}) {
        if (point[d] != 0 && point[d] != grid[d] - 1) continue;
        x[d] = point[d] == 0 ? 0.0 : 1.0;
        return exact_at(x);
    }
    return interpolated(x);
}

void set_exact(Field& u, const Spacing& h) {
    const Layout& layout = u.layout();
    const Box& box = u.box();
    const auto from = [&](int d) { return -layout.ghosts(d, Side::lower); };
    const auto to = [&](int d) { return box.size(d) + layout.ghosts(d, Side::upper); };
#pragma omp parallel for schedule(static)
    for (int k = from(2); k < to(2); ++k) {
        for (int j = from(1); j < to(1); ++j) {
            for (int i = from(0); i < to(0); ++i) {
                set(u, i, j, k, exact_at(point_at(box, h, i, j, k)));
            }
        }
    }
}

void initialise(Field& u, const Spacing& h) {
    const Box& box = u.box();
#pragma omp parallel for schedule(static)
    for (int k = 0; k < box.size(2); ++k) {
        for (int j = 0; j < box.size(1); ++j) {
            for (int i = 0; i < box.size(0); ++i) {
                const Extent point = {box.begin[0] + i, box.begin[1] + j, box.begin[2] + k};
                set(u, i, j, k, initial_solution(box.grid, h, point));
            }
        }
    }
}

Five error_squares(const Field& u, const Spacing& h) {
    const Box& box = u.box();
    Five sum = {};
    for (int k = 0; k < box.size(2); ++k) {
        for (int j = 0; j < box.size(1); ++j) {
            for (int i = 0; i < box.size(0); ++i) {
                const Five exact = exact_at(point_at(box, h, i, j, k));
                for (std::size_t m = 0; m < n_components; ++m) {
                    const double error = u(static_cast<int>(m), i, j, k) - exact[m];
                    sum[m] += error * error;
                }
            }
        }
    }
    return sum;
}

Five squares(const Field& r) {
    const Box& box = r.box();
    Five sum = {};
    for (std::size_t m = 0; m < n_components; ++m) {
        for (int k = box.first(2); k < box.last(2); ++k) {
            for (int j = box.first(1); j < box.last(1); ++j) {
                for (int i = box.first(0); i < box.last(0); ++i) {
                    const double value = r(static_cast<int>(m), i, j, k);
                    sum[m] += value * value;
                }
            }
        }
    }
    return sum;
}

Five root_mean_square(const Five& sum, const Extent& grid) {
    const double n_interior = static_cast<double>(grid[0] - 2) * static_cast<double>(grid[1] - 2) *
                              static_cast<double>(grid[2] - 2);
    Five rms;
    for (std::size_t m = 0; m < n_components; ++m) rms[m] = std::sqrt(sum[m] / n_interior);
    return rms;
}

}  // namespace heorot::flow
