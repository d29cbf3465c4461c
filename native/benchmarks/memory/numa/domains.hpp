// The parts of a node that have memory of their own: which there are, and putting pages into one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace heorot::numa {

/// The domain of the CPU that the calling thread is on now.
int domain_of_this_cpu();

/// Domains in whose memory this process may have pages, ascending; only 0 if unknown.
std::vector<int> memory_domains();

/// Has the pages of untouched memory lie in a domain, and nowhere else, when they are first
/// written. False if the system does not permit it.
bool bind_to(std::span<std::byte> memory, int domain);

/// The share of the written pages of `memory` that lie in a domain, of some hundred that are
/// looked at; nothing if unknown.
std::optional<double> share_in(std::span<const std::byte> memory, int domain);

}  // namespace heorot::numa
