// tests/smoke: does the harness carry a program from its options to its last line?
//
// Method    x(i) = i, doubled by every body and read back; small enough for any machine.
// Counts    flops = n per rank.
// Verified  Every x(i) = i after an even number of sign changes, exactly.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "harness/program.hpp"

namespace {

// x(i) = i + 1
void fill(std::span<double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) + 1.0;
}

// x(i) <- -x(i)
void change_sign(std::span<double> x) {
    for (double& element : x) element = -element;
}

double largest_deviation(std::span<const double> x, double sign) {
    double largest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double wanted = sign * (static_cast<double>(i) + 1.0);
        largest = std::fmax(largest, std::abs(x[i] - wanted) / std::abs(wanted));
    }
    return largest;
}

/// Ways to end that the tests ask for.
void misbehave(heorot::Program& program, const std::string& how) {
    if (how == "refuse") program.cannot_run("this machine is not round");
    if (how == "hunger") heorot::Array<double>(std::size_t{1} << 50U);
    if (how == "no-room") program.require_room();
    if (how == "hunger-on-last" && program.world().rank() == program.world().size() - 1) {
        heorot::Array<double>(std::size_t{1} << 50U);
    }
    if (how == "break") {
        heorot::expects(program.world().rank() != program.world().size() - 1,
                        "the last rank holds");
    }
    if (how == "usage") throw heorot::UsageError("--how cannot be 'usage'", "try something else");
    if (how == "wrong-on-last") {
        program.check("a deviation", program.world().rank(), program.world().size() - 1.5);
    }
    if (how == "nan") program.check("a deviation", std::numeric_limits<double>::quiet_NaN(), 1e-14);
    program.world().barrier();
}

void say_what_it_takes(heorot::Program& program, const std::string& how) {
    const auto elements = program.amount("points") * program.amount("n");
    program.takes("memory_bytes", heorot::ranks() * (how == "no-room" ? 1e15 : 8.0 * elements));
}

void smoke(heorot::Program& program) {
    const auto n = program.option<std::size_t>("n", 1000, "elements per rank");
    const auto n_points = program.option("points", 2, "sizes measured");
    const auto how = program.option("how", "well", "well, or a way to fail");
    const auto declares = program.option("declare", true, "declare the verified result");
    const auto prepares = program.option("prepare", false, "make the input of every body anew");
    const auto each = program.option("each", false, "line up the ranks before every body");
    say_what_it_takes(program, how);
    program.start();
    const heorot::Phase flipping = program.phases().add("flip");
    misbehave(program, how);
    program.note("purpose", "test");
    program.note("element_bytes", sizeof(double));
    for (int point = 1; point <= n_points; ++point) {
        heorot::Array<double> x(n * static_cast<std::size_t>(point));
        fill(x.span());
        const double flops = static_cast<double>(x.size()) * program.world().size();
        heorot::Measurement what{.region = "sign",
                                 .point = {{"n", x.size()}, {"text", how}},
                                 .counts = {{"flops", flops}},
                                 .each = each};
        if (prepares) {
            what.prepare = [&] { fill(x.span()); };
            what.warm_up = [&] { change_sign(x.span()); };
        }
        const auto region = program.measure(what, [&] {
            const auto timed = program.phases().enter(flipping);
            change_sign(x.span());
        });
        if (declares) program.corruptible(x.span());
        const double sign = !prepares && region.n_bodies % 2 == 0 ? 1.0 : -1.0;
        program.check(region, "largest relative deviation", largest_deviation(x.span(), sign), 0.0);
    }
    std::vector<std::int32_t> whole(3, 4);
    std::vector<std::byte> bytes(3);
    if (declares) {
        program.corruptible(std::span<std::int32_t>(whole));
        program.corruptible(std::span<std::byte>(bytes));
    }
    program.check("ranks counted", std::abs(program.world().sum(1.0) - program.world().size()),
                  0.0);
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "tests/smoke", smoke);
}
