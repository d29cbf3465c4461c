// Tests of the calls of FFTW: without a plan no transform is requested; planning keeps the input.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "harness/program.hpp"
#include "numerics/libraries/fftw.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot;
using libraries::Fftw;

void no_plan(Program& program) {
    program.start();
    const std::optional<Fftw> fftw = Fftw::open(program, NO_PLANS);
    CHECK(fftw.has_value());
    if (!fftw) return;
    const std::vector<int> extents = {4, 6};
    std::array<double, 48> from{};
    from.fill(1.5);
    const std::array<double, 48> before = from;
    std::array<double, 48> to{};
    CHECK(tests::throws<Refusal>(
        [&] { fftw->execute(fftw->complex_plan(extents, from.data(), to.data(), -1)); }));
    CHECK(tests::throws<Refusal>(
        [&] { fftw->execute(fftw->real_plan(extents, from.data(), to.data())); }));
    CHECK(from == before);
    try {
        fftw->real_plan(extents, from.data(), to.data());
    } catch (const Refusal& refusal) {
        CHECK(refusal.what() == std::string("FFTW makes no plan of 4x6 numbers"));
    }
    throw Answered{};
}

}  // namespace

int main(int argc, char** argv) {
    const int code = heorot::run(argc, argv, "tests/fftw", no_plan);
    return code == 0 ? heorot::tests::result() : code;
}
