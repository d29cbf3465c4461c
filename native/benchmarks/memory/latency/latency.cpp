// memory/latency: what are load latency, MLP and dTLB reach of a core?
//
// Method    Pointer chasing: the 64-byte lines of a working set form one random cycle. Loads are
//           dependent, and prefetchers cannot predict them.
//             chase: growing working sets, in huge pages where the system gives them
//             parallel: several chains at once, equally spaced in the cycle: memory-level
//               parallelism (MLP)
//             small_pages: chase in base pages (4 KiB on x86): beyond the dTLB reach loads include
//               page walks
//             pages: one line per base page: the dTLB reach ends long before the caches do
//             loaded: chase over the largest working set while `streams` other threads read arrays
//               (loaded latency)
//             streaming: the read bandwidth of those threads meanwhile
// Counts    loads, summed over chains and ranks; bytes of streaming = 8 per double, summed over
//           threads and ranks. working_set_bytes is 64 per line, a page per line of pages, and all
//           arrays of a rank for streaming.
// Comparable  Yes: chase and small_pages with random chases such as lat_mem_rd -t of lmbench,
//           loaded with loaded latencies as Intel's Memory Latency Checker prints them at its
//           highest load, if the pages are alike.
// Verified  Every line occurs once in the cycle; after all bodies each chain is at the line that
//           its number of loads leads to. All values read by streaming are one: their sum equals
//           their number.
// Source    L. McVoy, C. Staelin, lmbench: Portable tools for performance analysis, USENIX Annual
//           Technical Conference (1996); U. Drepper, What every programmer should know about memory
//           (2007), sections 3.3 and 4.
// Example   heorot run memory/latency --set regions=chase,small_pages --set max-bytes=256M
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmarks/memory/chains/cycle.hpp"
#include "benchmarks/memory/chains/pages.hpp"
#include "benchmarks/memory/chains/walk.hpp"
#include "benchmarks/memory/latency/load.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

using namespace heorot::chains;
using heorot::latency::Load;

constexpr std::string_view known_regions = "chase,parallel,small_pages,pages,loaded";
// No power of two: cycles often have as many lines, and going round is no progress.
constexpr std::int64_t links_per_body = 4080;
// Links that bring the lines of a small working set into the caches.
constexpr std::size_t most_warm_links = std::size_t{1} << 18U;

/// Working sets from the smallest to the largest, geometrically, in whole lines of some size [B].
std::vector<std::size_t> sizes(std::size_t least, std::size_t most, double per_octave,
                               std::size_t multiple) {
    std::vector<std::size_t> found;
    for (int step = 0;; ++step) {
        const double size = static_cast<double>(least) * std::exp2(step / per_octave);
        if (size > static_cast<double>(most)) break;
        const std::size_t whole = static_cast<std::size_t>(size) / multiple * multiple;
        if (whole > 0 && (found.empty() || whole > found.back())) found.push_back(whole);
    }
    return found;
}

/// Measures n_chains chains through a cycle that is linked.
template <std::size_t n_chains>
void measure_walk(heorot::Program& program, const std::string& region_name, const Cycle& cycle,
                  std::size_t working_set_bytes) {
    Walk<n_chains> walk(cycle);
    const double n_loads = static_cast<double>(n_chains) * links_per_body;
    const auto warm =
        static_cast<std::int64_t>(std::min(cycle.n_lines(), most_warm_links) / n_chains / 16 * 16);
    const auto region =
        program.measure({.region = region_name,
                         .point = {{"working_set_bytes", working_set_bytes}, {"chains", n_chains}},
                         .counts = {{"loads", n_loads * program.world().size()}},
                         .warm_up = [&] { walk.go_on(warm); }},
                        [&] { walk.go_on(links_per_body); });
    program.check(region, "lines between where a chain stands and should",
                  walk.astray(program, warm + region.n_bodies * links_per_body), 0.0);
    if constexpr (n_chains == 1) {
        program.check(region, "wrong links", static_cast<double>(cycle.wrong_links()), 0.0);
    }
}

/// parallel: more and more chains through the cycle that is linked.
void measure_parallel(heorot::Program& program, const Cycle& cycle) {
    const auto with = [&]<std::size_t n_chains>(std::integral_constant<std::size_t, n_chains>) {
        if (cycle.n_lines() < 2 * n_chains) return;
        measure_walk<n_chains>(program, "parallel", cycle, cycle.n_lines() * line_bytes);
    };
    [&]<std::size_t... n_chains>(std::index_sequence<n_chains...>) {
        (with(std::integral_constant<std::size_t, n_chains>{}), ...);
    }(std::index_sequence<2, 4, 8, 16, 32>{});
}

/// loaded and streaming: one chain next to 0, 1, 2, 4, ... other threads, at most all.
void measure_loaded(heorot::Program& program, const Cycle& cycle) {
    const std::size_t bytes = cycle.n_lines() * line_bytes;
    const int most = program.n_threads() - 1;
    for (int n_streams = 0; n_streams <= most;
         n_streams = n_streams == most ? most + 1 : std::min(most, std::max(1, 2 * n_streams))) {
        Walk<1> walk(cycle);
        Load load(n_streams, bytes);
        const auto chased = program.measure(
            {.region = "loaded",
             .point = {{"working_set_bytes", bytes}, {"streams", n_streams}},
             .counts = {{"loads", static_cast<double>(Load::n_links) * program.world().size()}}},
            [&] { load.beside([&] { walk.go_on(Load::n_links); }); });
        program.check(chased, "lines between where the chain stands and should",
                      walk.astray(program, chased.n_bodies * Load::n_links), 0.0);
        if (n_streams == 0) continue;
        load.forget();
        const double drawn = static_cast<double>(load.bytes_per_body()) * n_streams;
        const auto streamed = program.measure(
            {.region = "streaming",
             .point = {{"working_set_bytes", load.n_bytes()}, {"streams", n_streams}},
             .counts = {{"bytes", drawn * program.world().size()}}},
            [&] { load.stream([&] { walk.go_on(links_per_body); }); });
        program.check(streamed, "largest relative deviation of the sums",
                      load.deviation(streamed.n_bodies), 0.0);
    }
}

/// chase, parallel and loaded: in huge pages.
void measure_in_huge_pages(heorot::Program& program, const std::string& regions,
                           std::span<const std::size_t> working_sets, double per_octave) {
    const std::size_t most = working_sets.back();
    Pages pages(most, Pages::Kind::huge);
    Cycle cycle(pages.data(), most / line_bytes, Spacing::every_line);
    // Several chains at every fourth size only, counted from the largest.
    const auto stride = static_cast<std::size_t>(std::max(1.0, std::round(2.0 * per_octave)));
    for (std::size_t i = 0; i < working_sets.size(); ++i) {
        const bool with_several = (working_sets.size() - 1 - i) % stride == 0;
        cycle.link(working_sets[i] / line_bytes);
        if (heorot::lists(regions, "chase")) {
            measure_walk<1>(program, "chase", cycle, working_sets[i]);
        }
        if (heorot::lists(regions, "parallel") && with_several) measure_parallel(program, cycle);
    }
    program.note("share_in_huge_pages",
                 static_cast<double>(pages.huge_bytes()) / static_cast<double>(most));
    if (heorot::lists(regions, "loaded")) measure_loaded(program, cycle);
}

/// small_pages or pages: one chain in the smallest pages.
void measure_in_small_pages(heorot::Program& program, const std::string& region, Spacing spacing,
                            std::span<const std::size_t> working_sets) {
    const std::size_t bytes_per_line =
        spacing == Spacing::every_line ? line_bytes : small_page_bytes();
    Pages pages(working_sets.back(), Pages::Kind::small);
    Cycle cycle(pages.data(), working_sets.back() / bytes_per_line, spacing);
    for (const std::size_t bytes : working_sets) {
        cycle.link(bytes / bytes_per_line);
        measure_walk<1>(program, region, cycle, bytes);
    }
}

/// Throws UsageError if there are no such working sets.
void verify_sizes(std::size_t min_bytes, std::size_t max_bytes, double per_octave) {
    if (min_bytes < line_bytes || max_bytes < std::max(min_bytes, small_page_bytes())) {
        throw heorot::UsageError(
            "--min-bytes must be 64 at least, and --max-bytes no less than "
            "that and than a page",
            "leave them out for 4096 and 64M");
    }
    if (max_bytes / line_bytes >= std::size_t{1} << 32U) {
        throw heorot::UsageError("--max-bytes must be below 256G",
                                 "the numbers of lines have 32 bits");
    }
    if (per_octave <= 0.0 || per_octave > 64.0) {
        throw heorot::UsageError("--points-per-octave must be between 0 and 64",
                                 "leave it out for 1");
    }
}

/// The largest working set, and all of them.
void say_what_it_takes(heorot::Program& program) {
    const auto has = [&](std::string_view region) { return program.has("regions", region); };
    const auto first = program.amount("min-bytes");
    const auto largest = program.amount("max-bytes");
    const auto per_octave = program.amount("points-per-octave");
    const heorot::Sizes lines{first, largest, per_octave};
    // Where pages are the smallest that are usual.
    const heorot::Sizes pages{heorot::larger(first, 4096.0), largest, per_octave};
    // Several chains go through every fourth size, counted from the largest.
    const heorot::Sizes fourths{1.0, largest / first, 0.5};
    constexpr double n_chains = 5.0;
    const auto streams = heorot::threads() - 1.0;
    const auto n_loads = heorot::smaller(
        streams, 1.0 + heorot::rounded_up(heorot::octaves(heorot::larger(streams, 1.0))));
    // The order of the lines takes 4 bytes each; the readers of loaded as much as the chase.
    program.takes("memory_bytes",
                  heorot::ranks() * largest * (1.1 + has("loaded")) + 4.0 * heorot::mebibyte);
    program.takes("points", (has("chase") + has("small_pages")) * heorot::n_of(lines) +
                                has("pages") * heorot::n_of(pages) +
                                has("parallel") * n_chains * heorot::n_of(fourths) +
                                has("loaded") * (1.0 + 2.0 * n_loads));
    program.takes(
        "swept_bytes",
        heorot::ranks() * ((has("chase") + has("small_pages")) * heorot::total(lines) +
                           has("pages") * heorot::total(pages) +
                           has("parallel") * n_chains *
                               sum_over(fourths, [&](const auto& part) { return largest / part; }) +
                           has("loaded") * (1.0 + 2.0 * n_loads) * largest));
}

void latency(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "ways to wait");
    const auto min_bytes =
        program.option<std::size_t>("min-bytes", 4096, "smallest working set of a rank");
    const auto max_bytes = program.option<std::size_t>("max-bytes", std::size_t{64} << 20U,
                                                       "largest working set of a rank");
    const auto per_octave =
        program.option<double>("points-per-octave", 1.0, "working sets per doubling");
    say_what_it_takes(program);
    program.start();
    verify_sizes(min_bytes, max_bytes, per_octave);
    program.note("small_page_bytes", static_cast<std::int64_t>(small_page_bytes()));

    // 2. Problem, 3. measure, 4. verify: a working set after the other
    const auto lines = sizes(min_bytes, max_bytes, per_octave, line_bytes);
    if (heorot::lists(regions, "chase") || heorot::lists(regions, "parallel") ||
        heorot::lists(regions, "loaded")) {
        measure_in_huge_pages(program, regions, lines, per_octave);
    }
    if (heorot::lists(regions, "small_pages")) {
        measure_in_small_pages(program, "small_pages", Spacing::every_line, lines);
    }
    if (heorot::lists(regions, "pages")) {
        measure_in_small_pages(
            program, "pages", Spacing::one_per_page,
            sizes(small_page_bytes(), max_bytes, per_octave, small_page_bytes()));
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "memory/latency", latency);
}
