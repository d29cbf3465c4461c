// compute/branches: what are branch misprediction penalty and branch-predictor capacity of a core?
//
// Method    One thread per rank executes a list of branches of fixed length. Inline assembly keeps
//           both paths apart, so that the compiler cannot merge them.
//             random: random outcomes of probability chance_percent; no predictor beats the
//               likelier outcome
//             periodic: a random pattern of `period` outcomes, repeated; predicted while its
//               history fits the predictor
//             indirect: an indirect call to one of `targets` random addresses
// Counts    decisions (branches), summed over the ranks. Misprediction penalty = 2 x (time of a
//           random branch - time of a predictable one).
// Comparable  No: the predicted pattern length depends on the other branches of the loop.
// Verified  Each path counts its executions; the counts, and those of the targets, equal those of
//           the lists of all bodies.
// Source    A. Fog, The microarchitecture of Intel, AMD and VIA CPUs (2024), chapter 3; J. E.
//           Smith, A study of branch prediction strategies, ISCA (1981).
// Example   heorot run compute/branches --set regions=random,periodic
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/random.hpp"

namespace {

using Decision = std::uint8_t;
using Count = std::int64_t;

constexpr std::string_view known_regions = "random,periodic,indirect";
constexpr std::size_t n_parts = 64;
constexpr std::size_t most_targets = 16;
constexpr std::size_t shortest_period = 4;
constexpr std::uint64_t seed = 20260102;

/// How often each way was taken.
using Taken = std::array<Count, most_targets>;

/// Takes the first way where a decision is not zero, else the second. Checked in every run:
/// expected().
void decide(std::span<const Decision> decisions, Taken& taken) {
    Count first = 0;
    Count second = 0;
    for (const Decision decision : decisions) {
        if (decision != 0) {
            ++first;
            heorot::keep(first);
        } else {
            ++second;
            heorot::keep(second);
        }
    }
    taken[1] += first;
    taken[0] += second;
}

/// One of the targets: they differ, so that no two of them become one.
template <std::size_t number>
[[gnu::noinline]] void target(Taken& taken) {
    ++taken[number];
    heorot::keep(taken);
}

using Target = void (*)(Taken&);
template <std::size_t... number>
constexpr std::array<Target, sizeof...(number)> list_targets(std::index_sequence<number...>) {
    return {target<number>...};
}
constexpr auto targets = list_targets(std::make_index_sequence<most_targets>{});

/// Calls the target that each decision names. Checked in every run: expected().
void call(std::span<const Decision> decisions, Taken& taken) {
    for (const Decision decision : decisions) targets[decision](taken);
}

}  // namespace

namespace {

/// How often n_bodies bodies take each way, which take the parts of a list in turn.
Taken expected(std::span<const Decision> decisions, std::int64_t parts, std::int64_t n_bodies) {
    Taken all{};
    const std::size_t length = decisions.size() / static_cast<std::size_t>(parts);
    for (std::int64_t part = 0; part < parts; ++part) {
        const std::int64_t n_times = (n_bodies - part + parts - 1) / parts;
        const auto first = static_cast<std::size_t>(part) * length;
        for (const Decision decision : decisions.subspan(first, length)) all[decision] += n_times;
    }
    return all;
}

/// A body takes the next of some parts of the list.
template <class Run>
void measure(heorot::Program& program, const std::string& region_name, const heorot::Point& point,
             std::span<const Decision> decisions, std::size_t parts, Run run) {
    Taken taken{};
    const std::size_t length = decisions.size() / parts;
    std::size_t next = 0;
    const auto region = program.measure(
        {.region = region_name,
         .point = point,
         .counts = {{"decisions", static_cast<double>(length) * program.world().size()}}},
        [&] {
            run(decisions.subspan(next * length, length), taken);
            if (++next == parts) next = 0;
        });
    program.corruptible(std::span<Count>(taken));
    const Taken wanted = expected(decisions, static_cast<std::int64_t>(parts), region.n_bodies);
    double largest = 0.0;
    for (std::size_t way = 0; way < most_targets; ++way) {
        largest = std::max(largest, std::abs(static_cast<double>(taken[way] - wanted[way])));
    }
    program.check(region, "ways taken too often or too seldom", largest, 0.0);
}

/// Draws decisions; those behind `period` are like those before.
void draw(std::span<Decision> decisions, std::size_t period, auto&& decision_of) {
    heorot::Random random(seed);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        decisions[i] =
            i < period ? static_cast<Decision>(decision_of(random.next())) : decisions[i - period];
    }
}

void branches(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "sequences of decisions");
    const auto length =
        program.option<std::size_t>("length", std::size_t{1} << 16U, "decisions of a body");
    program.takes("memory_bytes", 64.0 * program.amount("length") + 4.0 * heorot::mebibyte);
    const heorot::Sizes periods{double{shortest_period}, program.amount("length"), 1.0};
    const auto points = 9.0 * program.has("regions", "random") +
                        program.has("regions", "periodic") * heorot::n_of(periods) +
                        5.0 * program.has("regions", "indirect");
    program.takes("points", points);
    program.takes("decisions", heorot::ranks() * program.amount("length") * points);
    program.start();
    if (length < shortest_period || length > std::size_t{1} << 24U) {
        throw heorot::UsageError("--length must be between 4 and 2^24", "leave it out for 65536");
    }

    // 2. Problem
    heorot::Array<Decision> list(n_parts * length);
    const auto all = list.span();
    const auto one = all.first(length);

    // 3. Measure, 4. verify: more and more that cannot be guessed
    for (const int percent : {0, 1, 2, 5, 10, 20, 30, 40, 50}) {
        if (!heorot::lists(regions, "random")) break;
        draw(all, all.size(), [=](double u) { return u < 0.01 * percent ? 1 : 0; });
        measure(program, "random", {{"chance_percent", percent}}, all, n_parts, decide);
    }
    for (std::size_t period = shortest_period; period <= length; period *= 2) {
        if (!heorot::lists(regions, "periodic")) break;
        draw(one, period, [](double u) { return u < 0.5 ? 1 : 0; });
        measure(program, "periodic", {{"period", period}}, one, 1, decide);
    }
    for (std::size_t n_targets = 1; n_targets <= most_targets; n_targets *= 2) {
        if (!heorot::lists(regions, "indirect")) break;
        draw(all, all.size(), [=](double u) { return u * static_cast<double>(n_targets); });
        measure(program, "indirect", {{"targets", n_targets}}, all, n_parts, call);
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "compute/branches", branches);
}
