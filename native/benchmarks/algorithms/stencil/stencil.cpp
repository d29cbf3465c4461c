// algorithms/stencil: how fast are 7- and 27-point stencils, by blocking?
//
// Method    v = A u on a grid of nx x ny x nz points in double precision, out of place, with a
//           boundary that does not change:
//             7-point: v = c0 u + c1 (sum over the 6 neighbours)
//             27-point: v = c0 u + c1 (6 nearest) + c2 (12 at edges) + c3 (8 at corners)
//             plain: three nested loops, the innermost one vectorised; rows of the plane above
//               are prefetched if that is faster
//             blocked: spatial 2.5-D cache blocking in vectors; the 27-point stencil reuses common
//               partial sums. Prefetch distance, stores (ordinary or non-temporal) and block size
//               are the fastest of those tried; without blocks where plain is fastest
//             steps_together: v = A^4 u in one pass over memory (temporal blocking, wavefront of
//               planes in a cache)
//           Overlaps of blocks in steps_together are computed twice. Threads have slabs of planes
//           with parallel first touch; each rank has its own grid. Grids grow from L1d to memory,
//           with odd extents.
//           Four things slow plain sweeps from memory: loads wait for stores in flight at the same
//           offset of a page (arrays begin 39 cache lines apart, so that these seldom meet); lines
//           of v are fetched before they are stored, a third of the traffic (non-temporal stores);
//           hardware prefetchers lose short rows (prefetch 4 rows ahead); where three planes of u
//           outgrow L2, 40 bytes per point cross between L2 and L3 instead of 24 (blocks).
//           Trials of the stores take turns: ordinary stores take up to 1.7 times as long from
//           memory, and one perturbed trial must not choose them.
// Counts    updates = nx ny nz of every sweep, over the ranks. flops = 8 per point of the 7-point
//           stencil (6 additions, 2 multiplications); of the 27-point stencil 30 by definition, 18
//           in blocks; in steps_together they include redundant updates. nominal_flops = 8 or 30
//           per update. bytes = 16 per point and pass over memory, of which steps_together makes
//           one for four sweeps; write-allocate is not counted, and absent where blocks have
//           non-temporal stores.
// Comparable  Yes: updates per second of plain and blocked with the stencils of Datta et al. and of
//           other codes for the same points and precision; steps_together with temporal blocking by
//           other codes.
// Verified  u is a plane 1 + x/2 + y/4 + z/8 with a wave on it that is zero at the boundary. A
//           keeps the plane and multiplies the wave by a factor that is known in closed form. Every
//           element of v, boundary and padding included, may differ from that by 1e-14 per step,
//           the maximum rounding error of 27 terms.
// Source    K. Datta et al., Auto-tuning the 27-point stencil for multicore, iWAPT (2009); A.
//           Nguyen et al., 3.5-D blocking optimization for stencil computations, SC'10; G. Wellein
//           et al., Efficient temporal blocking for stencil computations, COMPSAC (2009).
// Example   heorot run algorithms/stencil --set stencils=7 --set max-bytes=256M --threads 2
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/algorithms/stencil/blocks.hpp"
#include "benchmarks/algorithms/stencil/grid.hpp"
#include "benchmarks/algorithms/stencil/rows.hpp"
#include "benchmarks/algorithms/stencil/tuning.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

using namespace heorot::stencil;

constexpr std::string_view known_regions = "plain,blocked,steps_together";
constexpr std::string_view known_stencils = "7,27";
constexpr double tolerance_per_step = 1e-14;
constexpr double most_points = 1e15;

struct Settings {
    std::string regions;
    std::string stencils;
    Index steps;
    std::size_t block_bytes;
};

/// Two copies of a grid, and the field that u holds.
class Grid {
  public:
    Grid(heorot::Program& program, const Settings& settings, const Shape& shape)
        : program_(program),
          settings_(settings),
          layout_(shape),
          field_(shape),
          u_(static_cast<std::size_t>(layout_.size())),
          v_(static_cast<std::size_t>(layout_.size())) {
        // Pages are placed before ways are tried.
        field_.fill(u_.span(), layout_, program.n_threads());
        field_.fill(v_.span(), layout_, program.n_threads());
    }

    /// Both copies, and how to try a sweep over them.
    auto sweeps() {
        return Sweeps{layout_, u_.data(), v_.data(), program_.n_threads(),
                      [this](const auto& body) { return program_.trial(body); }};
    }

    /// All regions with one stencil.
    template <class Stencil>
    void measure_all(const Stencil& stencil) {
        if (heorot::lists(settings_.regions, "plain")) {
            measure_plainly("plain", stencil, sweeps().fastest_plainly(stencil).way.ahead);
        }
        if (heorot::lists(settings_.regions, "blocked")) measure_blocks("blocked", stencil, 1);
        if (heorot::lists(settings_.regions, "steps_together")) {
            measure_blocks("steps_together", stencil, settings_.steps);
        }
    }

  private:
    template <class Stencil>
    void measure_plainly(const std::string& name, const Stencil& stencil, Index ahead) {
        note_way(name, Stencil::n_points, "no blocks, " + std::to_string(ahead) + " rows ahead");
        measure(name, stencil, 1, Stencil::flops_by_definition * layout_.shape.n_points(),
                [&] { sweeps().plainly(stencil, ahead); });
    }

    /// A grid that is not worth blocks is swept plainly.
    template <class Stencil>
    void measure_blocks(const std::string& name, const Stencil& stencil, Index n_steps) {
        const auto all = sweeps();
        const auto [way, seconds] = all.fastest_blocks(stencil, n_steps, settings_.block_bytes);
        if (n_steps == 1) {
            const Tried plain = all.fastest_plainly(stencil);
            if (plain.seconds < seconds) return measure_plainly(name, stencil, plain.way.ahead);
        }
        note_way(name, Stencil::n_points,
                 "blocks of " + std::to_string(way.block_bytes) + " bytes, " +
                     std::to_string(way.ahead) + " rows ahead, " +
                     (way.past_caches ? "non-temporal" : "ordinary") + " stores");
        Blocks blocks(layout_, n_steps, way, program_.n_threads());
        measure(name, stencil, n_steps, Stencil::flops * blocks.cut.n_computed(), [&] {
            sweep_in_blocks(stencil, blocks.cut, blocks.wavefronts, u_.data(), v_.data());
        });
    }

    /// What was chosen, for the record.
    void note_way(const std::string& region, int n_points, const std::string& way) {
        program_.note(region + " of " + std::to_string(n_points) + " points, " +
                          std::to_string(2 * u_.size() * sizeof(double)) + " bytes",
                      way);
    }

    /// v starts as u, of which the sweeps leave the boundary only.
    template <class Stencil, class Body>
    void measure(const std::string& name, const Stencil& stencil, Index n_steps, double flops,
                 Body body) {
        field_.fill(v_.span(), layout_, program_.n_threads());
        const Shape& shape = layout_.shape;
        const double n_copies = program_.world().size();
        const double n_points = shape.n_points() * n_copies;
        const double n_updates = n_points * static_cast<double>(n_steps);
        const std::size_t bytes = 2 * u_.size() * sizeof(double);
        const auto region = program_.measure(
            {.region = name,
             .point = {{"points", Stencil::n_points},
                       {"nx", shape.nx},
                       {"ny", shape.ny},
                       {"nz", shape.nz},
                       {"working_set_bytes", bytes}},
             .counts = {{"updates", n_updates},
                        {"flops", flops * n_copies},
                        {"nominal_flops", Stencil::flops_by_definition * n_updates},
                        {"bytes", 2 * sizeof(double) * n_points}}},
            body);
        program_.corruptible(v_.span());
        const double amplitude =
            std::pow(stencil.factor(field_.cosines()), static_cast<double>(n_steps));
        program_.check(region, "largest deviation from the known field",
                       field_.largest_deviation(v_.span(), layout_, amplitude),
                       tolerance_per_step * static_cast<double>(n_steps));
    }

    heorot::Program& program_;
    const Settings& settings_;
    Layout layout_;
    Field field_;
    heorot::Array<double> u_;
    heorot::Array<double> v_;
};

void measure_grid(heorot::Program& program, const Settings& settings, const Shape& shape) {
    Grid grid(program, settings, shape);
    if (heorot::lists(settings.stencils, "7")) grid.measure_all(SevenPoint{});
    if (heorot::lists(settings.stencils, "27")) grid.measure_all(TwentySevenPoint{});
}

/// The grid that was asked for, or none of a sweep.
Shape verified(std::size_t nx, std::size_t ny, std::size_t nz) {
    if ((nx > 0) != (ny > 0) || (ny > 0) != (nz > 0)) {
        throw heorot::UsageError("--nx, --ny and --nz belong together", "give all or none of them");
    }
    const double n_points =
        static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz);
    if (n_points > most_points) {
        throw heorot::UsageError("no memory has room for that grid",
                                 "two copies of it take 16 bytes per point");
    }
    return {static_cast<Index>(nx), static_cast<Index>(ny), static_cast<Index>(nz)};
}

/// Two copies of the largest grid with edges, and blocks of the threads.
void say_what_it_takes(heorot::Program& program) {
    const auto chosen = 16.0 * program.amount("nx") * program.amount("ny") * program.amount("nz");
    const auto grids = heorot::ranks() * either(chosen, program.amount("max-bytes"));
    program.takes("memory_bytes",
                  1.2 * grids + heorot::ranks() * heorot::threads() * 8.0 * heorot::mebibyte);
    program.takes("working_set_bytes", grids);
    const heorot::Sizes sizes{either(chosen, program.amount("min-bytes")),
                              either(chosen, program.amount("max-bytes")),
                              program.amount("points-per-octave")};
    const auto ways = program.n_of("regions") * program.n_of("stencils");
    program.takes("points", ways * heorot::n_of(sizes));
    program.takes("swept_bytes", heorot::ranks() * ways * heorot::total(sizes));
}

void stencil(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "ways over the grid");
    const auto stencils = program.items("stencils", known_stencils, "points of the stencil");
    const auto nx = program.option<std::size_t>("nx", 0, "points in x; 0: grids of all sizes");
    const auto ny = program.option<std::size_t>("ny", 0, "points in y");
    const auto nz = program.option<std::size_t>("nz", 0, "points in z");
    const auto min_bytes =
        program.option<std::size_t>("min-bytes", 24 << 10, "two copies of the smallest grid");
    const auto max_bytes = program.option<std::size_t>("max-bytes", std::size_t{64} << 20,
                                                       "two copies of the largest grid");
    const auto per_octave =
        program.option<double>("points-per-octave", 1.0, "grids per doubling of their size");
    const auto steps = program.option<int>("steps", 4, "sweeps in a pass of steps_together");
    const auto block_bytes =
        program.option<std::size_t>("block-bytes", 0, "what a block needs of a cache; 0: tried");
    say_what_it_takes(program);
    program.start();
    const Settings settings{regions, stencils, steps, block_bytes};
    const Shape wanted = verified(nx, ny, nz);
    if (min_bytes < 4096 || max_bytes < min_bytes || steps < 1 || steps > 64 || per_octave <= 0.0 ||
        per_octave > 64.0) {
        throw heorot::UsageError(
            "--min-bytes must be 4096 at least, --max-bytes no less, --steps from 1 to 64, "
            "--points-per-octave between 0 and 64",
            "leave them out for 24k, 64M, 4 and 1");
    }
    program.require_room();

    // 2. Problem, 3. measure, 4. verify, one grid after the other
    if (wanted.nx > 0) return measure_grid(program, settings, wanted);
    for (int step = 0;; ++step) {
        const double size = static_cast<double>(min_bytes) * std::exp2(step / per_octave);
        if (size > static_cast<double>(max_bytes)) break;
        measure_grid(program, settings, Shape::within(static_cast<std::size_t>(size)));
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/stencil", stencil);
}
