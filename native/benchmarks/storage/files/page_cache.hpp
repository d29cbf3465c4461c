// The page cache of the kernel: how much of a file is in it, and dropping a file from it.
#pragma once

#include <cstddef>
#include <optional>

#include "benchmarks/storage/files/calls.hpp"

namespace heorot::files {

/// The share of an open file of `bytes` > 0 that is in the page cache, from 0 to 1; none if the
/// kernel does not report it (mincore).
std::optional<double> cached_share(const File& file, std::size_t bytes);

/// Asks the kernel to drop an open file from the page cache: it drops clean pages only, so the file
/// is flushed first. File systems in memory keep all.
void drop_from_cache(const File& file, Trouble& trouble);

}  // namespace heorot::files
