// Tests of the columns of a node, on trees as the kernel has them.
#include <filesystem>
#include <map>
#include <string>

#include "monitor/node.hpp"
#include "tests/monitor/folder.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::monitor;

namespace {

/// Numbers of a sample by their columns.
std::map<std::string, std::string, std::less<>> sample_of(Node& node) {
    std::string line;
    node.sample(line);
    std::string_view columns = node.columns();
    std::string_view numbers = line;
    std::map<std::string, std::string, std::less<>> sample;
    while (!columns.empty()) {
        const std::string name(take_word(columns));
        CHECK(sample.emplace(name, take_word(numbers)).second);
    }
    CHECK(numbers.empty());
    return sample;
}

void copy_captured(const tests::Folder& folder, const std::filesystem::path& captured) {
    for (const auto& [from, to] : std::map<std::string, std::string>{{"stat", "stat"},
                                                                     {"loadavg", "loadavg"},
                                                                     {"meminfo", "meminfo"},
                                                                     {"vmstat", "vmstat"},
                                                                     {"diskstats", "diskstats"},
                                                                     {"interfaces", "net/dev"}}) {
        folder.write("proc/" + to, tests::Folder::text_of(captured / from));
    }
}

void check_whole_node(const std::filesystem::path& captured) {
    const tests::Folder folder("node");
    copy_captured(folder, captured);
    folder.write("sys/class/net/eth0/device", "");
    folder.write("sys/block/vda/device", "");
    Node node(folder.path("proc"), folder.path("sys"));
    auto sample = sample_of(node);
    CHECK(sample["user"] == "136545" && sample["steal"] == "190" && sample["io_wait"] == "850");
    CHECK(sample["busy:1"] == std::to_string(70859 + 24186 + 655) && sample["steal:1"] == "95");
    CHECK(sample["load_1"] == "8.99" && sample["running"] == "14");
    CHECK(sample["mem_total_kib"] == "24684084" && sample["swap_free_kib"] == "0");
    CHECK(sample["mem_available_kib"] == "24115968" && sample["paged_out_kib"] == "4072484");
    CHECK(sample["disk_read_bytes"] == std::to_string(512LL * 9759442));
    CHECK(sample["disk_busy_ms"] == "16816");
    CHECK(sample["rx_bytes:eth0"] == "576204806" && sample["tx_packets:eth0"] == "7430");
    CHECK(!sample.contains("rx_bytes:ifb0"));

    // Files are read anew; new and removed devices change the columns.
    folder.write("proc/loadavg", "0.50 0.25 0.10 1/2 3\n");
    folder.write("proc/net/dev", "eth0: 1 2 3 4 5 6 7 8 9 10 11 12\neth1: 5\n");
    folder.write("sys/class/net/eth1/device", "");
    sample = sample_of(node);
    CHECK(sample["load_1"] == "0.50" && sample["load_5"] == "0.25");
    CHECK(sample["rx_drops:eth0"] == "4" && sample["tx_errors:eth0"] == "11");
    CHECK(sample["rx_bytes:eth1"] == "5");
}

void check_virtual_node(const std::filesystem::path& captured) {
    const tests::Folder folder("node");
    copy_captured(folder, captured);
    folder.write("proc/diskstats",
                 "7 0 loop0 1 0 100 0 1 0 100 0 0 1 0\n8 0 sda 1 0 10 0 1 0 20 0 0 7 0\n"
                 "9 0 md0 1 0 10 0 1 0 20 0 0 7 0\n");
    Node node(folder.path("proc"), folder.path("sys"));
    auto sample = sample_of(node);
    // Without an adapter, every interface counts; without a real disk, all but those of files.
    CHECK(sample["rx_bytes:ifb0"] == "0" && sample["rx_bytes:eth0"] == "576204806");
    CHECK(sample["disk_read_bytes"] == "5120" && sample["disk_written_bytes"] == "10240");
}

void check_ports() {
    const tests::Folder folder("node");
    const std::string port = "sys/class/infiniband/mlx5_0/ports/1/counters/";
    folder.write(port + "port_rcv_data", "100\n");
    folder.write(port + "port_xmit_data", "25\n");
    folder.write(port + "port_rcv_packets", "7\n");
    folder.write(port + "port_xmit_discards", "3\n");
    Node node(folder.path("proc"), folder.path("sys"));
    auto sample = sample_of(node);
    CHECK(sample["rx_bytes:mlx5_0/1"] == "400" && sample["tx_bytes:mlx5_0/1"] == "100");
    CHECK(sample["rx_packets:mlx5_0/1"] == "7" && sample["tx_drops:mlx5_0/1"] == "3");
    CHECK(sample["rx_errors:mlx5_0/1"] == "0" && sample["mem_total_kib"] == "0");
    folder.write(port + "port_rcv_data", "101\n");
    CHECK(sample_of(node)["rx_bytes:mlx5_0/1"] == "404");
}

}  // namespace

int main(int, char** argv) {
    const std::filesystem::path captured = argv[1];
    check_whole_node(captured);
    check_virtual_node(captured);
    check_ports();
    return tests::result();
}
