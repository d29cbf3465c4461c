// Directories of runs: fresh, private, gone in the end and after signals; others' files stay.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

#include "harness/files/own_directory.hpp"
#include "harness/record/check.hpp"
#include "tests/testing.hpp"

using namespace heorot;
namespace fs = std::filesystem;

namespace {

/// A directory for the test, the same on all ranks, gone with the object.
class Parent {
  public:
    explicit Parent(const World& job) : is_mine_(job.rank() == 0) {
        std::array<char, 256> path{};
        if (is_mine_) {
            (fs::temp_directory_path() / "heorot_parent_XXXXXX").string().copy(path.data(), 255);
            CHECK(mkdtemp(path.data()) != nullptr);
        }
        job.broadcast<std::byte>(std::as_writable_bytes(std::span(path)));
        path_ = path.data();
    }
    Parent(const Parent&) = delete;
    Parent& operator=(const Parent&) = delete;
    ~Parent() {
        if (is_mine_) fs::remove_all(path_);
    }
    const std::string& path() const { return path_; }
    bool is_empty() const { return fs::is_empty(path_); }

  private:
    bool is_mine_;
    std::string path_;
};

void make_file(const OwnDirectory& in, const std::string& name) {
    const int file = openat(in.descriptor(), name.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
    CHECK(file >= 0);
    close(file);
}

void check_life(const World& job, const Parent& parent) {
    {
        const OwnDirectory own(job, parent.path());
        const fs::path path = fs::path(own.parent()) / own.name();
        CHECK(fs::status(path).permissions() == fs::perms::owner_all);
        make_file(own, "heorot." + std::to_string(job.rank()));
        CHECK(owner_of(own.name()).has_value());
        // Its owner is alive.
        CHECK(leftovers_in(parent.path()).empty());
        job.barrier();
    }
    job.barrier();
    if (job.leads_host()) CHECK(parent.is_empty());
}

/// Files that the run has not made stay, with the directory.
void check_foreign_files(const World& job, const Parent& parent) {
    if (job.size() > 1) return;
    fs::path path;
    {
        const OwnDirectory own(job, parent.path());
        path = fs::path(parent.path()) / own.name();
        make_file(own, "heorot.0");
        make_file(own, "thesis.tex");
    }
    CHECK(fs::exists(path / "thesis.tex") && !fs::exists(path / "heorot.0"));
    fs::remove_all(path);
    // Another directory that has got its name.
    {
        const OwnDirectory own(job, parent.path());
        path = fs::path(parent.path()) / own.name();
        fs::rename(path, path.string() + "x");
        fs::create_directory(path);
    }
    CHECK(fs::exists(path));
    fs::remove_all(path);
    fs::remove_all(path.string() + "x");
}

/// Ends a process that has a directory with a file by a signal.
void end_by(int signal_number, const Parent& parent) {
    const pid_t child = fork();
    if (child == 0) {
        std::signal(signal_number, SIG_DFL);  // background processes of a shell ignore SIGINT
        const World alone;
        const OwnDirectory own(alone, parent.path());
        make_file(own, "heorot.0");
        std::raise(signal_number);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
}

void check_signals(const World& job, const Parent& parent) {
    if (job.size() > 1) return;
    for (const int one : {SIGHUP, SIGINT, SIGTERM}) {
        end_by(one, parent);
        CHECK(parent.is_empty());
    }
    // Nothing can be done before this one; the next run finds it, and removes only what is known.
    end_by(SIGKILL, parent);
    const auto left = leftovers_in(parent.path());
    CHECK(left.size() == 1 && left.front().is_stale);
    if (left.empty()) return;
    CHECK(std::abs(left.front().owner.started - this_process().started) < 60);
    Leftover alive = left.front();
    alive.is_stale = false;
    CHECK(!remove_leftover(parent.path(), alive));
    CHECK(remove_leftover(parent.path(), left.front()) && parent.is_empty());
}

void check_names() {
    const Owner owner{.host = "node07", .pid = 12, .started = 1700000000};
    CHECK(directory_name(owner, 255) == "heorot-files.node07.12.1700000000.00000000000000ff");
    CHECK(owner_of(directory_name(owner, 255)) == owner);
    // Names of hosts have dots at times, and more.
    const auto dotted = owner_of(directory_name({.host = "a.b/c", .pid = 1, .started = 2}, 0));
    CHECK(dotted && dotted->host == "a_b_c");
    for (const char* other : {"heorot-files", "heorot-files.a.1.2", "heorot-files.a.b.2.3",
                              "heorot-files.a.1.2.3.4", "heorot-files.a.1.2.xyz", "data"}) {
        CHECK(!owner_of(other));
    }
}

void check_refusals(const World& job, const Parent& parent) {
    const auto refused = [&](const std::string& path) {
        return tests::throws<Refusal>([&] { const OwnDirectory own(job, path); });
    };
    CHECK(refused(parent.path() + "/missing"));
    CHECK(refused("/dev/null"));
    CHECK(refused("/proc"));
    const OwnDirectory own(job, parent.path());
    CHECK(tests::throws<Refusal>(
        [&] { own.require_room({.bytes = 2.0, .inodes = 1.0, .most = 1.0}); }));
}

}  // namespace

int main() {
    World job;
    job.start();
    check_names();
    const Parent parent(job);
    check_life(job, parent);
    check_foreign_files(job, parent);
    check_signals(job, parent);
    check_refusals(job, parent);
    job.barrier();
    job.finish();
    World::leave();
    return tests::result();
}
