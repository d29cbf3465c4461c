// npb/sp_mz: how fast is multi-zone SP, with many equal zones?
//
// Method    The multi-zone form of npb/sp, modelled on overset codes such as OVERFLOW: a grid is
//           cut in x and y into equal zones.
//             class: S, W, A, B, C, D, E, F
//             points: 24^2 x 6, 64^2 x 8, 128^2 x 16, 304 x 208 x 17, 480 x 320 x 28, 1632 x 1216 x
//               34, 4224 x 3456 x 92, 12032 x 8960 x 250
//             zones: 2^2, 4^2, 4^2, 8^2, 16^2, 32^2, 64^2, 128^2
//             steps: 100 for S, 400 for W, A, B, C, else 500
//           A step:
//             neighbouring zones exchange boundary values periodically, with one message per pair
//               of ranks
//             every zone advances by the time step of npb/sp on its own, all of it before the next
//               zone, so that its fields stay in the cache
//           Zones are assigned to ranks greedily by cost, then swapped to improve the balance or
//           shorten faces between ranks; any number of ranks up to that of zones can run. The
//           threads of a rank share its zones or the points of each zone (option threads_over;
//           "auto" takes zones if the predicted largest load of a thread is then less than with
//           points shared at 80 % efficiency). Timed, as one body: all steps, exchange included;
//           before it, untimed, the fields are initialised. One step warms up.
// Counts    operations = steps x (sum over zones of 881.174 n^3 - 4683.91 n^2 + 11484.5 n -
//           19272.4), with n^3 = nx ny nz, n^2 = (nx ny + nx nz + ny nz) / 3, n = (nx + ny + nz) /
//           3 of a zone (the benchmark's own definition). flops = as npb/sp, 894 for each point
//           that is solved for and step. bytes = 120 for each of these: u and forcing read, u
//           written, as a zone may stay in a cache.
// Comparable  In part: as npb/sp. Predicted and measured balance compare with those of any code,
//           for the zones are the same.
// Verified  Sums over all zones of the root mean squares of the residual and of the solution error
//           (five each) equal the published ones, relative deviation <= 1e-8.
// Source    H. Jin, R. Van der Wijngaart, Performance characteristics of the multi-zone NAS
//           Parallel Benchmarks, IPDPS 2004; R. Van der Wijngaart, H. Jin, NAS Parallel Benchmarks,
//           Multi-Zone Versions, NAS-03-010 (2003); D. Bailey et al., The NAS Parallel Benchmarks,
//           RNR-94-007 (1994), section 3.
// Example   heorot run npb/sp_mz --set class=W --ranks 2
#include <array>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/sp/step.hpp"
#include "benchmarks/npb/zones/benchmark.hpp"
#include "benchmarks/npb/zones/flow_zones.hpp"
#include "harness/program.hpp"

namespace {

namespace flow = heorot::flow;
namespace sp = heorot::sp;
using heorot::zones::FlowZone;
using heorot::zones::ProblemClass;

constexpr std::array<ProblemClass, 8> classes = {{
    {"S",
     {24, 24, 6, 2, 2, 1.0},
     0.015,
     100,
     {0.7698876173566e+1, 0.1517766790280e+1, 0.2686805141546e+1, 0.1893688083690e+1,
      0.1369739859738e+2},
     {0.9566808043467e+1, 0.3894109553741e+1, 0.4516022447464e+1, 0.4099103995615e+1,
      0.7776038881521e+1}},
    {"W",
     {64, 64, 8, 4, 4, 1.0},
     0.0015,
     400,
     {0.1887636218359e+3, 0.1489637963542e+2, 0.4851711701400e+2, 0.3384633608154e+2,
      0.4036632495857e+3},
     {0.2975895149929e+2, 0.1341508175806e+2, 0.1585310846491e+2, 0.1450916426713e+2,
      0.5854137431023e+2}},
    {"A",
     {128, 128, 16, 4, 4, 1.0},
     0.0015,
     400,
     {0.2800097900548e+3, 0.2268349014438e+2, 0.7000852739901e+2, 0.5000771004061e+2,
      0.5552068537578e+3},
     {0.3112046666578e+2, 0.1172197785348e+2, 0.1486616708032e+2, 0.1313680576292e+2,
      0.7365834058154e+2}},
    {"B",
     {304, 208, 17, 8, 8, 1.0},
     0.001,
     400,
     {0.5190422977921e+4, 0.3655458539065e+3, 0.1261126592633e+4, 0.1002038338842e+4,
      0.1075902511165e+5},
     {0.5469182054223e+3, 0.4983658028989e+2, 0.1418301776602e+3, 0.1097717156175e+3,
      0.1260195162174e+4}},
    {"C",
     {480, 320, 28, 16, 16, 1.0},
     0.00067,
     400,
     {0.5886814493676e+5, 0.3967324375474e+4, 0.1444126529019e+5, 0.1210582211196e+5,
      0.1278941567976e+6},
     {0.6414069213021e+4, 0.4069468353404e+3, 0.1585311908719e+4, 0.1270243185759e+4,
      0.1441398372869e+5}},
    {"D",
     {1632, 1216, 34, 32, 32, 1.0},
     0.0003,
     500,
     {0.7650595424723e+6, 0.5111519817683e+5, 0.1857213937602e+6, 0.1624096784059e+6,
      0.1642416844328e+7},
     {0.8169589578340e+5, 0.5252150843148e+4, 0.1984739188642e+5, 0.1662852404547e+5,
      0.1761381855235e+6}},
    {"E",
     {4224, 3456, 92, 64, 64, 1.0},
     0.0002,
     500,
     {0.5058298119039e+7, 0.3576837494299e+6, 0.1230856227329e+7, 0.1093895671677e+7,
      0.1073671658903e+8},
     {0.5288293042051e+6, 0.3471875724140e+5, 0.1282998930808e+6, 0.1095483394612e+6,
      0.1129716454231e+7}},
    {"F",
     {12032, 8960, 250, 128, 128, 1.0},
     0.0001,
     500,
     {0.3974469160412e+8, 0.3260760921834e+7, 0.9756215393494e+7, 0.8278472138497e+7,
      0.7547269314441e+8},
     {0.3475757666334e+7, 0.2386799228183e+6, 0.8436705443034e+6, 0.7339112115118e+6,
      0.7327832757877e+7}},
}};

/// The published count of floating-point operations of one zone and step.
constexpr heorot::zones::OperationCount operations = {881.174, 4683.91, 11484.5, 19272.4};

/// One time step of a zone.
void advance(FlowZone& zone, flow::Field& rhs, const flow::Coefficients& c, sp::LineBuffers& lines,
             sp::StepPhases& phases) {
    sp::step({zone.u, zone.forcing, rhs}, c, lines, phases);
}

using SpZones = heorot::zones::FlowZones<sp::StepPhases, sp::LineBuffers, advance>;

/// The five steps, from options to report, are those of all multi-zone programs.
void sp_mz(heorot::Program& program) {
    heorot::zones::run_benchmark<SpZones>(program,
                                          {"sp_mz", classes, 48, operations, sp::work_of_step});
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/sp_mz", sp_mz);
}
