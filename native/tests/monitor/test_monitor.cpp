// Tests of the program: what it writes, and that it always ends.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "monitor/arguments.hpp"
#include "monitor/journal.hpp"
#include "monitor/kept_file.hpp"
#include "tests/monitor/folder.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using Words = std::vector<std::string>;

namespace {

std::string program;

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != text.npos;
}

int count(std::string_view text, std::string_view part) {
    int n = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
}

void redirect(int stream, const std::string& file) {
    const int opened = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (opened < 0 || dup2(opened, stream) < 0) _exit(97);
}

pid_t start(const Words& words, const tests::Folder& folder) {
    for (const auto* name : {"output", "errors"}) folder.write(name, "");
    const pid_t child = fork();
    if (child != 0) return child;
    redirect(STDOUT_FILENO, folder.path("output"));
    redirect(STDERR_FILENO, folder.path("errors"));
    std::vector<const char*> pointers = {program.c_str()};
    for (const std::string& word : words) pointers.push_back(word.c_str());
    pointers.push_back(nullptr);
    execv(program.c_str(), const_cast<char* const*>(pointers.data()));
    _exit(98);
}

int end(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Waits until a file has a text, for some seconds.
bool comes(const tests::Folder& folder, const std::string& file, std::string_view text) {
    for (int i = 0; i < 2000; ++i) {
        if (has(folder.text(file), text)) return true;
        usleep(10'000);
    }
    return false;
}

void check_samples() {
    const tests::Folder folder("monitor");
    const Words words = {"--out", folder.path("n1.samples"), "--host=n1", "--interval",
                         "0.1",   "--seconds=0.45"};
    CHECK(end(start(words, folder)) == 0);
    const std::string text = folder.text("n1.samples");
    CHECK(text.starts_with("monitor format=1 host=n1 interval=0.100 ticks="));
    CHECK(count(text, "\ncolumns time clock own_seconds user system") == 1);
    const int n_samples = count(text, "\ns ");
    CHECK(n_samples >= 3 && n_samples <= 8);
    CHECK(has(text, "\nend time ") && text.ends_with('\n'));
    CHECK(has(text, " ; u "));
    // It is written on behind what is there, even if that was torn.
    folder.write("n1.samples", "torn");
    CHECK(end(start(words, folder)) == 0);
    CHECK(folder.text("n1.samples").starts_with("torn\nmonitor "));
}

void check_ends() {
    const tests::Folder folder("monitor");
    const Words words = {"--out", folder.path("n1.samples"), "--interval=0.05", "--seconds=60"};
    const pid_t stopped = start(words, folder);
    CHECK(comes(folder, "n1.samples", "\ns "));
    CHECK(end(start(words, folder)) == 3);
    CHECK(has(folder.text("errors"), "heorot: another monitor writes "));
    folder.write("stop", "");
    CHECK(end(stopped) == 0);
    CHECK(has(folder.text("n1.samples"), "\nend stop "));
    folder.remove("stop");
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        folder.remove("n1.samples");
        const pid_t child = start(words, folder);
        CHECK(comes(folder, "n1.samples", "\ns "));
        kill(child, signal);
        CHECK(end(child) == 0 && has(folder.text("n1.samples"), "\nend signal "));
    }
}

void check_jobs() {
    const tests::Folder folder("monitor");
    setenv("HEOROT_JOB", "/runs/x/J1", 1);
    const pid_t job = fork();
    if (job == 0) {
        execl("/bin/sh", "sh", "-c", "while :; do :; done", nullptr);
        _exit(98);
    }
    unsetenv("HEOROT_JOB");
    end(start({"--out", folder.path("n1.samples"), "--interval=0.1", "--seconds=1"}, folder));
    const std::string text = folder.text("n1.samples");
    const std::size_t last = text.rfind(" ; j /runs/x/J1 ");
    CHECK(last != text.npos);
    const long ticks = last == text.npos ? 0 : std::strtol(text.c_str() + last + 16, nullptr, 10);
    CHECK(ticks >= sysconf(_SC_CLK_TCK) / 10 && ticks <= 20 * sysconf(_SC_CLK_TCK));
    kill(job, SIGKILL);
    end(job);
}

void check_detached() {
    const tests::Folder folder("monitor");
    const Words words = {"--out", folder.path("n1.samples"), "--interval=0.05", "--seconds=20",
                         "--detach"};
    CHECK(end(start(words, folder)) == 0);  // it continues in the background
    CHECK(std::strtod(folder.text("output").c_str(), nullptr) > 1.7e9);
    CHECK(comes(folder, "n1.samples", "\ns "));
    folder.write("stop", "");
    CHECK(comes(folder, "n1.samples", "\nend stop "));
}

/// A signal after the caller's end finds a file that was begun.
void check_begun() {
    const tests::Folder folder("monitor");
    const std::string kernel = folder.path("proc/sys/kernel/random");
    std::filesystem::create_directories(kernel);
    CHECK(mkfifo((kernel + "/boot_id").c_str(), 0600) == 0);  // it waits for this to begin
    const pid_t caller = start({"--out", folder.path("n1.samples"), "--interval=0.05", "--detach",
                                "--seconds=0.2", "--proc", folder.path("proc")},
                               folder);
    usleep(300'000);
    CHECK(waitpid(caller, nullptr, WNOHANG) == 0);
    folder.write("proc/sys/kernel/random/boot_id", "unlike-others\n");
    CHECK(end(caller) == 0);
    CHECK(has(folder.text("n1.samples"), " boot=unlike-others\n"));
    CHECK(comes(folder, "n1.samples", "\nend time "));
}

void check_usage() {
    const tests::Folder folder("monitor");
    const auto refused = [&](const Words& words, std::string_view message) {
        return end(start(words, folder)) == 2 && has(folder.text("errors"), message) &&
               has(folder.text("errors"), "\nhint: ");
    };
    CHECK(refused({}, "heorot: --out is missing"));
    CHECK(refused({"--out"}, "option --out lacks its value"));
    CHECK(refused({"--out=x", "--intervall=1"}, "unknown option --intervall"));
    CHECK(refused({"--out=x", "y"}, "unexpected argument 'y'"));
    for (const auto* value : {"0", "-1", "x", "1s", "nan", "inf", ""}) {
        const Words words = {"--out=x", "--seconds=2", "--interval", value};
        CHECK(refused(words, "option --interval cannot be '"));
    }
    CHECK(refused({"--out=x", "--seconds=-1"}, "option --seconds cannot be '-1'"));
    CHECK(end(start({"--out=/no/such/folder/x"}, folder)) == 3);
    CHECK(has(folder.text("errors"), "heorot: cannot write /no/such/folder/x: No such file"));
    CHECK(end(start({"--help"}, folder)) == 0 && has(folder.text("output"), "--interval"));
    // On a full file system it continues; lines that it cannot write are lost.
    CHECK(end(start({"--out=/dev/full", "--interval=0.05", "--seconds=0.2"}, folder)) == 0);
}

void check_kept_files() {
    const tests::Folder folder("monitor");
    const std::string large(100'000, 'x');
    folder.write("file", large);
    std::string buffer;
    const monitor::KeptFile file(folder.path("file"));
    CHECK(file.read(buffer) == large && file.read(buffer, 5000).size() == 5000);
    folder.write("file", "short");
    CHECK(file.read(buffer) == "short");
    CHECK(monitor::KeptFile(folder.path("none")).read(buffer).empty());
    CHECK(monitor::KeptFile(folder.path("")).read(buffer).empty());
}

}  // namespace

int main(int, char** argv) {
    program = argv[1];
    check_samples();
    check_ends();
    check_jobs();
    check_detached();
    check_begun();
    check_usage();
    check_kept_files();
    return tests::result();
}
