// Tests of facts from the kernel (CPU lists, memory nodes, host time, usage, network interfaces)
// and of the reference probe.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "harness/measure/disturbance.hpp"
#include "harness/measure/energy.hpp"
#include "harness/measure/traffic.hpp"
#include "harness/measure/waiting.hpp"
#include "harness/world/placement.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

namespace fs = std::filesystem;

using Numbers = std::vector<std::int64_t>;

void check_cpu_lists() {
    CHECK((parse_cpu_list("0-3,8,10-11\n") == Numbers{0, 1, 2, 3, 8, 10, 11}));
    CHECK((parse_cpu_list("5") == Numbers{5}));
    CHECK(parse_cpu_list("").empty());
    CHECK(parse_cpu_list("\n").empty());
}

void check_memory_nodes() {
    const fs::path root = fs::temp_directory_path() / ("heorot-nodes-" + std::to_string(getpid()));
    for (const auto* node : {"node0", "node1", "node10", "nodelist"}) {
        fs::create_directories(root / node);
    }
    std::ofstream(root / "node0/cpulist") << "0-3\n";
    std::ofstream(root / "node1/cpulist") << "4-7\n";
    std::ofstream(root / "node10/cpulist") << "8-11\n";
    CHECK((memory_nodes(root, {9, 2}) == Numbers{0, 10}));
    CHECK((memory_nodes(root, {4}) == Numbers{1}));
    fs::remove_all(root);
    CHECK(memory_nodes(root, {4}).empty());
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
}

/// An interface of the kernel's, as its folder has it.
void make_interface(const fs::path& classes, const std::string& name, const std::string& sent,
                    const std::string& received) {
    write(classes / "net" / name / "statistics/tx_bytes", sent);
    write(classes / "net" / name / "statistics/rx_bytes", received);
}

void check_counters() {
    const fs::path classes =
        fs::temp_directory_path() / ("heorot-traffic-" + std::to_string(getpid()));
    CHECK(carried_so_far(classes).empty());
    make_interface(classes, "lo", "5", "5");
    make_interface(classes, "eth0", "5000000000", "7");
    write(classes / "net/bonding_masters", "");  // a file among the folders
    const fs::path port = classes / "infiniband/mlx5_0/ports/2/counters";
    write(port / "port_xmit_data", "25");
    write(port / "port_rcv_data", "250");
    // The text of an adapter without counters of its own.
    const fs::path silent = classes / "infiniband/mlx5_1/ports/1/counters";
    write(silent / "port_xmit_data", "N/A (no PMA)");
    write(silent / "port_rcv_data", "N/A (no PMA)");
    std::vector<Carried> found = carried_so_far(classes);
    fs::remove_all(classes);
    std::ranges::sort(found, {}, &Carried::interface);
    CHECK(found.size() == 2);
    CHECK(found[0].interface == "eth0" && found[0].sent_bytes == 5'000'000'000);
    CHECK(found[0].received_bytes == 7);
    CHECK(found[1].interface == "mlx5_0:2" && found[1].sent_bytes == 100);
    CHECK(found[1].received_bytes == 1000);
}

void check_differences() {
    const std::vector<Carried> before = {
        {"idle", 5, 6}, {"eth0", 10, 20}, {"reset", 100, 100}, {"gone", 1, 1}};
    const std::vector<Carried> after = {
        {"eth0", 11, 25}, {"idle", 5, 6}, {"reset", 3, 200}, {"new", 9, 9}};
    const std::vector<Carried> between = carried_between(before, after);
    CHECK(between.size() == 1);
    CHECK(between[0].interface == "eth0" && between[0].sent_bytes == 1);
    CHECK(between[0].received_bytes == 5);
}

void check_host_time() {
    // First line of /proc/stat of a virtual machine, Linux 6.18.
    std::istringstream stat("cpu  68519 0 16042 240925 1843 0 1050 317 0 0\ncpu0 1 2 3\n");
    const HostTime time = parse_host_time(stat, 0.01);
    CHECK(std::abs(time.busy_seconds - 856.11) < 1e-9);
    CHECK(std::abs(time.steal_seconds - 3.17) < 1e-9);
    std::istringstream nothing;
    CHECK(parse_host_time(nothing, 0.01).busy_seconds == 0.0);
}

void check_waiting() {
    // Linux 6.18: nanoseconds on a core, nanoseconds waited for one, times on a core.
    CHECK(parse_waiting("379341 6980312 4\n") == 1e-9 * 6980312);
    CHECK(parse_waiting("0 0 0\n") == 0.0);
    for (const auto* text :
         {"", "17", "17 ", "17 x 4", "17 -3 4", "17 99999999999999999999 4", "1 2"}) {
        CHECK(!parse_waiting(text).has_value());
    }
}

/// A zone of the powercap framework: its name, its counter, where that begins again.
void make_zone(const fs::path& classes, const std::string& zone, const std::string& name,
               const std::string& microjoules) {
    const fs::path folder = classes / "powercap" / zone;
    write(folder / "name", name);
    write(folder / "energy_uj", microjoules);
    write(folder / "max_energy_range_uj", "262143328850");
}

void check_energy_counters() {
    const fs::path classes =
        fs::temp_directory_path() / ("heorot-energy-" + std::to_string(getpid()));
    CHECK(energy_so_far(classes).empty());
    // amd_energy of Linux 5.10 to 5.13: cores, which are parts of sockets, and sockets.
    const fs::path sensors = classes / "hwmon/hwmon2";
    write(sensors / "name", "amd_energy");
    for (const auto& [number, label] : {std::pair{"1", "Ecore000"}, {"65", "Esocket0"}}) {
        write(sensors / ("energy" + std::string(number) + "_label"), label);
        write(sensors / ("energy" + std::string(number) + "_input"), "5000" + std::string(number));
    }
    std::vector<EnergyCounter> found = energy_so_far(classes);
    CHECK(found.size() == 1 && found[0].name == "Esocket0" && found[0].microjoules == 500065);
    // As on two sockets of Ice Lake, Linux 5.14; the zones of the whole system and of parts of a
    // package do not count.
    make_zone(classes, "intel-rapl:0", "package-0", "200000000000");
    make_zone(classes, "intel-rapl:0:0", "core", "7");
    make_zone(classes, "intel-rapl:0:1", "dram", "1000000");
    make_zone(classes, "intel-rapl:1", "package-1", "5");
    make_zone(classes, "intel-rapl:2", "psys", "9");
    make_zone(classes, "intel-rapl-mmio:0", "package-0", "200000000000");
    write(classes / "powercap/intel-rapl/enabled", "1");
    found = energy_so_far(classes);
    CHECK(found.size() == 3);
    CHECK(found[0].name == "intel-rapl:0" && found[0].microjoules == 200'000'000'000);
    CHECK(found[1].name == "intel-rapl:0:1" && found[2].name == "intel-rapl:1");
    CHECK(found[2].range == 262'143'328'850);
    fs::remove_all(classes);
}

void check_energy() {
    const std::vector<EnergyCounter> before = {{"a", 900, 1000}, {"b", 5, 1000}};
    const std::vector<EnergyCounter> after = {{"a", 950, 1000}, {"b", 8, 1000}};
    CHECK(std::abs(energy_between(before, after).value_or(0.0) - 53e-6) < 1e-15);
    // A counter that began again.
    const std::vector<EnergyCounter> again = {{"a", 100, 1000}, {"b", 5, 1000}};
    CHECK(std::abs(energy_between(before, again).value_or(0.0) - 200e-6) < 1e-15);
    // One that was set back, others than before, none.
    const std::vector<EnergyCounter> reset = {{"a", 100, 0}, {"b", 5, 0}};
    const std::vector<EnergyCounter> other = {{"a", 950, 1000}, {"c", 8, 1000}};
    CHECK(!energy_between(before, reset) && !energy_between(before, other));
    CHECK(!energy_between(before, std::span(after).first(1)) && !energy_between({}, {}));
}

/// This thread and another one want the same core for 0.3 s: each waits while the other one runs.
void share_one_core() {
    cpu_set_t all_cores;
    CPU_ZERO(&all_cores);
    sched_getaffinity(0, sizeof all_cores, &all_cores);
    cpu_set_t one_core;
    CPU_ZERO(&one_core);
    CPU_SET(static_cast<std::size_t>(placement_of_this_process().cpus.front()), &one_core);
    const Clock clock(Clock::Kind::monotonic);
    const double end = clock.now() + 0.3;
    const auto spin = [&] {
        sched_setaffinity(0, sizeof one_core, &one_core);
        while (clock.now() < end) {
        }
    };
    std::thread other(spin);
    spin();
    other.join();
    sched_setaffinity(0, sizeof all_cores, &all_cores);
}

void check_waiting_threads(Observer& observer) {
    if (!Waiting().seconds_so_far()) return;  // a kernel that keeps no such account
    const Observer::Window shared = observer.open();
    share_one_core();
    const double waited = observer.close(shared).waited_seconds.value_or(-1.0);
    CHECK(waited > 0.1);
    const Observer::Window at_once = observer.open();
    const double then = observer.close(at_once).waited_seconds.value_or(-1.0);
    CHECK(then >= 0.0 && then < 0.5 * waited);
    // A thread that began after the first look is looked at as well.
    Waiting waiting;
    const double before = waiting.seconds_so_far().value_or(0.0);
    double of_both = 0.0;
    std::thread late([&] {
        share_one_core();
        of_both = waiting.seconds_so_far().value_or(0.0) - before;
    });
    late.join();
    CHECK(of_both > 0.1);
}

void check_this_process() {
    const Placement here = placement_of_this_process();
    CHECK(!here.host.empty());
    CHECK(here.pid == getpid());
    CHECK(!here.cpus.empty());
    CHECK(std::is_sorted(here.cpus.begin(), here.cpus.end()));
    const Usage usage = usage_so_far();
    CHECK(usage.peak_memory_bytes > 500'000);
    CHECK(usage.user_seconds + usage.system_seconds > 0.0);
    CHECK(host_time_so_far().busy_seconds > 0.0);
}

void check_observer() {
    World world;
    world.start();
    const Clock clock(Clock::Kind::monotonic);
    Sentinel sentinel(clock, true);
    for (int i = 0; i < 3; ++i) {
        const double slowdown = sentinel.slowdown();
        CHECK(slowdown >= 1.0 && slowdown < 1e4);
    }
    Observer observer(world, clock);
    const Observer::Window window = observer.open();
    const Disturbance at_once = observer.close(window);
    CHECK(!at_once.other_cpu_seconds);
    CHECK(at_once.sentinel_before == at_once.sentinel_after);
    check_waiting_threads(observer);
    // The program's own work does not count as noise.
    const double busy_before = host_time_so_far().busy_seconds;
    const Observer::Window busy = observer.open();
    double own_seconds = 0.0;
    while (clock.now() < 0.3 + busy.start_seconds || own_seconds < 0.2) {
        const Usage usage = usage_so_far();
        own_seconds = usage.user_seconds + usage.system_seconds - busy.usage.user_seconds -
                      busy.usage.system_seconds;
    }
    const Disturbance later = observer.close(busy);
    const double busy_seconds = host_time_so_far().busy_seconds - busy_before;
    CHECK(later.window_seconds >= 0.3);
    CHECK(later.other_cpu_seconds.has_value());
    CHECK(later.other_cpu_seconds.value_or(-1.0) >= 0.0);
    // The kernel counts ticks of 10 ms.
    CHECK(later.other_cpu_seconds.value_or(1e9) <= busy_seconds - own_seconds + 0.05);
    CHECK(later.involuntary_switches >= 0);
    world.finish();
    World::leave();
}

}  // namespace

int main() {
    check_cpu_lists();
    check_memory_nodes();
    check_counters();
    check_differences();
    check_host_time();
    check_waiting();
    check_energy_counters();
    check_energy();
    check_this_process();
    check_observer();
    return tests::result();
}
