// How much memory is left, of the machine or of what this process is confined to.
#pragma once

#include <optional>
#include <string>

namespace heorot {

/// Memory [B] that this process can still get: what the kernel calls available, or less if a
/// control group (version 1 or 2) that it belongs to has less left of its limit; what is cached of
/// files counts as left. None where the kernel says nothing. `root` is / but in tests.
std::optional<double> memory_left(const std::string& root = "");

/// Memory [B] that the resource limits of this process (ulimit -v and -d, which batch systems set)
/// leave it. None where there is no such limit. `root` is / but in tests.
std::optional<double> memory_left_to_process(const std::string& root = "");

}  // namespace heorot
