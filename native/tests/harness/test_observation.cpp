// What is read from the kernel: CPU lists, memory nodes, host time, usage; and the sentinel.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/measure/disturbance.hpp"
#include "harness/world/placement.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

using Numbers = std::vector<std::int64_t>;

void check_cpu_lists() {
    CHECK((parse_cpu_list("0-3,8,10-11\n") == Numbers{0, 1, 2, 3, 8, 10, 11}));
    CHECK((parse_cpu_list("5") == Numbers{5}));
    CHECK(parse_cpu_list("").empty());
    CHECK(parse_cpu_list("\n").empty());
}

void check_memory_nodes() {
    namespace fs = std::filesystem;
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

void check_host_time() {
    // First line of /proc/stat of a virtual machine, Linux 6.18.
    std::istringstream stat("cpu  68519 0 16042 240925 1843 0 1050 317 0 0\ncpu0 1 2 3\n");
    const HostTime time = parse_host_time(stat, 0.01);
    CHECK(std::abs(time.busy_seconds - 856.11) < 1e-9);
    CHECK(std::abs(time.steal_seconds - 3.17) < 1e-9);
    std::istringstream nothing;
    CHECK(parse_host_time(nothing, 0.01).busy_seconds == 0.0);
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
    // Work of our own is not a disturbance by others.
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
}

}  // namespace

int main() {
    check_cpu_lists();
    check_memory_nodes();
    check_host_time();
    check_this_process();
    check_observer();
    return tests::result();
}
