// What is left of memory, in files such as kernels write: by the machine, and by control groups.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/memory_left.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

/// A root of the file system, gone with the object.
class Root {
  public:
    Root() {
        std::string path = (std::filesystem::temp_directory_path() / "heorot_room_XXXXXX").string();
        CHECK(mkdtemp(path.data()) != nullptr);
        path_ = path;
    }
    Root(const Root&) = delete;
    Root& operator=(const Root&) = delete;
    ~Root() { std::filesystem::remove_all(path_); }

    void write(const std::string& file, std::string_view text) const {
        const std::filesystem::path path = path_ + file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    double left() const { return memory_left(path_).value_or(-1.0); }
    double left_to_process() const { return memory_left_to_process(path_).value_or(-1.0); }

  private:
    std::string path_;
};

constexpr std::string_view machine =
    "MemTotal:       24674012 kB\nMemFree:        20000000 kB\nMemAvailable:   1000 kB\n";

void check_machine() {
    const Root root;
    CHECK(root.left() == -1.0);
    root.write("/proc/meminfo", machine);
    CHECK(root.left() == 1024000.0);
    CHECK(memory_left().value_or(0.0) > 1e6);
}

void check_second_version() {
    const Root root;
    root.write("/proc/meminfo", machine);
    root.write("/proc/self/cgroup", "0::/jobs/step\n");
    root.write("/sys/fs/cgroup/jobs/step/memory.max", "max\n");
    root.write("/sys/fs/cgroup/jobs/step/memory.current", "600000\n");
    CHECK(root.left() == 1024000.0);
    // The limit of the group around it; files that are cached can go.
    root.write("/sys/fs/cgroup/jobs/memory.max", "900000\n");
    root.write("/sys/fs/cgroup/jobs/memory.current", "700000\n");
    CHECK(root.left() == 200000.0);
    root.write("/sys/fs/cgroup/jobs/memory.stat", "anon 5\ninactive_file 100000\n");
    CHECK(root.left() == 300000.0);
    root.write("/sys/fs/cgroup/jobs/step/memory.max", "500000\n");
    CHECK(root.left() == 0.0);
}

void check_first_version() {
    const Root root;
    root.write("/proc/meminfo", machine);
    // A container whose path is that of the machine around it.
    root.write("/proc/self/cgroup", "12:cpu,cpuacct:/docker/1\n7:hugetlb,memory:/docker/1\n");
    root.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    root.write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "500\n");
    CHECK(root.left() == 1024000.0);
    root.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2000\n");
    root.write("/sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 50\n");
    CHECK(root.left() == 1550.0);
}

void check_limits_of_process() {
    const Root root;
    CHECK(root.left_to_process() == -1.0);
    root.write("/proc/self/status",
               "VmPeak:     9000 kB\nVmSize:     1000 kB\nVmData:      10 kB\n");
    constexpr std::string_view titles = "Limit           Soft Limit   Hard Limit   Units\n";
    const auto limit_to = [&](std::string_view data, std::string_view address_space) {
        std::string text(titles);
        text.append("Max data size   ").append(data).append("  unlimited   bytes\n");
        text.append("Max address space   ").append(address_space).append("  unlimited   bytes\n");
        root.write("/proc/self/limits", text);
        return root.left_to_process();
    };
    CHECK(limit_to("unlimited", "unlimited") == -1.0);
    CHECK(limit_to("unlimited", "2048000") == 1024000.0);
    CHECK(limit_to("20480", "2048000") == 10240.0);
    CHECK(limit_to("2048000", "1024") == 0.0);
}

}  // namespace

int main() {
    check_machine();
    check_second_version();
    check_first_version();
    check_limits_of_process();
    return tests::result();
}
