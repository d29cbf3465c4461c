// A run of a benchmark, from the command line to the last line of the record.
#include "harness/program.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "harness/record/build_flags.hpp"
#include "harness/record/gathering.hpp"
#include "harness/record/own_flags.hpp"
#include "harness/world/placement.hpp"

namespace heorot {

namespace {

constexpr double least_resolutions_per_sample = 1000.0;
constexpr double least_overheads_per_sample = 100.0;

double seconds_since_1970() {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Program::Program(int argc, const char* const* argv, std::string name)
    : name_(std::move(name)), options_(argc, argv) {
    declare_settings();
    verify_settings();
}

void Program::declare_settings() {
    const auto declare = [this](auto& setting, std::string_view name, std::string_view help) {
        setting = options_.get(Options::Owner::harness, name, setting, help);
    };
    SamplingRules& rules = settings_.rules;
    settings_.clock = "auto";
    settings_.start = "auto";
    settings_.pages = "huge";
    declare(settings_.record, "record", "file for the record, opened anew; empty: stdout");
    declare(rules.samples_min, "samples-min", "least number of samples of a region");
    declare(rules.samples_max, "samples-max", "largest number of samples of a region");
    declare(rules.precision, "precision", "wanted relative width of the median's 95 % interval");
    declare(rules.budget_seconds, "budget", "time for a region [s]; wins over samples-min");
    declare(rules.sample_seconds, "sample-seconds", "least length of a sample [s]");
    declare(settings_.clock, "clock", "auto, monotonic, tsc or mpi");
    declare(settings_.start, "start", "of collective bodies: auto, window or barrier");
    declare(settings_.pages, "pages",
            "that large arrays ask for: huge, base, or those of the system");
    declare(settings_.corrupt, "corrupt", "damage a result, to see its verification fail");
    declare(settings_.star, "star", "every rank runs the program for itself, all at once");
    declare(settings_.handicap, "handicap", "lengthen every sample by this fraction");
    declare(wants_help_, "help", "print this and exit");
    declare(wants_description_, "describe", "print all options as JSON and exit");
    declare(wants_counts_, "count", "print what such a run takes as JSON and exit");
}

void Program::verify_settings() {
    const SamplingRules& rules = settings_.rules;
    const auto demand = [this](bool holds, const char* message, const char* hint) {
        if (!holds) options_.reject(message, hint);
    };
    demand(rules.samples_min >= 1, "--samples-min is below 1", "give at least 1");
    demand(rules.samples_max >= rules.samples_min, "--samples-max is below --samples-min",
           "raise --samples-max");
    demand(rules.samples_max <= 10'000'000, "--samples-max is above 10000000", "lower it");
    demand(rules.precision >= 0.0, "--precision is negative", "0.01 asks for 1 %");
    demand(rules.budget_seconds > 0.0, "--budget is not positive", "give seconds per region");
    demand(rules.sample_seconds > 0.0, "--sample-seconds is not positive", "give seconds");
    demand(settings_.handicap >= 0.0, "--handicap is negative", "0.05 makes samples 5 % longer");
    constexpr std::array<std::string_view, 4> clocks = {"auto", "monotonic", "tsc", "mpi"};
    demand(std::find(clocks.begin(), clocks.end(), settings_.clock) != clocks.end(),
           "--clock names no clock", "choose auto, monotonic, tsc or mpi");
    constexpr std::array<std::string_view, 3> starts = {"auto", "window", "barrier"};
    demand(std::find(starts.begin(), starts.end(), settings_.start) != starts.end(),
           "--start names no way to start", "choose auto, window or barrier");
    constexpr std::array<std::string_view, 3> pages = {"huge", "base", "system"};
    const auto* const kind = std::find(pages.begin(), pages.end(), settings_.pages);
    demand(kind != pages.end(), "--pages names no pages", "choose huge, base or system");
    ask_for(static_cast<Pages>(kind - pages.begin()));
}

void Program::print_if_asked() const {
    if (!wants_help_ && !wants_description_ && !wants_counts_) return;
    // With --help, wrong options are accepted.
    if (!wants_help_ && !wants_description_) options_.verify();
    if (World::announced_rank() == 0) {
        const std::string text = wants_help_ ? options_.help_text(name_)
                                 : wants_description_
                                     ? options_.description_json(name_, costs_json()) + "\n"
                                     : counts_json() + "\n";
        std::fputs(text.c_str(), stdout);
    }
    throw Answered{};
}

JobSize Program::job_size() const {
    const int n_ranks = std::max({1, world_.size(), World::announced_size()});
    return {.ranks = static_cast<double>(n_ranks),
            .threads = static_cast<double>(n_threads()),
            .copies = settings_.star ? static_cast<double>(n_ranks) : 1.0};
}

std::string Program::costs_json() const {
    JsonObject costs;
    for (const auto& [name, amount] : costs_) costs.add(name, amount.formula());
    return costs.text();
}

std::string Program::counts_json() const {
    const JobSize job = job_size();
    JsonObject counts;
    counts.add("name", name_).add("ranks", job.ranks).add("threads", job.threads);
    for (const auto& [name, amount] : costs_) counts.add(name, amount.value(job));
    return counts.text();
}

void Program::start(Callers callers) {
    expects(running_ == nullptr, "start() is called once");
    print_if_asked();
    options_.verify();
    const bool is_alone = callers == Callers::main_thread && n_threads() == 1;
    world_.start(is_alone ? Callers::only_thread : callers);
    verify_ranks();
    open_record();
    running_ = std::make_unique<Running>(settings_.clock, world_);
    const ClockFacts& clock = running_->clocks.facts();
    SamplingRules& rules = settings_.rules;
    rules.resolution_seconds = clock.resolution_seconds;
    rules.sample_seconds =
        std::max({rules.sample_seconds, least_resolutions_per_sample * rules.resolution_seconds,
                  least_overheads_per_sample * clock.overhead_seconds});
    write_run_line();
    if (world_.leads_host()) running_->carried_before = carried_so_far();
    running_->whole = running_->observer.open();
}

void Program::verify_ranks() const {
    // A launcher of another MPI starts so many programs of one rank each, which would all write
    // the same record.
    const int announced = World::announced_size();
    if (announced <= 1 || world_.size() > 1) return;
    throw UsageError("started as " + std::to_string(announced) + " ranks, but " +
                         (World::has_wall_time() ? World::mpi_library() + " sees only one"
                                                 : "this program was built without MPI"),
                     "use the mpiexec that belongs to the MPI the program was built with");
}

void Program::open_record() {
    // Only rank 0 can fail, but all must leave.
    std::string problem;
    std::int64_t is_open = 1;
    if (world_.rank() == 0) {
        try {
            record_ = Record(settings_.record);
        } catch (const RecordError& error) {
            problem = error.what();
            is_open = 0;
        }
    }
    world_.broadcast(std::span(&is_open, 1));
    if (is_open == 0) throw UsageError(problem, "give --record a file that can be written");
}

void Program::write_run_line() {
    RunFacts facts;
    facts.benchmark = name_;
    facts.options_json = options_.values_json();
    facts.ranks = world_.size();
    facts.threads = n_threads();
    const Placement here = placement_of_this_process();
    facts.placement_json = world_.gather(placement_json(world_.rank(), here));
    hosts_ = world_.gather(here.host);
    facts.compiler = build::compiler;
    facts.flags = std::string(build::flags) + own_flags();
    facts.mpi_library = World::mpi_library();
    facts.mpi_standard = World::mpi_standard();
    facts.clock = running_->clocks.facts();
    facts.other_clocks = running_->clocks.others();
    facts.started = seconds_since_1970();
    record_.run(facts);
}

int Program::n_threads() const {
#if defined(_OPENMP)
    return omp_get_max_threads();
#else
    return 1;
#endif
}

void Program::check(const Region& region, std::string_view name, double value, double tolerance) {
    check_over_ranks(&region, name, value, tolerance);
}

void Program::check(std::string_view name, double value, double tolerance) {
    check_over_ranks(nullptr, name, value, tolerance);
}

void Program::check_over_ranks(const Region* region, std::string_view name, double value,
                               double tolerance) {
    expects(running_ != nullptr, "start() comes before check()");
    // MPI leaves the maximum with NaN undefined, so a NaN is a separate number.
    const bool is_number = !is_nan(value);
    std::array<double, 2> worst = {is_number ? value : std::numeric_limits<double>::lowest(),
                                   is_number ? 0.0 : 1.0};
    world_.maximum(worst);
    const bool all_numbers = worst[1] == 0.0;
    const bool passed = all_numbers && !is_nan(tolerance) && worst[0] <= tolerance;
    ++n_checks_;
    if (!passed) ++n_failed_;
    record_.check({.name = std::string(name),
                   .value = all_numbers ? worst[0] : std::numeric_limits<double>::quiet_NaN(),
                   .tolerance = tolerance,
                   .passed = passed,
                   .region = region});
}

bool Program::wants_damage(std::size_t n_elements) {
    expects(running_ != nullptr, "start() comes before corruptible()");
    declared_result_ = true;
    if (!settings_.corrupt || damaged_ || n_elements == 0 || world_.rank() != 0) return false;
    damaged_ = true;
    return true;
}

void Program::note(std::string_view name, const Scalar& value) {
    expects(running_ != nullptr, "start() comes before note()");
    record_.note(name, value);
}

void Program::cannot_run(const std::string& reason) {
    throw Refusal(reason, Refusal::Scope::all_ranks);
}

void Program::require_room() {
    expects(running_ != nullptr, "start() comes before require_room()");
    constexpr double gigabyte = 1e9;
    const JobSize job = job_size();
    double bytes = 0.0;
    for (const auto& [name, amount] : costs_) {
        if (name == "memory_bytes") bytes = amount.value(job) / job.ranks;
    }
    const double needed_on_host = world_.sum_on_host(bytes);
    const double left_on_host = memory_left().value_or(needed_on_host);
    const double left_to_us = memory_left_to_process().value_or(bytes);
    const bool is_ours = bytes - left_to_us > needed_on_host - left_on_host;
    const double needed = is_ours ? bytes : needed_on_host;
    const double left = is_ours ? left_to_us : left_on_host;
    std::array<double, 2> most = {needed, needed - left};
    world_.maximum(most);
    if (most[1] <= 0.0) return;
    std::array<char, 120> text{};
    std::snprintf(text.data(), text.size(), "no memory for %.4g GB: %.4g GB are left",
                  most[0] / gigabyte, (most[0] - most[1]) / gigabyte);
    cannot_run(text.data());
}

ExitCode Program::finish() {
    expects(running_ != nullptr, "a benchmark calls start()");
    if (n_regions_ == 0) {
        throw UsageError("nothing of what was asked for can be measured",
                         "ask for other regions or sizes, or name the library that they need");
    }
    expects(!settings_.corrupt || declared_result_,
            "a program run with --corrupt declares the results that it verifies");
    EndFacts facts;
    facts.n_checks = n_checks_;
    facts.n_failed = n_failed_;
    facts.disturbance = running_->observer.close(running_->whole);
    facts.elapsed_seconds = facts.disturbance.window_seconds;
    facts.traffic = gather_traffic(running_->carried_before, world_);
    facts.usage = gather_usage(world_);
    record_.end(facts);
    // It has a communicator, which has to go before MPI does.
    running_->global_clock.reset();
    return n_failed_ == 0 ? ExitCode::ok : ExitCode::check_failed;
}

}  // namespace heorot
