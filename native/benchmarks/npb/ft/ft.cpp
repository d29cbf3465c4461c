// npb/ft: how fast are 3-D FFTs and their transpositions (NPB FT)?
//
// Method    The Fourier Transform benchmark, a diffusion equation solved by spectral methods, as
//           turbulence codes do it. A random complex field u(x, y, z) of N = nx x ny x nz points is
//           transformed once; then for t = 1, 2, ...
//             u_k(t) = u_k(0) exp(-4 alpha pi^2 |k|^2 t), alpha = 1e-6
//             u = inverse transform of u_k(t), checksum = sum of 1024 of its points
//           Timed, as one body: tables, initial conditions, the forward transform, and all steps
//           with their checksums; to warm up, everything before the first step runs once. A rank
//           has some of the planes z = const, of the spectrum some rows y = const; numbers that do
//           not divide give parts that differ by one. With more ranks than planes or rows, and with
//           --columns, columns of ranks cut the planes along x, too, at multiples of as many points
//           as a vector has lanes, and in a second exchange along y; counts without such rows and
//           columns cannot run. Threads share planes or lines. Of lines along z and y one is
//           transformed in each lane; the factors are applied as lines along z are read, and a
//           plane is transformed along y and x while it is in the cache, so that a step reads and
//           writes the field twice. Exchanges need no packing.
// Counts    operations = N (14.8157 + 7.19641 ln N + (5.23518 + 7.21113 ln N) steps), N = nx ny nz
//           (the benchmark's own definition). flops = N (2 + t + (3 + t) steps), t the flops per
//           point of one transform with radices up to 16: for class S, W, A 58.5, 61.75, 77.875
//           with eight lanes, 59, 63.75, 78.625 with four. bytes = N (48 + 64 steps): the field is
//           read and written twice in a step.
// Comparable  No: the same problems and verification values, so that times to solution are
//           comparable; operations per second do not compare with published Mop/s of NASA's
//           programs, which count radix 2 and go through memory once per direction; here a third
//           fewer operations are done.
// Verified  The checksum of every step equals the published one, relative deviation (modulus) <=
//           1e-12. After the last step sum |u|^2 = N sum |u_k|^2 (Parseval), all points taking
//           part, relative deviation <= 1e-12.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), section 2.4; classes
//           W, D, E from the NAS Parallel Benchmarks 3.4.
// Example   heorot run npb/ft --set class=W --ranks 2
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/npb/ft/classes.hpp"
#include "benchmarks/npb/ft/field.hpp"
#include "benchmarks/npb/published.hpp"
#include "benchmarks/npb/work.hpp"
#include "harness/program.hpp"
#include "numerics/random.hpp"

namespace {

namespace ft = heorot::ft;
using ft::Checksum;
using ft::Factors;
using ft::Field;
using ft::Grid;

constexpr std::uint64_t seed = 314159265;
constexpr double alpha = 1e-6;
constexpr int n_checked = 1024;

/// The points of the whole grid, x fastest, take two random numbers each: real and imaginary part.
void initial_conditions(const Grid& grid, int y, int z, std::span<double> pairs) {
    heorot::Random random(seed);
    random.skip(2 * static_cast<std::uint64_t>(grid.nx) *
                (static_cast<std::uint64_t>(grid.ny) * static_cast<std::uint64_t>(z) +
                 static_cast<std::uint64_t>(y)));
    random.fill(pairs);
}

/// exp(-4 alpha pi^2 kbar^2 t), where kbar = k for k < n / 2 and k - n beyond
void make_factors(std::vector<double>& factors, double t) {
    const auto n = static_cast<std::int64_t>(factors.size());
    for (std::int64_t k = 0; k < n; ++k) {
        const auto bar = static_cast<double>(k < n / 2 ? k : k - n);
        factors[static_cast<std::size_t>(k)] =
            std::exp(-4.0 * alpha * std::numbers::pi * std::numbers::pi * bar * bar * t);
    }
}

/// The mode k decays as exp(-4 alpha pi^2 |kbar|^2 t), a product over the three directions.
void decay(Factors& factors, double t) {
    make_factors(factors.x, t);
    make_factors(factors.y, t);
    make_factors(factors.z, t);
}

/// Which points x = j mod nx, y = 3 j mod ny, z = 5 j mod nz, j = 1..1024, this rank has.
void find_checked(const Field& field, const Grid& grid, std::vector<std::int64_t>& places) {
    places.clear();
    for (int j = 1; j <= n_checked; ++j) {
        const std::int64_t place = field.find(j % grid.nx, 3 * j % grid.ny, 5 * j % grid.nz);
        if (place >= 0) places.push_back(place);
    }
}

/// The sum of the checked points of all ranks, divided by the number of points of the grid.
Checksum checksum(const Field& field, const std::vector<std::int64_t>& places, double n_points,
                  const heorot::Communicator& world) {
    Checksum sum = 0.0;
    for (const std::int64_t place : places) sum += field.at(place);
    std::array<double, 2> parts = {sum.real() / n_points, sum.imag() / n_points};
    world.sum(std::span<double>(parts));
    return {parts[0], parts[1]};
}

/// Of sum |u|^2 from N sum |u_k|^2.
double parseval_deviation(const Field& field, const Factors& factors, double n_points,
                          const heorot::Communicator& world) {
    const double field_energy = world.sum(field.field_energy());
    const double spectrum_energy = n_points * world.sum(field.spectrum_energy(factors));
    return std::abs(field_energy / spectrum_energy - 1.0);
}

/// Given the flops of a point of one transform, which the lanes of vectors decide.
heorot::Work work_of(const ft::ProblemClass& problem, double transform) {
    constexpr double random_field = 2.0;
    constexpr double factors = 3.0;  // of x and y with that of z; times two parts
    constexpr double complex = 2.0 * sizeof(double);
    const auto n = static_cast<double>(problem.n_points());
    const auto n_steps = static_cast<double>(problem.checksums.size());
    // At the beginning planes are written, then read and written as lines along z; in a step the
    // spectrum is read, the field written, then read and written plane by plane.
    return {.operations =
                n * (14.8157 + 7.19641 * std::log(n) + (5.23518 + 7.21113 * std::log(n)) * n_steps),
            .flops = n * (random_field + transform + (factors + transform) * n_steps),
            .bytes = n * complex * (3.0 + 4.0 * n_steps)};
}

ft::RankGrid find_rank_grid(heorot::Program& program, const Grid& grid, int n_columns) {
    const int n_columns_max = std::min(grid.nx / heorot::n_lanes, grid.ny);
    if (n_columns < 0 || n_columns > n_columns_max) {
        throw heorot::UsageError("--columns cannot be " + std::to_string(n_columns),
                                 "0 to " + std::to_string(n_columns_max) + " for this class");
    }
    const int n_ranks = program.world().size();
    const auto ranks = ft::RankGrid::of(n_ranks, n_columns, grid);
    if (ranks.n_rows == 0) {
        program.cannot_run(std::to_string(n_ranks) +
                           " ranks form no rows and columns of which all get a part of this grid; "
                           "the nearest count that can is " +
                           std::to_string(ft::RankGrid::nearest(n_ranks, n_columns, grid)));
    }
    return ranks;
}

/// The timed part and its results.
class Diffusion {
  public:
    Diffusion(heorot::Program& program, const ft::ProblemClass& problem, int n_columns)
        : world_(program.world()),
          n_points_(static_cast<double>(problem.n_points())),
          phases_(program.phases()),
          setup_(phases_.add("setup")),
          grid_{problem.nx, problem.ny, problem.nz},
          field_(program, grid_, find_rank_grid(program, grid_, n_columns)),
          checksum_(phases_.add("checksum")),
          factors_(grid_),
          checksums_(problem.checksums.size()) {
        places_.reserve(n_checked);
    }

    /// Roots of unity, initial conditions and their spectrum.
    void start() {
        {
            const auto timed = phases_.enter(setup_);
            field_.make_roots();
            find_checked(field_, grid_, places_);
        }
        field_.make_spectrum(initial_conditions);
    }
    /// The field and its checksum at every time step.
    void evolve() {
        for (std::size_t t = 1; t <= checksums_.size(); ++t) {
            {
                const auto timed = phases_.enter(setup_);
                decay(factors_, static_cast<double>(t));
            }
            field_.make_field(factors_);
            const auto timed = phases_.enter(checksum_);
            checksums_[t - 1] = checksum(field_, places_, n_points_, world_);
        }
    }

    const char* method() const { return field_.method(); }
    double flops_of_point() const { return field_.flops_of_point(); }
    std::vector<Checksum>& checksums() { return checksums_; }
    double parseval() { return parseval_deviation(field_, factors_, n_points_, world_); }

  private:
    const heorot::Communicator& world_;
    double n_points_;
    heorot::Phases& phases_;
    heorot::Phase setup_;
    Grid grid_;
    Field field_;
    heorot::Phase checksum_;
    Factors factors_;
    std::vector<std::int64_t> places_;
    std::vector<Checksum> checksums_;
};

void fourier_transform(heorot::Program& program) {
    // 1. Options
    // Three complex fields and the factors of the evolution.
    const auto name = heorot::choose_class(
        program, ft::classes,
        [](const ft::ProblemClass& one) { return 7.5 * 8.0 * static_cast<double>(one.n_points()); },
        [](const ft::ProblemClass& one) -> std::vector<heorot::Count> {
            const heorot::Work work = work_of(one, 0.0);
            return {{"operations", work.operations}, {"bytes", work.bytes}};
        });
    const auto n_columns = program.option(
        "columns", 0, "columns of ranks, which cut planes along x; 0: as few as can be");
    program.start();

    // 2. Problem
    const ft::ProblemClass& problem = heorot::find_class(ft::classes, name);
    Diffusion diffusion(program, problem, n_columns);
    program.note("transforms", diffusion.method());

    // 3. Measure
    const auto region =
        program.measure({.region = "ft",
                         .point = {{"class", name}},
                         .counts = work_of(problem, diffusion.flops_of_point()).counts(),
                         .warm_up = [&] { diffusion.start(); }},
                        [&] {
                            diffusion.start();
                            diffusion.evolve();
                        });
    auto& checksums = diffusion.checksums();
    // A complex number is an array of its two parts.
    program.corruptible(
        std::span<double>(reinterpret_cast<double*>(checksums.data()), 2 * checksums.size()));

    // 4. Verify
    program.check(region, "checksums, largest relative deviation",
                  heorot::largest_relative_deviation(checksums, problem.checksums), 1e-12);
    program.check(region, "Parseval's theorem, relative deviation", diffusion.parseval(), 1e-12);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/ft", fourier_transform);
}
