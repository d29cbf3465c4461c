// watch: runs a third-party program, usually a launcher with its ranks, and writes its record.
//
// The record has one region, whole_run, with one sample: from before the program's process is made
// until its end. The program's output passes through; patterns find numbers in it later.
#include <chrono>
#include <cstdio>

#include "harness/measure/disturbance.hpp"
#include "harness/record/record.hpp"
#include "watch/arguments.hpp"
#include "watch/command.hpp"

using namespace heorot;

namespace {

/// Exit status and resources of a command.
struct Ending {
    int code = 0;
    double seconds = 0.0;
    Usage usage;  ///< of all processes it waited for; the memory is that of the largest one
    Disturbance disturbance;
};

RunFacts run_facts(const watch::Arguments& arguments, const Clock& clock) {
    RunFacts facts;
    facts.benchmark = arguments.benchmark;
    facts.options_json = arguments.options_json;
    facts.ranks = arguments.n_ranks;
    facts.threads = arguments.n_threads;
    facts.clock = assess(clock);
    facts.started = std::chrono::duration<double>(  // since 1970, as Linux and C++20 have it
                        std::chrono::system_clock::now().time_since_epoch())
                        .count();
    return facts;
}

Ending observe(const watch::Command& command, const Clock& clock) {
    Sentinel sentinel(clock, true);
    Ending ending;
    Disturbance& seen = ending.disturbance;
    seen.sentinel_before = sentinel.slowdown();
    const Usage usage = usage_of_children_so_far();
    const HostTime host = host_time_so_far();

    const std::int64_t start = clock.ticks();
    ending.code = watch::run_to_the_end(command);
    ending.seconds = clock.seconds(clock.ticks() - start);

    const HostTime host_after = host_time_so_far();
    ending.usage = usage_of_children_so_far() - usage;
    // A launcher, its ranks and their helpers take the cores from each other: their switches are no
    // sign of other load, and stand in the end line only.
    seen.steal_seconds = host_after.steal_seconds - host.steal_seconds;
    seen.window_seconds = ending.seconds;
    seen.other_cpu_seconds = if_resolved(
        other_cpu_seconds(host, host_after, ending.usage.cpu_seconds()), seen.window_seconds);
    seen.sentinel_after = sentinel.slowdown();
    return ending;
}

RegionFacts region_facts(const Ending& ending) {
    RegionFacts facts;
    facts.region = "whole_run";
    facts.samples.seconds = {ending.seconds};
    facts.samples.n_bodies = 1;
    facts.samples.stopped = "ceiling";
    facts.samples.elapsed_seconds = ending.seconds;
    facts.synchronisation = "none";
    facts.disturbance = ending.disturbance;
    return facts;
}

EndFacts end_facts(const Ending& ending) {
    EndFacts facts;
    facts.ended_well = ending.code == 0;
    facts.elapsed_seconds = ending.seconds;
    facts.usage = {ending.usage};
    facts.disturbance = ending.disturbance;
    return facts;
}

int watch_command(const watch::Arguments& arguments) {
    const Clock clock(Clock::Kind::monotonic);
    Record record(arguments.record);
    record.run(run_facts(arguments, clock));
    const Ending ending = observe({arguments.command, arguments.memory_bytes}, clock);
    record.region(region_facts(ending));
    record.end(end_facts(ending));
    return ending.code;
}

int report(const char* message, const char* hint, int code) {
    std::fprintf(stderr, "heorot: %s\nhint: %s\n", message, hint);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const watch::Arguments arguments = watch::read_arguments(argc, argv);
        if (!arguments.wants_help) return watch_command(arguments);
        std::fputs(watch::usage.data(), stdout);
        return 0;
    } catch (const UsageError& error) {
        return report(error.what(), error.hint().c_str(), static_cast<int>(ExitCode::usage));
    } catch (const RecordError& error) {
        return report(error.what(), "free some space, or give --record another file",
                      static_cast<int>(ExitCode::usage));
    } catch (const Refusal& refusal) {
        return report(refusal.what(), "free some memory", static_cast<int>(ExitCode::cannot_run));
    } catch (const watch::StartError& error) {
        return report(error.what(), error.hint(), error.exit_code());
    }
}
