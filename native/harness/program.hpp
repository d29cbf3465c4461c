// Running a benchmark: options, ranks, measuring, verification and the record. All a benchmark
// needs to include.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/amount.hpp"
#include "harness/array.hpp"
#include "harness/keep.hpp"
#include "harness/lists.hpp"
#include "harness/measure/clock.hpp"
#include "harness/measure/disturbance.hpp"
#include "harness/measure/global_clock.hpp"
#include "harness/measure/measure.hpp"
#include "harness/measure/phases.hpp"
#include "harness/measure/traffic.hpp"
#include "harness/memory_left.hpp"
#include "harness/options.hpp"
#include "harness/record/check.hpp"
#include "harness/record/fortran.hpp"
#include "harness/record/json.hpp"
#include "harness/record/record.hpp"
#include "harness/world/world.hpp"

namespace heorot {

/// Element types that --corrupt can damage.
template <class T>
concept Corruptible = std::floating_point<T> || std::integral<T> || std::same_as<T, std::byte>;

/// Damages the middle element: a floating number grows by 1e-3 of itself (0 becomes 1e-3), of
/// anything else the lowest bit flips.
template <Corruptible T>
void damage(std::span<T> result) {
    T& victim = result[result.size() / 2];
    if constexpr (std::same_as<T, bool>) {
        victim = !victim;
    } else if constexpr (std::floating_point<T>) {
        victim = victim == T{0} ? static_cast<T>(1e-3) : victim * static_cast<T>(1.0 + 1e-3);
    } else {
        victim = static_cast<T>(victim ^ static_cast<T>(1));
    }
}

/// --help, --describe or --count has been answered; the program ends.
struct Answered : std::exception {};

/// One run of one benchmark. A throw of UsageError by all ranks, at any time, ends it in order.
class Program {
  public:
    /// `name` is family/program. Built by heorot::run.
    Program(int argc, const char* const* argv, std::string name);

    /// Declares an option and returns its value; before start().
    template <OptionType T>
    T option(std::string_view name, const T& fallback, std::string_view help) {
        expects(running_ == nullptr, "options are declared before start()");
        return options_.get<T>(Options::Owner::benchmark, name, fallback, help);
    }
    std::string option(std::string_view name, const char* fallback, std::string_view help) {
        return option<std::string>(name, fallback, help);
    }

    /// Declares an option that lists items of the comma-separated `known`, all of them by the word
    /// all, and returns the list; before start().
    std::string items(std::string_view name, std::string_view known, std::string_view help,
                      const std::string& fallback = "all") {
        return options_.get_items(name, fallback, known, help);
    }
    /// Declares an option that lists whole numbers from `least` to `most`; before start().
    std::vector<std::int64_t> numbers(std::string_view name, const std::string& fallback,
                                      std::int64_t least, std::int64_t most,
                                      std::string_view help) {
        return options_.get_numbers(name, fallback, least, most, help);
    }

    /// For formulas of costs: the number of an option, the largest of its list, its number of
    /// items, and whether one is among them.
    Amount amount(std::string_view option) const { return options_.amount(option); }
    Amount largest_of(std::string_view option) const { return options_.largest_of(option); }
    Amount n_of(std::string_view option) const { return options_.n_of(option); }
    Amount has(std::string_view option, std::string_view item) const {
        return options_.has(option, item);
    }
    /// Declares a cost of all ranks together: `memory_bytes` are allocated at once [B],
    /// `working_set_bytes` are touched repeatedly by a body [B]; before start().
    void takes(const std::string& name, const Amount& amount) { costs_.emplace_back(name, amount); }

    /// Reads the command line, joins the other ranks, assesses the clocks, writes the first line.
    /// `callers` are the threads of a rank that will communicate. **Collective.**
    void start(Callers callers = Callers::main_thread);

    /// The ranks that solve the problem together: all of the job, or with --star this one alone.
    const Communicator& world() const { return settings_.star ? alone_ : world_; }
    /// All ranks of the job and their hosts, also with --star.
    const World& job() const { return world_; }
    /// The time for a region: --budget [s].
    double budget_seconds() const { return settings_.rules.budget_seconds; }
    /// Threads that an OpenMP region of this rank gets.
    int n_threads() const;

    /// The phases of what is measured from now on; asking for them is what has them timed. After
    /// start().
    Phases& phases();

    /// From now on a region may also use the time that those before it have left: for sweeps. After
    /// start().
    void share_budget();

    /// Times `body` and records all samples. The counts of `what` are the work of one body, over
    /// the ranks of world(). **Collective** over the job.
    template <class Body>
    Region measure(const Measurement& what, Body&& body) {
        using Plain = std::remove_reference_t<Body>;
        void* erased = const_cast<void*>(static_cast<const void*>(std::addressof(body)));
        return measure_erased(what, &take_samples<Plain>, erased);
    }

    /// The shortest time of `body` on this rank, within a millisecond or so [s]: chooses the faster
    /// of several ways to do a thing, and is not on record. After start().
    template <class Body>
    double trial(Body&& body) const {
        expects(running_ != nullptr, "start() comes before trial()");
        const World nobody_else;
        const auto alone = make_synchronisation(nobody_else);
        return shortest_seconds(body, {running_->clocks.main(), *alone, 0.0});
    }

    /// Records what can happen only once in a launch and took `seconds` on this rank. The sample
    /// is the maximum over the ranks. **Collective.**
    Region record_once(const Measurement& what, double seconds);

    /// A verification of `region`: passes if the largest `value` of any rank is at most
    /// `tolerance`. **Collective.**
    void check(const Region& region, std::string_view name, double value, double tolerance);
    /// A verification of the whole program. **Collective.**
    void check(std::string_view name, double value, double tolerance);

    /// Declares a result that the next checks verify: with --corrupt the first one declared is
    /// damaged here, on rank 0.
    template <class T>
    void corruptible(std::span<T> result) {
        if (wants_damage(result.size())) damage(result);
    }
    template <Corruptible T>
    void corruptible(T& result) {
        corruptible(std::span<T>(&result, 1));
    }

    /// A fact for the record.
    void note(std::string_view name, const Scalar& value);
    /// Ends the program, as cannot_run(), unless every host has room for the memory of its ranks,
    /// equal shares of the program's `memory_bytes`. To be called before any allocation: the kernel
    /// grants every single array, and kills the process that has touched all of them.
    /// **Collective.**
    void require_room();
    /// Ends the program: it cannot run here. All ranks must agree. **Collective.**
    [[noreturn]] void cannot_run(const std::string& reason);

    /// The rest is for heorot::run. Writes the last line. **Collective.**
    ExitCode finish();
    /// Writes the reason why the program cannot run.
    void refuse(std::string_view reason) { record_.refused(reason); }
    /// Releases the run's communicators; nothing may follow. **Collective.**
    void leave() { world_.finish(); }

  private:
    struct Settings {
        std::string record;
        std::string clock;
        std::string start;
        std::string pages;
        bool corrupt = false;
        bool star = false;
        double handicap = 0.0;
        SamplingRules rules;
    };

    /// Parts that exist after the ranks have joined.
    struct Running {
        Running(const std::string& wanted_clock, const World& world)
            : clocks(wanted_clock, world),
              observer(world, clocks.main()),
              synchronisation(make_synchronisation(world)) {}
        Clocks clocks;
        Observer observer;
        std::unique_ptr<Synchronisation> synchronisation;
        Observer::Window whole{};
        std::vector<Carried> carried_before;        // by this host, on its first rank
        std::unique_ptr<GlobalClock> global_clock;  // from the first time it is asked for
    };

    void declare_settings();
    void verify_settings();
    void print_if_asked() const;
    JobSize job_size() const;
    std::string costs_json() const;
    std::string counts_json() const;
    void verify_ranks() const;
    void open_record();
    void write_run_line();
    Region measure_erased(const Measurement& what, TakeSamples take, void* body);
    GlobalClock* global_clock();
    Samples sample(const Timing& timing, TakeSamples take, void* body);
    Region write_region(const Measurement& what, RegionFacts& facts);
    std::vector<Count> counts_of_all_copies(std::vector<Count> counts) const;
    void check_over_ranks(const Region* region, std::string_view name, double value,
                          double tolerance);
    bool wants_damage(std::size_t n_elements);

    std::string name_;
    Options options_;
    Settings settings_;
    bool wants_help_ = false;
    bool wants_description_ = false;
    bool wants_counts_ = false;
    std::vector<std::pair<std::string, Amount>> costs_;
    World world_;
    Communicator alone_;
    std::unique_ptr<Phases> phases_;
    std::optional<SharedBudget> shared_;
    Record record_;
    std::vector<std::string> hosts_;    // of every rank, on rank 0
    std::unique_ptr<Running> running_;  // from start() on
    bool declared_result_ = false;
    bool damaged_ = false;
    std::int64_t n_regions_ = 0;
    std::int64_t n_checks_ = 0;
    std::int64_t n_failed_ = 0;
};

/// Runs `benchmark` and returns the exit code: 0 ok, 1 a check failed, 2 usage, 3 cannot run here.
/// Behind a word --then are the options of another run in this process, which joins the job only
/// once: tests try many options at the cost of one launch. The exit code is that of the last run;
/// a line of JSON on both streams has that of each.
int run(int argc, char** argv, std::string_view name, void (*benchmark)(Program&));

}  // namespace heorot
