// Available memory, of the machine or of this process's control groups.
#pragma once

#include <optional>
#include <string>

namespace heorot {

/// Memory [B] available to this process: MemAvailable of the kernel, or less if the limit of one of
/// its control groups (version 1 or 2) leaves less; the file cache counts as available. None if
/// unknown. `root` is / but in tests.
std::optional<double> memory_left(const std::string& root = "");

/// Memory [B] that the resource limits of this process (ulimit -v and -d, which batch systems set)
/// leave it. None where there is no such limit. `root` is / but in tests.
std::optional<double> memory_left_to_process(const std::string& root = "");

}  // namespace heorot
