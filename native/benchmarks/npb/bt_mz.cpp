// npb/bt_mz: how fast is multi-zone BT, and how balanced are its zones?
//
// Method    The multi-zone form of npb/bt, modelled on overset codes such as OVERFLOW: a grid is
//           cut in x and y into zones whose extents grow geometrically, so that the largest zone
//           has about 20 times the points of the smallest (class S: 9).
//             class: S, W, A, B, C, D, E, F
//             points: 24^2 x 6, 64^2 x 8, 128^2 x 16, 304 x 208 x 17, 480 x 320 x 28, 1632 x 1216 x
//               34, 4224 x 3456 x 92, 12032 x 8960 x 250
//             zones: 2^2, 4^2, 4^2, 8^2, 16^2, 32^2, 64^2, 128^2
//             steps: 60 for S, 200 for W, A, B, C, else 250
//           A step:
//             neighbouring zones exchange boundary values periodically, with one message per pair
//               of ranks
//             every zone advances by the time step of npb/bt on its own, all of it before the next
//               zone, so that its fields stay in the cache
//           Zones are assigned to ranks greedily by cost, then swapped to improve the balance or
//           shorten faces between ranks; any number of ranks up to that of zones can run. The
//           threads of a rank share its zones or the points of each zone (option threads_over;
//           "auto" takes zones if the predicted largest load of a thread is then less than with
//           points shared at 80 % efficiency). Timed, as one body: all steps, exchange included;
//           before it, untimed, the fields are initialised. One step warms up.
// Counts    operations = steps x (sum over zones of 3478.8 n^3 - 17655.7 n^2 + 28023.7 n), with n^3
//           = nx ny nz, n^2 = (nx ny + nx nz + ny nz) / 3, n = (nx + ny + nz) / 3 of a zone (the
//           benchmark's own definition). flops = as npb/bt, 2505 for each point that is solved for
//           and 122 for each line. bytes = 120 for each of these points and step: u and forcing
//           read, u written, as a zone may stay in a cache.
// Comparable  No: as npb/bt, for the operations that are done are fewer than are counted. Predicted
//           and measured balance compare with those of any code, for the zones are the same.
// Verified  Sums over all zones of the root mean squares of the residual and of the solution error
//           (five each) equal the published ones, relative deviation <= 1e-8.
// Source    H. Jin, R. Van der Wijngaart, Performance characteristics of the multi-zone NAS
//           Parallel Benchmarks, IPDPS 2004; R. Van der Wijngaart, H. Jin, NAS Parallel Benchmarks,
//           Multi-Zone Versions, NAS-03-010 (2003); D. Bailey et al., The NAS Parallel Benchmarks,
//           RNR-94-007 (1994), section 3.
// Example   heorot run npb/bt_mz --set class=W --ranks 2
#include <array>

#include "benchmarks/npb/bt/solver.hpp"
#include "benchmarks/npb/bt/tile_lines.hpp"
#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/rhs.hpp"
#include "benchmarks/npb/zones/benchmark.hpp"
#include "benchmarks/npb/zones/flow_zones.hpp"
#include "harness/program.hpp"

namespace {

namespace bt = heorot::bt;
namespace flow = heorot::flow;
using heorot::zones::FlowZone;
using heorot::zones::ProblemClass;

constexpr std::array<ProblemClass, 8> classes = {{
    {"S",
     {24, 24, 6, 2, 2, 3.0},
     0.01,
     60,
     {0.1047687395830e+4, 0.9419911314792e+2, 0.2124737403068e+3, 0.1422173591794e+3,
      0.1135441572375e+4},
     {0.1775416062982e+3, 0.1875540250835e+2, 0.3863334844506e+2, 0.2634713890362e+2,
      0.1965566269675e+3}},
    {"W",
     {64, 64, 8, 4, 4, 4.5},
     0.0008,
     200,
     {0.5562611195402e+5, 0.5151404119932e+4, 0.1080453907954e+5, 0.6576058591929e+4,
      0.4528609293561e+5},
     {0.7185154786403e+4, 0.7040472738068e+3, 0.1437035074443e+4, 0.8570666307849e+3,
      0.5991235147368e+4}},
    {"A",
     {128, 128, 16, 4, 4, 4.5},
     0.0008,
     200,
     {0.5536703889522e+5, 0.5077835038405e+4, 0.1067391361067e+5, 0.6441179694972e+4,
      0.4371926324069e+5},
     {0.6716797714343e+4, 0.6512687902160e+3, 0.1332930740128e+4, 0.7848302089180e+3,
      0.5429053878818e+4}},
    {"B",
     {304, 208, 17, 8, 8, 4.5},
     0.0003,
     200,
     {0.4461388343844e+6, 0.3799759138035e+5, 0.8383296623970e+5, 0.5301970201273e+5,
      0.3618106851311e+6},
     {0.4496733567600e+5, 0.3892068540524e+4, 0.8763825844217e+4, 0.5599040091792e+4,
      0.4082652045598e+5}},
    {"C",
     {480, 320, 28, 16, 16, 4.5},
     0.0001,
     200,
     {0.3457703287806e+7, 0.3213621375929e+6, 0.7002579656870e+6, 0.4517459627471e+6,
      0.2818715870791e+7},
     {0.2059106993570e+6, 0.1680761129461e+5, 0.4080731640795e+5, 0.2836541076778e+5,
      0.2136807610771e+6}},
    {"D",
     {1632, 1216, 34, 32, 32, 4.5},
     2e-05,
     250,
     {0.4250417034981e+8, 0.4293882192175e+7, 0.9121841878270e+7, 0.6201357771439e+7,
      0.3474801891304e+8},
     {0.9462418484583e+6, 0.7884728947105e+5, 0.1902874461259e+6, 0.1361858029909e+6,
      0.9816489456253e+6}},
    {"E",
     {4224, 3456, 92, 64, 64, 4.5},
     4e-06,
     250,
     {0.5744815962469e+9, 0.6088696479719e+8, 0.1276325224438e+9, 0.8947040105616e+8,
      0.4726115284807e+9},
     {0.4114447054461e+7, 0.3570776728190e+6, 0.8465106191458e+6, 0.6147182273817e+6,
      0.4238908025163e+7}},
    {"F",
     {12032, 8960, 250, 128, 128, 4.5},
     1e-06,
     250,
     {0.6524078317845e+10, 0.7020439279514e+9, 0.1467588422194e+10, 0.1042973064137e+10,
      0.5411102201141e+10},
     {0.1708795375347e+8, 0.1514359936802e+7, 0.3552878359250e+7, 0.2594549582184e+7,
      0.1749809607845e+8}},
}};

/// The published count of floating-point operations of one zone and step.
constexpr heorot::zones::OperationCount operations = {3478.8, 17655.7, 28023.7, 0.0};

/// One time step of a zone: compute_rhs, x_solve, y_solve, z_solve, add.
void advance(FlowZone& zone, flow::Field& rhs, const flow::Coefficients& c, bt::Workspace& lines,
             bt::StepPhases& phases) {
    {
        const auto timed = phases.phases.enter(phases.compute_rhs);
        flow::compute_rhs(zone.u, zone.forcing, c, c.dt, rhs);
    }
    for (int d = 0; d < 3; ++d) {
        const auto timed = phases.phases.enter(phases.solve[static_cast<std::size_t>(d)]);
        const bt::LineOperator op(c, d);
        bt::solve(op, d, zone.u, rhs, lines);
    }
    const auto timed = phases.phases.enter(phases.add);
    flow::add(rhs, zone.u);
}

using BtZones = heorot::zones::FlowZones<bt::StepPhases, bt::Workspace, advance>;

/// The five steps, from options to report, are those of all multi-zone programs.
void bt_mz(heorot::Program& program) {
    heorot::zones::run_benchmark<BtZones>(program,
                                          {"bt_mz", classes, 36, operations, bt::work_of_step});
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/bt_mz", bt_mz);
}
