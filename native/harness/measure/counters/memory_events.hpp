// Events of a host's memory controllers, as the kernel describes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heorot {

/// An event for perf_event_open(2) on one CPU, and the bytes per count.
struct MemoryEvent {
    std::uint32_t type = 0;
    std::uint64_t config = 0;
    std::uint64_t config1 = 0;
    std::uint64_t config2 = 0;
    int cpu = 0;
    double bytes_per_count = 0.0;
};

/// All events that together count reads and writes of the memory of this host: one for each
/// controller (on AMD's processors) or channel (on Intel's), direction and socket. Empty if the
/// kernel names none, or if one of them is not understood, since a part would be too little.
/// `devices` is /sys/bus/event_source/devices.
std::vector<MemoryEvent> memory_events(
    const std::string& devices = "/sys/bus/event_source/devices");

/// Puts the bits of a value, the lowest first, where a text like "config:8-15,32-55" wants them;
/// whether it was understood and they all have a place.
/// Source: Linux, Documentation/ABI/testing/sysfs-bus-event_source-devices-format.
bool place_bits(std::uint64_t value, std::string_view format, MemoryEvent& event);

}  // namespace heorot
