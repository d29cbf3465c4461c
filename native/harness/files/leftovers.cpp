// Directories that killed runs have left, by the owners in their names: see own_directory.hpp.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "harness/files/own_directory.hpp"
#include "harness/files/removal.hpp"
#include "harness/lists.hpp"

namespace heorot {

namespace {

constexpr std::string_view beginning = "heorot-files.";
constexpr std::size_t most_of_host = 64;
// Processes count in ticks since a start of the system that is known to the second.
constexpr std::int64_t slack_seconds = 2;

/// A name without the separator, and of letters that any file system takes.
std::string plain(const std::string& host) {
    std::string name = host.substr(0, most_of_host);
    std::ranges::replace_if(
        name, [](unsigned char one) { return std::isalnum(one) == 0 && one != '-' && one != '_'; },
        '_');
    return name.empty() ? "unknown" : name;
}

std::string this_host() {
    std::array<char, most_of_host + 1> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? plain(name.data()) : plain("");
}

/// The number behind `name` in a file of lines, or 0.
std::int64_t entry(const std::string& path, const std::string& name) {
    std::ifstream file(path);
    std::string word;
    std::int64_t value = 0;
    while (file >> word) {
        if (word == name && file >> value) return value;
    }
    return 0;
}

/// When a process began, in seconds since 1970; 0 if there is none. Source: proc(5), field 22.
std::int64_t start_of(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::size_t end_of_command = text.rfind(')');
    if (end_of_command == std::string::npos) return 0;
    std::istringstream fields(text.substr(end_of_command + 1));
    std::string field;
    for (int number = 3; number < 22; ++number) fields >> field;
    std::int64_t ticks = 0;
    if (!(fields >> ticks)) return 0;
    return entry("/proc/stat", "btime") + ticks / sysconf(_SC_CLK_TCK);
}

template <class T>
bool read_number(const std::string& text, T& number, int base = 10) {
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number, base);
    return error == std::errc{} && stopped == end && !text.empty();
}

bool is_alive(const Owner& owner) {
    return std::abs(start_of(owner.pid) - owner.started) <= slack_seconds;
}

bool is_mine(int parent, const char* name) {
    struct stat found{};
    return fstatat(parent, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(found.st_mode) &&
           found.st_uid == geteuid();
}

}  // namespace

Owner this_process() {
    return {this_host(), getpid(), start_of(getpid())};
}

std::string directory_name(const Owner& owner, std::uint64_t random) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(random));
    return std::string(beginning) + plain(owner.host) + "." + std::to_string(owner.pid) + "." +
           std::to_string(owner.started) + "." + digits.data();
}

std::optional<Owner> owner_of(std::string_view name) {
    if (!name.starts_with(beginning)) return std::nullopt;
    std::string rest(name.substr(beginning.size()));
    std::ranges::replace(rest, '.', ',');
    const auto parts = split_list(rest);
    Owner owner;
    std::uint64_t random = 0;
    if (parts.size() != 4 || parts[0].empty() || !read_number(parts[1], owner.pid) ||
        !read_number(parts[2], owner.started) || !read_number(parts[3], random, 16)) {
        return std::nullopt;
    }
    owner.host = parts[0];
    return owner;
}

std::vector<Leftover> leftovers_in(const std::string& parent) {
    std::vector<Leftover> found;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(parent.c_str()), closedir);
    if (directory == nullptr) return found;
    const std::string here = this_host();
    while (const dirent* one = readdir(directory.get())) {
        const auto owner = owner_of(one->d_name);
        if (!owner || !is_mine(dirfd(directory.get()), one->d_name)) continue;
        const bool is_here = owner->host == here;
        if (is_here && is_alive(*owner)) continue;
        found.push_back({one->d_name, *owner, is_here});
    }
    std::ranges::sort(found, {}, &Leftover::name);
    return found;
}

bool remove_leftover(const std::string& parent, const Leftover& leftover) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    const int around = open(parent.c_str(), flags);
    if (around < 0) return false;
    const int directory = openat(around, leftover.name.c_str(), flags | O_NOFOLLOW);
    bool is_gone = false;
    if (directory >= 0) {
        is_gone = leftover.is_stale && is_mine(around, leftover.name.c_str()) &&
                  remove_directory({around, directory, leftover.name.c_str()});
        close(directory);
    }
    close(around);
    return is_gone;
}

}  // namespace heorot
