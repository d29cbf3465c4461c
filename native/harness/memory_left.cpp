// Available memory: see memory_left.hpp.
#include "harness/memory_left.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

namespace heorot {

namespace {

/// How the files of a version of control groups are called, from the folder of all groups on.
struct Names {
    std::string_view folder;
    std::string_view limit;
    std::string_view usage;
    std::string_view cached;  // an entry of memory.stat, with what ends its name
};
constexpr double kilobyte = 1024.0;
constexpr Names first_version = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                 "memory.usage_in_bytes", "total_inactive_file "};
constexpr Names second_version = {"/sys/fs/cgroup", "memory.max", "memory.current",
                                  "inactive_file "};

/// The number at the beginning of a file; none if the file is missing or has "max".
std::optional<double> number_in(const std::string& path) {
    std::ifstream file(path);
    double number = 0.0;
    return file >> number ? std::optional(number) : std::nullopt;
}

/// The number behind `name` in a file of one entry per line; none if it is a word such as "max".
std::optional<double> entry(const std::string& path, std::string_view name) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with(name)) continue;
        std::istringstream rest(line.substr(name.size()));
        double number = 0.0;
        return rest >> number ? std::optional(number) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
    if (a && b) return std::min(*a, *b);
    return a ? a : b;
}

/// What a group and those around it leave. Of a container the kernel may report a path as seen from
/// outside, so groups that are not there are passed over.
std::optional<double> left_of_group(const std::string& root, const Names& names,
                                    std::string group) {
    std::optional<double> left;
    for (;;) {
        std::string folder = root;
        folder.append(names.folder).append(group).append("/");
        const auto limit = number_in(folder + std::string(names.limit));
        const auto usage = number_in(folder + std::string(names.usage));
        if (limit && usage) {
            const double cached = entry(folder + "memory.stat", names.cached).value_or(0.0);
            left = smaller(left, std::max(0.0, *limit - *usage + cached));
        }
        if (group.find_first_not_of('/') == std::string::npos) return left;
        group.resize(group.rfind('/'));
    }
}

}  // namespace

std::optional<double> memory_left(const std::string& root) {
    auto left = entry(root + "/proc/meminfo", "MemAvailable:");
    if (left) *left *= kilobyte;
    // Lines are number:controllers:path; version 2 has the number 0 and no controllers.
    std::ifstream groups(root + "/proc/self/cgroup");
    std::string line;
    while (std::getline(groups, line)) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::string controllers = line.substr(first, second - first) + ",";
        controllers.front() = ',';
        const bool is_memory = controllers.find(",memory,") != std::string::npos;
        if (!is_memory && controllers != ",,") continue;
        const Names& names = is_memory ? first_version : second_version;
        left = smaller(left, left_of_group(root, names, line.substr(second + 1)));
    }
    return left;
}

std::optional<double> memory_left_to_process(const std::string& root) {
    const std::string limits = root + "/proc/self/limits";
    const std::string status = root + "/proc/self/status";
    const auto left = [&](std::string_view limit_name, std::string_view used_name) {
        auto limit = entry(limits, limit_name);
        const auto used = entry(status, used_name);
        if (limit && used) *limit = std::max(0.0, *limit - *used * kilobyte);
        return limit;
    };
    return smaller(left("Max address space ", "VmSize:"), left("Max data size ", "VmData:"));
}

}  // namespace heorot
