// Bytes through the memory controllers: which counters a kernel has, and what they add up to.
//
// The trees below have the texts of real machines as far as those are public; which numbers the
// kernel gives to event sources (type) is its own affair from one start to the next.
#include <fcntl.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/clock.hpp"
#include "harness/measure/counters/memory_counters.hpp"
#include "harness/measure/counters/memory_events.hpp"
#include "harness/world/placement.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

namespace fs = std::filesystem;

/// A folder like /sys/bus/event_source/devices, gone at the end.
class Devices {
  public:
    Devices() { fs::create_directories(root_); }
    ~Devices() { fs::remove_all(root_); }
    Devices(const Devices&) = delete;
    Devices& operator=(const Devices&) = delete;

    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text << '\n';
    }
    void remove(const std::string& file) const { fs::remove_all(root_ / file); }
    std::vector<MemoryEvent> events() const { return memory_events(root_); }

  private:
    fs::path root_ = fs::temp_directory_path() / ("heorot-devices-" + std::to_string(getpid()));
};

/// A controller or channel of Intel's: its number, CPUs, events with their texts.
void make_intel(const Devices& devices, const std::string& name, int type, const std::string& cpus,
                const std::vector<std::pair<std::string, std::string>>& events) {
    devices.write(name + "/type", std::to_string(type));
    devices.write(name + "/cpumask", cpus);
    devices.write(name + "/format/event", "config:0-7");
    devices.write(name + "/format/umask", "config:8-15");
    for (const auto& [event, text] : events) {
        const std::string file = fs::path(name) / "events" / event;
        devices.write(file, text);
        devices.write(file + ".scale", "6.103515625e-5");
        devices.write(file + ".unit", "MiB");
    }
}

/// Two sockets of Skylake with 18 cores and six channels each. cpumask: I. Rogers on
/// linux-kernel, 29 December 2021; formats: Intel's workload-collocation-agent, wca/perf_uncore.py;
/// scale: J. Yao on linux-kernel, 22 October 2020; texts of the events: snbep_uncore_imc_events in
/// Linux, arch/x86/events/intel/uncore_snbep.c.
void make_skylake(const Devices& devices) {
    for (int channel = 0; channel < 6; ++channel) {
        const std::string name = "uncore_imc_" + std::to_string(channel);
        make_intel(devices, name, 13 + channel, "0,18",
                   {{"cas_count_read", "event=0x04,umask=0x03"},
                    {"cas_count_write", "event=0x04,umask=0x0c"}});
        devices.write(name + "/events/clockticks", "event=0xff,umask=0x00");
    }
    make_intel(devices, "uncore_cha_0", 40, "0,18", {});
}

void check_intel_servers() {
    const Devices devices;
    CHECK(devices.events().empty());
    make_skylake(devices);
    const std::vector<MemoryEvent> events = devices.events();
    CHECK(events.size() == 24);
    CHECK(events[0].type == 13 && events[0].config == 0x304 && events[0].cpu == 0);
    CHECK(events[1].type == 13 && events[1].config == 0x304 && events[1].cpu == 18);
    CHECK(events[2].type == 13 && events[2].config == 0xc04 && events[2].cpu == 0);
    CHECK(events[23].type == 18 && events[23].config == 0xc04 && events[23].cpu == 18);
    for (const MemoryEvent& event : events) {
        CHECK(event.bytes_per_count == 64.0 && event.config1 == 0 && event.config2 == 0);
    }
    // What cannot be understood makes all of it unknown.
    devices.write("uncore_imc_3/events/cas_count_write.unit", "furlongs");
    CHECK(devices.events().empty());
    devices.write("uncore_imc_3/events/cas_count_write.unit", "MiB");
    devices.write("uncore_imc_3/events/cas_count_write", "event=0x04,umask=0x100");
    CHECK(devices.events().empty());
    for (const auto* text : {"event=0x04,umask=?", "event=0x04,chnl=0x1", "", ",", "event=0x"}) {
        devices.write("uncore_imc_3/events/cas_count_write", text);
        CHECK(devices.events().empty());
    }
    devices.write("uncore_imc_3/events/cas_count_write", "umask=0x0c,event=4");
    CHECK(devices.events().size() == 24);
    devices.remove("uncore_imc_3/cpumask");
    CHECK(devices.events().empty());
    devices.write("uncore_imc_3/cpumask", "0,18");
    // Xeon Max: controllers of the memory in the package and of that outside.
    devices.write("uncore_hbm_0/type", "99");
    CHECK(devices.events().empty());
}

/// Granite Rapids, whose channels have two parts: gnr_uncore_imc_events in Linux, uncore_snbep.c.
void check_parts_of_channels() {
    const Devices devices;
    make_intel(devices, "uncore_imc_0", 120, "0",
               {{"cas_count_read_sch0", "event=0x05,umask=0xcf"},
                {"cas_count_read_sch1", "event=0x06,umask=0xcf"},
                {"cas_count_write_sch0", "event=0x05,umask=0xf0"},
                {"cas_count_write_sch1", "event=0x06,umask=0xf0"}});
    const std::vector<MemoryEvent> events = devices.events();
    CHECK(events.size() == 4);
    CHECK(events[1].config == 0xcf06 && events[2].config == 0xf005);
}

/// A Tiger Lake laptop with two controllers, as I. Rogers lists them on linux-perf-users; texts of
/// the events: Linux, arch/x86/events/intel/uncore_snb.c, as are those of its elders.
void check_intel_clients() {
    {
        const Devices devices;
        for (int controller = 0; controller < 2; ++controller) {
            const std::string name = "uncore_imc_free_running_" + std::to_string(controller);
            make_intel(devices, name, 20 + controller, "0",
                       {{"data_read", "event=0xff,umask=0x20"},
                        {"data_total", "event=0xff,umask=0x10"},
                        {"data_write", "event=0xff,umask=0x30"}});
        }
        // Later processors have further ones, without names of events.
        make_intel(devices, "uncore_imc_0", 22, "0", {});
        const std::vector<MemoryEvent> events = devices.events();
        CHECK(events.size() == 4);
        CHECK(events[0].config == 0x20ff && events[1].config == 0x30ff);
    }
    const Devices devices;
    make_intel(devices, "uncore_imc", 9, "0",
               {{"data_reads", "event=0x01"}, {"data_writes", "event=0x02"}});
    const std::vector<MemoryEvent> events = devices.events();
    CHECK(events.size() == 2);
    CHECK(events[0].config == 1 && events[1].config == 2);
}

/// Two sockets of Genoa with 96 cores and six controllers in use each. Names and cpumask: S. Das on
/// linux-kernel, 19 July 2023 (the driver's own introduction); formats, and what the events become
/// (0x10a, 0x20a): E. Cerullo et al., README of Cache-aware chunking, 2026, on 96 cores of Zen 4.
void check_amd() {
    const Devices devices;
    for (int controller = 0; controller < 12; ++controller) {
        const std::string name = "amd_umc_" + std::to_string(controller);
        devices.write(name + "/type", std::to_string(18 + controller));
        devices.write(name + "/cpumask", controller < 6 ? "0" : "96");
        devices.write(name + "/format/event", "config:0-7");
        devices.write(name + "/format/rdwrmask", "config:8-9");
    }
    devices.write("amd_df/type", "15");
    std::vector<MemoryEvent> events = devices.events();
    CHECK(events.size() == 24);
    std::ranges::sort(events, {},
                      [](const MemoryEvent& event) { return std::pair(event.type, event.config); });
    CHECK(events[0].type == 18 && events[0].config == 0x10a && events[0].cpu == 0);
    CHECK(events[1].type == 18 && events[1].config == 0x20a && events[1].cpu == 0);
    CHECK(events[12].type == 24 && events[12].config == 0x10a && events[12].cpu == 96);
    CHECK(events[23].type == 29 && events[23].config == 0x20a && events[23].cpu == 96);
    for (const MemoryEvent& event : events) CHECK(event.bytes_per_count == 64.0);
    devices.remove("amd_umc_7/format/rdwrmask");
    CHECK(devices.events().empty());
}

void check_bits() {
    MemoryEvent event;
    // The example of the kernel's documentation.
    CHECK(place_bits(0b1000011, "config1:1,6-10,44", event));
    CHECK(event.config1 == ((1ULL << 1U) | (1ULL << 6U) | (1ULL << 44U)));
    CHECK(event.config == 0 && event.config2 == 0);
    // Masks of Sapphire Rapids.
    CHECK(place_bits(0xc816fe01, "config:8-15,32-55", event));
    CHECK(event.config == 0x00c816fe'00000100);
    CHECK(place_bits(1, "config2:63", event) && event.config2 == 1ULL << 63U);
    for (const auto* format : {"", "config", "config:", "config3:0-7", "config:60-67", "0-7"}) {
        CHECK(!place_bits(0xff, format, event));
    }
    CHECK(!place_bits(0x100, "config:0-7", event));
}

void check_sums() {
    const std::vector<MemoryCount> before = {{64.0, 100, 5'000, 5'000}, {32.0, 7, 5'000, 2'000}};
    // The second one was counted for a quarter of the time.
    const std::vector<MemoryCount> after = {{64.0, 110, 9'000, 9'000}, {32.0, 9, 9'000, 3'000}};
    CHECK(memory_bytes_between(before, after) == 64.0 * 10 + 32.0 * 2 * 4);
    CHECK(memory_bytes_between(before, std::span(after).first(1)) == std::nullopt);
    CHECK(memory_bytes_between({}, {}) == std::nullopt);
    // One that did not count, one that was set back.
    const std::vector<MemoryCount> idle = {{64.0, 110, 9'000, 9'000}, {32.0, 7, 9'000, 2'000}};
    const std::vector<MemoryCount> back = {{64.0, 99, 9'000, 9'000}, {32.0, 9, 9'000, 3'000}};
    CHECK(memory_bytes_between(before, idle) == std::nullopt);
    CHECK(memory_bytes_between(before, back) == std::nullopt);
    const std::vector<MemoryCount> same = {{64.0, 100, 9'000, 9'000}};
    CHECK(memory_bytes_between(std::span(before).first(1), same) == 0.0);
}

/// Descriptors of this process, and how many of them other programs would inherit.
std::pair<int, int> n_descriptors() {
    std::pair<int, int> found = {0, 0};
    for (const fs::directory_entry& each : fs::directory_iterator("/proc/self/fd")) {
        const int flags = fcntl(std::stoi(each.path().filename()), F_GETFD);
        if (flags >= 0) ++found.first;
        if (flags >= 0 && (flags & FD_CLOEXEC) == 0) ++found.second;
    }
    return found;
}

/// A clock of the kernel's own that every machine has: a count is a nanosecond.
MemoryEvent clock_event() {
    MemoryEvent event;
    event.type = PERF_TYPE_SOFTWARE;
    event.config = PERF_COUNT_SW_CPU_CLOCK;
    event.cpu = static_cast<int>(placement_of_this_process().cpus.front());
    event.bytes_per_count = 2.0;
    return event;
}

void check_opening() {
    const std::pair<int, int> none = n_descriptors();
    CHECK(MemoryCounters({}).so_far().empty());
    MemoryEvent unknown = clock_event();
    unknown.type = 0x7fffffff;
    {
        // The kernel knows one and not the other: neither is open.
        const std::vector<MemoryEvent> events = {clock_event(), clock_event(), unknown};
        const MemoryCounters counters(events);
        CHECK(counters.so_far().empty() && n_descriptors() == none);
    }
    {
        const std::vector<MemoryEvent> events = {clock_event(), clock_event()};
        const MemoryCounters counters(events);
        const Clock clock(Clock::Kind::monotonic);
        const double first = clock.now();
        const std::vector<MemoryCount> before = counters.so_far();
        const double start = clock.now();
        while (clock.now() < start + 0.02) {
        }
        const double end = clock.now();
        const std::vector<MemoryCount> after = counters.so_far();
        const double last = clock.now();
        // This needs a kernel that permits counters of whole hosts.
        const bool is_allowed = !before.empty();
        if (!is_allowed) std::fprintf(stderr, "no counters of whole hosts are permitted here\n");
        CHECK(n_descriptors() == std::pair(none.first + (is_allowed ? 2 : 0), none.second));
        const std::optional<double> bytes = memory_bytes_between(before, after);
        CHECK(bytes.has_value() == is_allowed);
        // Two counters of two bytes for every nanosecond.
        CHECK(!bytes ||
              (*bytes > 0.95 * 4e9 * (end - start) && *bytes < 1.05 * 4e9 * (last - first)));
    }
    CHECK(n_descriptors() == none);
}

}  // namespace

int main() {
    check_intel_servers();
    check_parts_of_channels();
    check_intel_clients();
    check_amd();
    check_bits();
    check_sums();
    check_opening();
    return tests::result();
}
