// Reading energy counters.
#include "harness/measure/energy.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace heorot {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    std::string text;
    std::getline(stream, text);
    return text;
}

std::optional<std::int64_t> number_of(const fs::path& file) {
    std::ifstream stream(file);
    std::int64_t value = 0;
    if (stream >> value && value >= 0) return value;
    return std::nullopt;
}

/// The folders in a folder, in the order of their names; none of one that cannot be read.
std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator each(folder, error);
    for (; !error && each != fs::directory_iterator(); each.increment(error)) {
        found.push_back(each->path());
    }
    std::ranges::sort(found);
    return found;
}

void look_at(std::vector<EnergyCounter>& all, const std::string& name, const fs::path& zone) {
    const auto value = number_of(zone / "energy_uj");
    if (value) all.push_back({name, *value, number_of(zone / "max_energy_range_uj").value_or(0)});
}

/// Packages, and memories, which are no part of their packages' counters; not what counts them all
/// once more (psys), nor parts of a package (core, uncore).
std::vector<EnergyCounter> of_packages(const fs::path& powercap) {
    std::vector<EnergyCounter> all;
    for (const fs::path& zone : folders_in(powercap)) {
        // Such as intel-rapl:0 and intel-rapl:0:2; AMD's processors have the same names.
        if (!zone.filename().string().starts_with("intel-rapl:")) continue;
        const std::string name = text_of(zone / "name");
        const bool is_memory = name == "dram";
        if (!is_memory && !name.starts_with("package-")) continue;
        look_at(all, zone.filename().string(), zone);
    }
    return all;
}

std::vector<EnergyCounter> of_sockets(const fs::path& hwmon) {
    std::vector<EnergyCounter> all;
    for (const fs::path& device : folders_in(hwmon)) {
        if (text_of(device / "name") != "amd_energy") continue;
        for (const fs::path& file : folders_in(device)) {
            const std::string label = file.filename().string();
            if (!label.ends_with("_label") || !text_of(file).starts_with("Esocket")) continue;
            const std::string input = label.substr(0, label.size() - 5) + "input";
            const auto value = number_of(device / input);
            if (value) all.push_back({text_of(file), *value, 0});
        }
    }
    return all;
}

}  // namespace

std::vector<EnergyCounter> energy_so_far(const std::string& classes) {
    std::vector<EnergyCounter> all = of_packages(fs::path(classes) / "powercap");
    return all.empty() ? of_sockets(fs::path(classes) / "hwmon") : all;
}

std::optional<double> energy_between(std::span<const EnergyCounter> before,
                                     std::span<const EnergyCounter> after) {
    if (after.empty() || before.size() != after.size()) return std::nullopt;
    double microjoules = 0.0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (before[i].name != after[i].name) return std::nullopt;
        std::int64_t more = after[i].microjoules - before[i].microjoules;
        if (more < 0) more += after[i].range;
        if (more < 0) return std::nullopt;
        microjoules += static_cast<double>(more);
    }
    return 1e-6 * microjoules;
}

}  // namespace heorot
