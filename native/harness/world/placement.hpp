// Where a process may run: host, CPUs and memory nodes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heorot {

struct Placement {
    std::string host;
    std::int64_t pid = 0;
    std::vector<std::int64_t> cpus;  ///< that the kernel allows its threads
    std::vector<std::int64_t> numa;  ///< memory nodes of these CPUs
};

/// The placement of this process, as the kernel reports it.
Placement placement_of_this_process();

/// Numbers of a kernel list such as "0-3,8,10-11".
std::vector<std::int64_t> parse_cpu_list(std::string_view list);

/// Memory nodes below `root` (/sys/devices/system/node) that hold any of these CPUs.
std::vector<std::int64_t> memory_nodes(const std::string& root,
                                       const std::vector<std::int64_t>& cpus);

}  // namespace heorot
