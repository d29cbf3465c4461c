// Energy that the processors and memories of a host take, as the kernel's counters have it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heorot {

/// A counter of one package or memory, which begins again at zero behind `range`.
struct EnergyCounter {
    std::string name;
    std::int64_t microjoules = 0;
    std::int64_t range = 0;  ///< 0 if unknown
};

/// Of every package of this host and of its memory (RAPL by the powercap framework), else of
/// sockets by amd_energy (hwmon); `classes` is /sys/class. Empty without readable counters.
std::vector<EnergyCounter> energy_so_far(const std::string& classes = "/sys/class");

/// Energy between two readings [J]; none without counters, or if these have changed.
std::optional<double> energy_between(std::span<const EnergyCounter> before,
                                     std::span<const EnergyCounter> after);

}  // namespace heorot
