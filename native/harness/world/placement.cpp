// Asking the kernel where this process may run.
#include "harness/world/placement.hpp"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

namespace heorot {

namespace {

/// Of the calling thread.
std::vector<std::int64_t> allowed_cpus() {
    std::vector<std::int64_t> cpus;
    // The kernel refuses a set smaller than its own, whose size is unknown: try larger ones.
    for (int n_cpus = 1024; n_cpus <= 1 << 20; n_cpus *= 2) {
        cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(n_cpus));
        if (set == nullptr) break;
        const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(n_cpus));
        CPU_ZERO_S(bytes, set);
        const bool known = sched_getaffinity(0, bytes, set) == 0;
        for (int cpu = 0; known && cpu < n_cpus; ++cpu) {
            if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set)) cpus.push_back(cpu);
        }
        CPU_FREE(set);
        if (known) break;
    }
    return cpus;
}

/// Of all threads of an OpenMP region: the run-time system may have bound each to its own place.
std::vector<std::int64_t> allowed_cpus_of_threads() {
    std::vector<std::int64_t> all;
#pragma omp parallel
    {
        const std::vector<std::int64_t> mine = allowed_cpus();
#pragma omp critical
        all.insert(all.end(), mine.begin(), mine.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace

std::vector<std::int64_t> parse_cpu_list(std::string_view list) {
    std::vector<std::int64_t> numbers;
    const char* at = list.data();
    const char* const end = at + list.size();
    while (at < end) {
        std::int64_t first = 0;
        const auto [after_first, error] = std::from_chars(at, end, first);
        if (error != std::errc{}) break;
        std::int64_t last = first;
        at = after_first;
        if (at < end && *at == '-') at = std::from_chars(at + 1, end, last).ptr;
        for (std::int64_t number = first; number <= last; ++number) numbers.push_back(number);
        if (at < end && *at == ',') ++at;
    }
    return numbers;
}

std::vector<std::int64_t> memory_nodes(const std::string& root,
                                       const std::vector<std::int64_t>& cpus) {
    std::vector<std::int64_t> nodes;
    DIR* directory = opendir(root.c_str());
    if (directory == nullptr) return nodes;
    while (const dirent* entry = readdir(directory)) {
        const std::string name = entry->d_name;
        const bool is_node = name.starts_with("node") && name.size() > 4 &&
                             name.find_first_not_of("0123456789", 4) == std::string::npos;
        if (!is_node) continue;
        std::ifstream file(std::string(root).append("/").append(name).append("/cpulist"));
        std::string list;
        std::getline(file, list);
        const auto members = parse_cpu_list(list);
        const bool holds_one = std::any_of(members.begin(), members.end(), [&](std::int64_t cpu) {
            return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
        });
        if (holds_one) nodes.push_back(std::stoll(name.substr(4)));
    }
    closedir(directory);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

Placement placement_of_this_process() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    Placement here{
        .host = host.data(), .pid = getpid(), .cpus = allowed_cpus_of_threads(), .numa = {}};
    here.numa = memory_nodes("/sys/devices/system/node", here.cpus);
    return here;
}

}  // namespace heorot
