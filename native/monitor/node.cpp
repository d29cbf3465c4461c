// Reads the activity of a whole node.
#include "monitor/node.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace heorot::monitor {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> memory_keys = {
    "MemTotal", "MemFree", "MemAvailable", "Buffers", "Cached", "SwapTotal", "SwapFree"};
constexpr std::array<std::string_view, 7> memory_columns = {
    "mem_total_kib",  "mem_free_kib",   "mem_available_kib", "mem_buffers_kib",
    "mem_cached_kib", "swap_total_kib", "swap_free_kib"};
constexpr std::array<std::string_view, 6> paging_keys = {"pgpgin",  "pgpgout",    "pswpin",
                                                         "pswpout", "pgmajfault", "oom_kill"};
constexpr std::array<std::string_view, 6> paging_columns = {
    "paged_in_kib",      "paged_out_kib", "swapped_in_pages",
    "swapped_out_pages", "major_faults",  "out_of_memory_kills"};

// In the order of Traffic::names.
constexpr std::array<const char*, Traffic::n_counters> port_files = {
    "port_rcv_data",  "port_rcv_packets",  "port_rcv_errors", "port_rcv_switch_relay_errors",
    "port_xmit_data", "port_xmit_packets", "symbol_error",    "port_xmit_discards"};
constexpr Number port_word_bytes = 4;  // counters of data count words of InfiniBand

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        found.push_back(entry->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

}  // namespace

Node::Node(const std::string& proc, std::string sys)
    : sys_(std::move(sys)),
      stat_file_(proc + "/stat"),
      load_file_(proc + "/loadavg"),
      memory_file_(proc + "/meminfo"),
      paging_file_(proc + "/vmstat"),
      network_file_(proc + "/net/dev"),
      disks_file_(proc + "/diskstats") {
    find_ports();
    find_disks();
}

void Node::find_ports() {
    for (const fs::path& adapter : folders_in(fs::path(sys_) / "class/infiniband")) {
        for (const fs::path& number : folders_in(adapter / "ports")) {
            Port port;
            port.name = adapter.filename().string() + '/' + number.filename().string();
            for (const char* file : port_files) port.files.emplace_back(number / "counters" / file);
            ports_.push_back(std::move(port));
        }
    }
}

void Node::find_disks() {
    for (const fs::path& disk : folders_in(fs::path(sys_) / "block")) {
        if (is_there(disk / "device")) disks_.push_back(disk.filename());
    }
}

void Node::put(std::string& line, std::string_view column, Number number) {
    std::array<char, 24> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    put(line, column,
        std::string_view(digits.data(), static_cast<std::size_t>(written.ptr - digits.data())));
}

void Node::put(std::string& line, std::string_view column, std::string_view number) {
    columns_ += ' ';
    columns_ += column;
    line += ' ';
    line += number;
}

void Node::sample(std::string& line) {
    columns_.clear();
    put_processors(line);
    put_memory(line);
    put_disks(line);
    put_network(line);
    put_ports(line);
}

void Node::put_processors(std::string& line) {
    parse_stat(stat_file_.read(buffer_), stat_);
    put(line, "user", stat_.all.user);
    put(line, "system", stat_.all.system);
    put(line, "idle", stat_.all.idle);
    put(line, "io_wait", stat_.all.io_wait);
    put(line, "steal", stat_.all.steal);
    put(line, "switches", stat_.switches);
    put(line, "running", stat_.running);
    put(line, "blocked", stat_.blocked);
    const auto load = parse_load(load_file_.read(buffer_));
    put(line, "load_1", load[0]);
    put(line, "load_5", load[1]);
    for (std::size_t i = 0; i < stat_.cpus.size(); ++i) {
        const std::string number = std::to_string(stat_.cpus[i]);
        put(line, "busy:" + number, stat_.each[i].busy());
        put(line, "steal:" + number, stat_.each[i].steal);
    }
}

void Node::put_memory(std::string& line) {
    std::array<Number, memory_keys.size()> memory{};
    parse_keys(memory_file_.read(buffer_), memory_keys, memory);
    for (std::size_t i = 0; i < memory.size(); ++i) put(line, memory_columns[i], memory[i]);
    std::array<Number, paging_keys.size()> paging{};
    parse_keys(paging_file_.read(buffer_), paging_keys, paging);
    for (std::size_t i = 0; i < paging.size(); ++i) put(line, paging_columns[i], paging[i]);
}

void Node::put_traffic(std::string& line, const Traffic& traffic) {
    std::string column;
    for (std::size_t i = 0; i < Traffic::n_counters; ++i) {
        column.assign(Traffic::names[i]).append(":").append(traffic.name);
        put(line, column, traffic.counters[i]);
    }
}

void Node::put_network(std::string& line) {
    const std::vector<Traffic> found = parse_interfaces(network_file_.read(buffer_));
    const auto same_name = [](const Traffic& traffic, const std::string& name) {
        return traffic.name == name;
    };
    if (!std::equal(found.begin(), found.end(), interfaces_.begin(), interfaces_.end(),
                    same_name)) {
        interfaces_.clear();
        for (const Traffic& traffic : found) interfaces_.push_back(traffic.name);
        physical_.clear();
        for (const std::string& name : interfaces_) {
            if (is_physical(name)) physical_.push_back(name);
        }
        // Bridges and the like count again what passes an adapter; where there is none, they are
        // all there is.
        if (physical_.empty()) physical_ = interfaces_;
    }
    for (const Traffic& traffic : found) {
        if (std::find(physical_.begin(), physical_.end(), traffic.name) != physical_.end()) {
            put_traffic(line, traffic);
        }
    }
}

bool Node::is_physical(const std::string& interface) {
    return is_there(fs::path(sys_) / "class/net" / interface / "device");
}

void Node::put_ports(std::string& line) {
    for (const Port& port : ports_) {
        Traffic traffic;
        traffic.name = port.name;
        for (std::size_t i = 0; i < Traffic::n_counters; ++i) {
            std::string_view text = port.files[i].read(buffer_);
            traffic.counters[i] = take_number(text);
            if (Traffic::names[i].ends_with("bytes")) traffic.counters[i] *= port_word_bytes;
        }
        put_traffic(line, traffic);
    }
}

void Node::put_disks(std::string& line) {
    Disk all;
    for (const Disk& disk : parse_disks(disks_file_.read(buffer_))) {
        const bool is_virtual = disk.name.starts_with("loop") || disk.name.starts_with("ram") ||
                                disk.name.starts_with("zram") || disk.name.starts_with("dm-") ||
                                disk.name.starts_with("md");
        const bool counts =
            disks_.empty() ? !is_virtual
                           : std::find(disks_.begin(), disks_.end(), disk.name) != disks_.end();
        if (!counts) continue;
        all.read_bytes += disk.read_bytes;
        all.written_bytes += disk.written_bytes;
        all.busy_milliseconds += disk.busy_milliseconds;
    }
    put(line, "disk_read_bytes", all.read_bytes);
    put(line, "disk_written_bytes", all.written_bytes);
    put(line, "disk_busy_ms", all.busy_milliseconds);
}

}  // namespace heorot::monitor
