// memory/atomics: what are core-to-core cache-line latency and the cost of false sharing?
//
// Method    A cache line moves from core to core, or threads increment counters:
//             bounce: two threads of a rank increment one counter in turns; its line moves from
//               core to core and back (core-to-core latency)
//             fetch_add: one shared counter, atomic fetch-and-add
//             compare_exchange: the same with a compare-and-swap loop
//             one_line: one counter per thread, eight counters in a line (false sharing)
//             own_lines: one counter per thread, 128 bytes apart
//           bounce runs for every pair of threads, or for evenly chosen threads with at most
//           max-pairs pairs. Each thread is pinned to its own CPU, named by the point; with fewer
//           CPUs than threads bounce is skipped. The others run with 1, 2, 4, ... and all threads.
// Counts    transfers = 2 per turn of both threads; operations = additions, summed over threads and
//           ranks.
// Comparable  In part: a transfer is half of the round trip that some core-to-core benchmarks
//           report.
// Verified  Every counter equals the number of its increments.
// Source    H. Schweizer, M. Besta, T. Hoefler, Evaluating the cost of atomic operations on modern
//           architectures, PACT (2015); J. L. Hennessy, D. A. Patterson, Computer Architecture, 6th
//           ed. (2019), section 5.2.
// Example   heorot run memory/atomics --set regions=bounce,one_line --threads 2
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "harness/world/threads.hpp"

namespace {

using Number = std::int64_t;
using Shared = std::atomic_ref<Number>;

constexpr std::string_view known_regions = "bounce,fetch_add,compare_exchange,one_line,own_lines";
constexpr Number turns_per_body = 1 << 12;
// Additions of each thread in a body take far longer than to start the threads: those to a line
// that is not shared are the fastest.
constexpr Number additions_to_shared = 1 << 12;
constexpr Number additions_to_own = 1 << 17;
// A thread that has looked so often in vain lets others have the core: there may be more threads
// than cores.
constexpr int most_looks = 1 << 14;
// Some processors fetch lines in pairs.
constexpr std::size_t numbers_in_two_lines = 128 / sizeof(Number);

void wait_for(const Shared& number, Number wanted) {
    for (int looks = 1; number.load(std::memory_order_acquire) < wanted; ++looks) {
        if (looks % most_looks == 0) sched_yield();
    }
}

/// Threads `first` and `second` count up a number in turn, n_turns times each, beginning with
/// `begin`. Checked in every run: measure_bounce().
void bounce(Number& counted, int first, int second, Number begin, Number n_turns) {
#pragma omp parallel
    {
        const int thread = heorot::thread_number();
        if (thread == first || thread == second) {
            const Shared number(counted);
            const Number end = begin + 2 * n_turns;
            for (Number turn = begin + (thread == second ? 1 : 0); turn < end; turn += 2) {
                wait_for(number, turn);
                number.store(turn + 1, std::memory_order_release);
            }
        }
    }
}

/// Adds one. Checked in every run: measure_additions().
struct FetchAdd {
    static void add(const Shared& number) { number.fetch_add(1, std::memory_order_relaxed); }
};
struct CompareExchange {
    static void add(const Shared& number) {
        Number seen = number.load(std::memory_order_relaxed);
        while (!number.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) {
        }
    }
};
struct LoadAndStore {
    static void add(const Shared& number) {
        number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
};

}  // namespace

namespace {

/// Keeps each thread on a CPU of its own, of those that it may run on, as long as this lives.
class OwnCpus {
  public:
    explicit OwnCpus(const heorot::Program& program)
        : allowed_(static_cast<std::size_t>(program.n_threads())) {
        bool is_known = true;
#pragma omp parallel reduction(&& : is_known)
        is_known = sched_getaffinity(0, sizeof(cpu_set_t), &allowed_[number()]) == 0;
        const bool is_lacking = !is_known || !choose();
        // All ranks measure it, or none does.
        if (program.world().maximum(is_lacking ? 1.0 : 0.0) > 0.0) {
            cpus_.clear();
            return;
        }
#pragma omp parallel
        {
            cpu_set_t mine;
            CPU_ZERO(&mine);
            CPU_SET(static_cast<std::size_t>(cpus_[number()]), &mine);
            sched_setaffinity(0, sizeof(cpu_set_t), &mine);
        }
    }
    OwnCpus(const OwnCpus&) = delete;
    OwnCpus& operator=(const OwnCpus&) = delete;
    ~OwnCpus() {
        if (cpus_.empty()) return;
#pragma omp parallel
        sched_setaffinity(0, sizeof(cpu_set_t), &allowed_[number()]);
    }
    /// Of each thread; none if there are too few.
    std::span<const int> numbers() const { return cpus_; }

  private:
    static std::size_t number() { return static_cast<std::size_t>(heorot::thread_number()); }
    /// The first CPU of each that no thread before it has; false if there is none.
    bool choose() {
        for (const cpu_set_t& allowed : allowed_) {
            int cpu = 0;
            const auto is_free = [&] {
                return CPU_ISSET(static_cast<std::size_t>(cpu), &allowed) &&
                       std::find(cpus_.begin(), cpus_.end(), cpu) == cpus_.end();
            };
            while (cpu < CPU_SETSIZE && !is_free()) ++cpu;
            if (cpu == CPU_SETSIZE) return false;
            cpus_.push_back(cpu);
        }
        return true;
    }

    std::vector<cpu_set_t> allowed_;  // to each thread
    std::vector<int> cpus_;
};

void measure_bounce(heorot::Program& program, int first, int second, std::span<const int> cpus) {
    heorot::Array<Number> number(numbers_in_two_lines);
    number[0] = 0;
    Number reached = 0;
    const auto region =
        program.measure({.region = "bounce",
                         .point = {{"from_cpu", cpus[static_cast<std::size_t>(first)]},
                                   {"to_cpu", cpus[static_cast<std::size_t>(second)]}},
                         .counts = {{"transfers", 2 * turns_per_body * program.world().size()}}},
                        [&] {
                            bounce(number[0], first, second, reached, turns_per_body);
                            reached += 2 * turns_per_body;
                        });
    program.corruptible(number[0]);
    const Number expected = 2 * turns_per_body * region.n_bodies;
    program.check(region, "turns too many or too few",
                  std::abs(static_cast<double>(number[0] - expected)), 0.0);
}

/// All pairs of as many threads as may be, at equal distances. Ends the program if there are no two
/// with a CPU each and nothing else is to be measured.
void measure_pairs(heorot::Program& program, std::int64_t max_pairs, bool is_all) {
    const OwnCpus own(program);
    const auto cpus = own.numbers();
    const int n_threads = static_cast<int>(cpus.size());
    if (is_all && n_threads < 2) {
        program.cannot_run("a line goes between two threads at least, each with a CPU of its own");
    }
    if (cpus.empty()) program.note("bounce", "left out: threads share a CPU");
    const auto n_pairs = [](std::int64_t n) { return n * (n - 1) / 2; };
    int distance = 1;
    while (n_pairs((n_threads + distance - 1) / distance) > max_pairs) ++distance;
    for (int first = 0; first < n_threads; first += distance) {
        for (int second = first + distance; second < n_threads; second += distance) {
            measure_bounce(program, first, second, cpus);
        }
    }
}

/// n_threads threads add to numbers that lie `distance` apart; 0: all to the same.
template <class How>
void measure_additions(heorot::Program& program, const std::string& region_name, int n_threads,
                       std::size_t distance) {
    heorot::Array<Number> numbers(static_cast<std::size_t>(n_threads) * numbers_in_two_lines);
    std::fill(numbers.begin(), numbers.end(), 0);
    const bool is_own = n_threads == 1 || distance >= numbers_in_two_lines;
    const Number n_each = is_own ? additions_to_own : additions_to_shared;
    const Number n_added = n_each * n_threads;
    const auto region = program.measure(
        {.region = region_name,
         .point = {{"adders", n_threads}},
         .counts = {{"operations", n_added * program.world().size()}}},
        [&] {
#pragma omp parallel num_threads(n_threads)
            {
                const auto thread = static_cast<std::size_t>(heorot::thread_number());
                const Shared mine(numbers[thread * distance]);
                for (Number i = 0; i < n_each; ++i) How::add(mine);
            }
        });
    program.corruptible(numbers[0]);
    double largest = 0.0;
    const Number sharers = distance == 0 ? n_threads : 1;
    const std::size_t n_numbers = distance == 0 ? 1 : static_cast<std::size_t>(n_threads);
    for (std::size_t i = 0; i < n_numbers; ++i) {
        const Number away = numbers[i * distance] - n_each * sharers * region.n_bodies;
        largest = std::max(largest, std::abs(static_cast<double>(away)));
    }
    program.check(region, "additions too many or too few", largest, 0.0);
}

/// The four ways of adding, by 1, 2, 4, ... threads and by all.
void measure_all_additions(heorot::Program& program, std::string_view regions) {
    const auto measure = [&]<class How>(How, const std::string& region, std::size_t distance) {
        if (!heorot::lists(regions, region)) return;
        const int all = program.n_threads();
        for (int n = 1; n < all; n *= 2) measure_additions<How>(program, region, n, distance);
        measure_additions<How>(program, region, all, distance);
    };
    measure(FetchAdd{}, "fetch_add", 0);
    measure(CompareExchange{}, "compare_exchange", 0);
    measure(LoadAndStore{}, "one_line", 1);
    measure(LoadAndStore{}, "own_lines", numbers_in_two_lines);
}

void atomics(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "ways to share");
    const auto max_pairs =
        program.option<std::int64_t>("max-pairs", 2016, "most pairs of threads for bounce");
    program.takes("memory_bytes", 16.0 * heorot::mebibyte);
    const auto all_pairs = 0.5 * heorot::threads() * (heorot::threads() - 1.0);
    const auto bounces = program.has("regions", "bounce");
    program.takes("points", bounces * heorot::smaller(program.amount("max-pairs"), all_pairs) +
                                (program.n_of("regions") - bounces) *
                                    (1.0 + heorot::rounded_up(heorot::octaves(heorot::threads()))));
    program.start();
    if (max_pairs < 1) {
        throw heorot::UsageError("--max-pairs must be positive", "leave it out for 2016");
    }

    // 2. Problem, 3. measure, 4. verify: a number, or some, for each region
    if (heorot::lists(regions, "bounce")) measure_pairs(program, max_pairs, regions == "bounce");
    measure_all_additions(program, regions);
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "memory/atomics", atomics);
}
