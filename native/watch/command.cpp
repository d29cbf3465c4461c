// Starting a command, passing signals on to it, waiting for it.
#include "watch/command.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace heorot::watch {

namespace {

constexpr std::array<int, 3> passed_on = {SIGHUP, SIGINT, SIGTERM};

/// Signals that await() waits for.
sigset_t awaited() {
    sigset_t signals{};
    sigemptyset(&signals);
    for (const int signal : passed_on) sigaddset(&signals, signal);
    sigaddset(&signals, SIGCHLD);
    return signals;
}

/// Lowers a limit of this process, if it is higher. `resource` has a type of its own in glibc.
template <class Resource>
void lower(Resource resource, rlim_t wanted) {
    rlimit limit{};
    getrlimit(resource, &limit);
    limit.rlim_cur = std::min(limit.rlim_cur, wanted);
    limit.rlim_max = std::min(limit.rlim_max, wanted);
    setrlimit(resource, &limit);
}

/// The words as execvp wants them: pointers into `command`, and a null pointer.
std::vector<char*> words_of(const Command& command) {
    std::vector<char*> words;
    words.reserve(command.words.size() + 1);
    // execvp takes pointers to what it could change, and does not.
    for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    return words;
}

/// In the child: becomes the command, or reports why not.
[[noreturn]] void become(const Command& command, const std::vector<char*>& words,
                         const sigset_t& signals, int report) {
    lower(RLIMIT_CORE, 0);
    if (command.memory_bytes > 0) lower(RLIMIT_DATA, command.memory_bytes);
    sigprocmask(SIG_SETMASK, &signals, nullptr);
    execvp(words.front(), words.data());
    const int reason = errno;
    // Without a reader the exit code still reports the failure.
    [[maybe_unused]] const ssize_t n_written = write(report, &reason, sizeof reason);
    _exit(126);
}

/// Why the child could not become the command, 0 if it could: then its end of the pipe closed.
int reason_from(int report) {
    int reason = 0;
    ssize_t n_read = 0;
    do {
        n_read = read(report, &reason, sizeof reason);
    } while (n_read < 0 && errno == EINTR);
    return n_read == sizeof reason ? reason : 0;
}

/// Starts the command with `signals` blocked.
pid_t start(const Command& command, const sigset_t& signals) {
    const std::string& program = command.words.front();
    const std::vector<char*> words = words_of(command);
    std::array<int, 2> report{};
    if (pipe2(report.data(), O_CLOEXEC) != 0) throw StartError(program, errno);
    const pid_t child = fork();
    if (child == 0) become(command, words, signals, report[1]);
    int reason = child < 0 ? errno : 0;
    close(report[1]);
    if (child > 0) reason = reason_from(report[0]);
    close(report[0]);
    if (reason == 0) return child;
    if (child > 0) waitpid(child, nullptr, 0);
    throw StartError(program, reason);
}

/// Waits for the child and forwards other signals to it.
int await(pid_t child, const sigset_t& signals) {
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        const int signal = sigwaitinfo(&signals, nullptr);
        if (std::find(passed_on.begin(), passed_on.end(), signal) != passed_on.end()) {
            kill(child, signal);
        }
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

StartError::StartError(const std::string& program, int reason)
    : std::runtime_error("cannot start " + program + ": " + std::strerror(reason)),
      reason_(reason) {}

const char* StartError::hint() const {
    return reason_ == ENOENT ? "give its path, or a name found along PATH"
                             : "see that it is a program and may be executed";
}

int StartError::exit_code() const {
    return reason_ == ENOENT ? 127 : 126;
}

int run_to_the_end(const Command& command) {
    // Blocked signals are kept until they are asked for: none comes before there is a child. An
    // ignored SIGCHLD, which can be inherited, would leave nothing to wait for.
    const sigset_t signals = awaited();
    sigset_t signals_before{};
    std::signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &signals, &signals_before);
    return await(start(command, signals_before), signals);
}

}  // namespace heorot::watch
