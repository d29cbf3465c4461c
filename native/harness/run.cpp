// The one place where a program's errors are caught and become an exit code.
#include <chrono>
#include <cstdio>
#include <new>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/program.hpp"

namespace heorot {

namespace {

constexpr std::string_view next_run = "--then";

void report(const char* message, const char* hint) {
    std::fprintf(stderr, "heorot: %s\nhint: %s\n", message, hint);
}

/// Lets another rank speak first: launchers kill all ranks as soon as one has failed.
void wait_for_the_speaker() {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

ExitCode end_by_usage(Program& program, const UsageError& error) {
    // A rank that has not joined the others knows its number from the environment only, and cannot
    // wait for them.
    if (program.job().rank() == 0 && World::announced_rank() == 0) {
        report(error.what(), error.hint().c_str());
    } else if (program.job().size() == 1) {
        wait_for_the_speaker();
    }
    return ExitCode::usage;
}

ExitCode end_by_refusal(Program& program, const char* reason, Refusal::Scope scope) {
    const World& world = program.job();
    const bool everyone = scope == Refusal::Scope::all_ranks || world.size() == 1;
    program.refuse(reason);
    if (world.rank() == 0 || !everyone) {
        std::fprintf(stderr, "heorot: rank %d cannot run here: %s\n", world.rank(), reason);
    }
    if (everyone) return ExitCode::cannot_run;
    World::abort(static_cast<int>(ExitCode::cannot_run));
}

ExitCode end_by_record(Program& program, const RecordError& error) {
    report(error.what(), "free some space, or give --record another file");
    // Only rank 0 writes and notices an error; the others wait for it.
    if (program.job().size() > 1) World::abort(static_cast<int>(ExitCode::usage));
    return ExitCode::usage;
}

ExitCode run_to_the_end(Program& program, void (*benchmark)(Program&)) {
    try {
        benchmark(program);
        return program.finish();
    } catch (const Answered&) {
        return ExitCode::ok;
    } catch (const UsageError& error) {
        return end_by_usage(program, error);
    } catch (const Refusal& refusal) {
        return end_by_refusal(program, refusal.what(), refusal.scope());
    } catch (const std::bad_alloc&) {
        return end_by_refusal(program, "out of memory", Refusal::Scope::this_rank);
    }
}

/// A run with these words, the first of which is ignored.
ExitCode run_once(std::span<char* const> words, std::string_view name,
                  void (*benchmark)(Program&)) {
    Program program(static_cast<int>(words.size()), words.data(), std::string(name));
    ExitCode code = ExitCode::ok;
    try {
        code = run_to_the_end(program, benchmark);
    } catch (const RecordError& error) {
        code = end_by_record(program, error);
    }
    program.leave();
    return code;
}

/// Marks the end of the present run on both streams.
void mark_the_end(ExitCode code) {
    if (World::announced_rank() != 0) return;
    for (std::FILE* stream : {stdout, stderr}) {
        std::fprintf(stream, "{\"type\":\"exit\",\"code\":%d}\n", static_cast<int>(code));
        std::fflush(stream);
    }
}

}  // namespace

int run(int argc, char** argv, std::string_view name, void (*benchmark)(Program&)) {
    // Every word --then is the first of another run.
    const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
    std::vector<std::size_t> starts = {0};
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (std::string_view(words[i]) == next_run) starts.push_back(i);
    }
    starts.push_back(words.size());
    ExitCode last = ExitCode::ok;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        last = run_once(words.subspan(starts[i], starts[i + 1] - starts[i]), name, benchmark);
        if (starts.size() > 2) mark_the_end(last);
    }
    World::leave();
    return static_cast<int>(last);
}

}  // namespace heorot
