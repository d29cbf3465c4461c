// memory/numa: what are bandwidth and latency to each NUMA domain?
//
// Method    For every NUMA domain with threads of the rank and every domain with memory:
//             bandwidth: the threads of the first read an array whose pages are in the second
//             latency: pointer chasing by one thread of the first in pages of the second
//           For the whole rank:
//             own_touch: all threads read an array after parallel first touch
//             first_touch: the same after serial first touch by one thread, a common mistake
// Counts    bytes = 8 per element read; loads; both summed over the ranks.
// Comparable  Yes: with Intel's Memory Latency Checker (matrices of bandwidth and idle latency) and
//           likwid-bench, if the pages are alike; here they are huge where the system gives them.
// Verified  The system reports the domain of every page; where it does, all are in the requested
//           domain. Elements are x(i) = 1 + (i mod 8191) / 8192; their sum is compared with the
//           closed form to the last bit. The chain ends at the line that its number of loads leads
//           to.
// Source    C. Lameter, NUMA: an overview, ACM Queue 11 (2013); J. D. McCalpin, Memory bandwidth
//           and machine balance in current high performance computers (1995), for first touch.
// Example   heorot run memory/numa --set bytes=256M --threads 2
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/memory/chains/cycle.hpp"
#include "benchmarks/memory/chains/pages.hpp"
#include "benchmarks/memory/chains/walk.hpp"
#include "benchmarks/memory/numa/domains.hpp"
#include "benchmarks/memory/values/known.hpp"
#include "benchmarks/memory/values/reading.hpp"
#include "harness/program.hpp"
#include "harness/world/threads.hpp"

namespace {

using heorot::chains::Pages;
using heorot::values::Index;

constexpr std::string_view known_regions = "bandwidth,latency,own_touch,first_touch";
// No power of two: cycles often have as many lines, and going round is no progress.
constexpr std::int64_t links_per_body = 4080;

/// The domain that each thread of the rank is in now.
std::vector<int> domains_of_threads(int n_threads) {
    std::vector<int> domains(static_cast<std::size_t>(n_threads));
#pragma omp parallel
    domains[static_cast<std::size_t>(heorot::thread_number())] = heorot::numa::domain_of_this_cpu();
    return domains;
}

/// Each of them once, ascending.
std::vector<int> distinct(std::vector<int> domains) {
    std::sort(domains.begin(), domains.end());
    domains.erase(std::unique(domains.begin(), domains.end()), domains.end());
    return domains;
}

/// Part `part` of `n_parts` of n elements begins here.
Index begin_of(Index n, Index part, Index n_parts) {
    return n * part / n_parts;
}

}  // namespace

namespace {

/// Some threads of the rank that work together: those of a domain, the first ones, or all.
class Readers {
  public:
    Readers(std::span<const int> domains, int domain) {
        for (const int each : domains) numbers_.push_back(each == domain ? n_++ : -1);
    }
    /// The first `n` of all threads.
    Readers(int n, int n_threads) : numbers_(static_cast<std::size_t>(n_threads), -1), n_(n) {
        std::iota(numbers_.begin(), numbers_.begin() + n, 0);
    }

    int n() const { return n_; }
    /// Calls part(i) in the i-th of them, all at once.
    template <class Part>
    void each(Part&& part) const {
#pragma omp parallel
        if (const int number = numbers_[static_cast<std::size_t>(heorot::thread_number())];
            number >= 0) {
            part(number);
        }
    }
    /// Writes the known values, each its part: pages without a placement come to lie near it.
    void fill(double* a, Index n) const {
        each([&](int i) {
            for (Index k = begin_of(n, i, n_); k < begin_of(n, i + 1, n_); ++k) {
                a[k] = heorot::values::x(k);
            }
        });
    }
    /// The sum of all elements.
    double read(const double* a, Index n) const {
        std::atomic<double> sum{0.0};
        each([&](int i) {
            const Index begin = begin_of(n, i, n_);
            const double part =
                heorot::values::read_share(a + begin, begin_of(n, i + 1, n_) - begin);
            sum.fetch_add(part, std::memory_order_relaxed);
        });
        return sum;
    }

  private:
    std::vector<int> numbers_;  // of each thread among them; -1: it is none of them
    int n_ = 0;
};

/// Measures how some threads read an array that was written.
heorot::Region measure_reading(heorot::Program& program, const std::string& region_name,
                               const heorot::Point& point, const Readers& readers, Pages& pages) {
    const auto* const a = reinterpret_cast<const double*>(pages.data());
    const auto n = static_cast<Index>(pages.size() / sizeof(double));
    double sum = 0.0;
    const auto region = program.measure(
        {.region = region_name,
         .point = point,
         .counts = {{"bytes", static_cast<double>(n) * sizeof(double) * program.world().size()}}},
        [&] {
            sum = readers.read(a, n);
            heorot::keep(sum);
        });
    program.corruptible(sum);
    program.check(region, "relative deviation of the sum",
                  heorot::values::deviation(sum, heorot::values::sum_of_x(n)), 0.0);
    return region;
}

/// The pages of a region must lie where they should, as far as the system reports it.
void check_place(heorot::Program& program, const heorot::Region& region, Pages& pages, int domain) {
    const auto share = heorot::numa::share_in({pages.data(), pages.size()}, domain);
    if (share) program.check(region, "share of pages that lie elsewhere", 1.0 - *share, 0.0);
}

/// Puts new pages into a domain, and ends the program if it may not.
void place(heorot::Program& program, Pages& pages, int domain, bool is_only_one) {
    if (!heorot::numa::bind_to({pages.data(), pages.size()}, domain) && !is_only_one) {
        program.cannot_run("the system does not permit placing pages in a domain");
    }
}

/// bandwidth and latency from one domain's CPUs to another's memory.
struct Pair {
    int from;
    int to;
    bool is_only_one;
    std::size_t bytes;

    heorot::Point point() const { return {{"from_domain", from}, {"to_domain", to}}; }

    void measure_bandwidth(heorot::Program& program, const Readers& readers) const {
        Pages pages(bytes, Pages::Kind::huge);
        place(program, pages, to, is_only_one);
        readers.fill(reinterpret_cast<double*>(pages.data()),
                     static_cast<Index>(bytes / sizeof(double)));
        const auto region = measure_reading(program, "bandwidth", point(), readers, pages);
        check_place(program, region, pages, to);
    }

    void measure_latency(heorot::Program& program, const Readers& readers) const {
        using namespace heorot::chains;
        Pages pages(bytes, Pages::Kind::huge);
        place(program, pages, to, is_only_one);
        Cycle cycle(pages.data(), bytes / line_bytes, Spacing::every_line);
        cycle.link(bytes / line_bytes);
        Walk<1> walk(cycle);
        const auto region =
            program.measure({.region = "latency",
                             .point = point(),
                             .counts = {{"loads", links_per_body * program.world().size()}}},
                            [&] {
                                readers.each([&](int number) {
                                    if (number == 0) walk.go_on(links_per_body);
                                });
                            });
        program.check(region, "lines between where the chain stands and should",
                      walk.astray(program, region.n_bodies * links_per_body), 0.0);
        check_place(program, region, pages, to);
    }
};

/// An array that is read by all threads, first written by them or by the first alone.
void measure_touch(heorot::Program& program, const std::string& region, std::size_t bytes,
                   const Readers& writers) {
    Pages pages(bytes, Pages::Kind::huge);
    writers.fill(reinterpret_cast<double*>(pages.data()),
                 static_cast<Index>(bytes / sizeof(double)));
    const Readers all(program.n_threads(), program.n_threads());
    measure_reading(program, region, {}, all, pages);
}

void numa(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "what is asked of domains");
    const auto wanted = program.option<std::size_t>("bytes", std::size_t{64} << 20U,
                                                    "size of the array that is read");
    program.takes("memory_bytes", 1.1 * program.amount("bytes") + 4.0 * heorot::mebibyte);
    program.start();
    const std::size_t page_bytes = heorot::chains::small_page_bytes();
    const std::size_t bytes = wanted / page_bytes * page_bytes;
    if (bytes == 0) {
        throw heorot::UsageError(
            "--bytes must be that of a page at least, " + std::to_string(page_bytes),
            "leave it out for 64M");
    }

    // 2. Problem: who is where
    const int n_threads = program.n_threads();
    const auto of_threads = domains_of_threads(n_threads);
    const auto cpu_domains = distinct(of_threads);
    const auto memories = heorot::numa::memory_domains();
    program.note("memory_domains", static_cast<std::int64_t>(memories.size()));
    // Where the memories are unknown, those near the CPUs show that there are more.
    const bool is_only_one = memories.size() == 1 && cpu_domains == memories;

    // 3. Measure, 4. verify
    for (const int from : cpu_domains) {
        const Readers readers(of_threads, from);
        for (const int to : memories) {
            const Pair pair{from, to, is_only_one, bytes};
            if (heorot::lists(regions, "bandwidth")) pair.measure_bandwidth(program, readers);
            if (heorot::lists(regions, "latency")) pair.measure_latency(program, readers);
        }
    }
    if (heorot::lists(regions, "own_touch")) {
        measure_touch(program, "own_touch", bytes, Readers(n_threads, n_threads));
    }
    if (heorot::lists(regions, "first_touch")) {
        measure_touch(program, "first_touch", bytes, Readers(1, n_threads));
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "memory/numa", numa);
}
