// The program and its files: test_schedule SCHEDULE. Other files than workloads are refused in one
// line.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "scheduler/file.hpp"
#include "tests/scheduler/workloads.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::scheduler;

namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

template <class T>
void append(std::string& text, const T& value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Two nodes of two cores, EASY, one reservation, three jobs.
std::string workload_text() {
    std::string text = "HEOROTJ2";
    append(text, std::uint64_t{3});
    for (const std::int32_t value : {2, 2, 0, 1000}) append(text, value);
    for (const std::uint32_t value : {0U, 1U, 0U, 1U, 1U, 0U}) append(text, value);
    for (const double value : {0.0, 0.0, 0.0}) append(text, value);
    append(text, Block{.from = 1000, .to = 1001, .nodes = 1});
    for (const Job& each :
         {tests::job(0, 10, 10, 1), tests::job(1, 5, 5, 2), tests::job(2, 8, 8, 1)}) {
        append(text, each);
    }
    return text;
}

class Runner {
  public:
    explicit Runner(std::string program)
        : program_(std::move(program)),
          folder_(std::filesystem::temp_directory_path() /
                  ("heorot-schedule-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    ~Runner() { std::filesystem::remove_all(folder_); }

    std::string file(const std::string& name) const { return folder_ / name; }

    /// Exit code for a workload of this text.
    int run(const std::string& text) const {
        write_text(file("workload"), text);
        return run_words({file("workload"), file("outcome")});
    }
    int run_words(const std::vector<std::string>& words) const {
        const pid_t child = fork();
        if (child == 0) become(words);
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    bool said(const std::string& part) const {
        return text_of(file("words")).find(part) != std::string::npos;
    }

  private:
    [[noreturn]] void become(const std::vector<std::string>& words) const {
        const int errors =
            open(file("words").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (errors >= 0) dup2(errors, STDERR_FILENO);
        std::vector<const char*> pointers = {program_.c_str()};
        for (const std::string& word : words) pointers.push_back(word.c_str());
        pointers.push_back(nullptr);
        // execv takes pointers to what it could change, and does not.
        execv(program_.c_str(), const_cast<char* const*>(pointers.data()));
        _exit(98);
    }

    std::string program_;
    std::filesystem::path folder_;
};

void check_outcome(const Runner& bench) {
    CHECK(bench.run(workload_text()) == 0);
    CHECK(bench.said("simulated 3 jobs in 0."));
    std::string expected = "HEOROTO1";
    for (const std::uint64_t value : {3U, 3U}) append(expected, value);
    for (const Time value : {0, 1, 2, 0, 10, 2}) append(expected, value);
    for (const std::uint64_t value : {0U, 1U, 2U, 3U}) append(expected, value);
    for (const std::int32_t value : {0, 1, 0, 2, 1, 1}) append(expected, value);
    CHECK(text_of(bench.file("outcome")) == expected);
}

/// A byte of the text is another one.
std::string with(std::string text, std::size_t at, char value) {
    text[at] = value;
    return text;
}

void check_refusals(const Runner& bench) {
    const std::string sound = workload_text();
    constexpr std::size_t orders = 32, jobs = 80 + 24;
    const auto refuses = [&](const std::string& text, const std::string& part) {
        CHECK(bench.run(text) == 2);
        CHECK(bench.said("heorot: ") && bench.said("\nhint: ") && bench.said(part));
    };
    refuses("", "is no workload");
    refuses(with(sound, 0, 'X'), "is no workload");
    refuses(sound.substr(0, sound.size() - 1), "not have the length that its head states");
    refuses(sound + "x", "not have the length that its head states");
    refuses(with(sound, 15, '\x7f'), "not have the length that its head states");
    for (std::size_t i = 0; i < 3; ++i) refuses(with(sound, orders + 4 * i, 9), "unknown kind");
    refuses(with(sound, 16, 0), "there are no nodes");
    refuses(with(sound, 23, '\x7f'), "more than 32767 cores");
    refuses(with(sound, 27, '\x80'), "fewer ports than none");
    refuses(with(sound, 31, '\x80'), "no job may have a reservation");
    refuses(with(sound, 63, '\xff'), "a weight is negative");
    refuses(with(sound, 80 + 8, 0), "ends before it begins");
    refuses(with(sound, 80 + 16, 0), "a reservation has no nodes");
    refuses(with(sound, 80 + 16, 3), "more nodes than there are");
    refuses(with(sound, jobs + 7, '\x80'), "job 0: a time is negative");
    refuses(with(sound, jobs + 16, 9), "job 0: its estimate is below");
    refuses(with(sound, jobs + 64 + 32, 1), "job 1: it follows a later job");
    refuses(with(sound, jobs + 36, 0), "job 0: it has less than a core");
    refuses(with(sound, jobs + 47, '\x80'), "job 0: its user");
    refuses(with(with(sound, jobs + 51, '\x7f'), jobs + 50, '\x80'), "job 0: its priority");
    refuses(with(sound, jobs + 55, '\xbf'), "job 0: its share");
    refuses(with(sound, jobs + 128, 0), "job 2: it was submitted before");
    CHECK(bench.run_words({}) == 2 && bench.said("two words are wanted"));
    CHECK(bench.run_words({"/absent", "/dev/null"}) == 2 && bench.said("cannot read /absent"));
    write_text(bench.file("workload"), sound);
    CHECK(bench.run_words({bench.file("workload"), "/absent/file"}) == 2);
    CHECK(bench.said("cannot write /absent/file"));
}

}  // namespace

int main(int, char** argv) {
    const Runner bench(argv[1]);
    check_outcome(bench);
    check_refusals(bench);
    return tests::result();
}
