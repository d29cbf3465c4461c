// monitor: records once a second the activity of a node and of the jobs on it, at a negligible
// load of its own.
//
// Format    Lines of words. `monitor` begins a run: NAME=VALUE, facts about the node. `columns`
//           names the numbers of the samples behind it. `s` is a sample: a number for each column,
//           then groups of processes: `;`, kind and name, processor time [ticks], resident memory
//           [pages], processes, bytes read and written. Counters are cumulative. `end` and a word
//           give the reason of its end; without this line it was killed.
// Kinds     `j`: processes of a job, by its mark; `u`: other ones, by the number of their user;
//           `k`: those of the kernel.
// Times     `time` is Unix time, `clock` is monotonic [s]. Samples are taken at whole multiples of
//           the interval, so that the noise hits all nodes at once.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <set>
#include <string>

#include "monitor/arguments.hpp"
#include "monitor/journal.hpp"
#include "monitor/node.hpp"
#include "monitor/processes.hpp"

using namespace heorot;

namespace {

constexpr int format_version = 1;
constexpr int usage_code = 2;
constexpr int cannot_run_code = 3;
// The first process namespace of a computer, in all kernels: PROC_PID_INIT_INO.
constexpr ino_t first_namespace = 0xEFFFFFFC;

double now(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string fixed(double value, int n_digits) {
    std::string text(32, '\0');
    text.resize(
        static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.*f", n_digits, value)));
    return text;
}

double own_cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

std::string first_line(const std::string& path) {
    std::string line;
    std::getline(std::ifstream(path), line);
    return line;
}

/// Whether we see some processes of the computer only, but the load of all of them.
bool is_contained() {
    struct stat space{};
    return stat("/proc/self/ns/pid", &space) == 0 && space.st_ino != first_namespace;
}

int allowed_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

/// Writes to a pipe; without a reader, it does nothing.
void tell(int pipe) {
    signal(SIGPIPE, SIG_IGN);
    const ssize_t n = write(pipe, "b", 1);
    static_cast<void>(n);
    close(pipe);
}

/// Takes the samples of one run.
class Monitor {
  public:
    Monitor(const monitor::Arguments& arguments, monitor::Journal& journal)
        : arguments_(arguments),
          journal_(journal),
          node_(arguments.proc, arguments.sys),
          processes_(arguments.proc, arguments.mark, getpid()),
          stop_file_(arguments.out.substr(0, arguments.out.find_last_of('/') + 1) + "stop") {}

    /// Returns at a request to end, or when its time is up. Signals through the pipe `caller` that
    /// it has begun: a signal from then on finds a file that was begun.
    void run(const sigset_t& signals, int caller) {
        begin();
        if (caller >= 0) tell(caller);
        const double end = now(CLOCK_BOOTTIME) + arguments_.most_seconds;
        std::string why = "time";
        while (now(CLOCK_BOOTTIME) < end) {
            sample();
            if (access(stop_file_.c_str(), F_OK) == 0) {
                why = "stop";
                break;
            }
            if (wait(signals, end)) {
                why = "signal";
                break;
            }
        }
        if (why != "stop") sample();
        journal_.write("end " + why + ' ' + fixed(now(CLOCK_REALTIME), 3));
    }

  private:
    void begin() {
        journal_.write("monitor format=" + std::to_string(format_version) + " host=" +
                       arguments_.host + " interval=" + fixed(arguments_.interval_seconds, 3) +
                       " ticks=" + std::to_string(sysconf(_SC_CLK_TCK)) +
                       " page=" + std::to_string(sysconf(_SC_PAGESIZE)) +
                       " allowed=" + std::to_string(allowed_processors()) + " contained=" +
                       (is_contained() ? "1" : "0") + " pid=" + std::to_string(getpid()) +
                       " boot=" + first_line(arguments_.proc + "/sys/kernel/random/boot_id"));
    }

    void sample() {
        line_ = "s " + fixed(now(CLOCK_REALTIME), 3) + ' ' + fixed(now(CLOCK_BOOTTIME), 3) + ' ' +
                fixed(own_cpu_seconds(), 3);
        node_.sample(line_);
        if (node_.columns() != columns_) {
            columns_ = node_.columns();
            journal_.write("columns time clock own_seconds" + columns_);
        }
        processes_.scan();
        for (const auto& [name, usage] : processes_.groups()) put_group(name, usage);
        journal_.write(line_);
    }

    /// Groups without processes are reported once more, when they have just lost the last one.
    void put_group(const std::string& name, const monitor::Usage& usage) {
        if (usage.n == 0 && reported_.erase(name) == 0) return;
        if (usage.n > 0) reported_.insert(name);
        line_ += " ; " + name;
        for (const monitor::Number number :
             {usage.cpu_ticks, usage.resident_pages, static_cast<monitor::Number>(usage.n),
              usage.read_bytes, usage.written_bytes}) {
            line_ += ' ';
            line_ += std::to_string(number);
        }
    }

    /// Waits until the next multiple of the interval or until `end`, by the monotonic clock;
    /// returns whether a signal ended it.
    bool wait(const sigset_t& signals, double end) const {
        const double interval = arguments_.interval_seconds;
        const double time = now(CLOCK_REALTIME);
        double left = interval * (std::floor(time / interval) + 1.0) - time;
        left = std::min(left, std::max(0.0, end - now(CLOCK_BOOTTIME)));
        timespec span{};
        span.tv_sec = static_cast<time_t>(left);
        span.tv_nsec = static_cast<long>(1e9 * (left - std::floor(left)));
        return sigtimedwait(&signals, nullptr, &span) > 0;
    }

    const monitor::Arguments& arguments_;
    monitor::Journal& journal_;
    monitor::Node node_;
    monitor::Processes processes_;
    std::string stop_file_;
    std::string line_;
    std::string columns_;
    std::set<std::string> reported_;
};

/// Continues as a child process and returns a pipe to its parent, which waits there for the signal
/// that monitoring has begun, prints the time and ends.
int detach() {
    int ends[2] = {};
    if (pipe(ends) != 0) throw monitor::JournalError("cannot make a pipe");
    const pid_t child = fork();
    if (child < 0) throw monitor::JournalError("cannot make a process");
    if (child == 0) {
        close(ends[0]);
        setsid();
        const int nothing = open("/dev/null", O_RDWR);
        if (nothing < 0) return ends[1];
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
        if (nothing > STDERR_FILENO) close(nothing);
        return ends[1];
    }
    close(ends[1]);
    char byte = 0;
    if (read(ends[0], &byte, 1) != 1) throw monitor::JournalError("the process it made has ended");
    std::printf("%.6f\n", now(CLOCK_REALTIME));
    std::fflush(stdout);
    _exit(0);
}

int report(const char* message, const char* hint, int code) {
    std::fprintf(stderr, "heorot: %s\nhint: %s\n", message, hint);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const monitor::Arguments arguments = monitor::read_arguments(argc, argv);
        if (arguments.wants_help) {
            std::fputs(monitor::usage.data(), stdout);
            return 0;
        }
        sigset_t signals;
        sigemptyset(&signals);
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
        sigprocmask(SIG_BLOCK, &signals, nullptr);
        signal(SIGXFSZ, SIG_IGN);
        monitor::Journal journal(arguments.out);
        const int caller = arguments.detaches ? detach() : -1;
        Monitor(arguments, journal).run(signals, caller);
        return 0;
    } catch (const monitor::UsageError& error) {
        return report(error.what(), "see monitor --help", usage_code);
    } catch (const monitor::JournalError& error) {
        return report(error.what(), "--out wants a file that can be written", cannot_run_code);
    }
}
