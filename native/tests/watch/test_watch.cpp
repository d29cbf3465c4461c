// How watch runs a command and what it records: test_watch WATCH. With other words than a path this
// program is the command that is watched.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "harness/measure/disturbance.hpp"
#include "harness/record/json.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

using Words = std::vector<std::string>;

constexpr std::array<int, 3> passed_on = {SIGHUP, SIGINT, SIGTERM};

/// Uses 0.6 s of a core.
int spin() {
    while (usage_so_far().cpu_seconds() < 0.6) continue;
    return 0;
}

/// Exits with the number of the signal that comes, or with 99 if signals are blocked at first.
int wait_for_signal() {
    sigset_t signals{};
    sigprocmask(SIG_SETMASK, nullptr, &signals);
    for (const int signal : passed_on) {
        if (sigismember(&signals, signal) != 0) return 99;
    }
    if (sigismember(&signals, SIGCHLD) != 0) return 99;
    for (const int signal : passed_on) sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    if (write(STDOUT_FILENO, "!", 1) != 1) return 99;
    const timespec longest{.tv_sec = 10, .tv_nsec = 0};
    return sigtimedwait(&signals, nullptr, &longest);
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What a run of watch left.
struct Watched {
    int code = 0;  ///< 1000 and the signal, should one have ended watch itself
    std::string out;
    std::string errors;
    std::string record;

    /// The record's line of a type, without its line feed; empty if it is not there, or not whole.
    std::string line(const std::string& type) const {
        std::string begin = JsonObject().add("type", type).text();
        begin.back() = ',';
        const std::size_t start = record.find(begin);
        if (start == std::string::npos) return "";
        const std::size_t end = record.find('\n', start);
        if (end == std::string::npos || record[end - 1] != '}') return "";
        return record.substr(start, end - start);
    }
    std::ptrdiff_t n_lines() const { return std::count(record.begin(), record.end(), '\n'); }
};

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The number that follows `name` in a line, in a list or not; -1 if there is none.
double number(const std::string& line, const std::string& name) {
    const std::string begin = "\"" + name + "\":";
    std::size_t start = line.find(begin);
    if (start == std::string::npos) return -1.0;
    start += begin.size();
    if (line[start] == '[') ++start;
    char* end = nullptr;
    const double value = std::strtod(line.c_str() + start, &end);
    return end == line.c_str() + start ? -1.0 : value;
}

/// Runs watch in a folder of its own.
class Runner {
  public:
    explicit Runner(std::string watch)
        : watch_(std::move(watch)),
          folder_(std::filesystem::temp_directory_path() /
                  ("heorot-watch-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    ~Runner() { std::filesystem::remove_all(folder_); }

    /// The words that watch wants at least, and those of the command.
    Words usual(const Words& command, const Words& further = {}) const {
        Words words = {"--benchmark", "tests/other", "--ranks",  "2",
                       "--threads",   "3",           "--record", file("record")};
        words.insert(words.end(), further.begin(), further.end());
        words.emplace_back("--");
        words.insert(words.end(), command.begin(), command.end());
        return words;
    }

    Watched run(const Words& words) const { return end(start(words)); }

    /// Watches a command; once it has printed something, watch gets `signal`.
    Watched interrupt(const Words& command, int signal) const {
        const pid_t child = start(usual(command));
        constexpr int longest_milliseconds = 20'000;
        for (int i = 0; i < longest_milliseconds && text_of(file("out")).empty(); ++i) usleep(1000);
        kill(child, signal);
        return end(child);
    }

    /// Path of what is in the folder: record, out (standard output) and errors.
    std::string file(const std::string& name) const { return folder_ / name; }

  private:
    bool writes(const char* name, int stream) const {
        const int to = open(file(name).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
        return to >= 0 && dup2(to, stream) >= 0;
    }
    pid_t start(const Words& words) const {
        std::filesystem::remove(file("record"));
        for (const auto* name : {"out", "errors"}) std::ofstream(file(name)).flush();
        if (const pid_t child = fork(); child != 0) return child;
        if (!writes("out", STDOUT_FILENO) || !writes("errors", STDERR_FILENO)) _exit(97);
        std::vector<const char*> pointers = {watch_.c_str()};
        for (const std::string& word : words) pointers.push_back(word.c_str());
        pointers.push_back(nullptr);
        execv(watch_.c_str(), const_cast<char* const*>(pointers.data()));
        _exit(98);
    }

    Watched end(pid_t child) const {
        int status = 0;
        waitpid(child, &status, 0);
        return {WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status),
                text_of(file("out")), text_of(file("errors")), text_of(file("record"))};
    }

    std::string watch_;
    std::filesystem::path folder_;
};

void check_record(const Runner& bench) {
    const Watched seen =
        bench.run(bench.usual({"sh", "-c", "echo one; echo two >&2; sleep 0.3"},
                              {"--option", "n=1000", "--option=text=a b=c", "--memory", "1G"}));
    CHECK(seen.code == 0);
    CHECK(seen.out == "one\n");
    CHECK(seen.errors == "two\n");
    CHECK(seen.n_lines() == 3);
    const std::string run = seen.line("run");
    CHECK(has(run, R"("benchmark":"tests/other","options":{"n":"1000","text":"a b=c"},)"
                   R"("ranks":2,"threads":3,"placement":[],"compiler":"","flags":"",)"
                   R"("mpi_library":"","mpi_standard":"","clock":{"name":"monotonic",)"));
    CHECK(number(run, "started") > 1.7e9);
    const std::string region = seen.line("region");
    CHECK(has(region, R"("name":"whole_run","point":{},"seconds":[)"));
    CHECK(has(region, R"(],"repetitions":1,"counts":{},"synchronisation":"none",)"
                      R"("stopped":"ceiling","warmup_seconds":0,"elapsed_seconds":)"));
    CHECK(has(region, R"("second_clock":null)") && has(region, R"("waited_seconds":null)"));
    const double seconds = number(region, "seconds");
    CHECK(seconds >= 0.3 && seconds < 30.0);
    CHECK(number(region, "elapsed_seconds") == seconds);
    CHECK(number(region, "window_seconds") == seconds);
    CHECK(number(region, "sentinel_before") >= 1.0 && number(region, "sentinel_after") >= 1.0);
    const std::string end = seen.line("end");
    CHECK(has(end, R"("passed":true,"checks":0,"failed":0,)"));
    CHECK(number(end, "elapsed_seconds") == seconds);
    CHECK(number(end, "peak_memory_bytes") > 1e5 && number(end, "involuntary_switches") >= 0.0);
}

void check_codes(const Runner& bench) {
    CHECK(has(bench.run(bench.usual({"true"})).line("end"), R"("other_cpu_seconds":null)"));
    for (const auto& [script, code] :
         {std::pair{"exit 3", 3}, std::pair{"exit 127", 127}, std::pair{"kill -9 $$", 128 + 9}}) {
        const Watched seen = bench.run(bench.usual({"sh", "-c", script}));
        CHECK(seen.code == code);
        CHECK(seen.n_lines() == 3);
        CHECK(!seen.line("region").empty());
        CHECK(has(seen.line("end"), R"("passed":false,"checks":0,"failed":0,)"));
    }
}

void check_what_does_not_start(const Runner& bench) {
    const Watched missing = bench.run(bench.usual({"heorot-no-such-program", "--help"}));
    CHECK(missing.code == 127);
    CHECK(has(missing.errors, "heorot: cannot start heorot-no-such-program: No such file"));
    CHECK(has(missing.errors, "\nhint: "));
    CHECK(missing.n_lines() == 1 && !missing.line("run").empty());
    const Watched folder = bench.run(bench.usual({"/"}));
    CHECK(folder.code == 126);
    CHECK(has(folder.errors, "heorot: cannot start /: Permission denied\nhint: "));
    CHECK(folder.line("end").empty());
}

void check_limits(const Runner& bench) {
    CHECK(bench.run(bench.usual({"sh", "-c", "ulimit -c"})).out == "0\n");
    // Not this program: what sanitizers set aside alone is far above such limits.
    const Words hungry = {"dd", "if=/dev/zero", "of=/dev/null", "bs=256M", "count=1"};
    CHECK(bench.run(bench.usual(hungry)).code == 0);
    CHECK(bench.run(bench.usual(hungry, {"--memory", "0"})).code == 0);
    CHECK(bench.run(bench.usual(hungry, {"--memory", "1G"})).code == 0);
    CHECK(bench.run(bench.usual(hungry, {"--memory", "200M"})).code == 1);
    // A limit that is there already is not raised.
    rlimit before{};
    getrlimit(RLIMIT_DATA, &before);
    const rlimit lower{std::min(rlim_t{1} << 50U, before.rlim_max), before.rlim_max};
    setrlimit(RLIMIT_DATA, &lower);
    const auto seen = bench.run(bench.usual({"sh", "-c", "ulimit -S -d"}, {"--memory=2097152G"}));
    CHECK(seen.out == std::to_string(lower.rlim_cur / 1024) + "\n");
    setrlimit(RLIMIT_DATA, &before);
}

void check_own_work(const Runner& bench) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const HostTime before = host_time_so_far();
    const Watched seen = bench.run(bench.usual({self, "spin"}));
    const std::string end = seen.line("end");
    const double own_seconds = number(end, "user_seconds") + number(end, "system_seconds");
    CHECK(own_seconds >= 0.6 && own_seconds < 30.0);
    // The kernel counts ticks of 10 ms.
    const double others = number(seen.line("region"), "other_cpu_seconds");
    CHECK(others >= 0.0 && number(end, "other_cpu_seconds") == others);
    CHECK(others <= other_cpu_seconds(before, host_time_so_far(), own_seconds) + 0.05);
    // Two processes of the command that compete for a core are no noise for each other.
    const Words two = {"taskset", "-c", "0", "sh", "-c", R"("$0" spin & "$0" spin; wait)", self};
    CHECK(number(bench.run(bench.usual(two)).line("region"), "involuntary_switches") == 0.0);
}

void check_signals(const Runner& bench) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    for (const int signal : passed_on) {
        const Watched seen = bench.interrupt({self, "wait"}, signal);
        CHECK(seen.code == signal);
        CHECK(has(seen.line("end"), R"("passed":false)"));
    }
}

void check_usage(const Runner& bench) {
    const std::string record = bench.file("record");
    const Words all = {"--benchmark=a", "--ranks=1", "--threads=1", "--record=" + record};
    const auto refused = [&](const Words& words, std::string_view message) {
        const Watched seen = bench.run(words);
        return seen.code == 2 && has(seen.errors, message) && has(seen.errors, "\nhint: ") &&
               seen.out.empty() && seen.record.empty();
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        Words words = all;
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
        words.insert(words.end(), {"--", "echo"});
        CHECK(refused(words, "heorot: " + all[i].substr(0, all[i].find('=')) + " is missing"));
    }
    CHECK(refused(all, "heorot: there is no command"));
    CHECK(refused(bench.usual({}), "heorot: there is no command"));
    CHECK(refused(bench.usual({"echo"}, {"echo"}), "heorot: unexpected argument 'echo'"));
    CHECK(refused(bench.usual({"echo"}, {"--memroy", "1"}), "heorot: unknown option --memroy"));
    CHECK(refused(bench.usual({"echo"}, {"--memory", "-1"}), "--memory cannot be '-1'"));
    CHECK(refused(bench.usual({"echo"}, {"--option", "n"}), "--option cannot be 'n'"));
    CHECK(refused(bench.usual({"echo"}, {"--option", "=n"}), "--option cannot be '=n'"));
    CHECK(refused(bench.usual({"echo"}, {"--option"}), "option --option lacks its value"));
    CHECK(refused(bench.usual({"echo"}, {"--option=n=1", "--option", "n=2"}), "given twice"));
    for (const auto* path : {"/no/such/folder/x", "/dev/full"}) {
        CHECK(refused({"--benchmark=a", "--ranks=1", "--threads=1", "--record", path, "--", "echo"},
                      "the record '" + std::string(path) + "': No "));
    }
    const Watched help = bench.run({"--help"});
    CHECK(help.code == 0 && has(help.out, "--option NAME=VALUE"));
}

}  // namespace

int main(int, char** argv) {
    const std::string word = argv[1];
    if (word == "spin") return spin();
    if (word == "wait") return wait_for_signal();
    const Runner bench(word);
    check_record(bench);
    check_codes(bench);
    check_what_does_not_start(bench);
    check_limits(bench);
    check_own_work(bench);
    check_signals(bench);
    check_usage(bench);
    return tests::result();
}
