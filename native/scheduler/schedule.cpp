// schedule: simulates how a workload passes through a machine under a scheduling policy.
//
//   schedule WORKLOAD OUTCOME
//
// Both are files as file.hpp describes them. During more than a second it reports progress on
// standard error, as `ended N of M`. The last line there is the time of the simulation itself.
#include <chrono>
#include <cstdio>
#include <exception>

#include "scheduler/file.hpp"

using namespace heorot::scheduler;

namespace {

constexpr int usage_code = 2;

int complain(const char* message, const char* hint) {
    std::fprintf(stderr, "heorot: %s\nhint: %s\n", message, hint);
    return usage_code;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int schedule(const char* from, const char* to) {
    const Workload workload = read_workload(from);
    const std::string complaint = complaint_about(workload.setting, workload.jobs);
    if (!complaint.empty()) return complain(complaint.c_str(), "see what wrote the workload");
    const auto begin = std::chrono::steady_clock::now();
    double next_seconds = 1.0;
    const Outcome outcome = simulate(workload.jobs, workload.setting, [&](std::size_t n_ended) {
        const double elapsed_seconds = seconds_since(begin);
        if (elapsed_seconds < next_seconds) return;
        next_seconds = elapsed_seconds + 1.0;
        std::fprintf(stderr, "ended %zu of %zu\n", n_ended, workload.jobs.size());
    });
    std::fprintf(stderr, "simulated %zu jobs in %.6f s\n", workload.jobs.size(),
                 seconds_since(begin));
    write_outcome(outcome, to);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return complain("two words are wanted", "schedule WORKLOAD OUTCOME");
    try {
        return schedule(argv[1], argv[2]);
    } catch (const FileError& error) {
        return complain(error.what(), "see that the file is whole, and that there is room");
    } catch (const std::invalid_argument& error) {
        return complain(error.what(), "give smaller reservations");
    } catch (const std::bad_alloc&) {
        return complain("there is too little memory", "simulate fewer jobs or nodes");
    }
}
