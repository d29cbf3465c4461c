// Reading the scheduler's account of every thread.
#include "harness/measure/waiting.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string>

namespace heorot {

namespace {

constexpr const char* tasks = "/proc/self/task";

/// Threads of this process; 0 where unreadable.
std::uint64_t count_threads() {
    struct stat folder{};
    // A folder has two links more than folders inside.
    return stat(tasks, &folder) == 0 && folder.st_nlink > 2 ? folder.st_nlink - 2 : 0;
}

}  // namespace

std::optional<double> parse_waiting(std::string_view schedstat) {
    const std::size_t space = schedstat.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    const std::string_view second = schedstat.substr(space + 1);
    std::uint64_t nanoseconds = 0;
    const auto [end, error] =
        std::from_chars(second.data(), second.data() + second.size(), nanoseconds);
    if (error != std::errc{} || end == second.data() + second.size()) return std::nullopt;
    return 1e-9 * static_cast<double>(nanoseconds);
}

Waiting::~Waiting() {
    close_all();
}

void Waiting::close_all() {
    for (const int file : files_) close(file);
    files_.clear();
}

void Waiting::open_all() {
    close_all();
    DIR* folder = opendir(tasks);
    if (folder == nullptr) return;
    while (const dirent* entry = readdir(folder)) {
        const std::string name = static_cast<const char*>(entry->d_name);
        if (name.front() == '.') continue;
        const int file = open((tasks + ("/" + name) + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC);
        if (file >= 0) files_.push_back(file);
    }
    closedir(folder);
}

std::optional<double> Waiting::seconds_so_far() {
    const std::uint64_t n_threads = count_threads();
    if (n_threads != n_threads_ || files_.empty()) open_all();
    n_threads_ = n_threads;
    double seconds = 0.0;
    bool known = false;
    for (const int file : files_) {
        std::array<char, 80> text{};
        const ssize_t length = pread(file, text.data(), text.size(), 0);
        if (length <= 0) continue;  // the thread has ended
        const auto waited =
            parse_waiting(std::string_view(text.data(), static_cast<std::size_t>(length)));
        if (!waited) return std::nullopt;
        seconds += *waited;
        known = true;
    }
    return known ? std::optional(seconds) : std::nullopt;
}

}  // namespace heorot
