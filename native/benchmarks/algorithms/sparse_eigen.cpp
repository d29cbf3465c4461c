// algorithms/sparse_eigen: how fast is a sparse eigensolver (thick-restart Lanczos)?
//
// Method    The smallest eigenpairs by thick-restart Lanczos. A basis V grows; at a restart half of
//           the unwanted Ritz vectors is kept:
//             w = A v(c), then twice w = w - V (V^T w), v(c+1) = w / |w|
//             ends when |A u - theta u| <= 1e-8 of a bound on |A| for every wanted pair
//             laplace2d: the 5-point Laplacian of a rectangle
//             laplace3d: the 7-point Laplacian of a box
//           The side lengths differ by factors of sqrt(1/2) and sqrt(2/7), so that eigenvalues are
//           separate. CSR with 32-bit column indices. Threads share rows; sums, and so the number
//           of products, do not depend on their number. Each rank has its own matrix. Timed, as one
//           body: the whole solution.
// Counts    flops performed: 2 per element of A in a product; (8 c + 3) n to make a vector
//           orthogonal to c others and scale it; 2 n m k to make k vectors of m; rotations of the
//           small matrix. bytes = minimum traffic of these passes: 12 per element and 20 n in a
//           product, the basis three times for a new vector. products.
// Comparable  In part: the number of products with other restarted methods of this basis; the time
//           with others that reach this residual.
// Verified  From the equation of the grid, without a matrix: |A u - theta u| is <= 1.01e-8 of the
//           bound on |A|, 1 % being for rounding. theta differs from the closed form 4 sum
//           sin^2(p_d pi / 2 (n_d + 1)) by no more than that residual squared over the distance to
//           the next eigenvalue, and 1e-14 of the bound. The sine of the angle between u and the
//           product of sines that belongs to it is <= the residual over that distance. |u_i u_j -
//           delta_ij| is <= 1e-12.
// Source    K. Wu, H. Simon, Thick-restart Lanczos method for large symmetric eigenvalue problems,
//           SIAM J. Matrix Anal. Appl. 22 (2000); J. W. Daniel, W. B. Gragg, L. Kaufman, G. W.
//           Stewart, Math. Comp. 30 (1976); B. N. Parlett, The Symmetric Eigenvalue Problem (1998),
//           sections 11.7 and 13.
// Example   heorot run algorithms/sparse_eigen --set matrices=laplace2d --set unknowns=100000
//           --threads 2
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/sparse/csr.hpp"
#include "numerics/sparse/grids.hpp"
#include "numerics/sparse/lanczos.hpp"

namespace {

using heorot::sparse::Grid;
using heorot::sparse::Index;
using heorot::sparse::Lanczos;

constexpr std::string_view known_matrices = "laplace2d,laplace3d";
constexpr double tolerance = 1e-8;
constexpr double verified_tolerance = 1.01 * tolerance;
constexpr double orthogonality = 1e-12;
constexpr double rounding = 1e-14;

/// An eigenvalue of the Laplacian of a grid, and which products of sines belong to it.
struct Mode {
    double value;
    std::array<Index, 3> waves;
};

/// A part of an eigenvalue: how sines with p half waves on n points come back.
double wave_value(Index p, Index n) {
    const double sine =
        std::sin(std::numbers::pi * static_cast<double>(p) / (2.0 * static_cast<double>(n + 1)));
    return 4.0 * sine * sine;
}

/// The n smallest eigenvalues, ascending.
std::vector<Mode> smallest_modes(const Grid& grid, Index n) {
    std::vector<Mode> modes;
    for (Index p = 1; p <= std::min(n, grid.nx); ++p) {
        for (Index q = 1; q <= std::min(n, grid.ny); ++q) {
            for (Index r = 1; r <= std::min(n, grid.nz); ++r) {
                const double z = grid.nz > 1 ? wave_value(r, grid.nz) : 0.0;
                modes.push_back({wave_value(p, grid.nx) + wave_value(q, grid.ny) + z, {p, q, r}});
            }
        }
    }
    std::sort(modes.begin(), modes.end(),
              [](const Mode& a, const Mode& b) { return a.value < b.value; });
    modes.resize(static_cast<std::size_t>(n));
    return modes;
}

/// The largest errors of the eigenpairs found.
struct Wrong {
    double residual = 0.0;  // |A u - theta u|
    double value = 0.0;     // over what it may deviate from the closed form
    double angle = 0.0;     // its sine over what that may be
    double orthogonality = 0.0;
};

/// Compares pairs with their equation and their closed form.
template <class Equation>
class Assessment {
  public:
    Assessment(const Equation& equation, Lanczos& lanczos, double norm)
        : equation_(equation), lanczos_(lanczos), norm_(norm) {}
    Wrong assess();

  private:
    void compare(std::size_t k, const std::vector<Mode>& modes);
    double residual(const double* u, double theta) const;
    double sine_of_angle(const double* u, const Mode& mode) const;

    const Equation& equation_;
    Lanczos& lanczos_;
    double norm_;
    Wrong wrong_;
};

template <class Equation>
Wrong Assessment<Equation>::assess() {
    const std::size_t n = lanczos_.values().size();
    const auto modes = smallest_modes(equation_.grid, static_cast<Index>(n) + 1);
    for (std::size_t k = 0; k < n; ++k) {
        compare(k, modes);
        for (std::size_t l = 0; l <= k; ++l) {
            const double* const u = lanczos_.vector(static_cast<Index>(k));
            const double* const v = lanczos_.vector(static_cast<Index>(l));
            double product = k == l ? -1.0 : 0.0;
            for (Index i = 0; i < equation_.grid.size(); ++i) product += u[i] * v[i];
            wrong_.orthogonality = heorot::larger(wrong_.orthogonality, std::abs(product));
        }
    }
    return wrong_;
}

template <class Equation>
void Assessment<Equation>::compare(std::size_t k, const std::vector<Mode>& modes) {
    const double* const u = lanczos_.vector(static_cast<Index>(k));
    const double theta = lanczos_.values()[k];
    double distance = modes[k + 1].value - modes[k].value;
    if (k > 0) distance = std::min(distance, modes[k].value - modes[k - 1].value);
    const double allowed = verified_tolerance * norm_;
    const double deviation =
        std::abs(theta - modes[k].value) / (allowed * allowed / distance + rounding * norm_);
    wrong_.residual = heorot::larger(wrong_.residual, residual(u, theta) / norm_);
    wrong_.value = heorot::larger(wrong_.value, deviation);
    wrong_.angle = heorot::larger(wrong_.angle, sine_of_angle(u, modes[k]) * distance / allowed);
}

template <class Equation>
double Assessment<Equation>::residual(const double* u, double theta) const {
    const Grid& grid = equation_.grid;
    double sum = 0.0;
    for (Index i = 0; i < grid.size(); ++i) {
        const Index row = i / grid.nx;
        const double left =
            equation_.without_matrix(u, i % grid.nx, row % grid.ny, row / grid.ny) - theta * u[i];
        sum += left * left;
    }
    return std::sqrt(sum);
}

/// The norm of u minus its projection on the product of sines, which has norm 1.
template <class Equation>
double Assessment<Equation>::sine_of_angle(const double* u, const Mode& mode) const {
    const Grid& grid = equation_.grid;
    std::array<std::vector<double>, 3> waves;
    const std::array<Index, 3> sides = {grid.nx, grid.ny, grid.nz};
    for (std::size_t d = 0; d < waves.size(); ++d) {
        const double points = static_cast<double>(sides[d]) + 1.0;
        for (Index i = 1; i <= sides[d]; ++i) {
            const double phase = static_cast<double>(i * mode.waves[d]) / points;
            waves[d].push_back(
                sides[d] == 1 ? 1.0 : std::sqrt(2.0 / points) * std::sin(std::numbers::pi * phase));
        }
    }
    const auto wave = [&](Index i) {
        const Index row = i / grid.nx;
        return waves[0][static_cast<std::size_t>(i % grid.nx)] *
               waves[1][static_cast<std::size_t>(row % grid.ny)] *
               waves[2][static_cast<std::size_t>(row / grid.ny)];
    };
    double along = 0.0;
    for (Index i = 0; i < grid.size(); ++i) along += u[i] * wave(i);
    double rest = 0.0;
    for (Index i = 0; i < grid.size(); ++i) {
        const double beside = u[i] - along * wave(i);
        rest += beside * beside;
    }
    return std::sqrt(rest);
}

/// Numbers of eigenvalues to compute and of vectors of the basis.
struct Wanted {
    Index n_values;
    Index n_basis;
};

template <class Equation>
void measure(heorot::Program& program, const std::string& name, const Equation& equation,
             double norm, const Wanted& wanted) {
    constexpr int most_products = 1000000;
    const int n_threads = program.n_threads();
    const auto a = heorot::sparse::make_csr(equation.grid.size(), equation, n_threads);
    Lanczos lanczos(a, wanted.n_values, wanted.n_basis, n_threads);
    const auto find = [&] { return lanczos.find(tolerance * norm, most_products); };
    // The first run gives the number of products, and warms up.
    const Lanczos::Found found = find();
    const double copies = program.world().size();
    const auto region =
        program.measure({.region = name,
                         .point = {{"unknowns", a.n_rows},
                                   {"wanted", wanted.n_values},
                                   {"basis", wanted.n_basis},
                                   {"working_set_bytes", lanczos.working_set_bytes()}},
                         .counts = {{"flops", copies * found.work.flops},
                                    {"bytes", copies * found.work.bytes},
                                    {"products", copies * found.n_products}},
                         .warm_up = [] {}},
                        [&] { find(); });
    program.corruptible(lanczos.values());
    const Wrong wrong = Assessment(equation, lanczos, norm).assess();
    program.check(region, "residual", wrong.residual, verified_tolerance);
    program.check(region, "deviation of eigenvalues, of what is allowed", wrong.value, 1.0);
    program.check(region, "angle of eigenvectors, of what is allowed", wrong.angle, 1.0);
    program.check(region, "not orthogonal", wrong.orthogonality, orthogonality);
}

/// Measures all matrices on grids of about `points` points.
void measure_all(heorot::Program& program, const std::string& matrices, double points,
                 const Wanted& wanted) {
    if (heorot::lists(matrices, "laplace2d")) {
        const double side = std::sqrt(points * std::numbers::sqrt2);
        const Grid grid{std::lround(side), std::lround(side / std::numbers::sqrt2)};
        measure(program, "laplace2d", heorot::sparse::FivePoint{grid}, 8.0, wanted);
    }
    if (heorot::lists(matrices, "laplace3d")) {
        const double side = std::cbrt(points * std::sqrt(7.0));
        const Grid grid{std::lround(side), std::lround(side / std::numbers::sqrt2),
                        std::lround(side * std::sqrt(2.0 / 7.0))};
        measure(program, "laplace3d", heorot::sparse::SevenPoint{grid}, 12.0, wanted);
    }
}

/// How many products there are, and how many vectors by then, is known once they are done: all
/// matrices and bases once, as if no point were at an edge of its grid.
void say_what_it_takes(heorot::Program& program, std::span<const std::int64_t> sizes) {
    const auto basis = program.amount("basis");
    const auto held =
        heorot::ranks() * program.largest_of("unknowns") * (8.0 * (basis + 8.0) + 160.0);
    program.takes("memory_bytes", held + 16.0 * heorot::mebibyte);
    program.takes("working_set_bytes", held);
    const auto n_matrices = program.n_of("matrices");
    const auto elements =
        5.0 * program.has("matrices", "laplace2d") + 7.0 * program.has("matrices", "laplace3d");
    const auto of_unknown = 12.0 * elements + (20.0 + 8.0 * (basis - 1.0)) * n_matrices;
    program.takes("points", n_matrices * program.n_of("unknowns"));
    program.takes("swept_bytes",
                  heorot::ranks() * of_unknown *
                      heorot::sum_over("unknowns", sizes, [](const auto& n) { return n; }));
}

void sparse_eigen(heorot::Program& program) {
    // 1. Options
    const auto matrices = program.items("matrices", known_matrices, "matrices");
    const auto n_wanted = program.option<std::int64_t>("wanted", 4, "eigenvalues");
    const auto n_basis = program.option<std::int64_t>("basis", 40, "vectors between restarts");
    const auto sizes =
        program.numbers("unknowns", "10000", 1, 500'000'000, "points of a grid, about");
    say_what_it_takes(program, sizes);
    program.start();
    if (n_wanted < 1 || n_wanted > 32 || n_basis <= 2 * n_wanted || n_basis > 200) {
        throw heorot::UsageError("--wanted is from 1 to 32, --basis more than twice that, to 200",
                                 "leave them out for 4 and 40");
    }
    if (*std::min_element(sizes.begin(), sizes.end()) < 4 * n_basis) {
        throw heorot::UsageError("--unknowns must be four times --basis at least",
                                 "leave it out for 10000");
    }
    program.require_room();

    // 2. Problem, 3. measure, 4. verify: one matrix after the other
    for (const Index unknowns : sizes) {
        measure_all(program, matrices, static_cast<double>(unknowns), {n_wanted, n_basis});
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/sparse_eigen", sparse_eigen);
}
