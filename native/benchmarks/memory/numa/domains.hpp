// The parts of a node that have memory of their own: which there are, and putting pages into one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace heorot::numa {

/// The domain of the CPU that the calling thread is on now.
int domain_of_this_cpu();

/// Domains in whose memory this process may have pages, ascending; only 0 if nobody says.
std::vector<int> memory_domains();

/// Has the pages of untouched memory lie in a domain, and nowhere else, when they are first
/// written. False if the system does not let this process say so.
bool bind_to(std::span<std::byte> memory, int domain);

/// The share of the written pages of `memory` that lie in a domain, of some hundred that are
/// looked at; nothing if the system does not say.
std::optional<double> share_in(std::span<const std::byte> memory, int domain);

}  // namespace heorot::numa
