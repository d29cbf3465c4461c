// Finding the counters of memory controllers among the kernel's event sources.
#include "harness/measure/counters/memory_events.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>

#include "harness/world/placement.hpp"

namespace heorot {

namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

// Events of drivers that together are all traffic. A processor has one of these sets.
// Source: Linux, arch/x86/events/intel/uncore_snbep.c (servers; the second set from Granite Rapids
// on, whose channels have two parts) and uncore_snb.c (others; the last set before Ice Lake).
constexpr std::array server = {"cas_count_read"sv, "cas_count_write"sv};
constexpr std::array server_in_parts = {"cas_count_read_sch0"sv, "cas_count_read_sch1"sv,
                                        "cas_count_write_sch0"sv, "cas_count_write_sch1"sv};
constexpr std::array client = {"data_read"sv, "data_write"sv};
constexpr std::array early_client = {"data_reads"sv, "data_writes"sv};
constexpr std::array<std::span<const std::string_view>, 4> named_sets = {server, server_in_parts,
                                                                         client, early_client};

// Column commands for reads and for writes, which the drivers of AMD's controllers do not name.
// Source: AMD, Processor Programming Reference for family 19h model 11h, section 8.2.1, as Linux
// has it in tools/perf/pmu-events/arch/x86/amdzen4/: memory-controller.json (umc_cas_cmd.rd and
// .wr) and recommended.json (64 bytes each).
constexpr std::array amd_commands = {"event=0x0a,rdwrmask=0x1"sv, "event=0x0a,rdwrmask=0x2"sv};
constexpr double bytes_per_command = 64.0;

constexpr double bytes_per_mebibyte = 1048576.0;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    std::string text;
    std::getline(stream, text);
    return text;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
    const bool is_hexadecimal = text.starts_with("0x");
    if (is_hexadecimal) text.remove_prefix(2);
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, number, is_hexadecimal ? 16 : 10);
    if (error != std::errc{} || after != end) return std::nullopt;
    return number;
}

/// The event sources whose names begin like that, in the order of their names.
std::vector<fs::path> sources(const fs::path& devices, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator each(devices, error);
    for (; !error && each != fs::directory_iterator(); each.increment(error)) {
        if (each->path().filename().string().starts_with(prefix)) found.push_back(each->path());
    }
    std::ranges::sort(found);
    return found;
}

/// An event such as "event=0x04,umask=0x03"; a term without a value has the value 1.
/// Source: Linux, Documentation/ABI/testing/sysfs-bus-event_source-devices-events.
std::optional<MemoryEvent> encode(std::string_view text, const fs::path& formats) {
    if (text.empty()) return std::nullopt;
    MemoryEvent event;
    while (!text.empty()) {
        const std::string_view term = text.substr(0, text.find(','));
        text.remove_prefix(std::min(term.size() + 1, text.size()));
        const std::string_view name = term.substr(0, term.find('='));
        const auto value = name == term ? std::optional<std::uint64_t>(1)
                                        : number_in(term.substr(name.size() + 1));
        if (!value || !place_bits(*value, text_of(formats / name), event)) return std::nullopt;
    }
    return event;
}

/// Bytes per count of a named event [B]; 0 if unknown.
double bytes_per_count(const fs::path& event) {
    if (text_of(event.string() + ".unit") != "MiB") return 0.0;
    std::ifstream stream(event.string() + ".scale");
    double scale = 0.0;
    return stream >> scale ? scale * bytes_per_mebibyte : 0.0;
}

/// Adds an event of a source on one CPU per socket; returns whether it was understood.
bool add(const fs::path& source, std::string_view text, double bytes,
         std::vector<MemoryEvent>& all) {
    std::optional<MemoryEvent> event = encode(text, source / "format");
    const auto type = number_in(text_of(source / "type"));
    const std::vector<std::int64_t> cpus = parse_cpu_list(text_of(source / "cpumask"));
    if (!event || !type || cpus.empty() || !(bytes > 0.0)) return false;
    event->type = static_cast<std::uint32_t>(*type);
    event->bytes_per_count = bytes;
    for (const std::int64_t cpu : cpus) {
        event->cpu = static_cast<int>(cpu);
        all.push_back(*event);
    }
    return true;
}

std::vector<MemoryEvent> named_events(std::span<const fs::path> controllers,
                                      std::span<const std::string_view> names) {
    std::vector<MemoryEvent> all;
    for (const fs::path& controller : controllers) {
        const auto is_there = [&](std::string_view name) {
            std::error_code error;
            return fs::exists(controller / "events" / name, error);
        };
        if (!std::ranges::all_of(names, is_there)) continue;
        for (const std::string_view name : names) {
            const fs::path event = controller / "events" / name;
            if (!add(controller, text_of(event), bytes_per_count(event), all)) return {};
        }
    }
    return all;
}

}  // namespace

bool place_bits(std::uint64_t value, std::string_view format, MemoryEvent& event) {
    const std::size_t colon = format.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view word = format.substr(0, colon);
    if (word != "config" && word != "config1" && word != "config2") return false;
    std::uint64_t& bits = word == "config"    ? event.config
                          : word == "config1" ? event.config1
                                              : event.config2;
    // Lists of bits are written as those of CPUs are.
    for (const std::int64_t bit : parse_cpu_list(format.substr(colon + 1))) {
        if (bit < 0 || bit > 63) return false;
        bits |= (value & 1U) << static_cast<unsigned>(bit);
        value >>= 1U;
    }
    return value == 0;
}

std::vector<MemoryEvent> memory_events(const std::string& devices) {
    // Memory in the package has controllers of its own, whose events no driver names: what goes
    // through the others is not all.
    if (!sources(devices, "uncore_hbm").empty()) return {};
    const std::vector<fs::path> intel = sources(devices, "uncore_imc");
    for (const std::span<const std::string_view> names : named_sets) {
        std::vector<MemoryEvent> found = named_events(intel, names);
        if (!found.empty()) return found;
    }
    std::vector<MemoryEvent> all;
    for (const fs::path& controller : sources(devices, "amd_umc_")) {
        for (const std::string_view command : amd_commands) {
            if (!add(controller, command, bytes_per_command, all)) return {};
        }
    }
    return all;
}

}  // namespace heorot
