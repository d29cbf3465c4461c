// Bytes that the network interfaces of a node carry, as the kernel and the adapters count them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heorot {

/// Traffic of an interface [B].
struct Carried {
    std::string interface;
    std::int64_t sent_bytes = 0;
    std::int64_t received_bytes = 0;
};

/// Of every interface of this host but the loopback, since it came up; `classes` is /sys/class. A
/// port of an adapter that programs use past the kernel (InfiniBand, Omni-Path, RoCE) has a name
/// such as mlx5_0:1 and is counted besides the kernel's interface over it.
std::vector<Carried> carried_so_far(const std::string& classes = "/sys/class");

/// Of the interfaces with traffic between two readings, without those whose counter ran backwards,
/// as after a reset, and new ones.
std::vector<Carried> carried_between(std::span<const Carried> before,
                                     std::span<const Carried> after);

}  // namespace heorot
