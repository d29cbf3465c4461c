// npb/lu_mz: how fast is multi-zone LU, with sixteen equal zones?
//
// Method    The multi-zone form of npb/lu, modelled on overset codes such as OVERFLOW: a grid is
//           cut in x and y into 4 x 4 equal zones.
//             class: S, W, A, B, C, D, E, F
//             points: 24^2 x 6, 64^2 x 8, 128^2 x 16, 304 x 208 x 17, 480 x 320 x 28, 1632 x 1216 x
//               34, 4224 x 3456 x 92, 12032 x 8960 x 250
//             iterations: 50 for S, 300 for W, D, E, F, else 250
//           An iteration:
//             neighbouring zones exchange boundary values periodically, with one message per pair
//               of ranks
//             every zone has an iteration of npb/lu on its own, all of it before the next zone, so
//               that its fields stay in the cache
//           Zones are assigned to ranks greedily by cost, then swapped to improve the balance or
//           shorten faces between ranks; any number of ranks up to that of zones can run. The
//           threads of a rank share its zones or the points of each zone (option threads_over;
//           "auto" takes zones if the predicted largest load of a thread is then less than with
//           points shared at 80 % efficiency). Timed, as one body: all iterations, exchange
//           included; the residual that ends one iteration of npb/lu begins the next one here, with
//           the same values, so that zones need not keep it. Before the body, untimed, the fields
//           are initialised. One iteration warms up.
// Counts    operations = iterations x (sum over zones of 1984.77 n^3 - 10923.3 n^2 + 27770.9 n -
//           144010), with n^3 = nx ny nz, n^2 = (nx ny + nx nz + ny nz) / 3, n = (nx + ny + nz) / 3
//           of a zone (the benchmark's own definition). flops = as npb/lu, 744 for each point that
//           is solved for and iteration. bytes = 120 for each of these: u and forcing read, u
//           written, as a zone may stay in a cache.
// Comparable  No: as npb/lu, for the operations that are done are fewer than are counted.
// Verified  Sums over all zones of the root mean squares of the residual and of the solution error
//           (five each), and of the surface integrals, equal the published ones, relative deviation
//           <= 1e-8.
// Source    H. Jin, R. Van der Wijngaart, Performance characteristics of the multi-zone NAS
//           Parallel Benchmarks, IPDPS 2004; R. Van der Wijngaart, H. Jin, NAS Parallel Benchmarks,
//           Multi-Zone Versions, NAS-03-010 (2003); D. Bailey et al., The NAS Parallel Benchmarks,
//           RNR-94-007 (1994), section 3.
// Example   heorot run npb/lu_mz --set class=W --ranks 2
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/lu/solver.hpp"
#include "benchmarks/npb/zones/benchmark.hpp"
#include "benchmarks/npb/zones/flow_zone.hpp"
#include "benchmarks/npb/zones/multi_zone.hpp"
#include "harness/program.hpp"

namespace {

namespace flow = heorot::flow;
namespace lu = heorot::lu;
using heorot::zones::Index;
using heorot::zones::ProblemClass;
using heorot::zones::Zone;

constexpr std::array<ProblemClass, 8> classes = {{
    {"S",
     {24, 24, 6, 4, 4, 1.0},
     0.5,
     50,
     {0.3778579699366e+1, 0.3120418698065e+0, 0.8386213407018e+0, 0.4452165980488e+0,
      0.7808656756434e+1},
     {0.2429480066305e+2, 0.9072817470024e+1, 0.1032621825644e+2, 0.9256791727838e+1,
      0.1639045777714e+2},
     0.4964435445706e+2},
    {"W",
     {64, 64, 8, 4, 4, 1.0},
     0.0015,
     300,
     {0.8285060230339e+3, 0.5753415004693e+2, 0.2023477570531e+3, 0.1586275182502e+3,
      0.1733925947816e+4},
     {0.7514670702651e+2, 0.9776687033238e+1, 0.2141754291209e+2, 0.1685405918675e+2,
      0.1856944519722e+3},
     0.3781055348911e+3},
    {"A",
     {128, 128, 16, 4, 4, 1.0},
     2.0,
     250,
     {0.1131574877175e+4, 0.7965206944742e+2, 0.2705587159526e+3, 0.2129567530746e+3,
      0.2260584655432e+4},
     {0.1115694885382e+3, 0.1089257673798e+2, 0.2905379922066e+2, 0.2216126755530e+2,
      0.2501762341026e+3},
     0.5904992211511e+3},
    {"B",
     {304, 208, 17, 4, 4, 1.0},
     2.0,
     250,
     {0.1734656959567e+5, 0.1238977748533e+4, 0.4123885357100e+4, 0.3613705834056e+4,
      0.3531187871586e+5},
     {0.1781612313296e+4, 0.1177971120769e+3, 0.4233792871440e+3, 0.3577260438230e+3,
      0.3659958544012e+4},
     0.6107041476456e+4},
    {"C",
     {480, 320, 28, 4, 4, 1.0},
     2.0,
     250,
     {0.4108743427233e+5, 0.3439004802235e+4, 0.9961331392486e+4, 0.8321426758084e+4,
      0.7463792419218e+5},
     {0.3429276307955e+4, 0.2336680861825e+3, 0.8216363109621e+3, 0.7143809828225e+3,
      0.7057470798773e+4},
     0.1125826349653e+5},
    {"D",
     {1632, 1216, 34, 4, 4, 1.0},
     1.0,
     300,
     {0.3282253166388e+6, 0.3490781637713e+5, 0.8610311978292e+5, 0.7004896022603e+5,
      0.4546838584391e+6},
     {0.6620775619126e+4, 0.5229798207352e+3, 0.1620218261697e+4, 0.1404783445006e+4,
      0.1222629805121e+5},
     0.2059421629621e+5},
    {"E",
     {4224, 3456, 92, 4, 4, 1.0},
     0.5,
     300,
     {0.1539988626779e+7, 0.1742224758490e+6, 0.4153598861059e+6, 0.3468381400447e+6,
      0.2054406022038e+7},
     {0.8021145134635e+4, 0.6932079823791e+3, 0.1998959591111e+4, 0.1725962639357e+4,
      0.1389447024442e+5},
     0.2334131124791e+5},
    {"F",
     {12032, 8960, 250, 4, 4, 1.0},
     0.2,
     300,
     {0.7116424271317e+7, 0.8159357680842e+6, 0.1930561069782e+7, 0.1633447037519e+7,
      0.9417323380798e+7},
     {0.8648720989200e+4, 0.7774221260694e+3, 0.2175462599498e+4, 0.1875280641999e+4,
      0.1457903413233e+5},
     0.2448986519022e+5},
}};

/// The published count of floating-point operations of one zone and step.
constexpr heorot::zones::OperationCount operations = {1984.77, 10923.3, 27770.9, 144010.0};

/// A zone is to the solver a grid of its own, which fills the unit cube.
std::unique_ptr<lu::Solver> make_solver(const Zone& zone, double dt, lu::TimedPhases& phases) {
    const heorot::Extent grid = heorot::zones::extent_of(zone);
    return std::make_unique<lu::Solver>(heorot::Box::whole(grid),
                                        flow::Coefficients(flow::unit_spacing(grid), dt), phases);
}

/// What the zones that are worked on one after the other share. The residual of a zone is needed
/// only while it is worked on, and all zones have the same shape.
struct Lane {
    Lane(const Zone& zone, int n_threads)
        : scratch(lu::Layout(heorot::Box::whole(heorot::zones::extent_of(zone)),
                             lu::Layout::Rows::solved),
                  n_threads) {}
    lu::Scratch scratch;
    lu::Field residual;
};

/// Lends a zone the residual of its lane.
class Loan {
  public:
    Loan(lu::Solver& zone, Lane& lane) : zone_(zone), lane_(lane) {
        std::swap(zone_.residual(), lane_.residual);
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { std::swap(zone_.residual(), lane_.residual); }

  private:
    lu::Solver& zone_;
    Lane& lane_;
};

constexpr auto u_at = [](lu::Solver& zone, Index i, Index j, Index k) -> heorot::zones::Components {
    double& first = zone.u().at(0, static_cast<int>(i), static_cast<int>(j), static_cast<int>(k));
    return {&first, heorot::n_lanes};
};

using Norms = std::array<double, 11>;

/// Root mean squares of the residual and of the error, five each, and the surface integral of one
/// zone.
Norms norms_of(lu::Solver& zone, Lane& lane) {
    const Loan residual_of(zone, lane);
    zone.rhs(lane.scratch);
    Norms norms = {};
    const auto residual = flow::root_mean_square(zone.l2norm(), zone.box().grid);
    const auto error = flow::root_mean_square(zone.error(), zone.box().grid);
    std::ranges::copy(residual, norms.begin());
    std::ranges::copy(error, norms.begin() + 5);
    norms.back() = zone.pintgr();
    return norms;
}

/// The zones of this rank and their iteration.
class LuZones {
  public:
    LuZones(const heorot::zones::Frame& frame, const ProblemClass& problem,
            heorot::Program& program)
        : world_(program.world()),
          phases_(program.phases()),
          lanes_(frame.make_lanes<Lane>(frame.grid().zone(0))),
          zones_(frame, world_.rank(), [&](const Zone& zone, std::size_t lane) {
              auto solver = make_solver(zone, problem.dt, phases_);
              solver->erhs(lanes_[lane].scratch);
              lanes_[lane].residual = std::exchange(solver->residual(), lu::Field());
              return solver;
          }) {}

    void initialise() {
        zones_.for_each([this](std::size_t z, std::size_t) { zones_[z].initialise(); });
    }
    /// One iteration of all zones. **Collective.**
    void step();
    /// Sums over all zones of the norms of the residual and of the solution error, and of the
    /// surface integrals. **Collective.**
    Norms norms() {
        return zones_.sum<Norms>(world_, [this](lu::Solver& zone, std::size_t lane) {
            return norms_of(zone, lanes_[lane]);
        });
    }

  private:
    const heorot::Communicator& world_;
    lu::TimedPhases phases_;
    std::vector<Lane> lanes_;
    heorot::zones::Zones<lu::Solver> zones_;
};

// The benchmark exchanges, sweeps and then computes the residual. Sweeps do not look at boundary
// values, so that the same residual may be computed in the next step, before they change.
void LuZones::step() {
    {
        const auto timed = phases_.phases.enter(phases_.exchange);
        zones_.collect_faces(world_, u_at);
    }
    zones_.for_each([this](std::size_t z, std::size_t lane) {
        lu::Solver& zone = zones_[z];
        const Loan residual_of(zone, lanes_[lane]);
        zone.rhs_and_lower(lanes_[lane].scratch);
        {
            const auto timed = phases_.phases.enter(phases_.exchange);
            zones_.set_boundary(z, u_at);
        }
        zone.upper(lanes_[lane].scratch);
    });
}

/// The five steps, from options to report, are those of all multi-zone programs.
void lu_mz(heorot::Program& program) {
    heorot::zones::run_benchmark<LuZones>(program,
                                          {"lu_mz", classes, 36, operations, lu::work_of_step});
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/lu_mz", lu_mz);
}
