// Reading the kernel's small texts.
#include "monitor/parse.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace heorot::monitor {

namespace {

constexpr Number sector_bytes = 512;  // of diskstats, whatever the disk has

bool is_space(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\n';
}

void skip_spaces(std::string_view& text) {
    std::size_t n = 0;
    while (n < text.size() && is_space(text[n])) ++n;
    text.remove_prefix(n);
}

CpuTicks take_ticks(std::string_view& line) {
    std::array<Number, 8> numbers{};  // user nice system idle iowait irq softirq steal
    for (Number& number : numbers) number = take_number(line);
    return {.user = numbers[0] + numbers[1],
            .system = numbers[2] + numbers[5] + numbers[6],
            .idle = numbers[3],
            .io_wait = numbers[4],
            .steal = numbers[7]};
}

}  // namespace

Number take_number(std::string_view& text) {
    skip_spaces(text);
    Number number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc::result_out_of_range) number = std::numeric_limits<Number>::max();
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

std::string_view take_word(std::string_view& text) {
    skip_spaces(text);
    std::size_t length = 0;
    while (length < text.size() && !is_space(text[length])) ++length;
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(length);
    return word;
}

std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

void parse_stat(std::string_view text, Stat& stat) {
    stat.all = {};
    stat.cpus.clear();
    stat.each.clear();
    stat.switches = stat.running = stat.blocked = 0;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        if (line.starts_with("cpu")) {
            line.remove_prefix(3);
            if (line.starts_with(' ')) {
                stat.all = take_ticks(line);
            } else {
                stat.cpus.push_back(static_cast<int>(take_number(line)));
                stat.each.push_back(take_ticks(line));
            }
            continue;
        }
        const std::string_view key = take_word(line);
        if (key == "ctxt") stat.switches = take_number(line);
        if (key == "procs_running") stat.running = take_number(line);
        if (key == "procs_blocked") stat.blocked = take_number(line);
    }
}

std::array<std::string_view, 2> parse_load(std::string_view text) {
    std::array<std::string_view, 2> load = {take_word(text), take_word(text)};
    for (std::string_view& word : load) {
        if (word.empty() || word.find_first_not_of("0123456789.") != word.npos) word = "0";
    }
    return load;
}

void parse_keys(std::string_view text, std::span<const std::string_view> keys,
                std::span<Number> values) {
    std::fill(values.begin(), values.end(), Number{0});
    while (!text.empty()) {
        std::string_view line = take_line(text);
        std::string_view key = take_word(line);
        if (key.ends_with(':')) key.remove_suffix(1);
        const auto found = std::find(keys.begin(), keys.end(), key);
        if (found == keys.end()) continue;
        values[static_cast<std::size_t>(found - keys.begin())] = take_number(line);
    }
}

std::vector<Traffic> parse_interfaces(std::string_view text) {
    std::vector<Traffic> interfaces;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        const std::size_t colon = line.find(':');
        if (colon == line.npos) continue;  // headings
        std::string_view head = line.substr(0, colon);
        const std::string_view name = take_word(head);
        if (name == "lo" || name.empty()) continue;
        line.remove_prefix(colon + 1);
        std::array<Number, 12> numbers{};  // bytes packets errs drop and four more, each way
        for (Number& number : numbers) number = take_number(line);
        Traffic& traffic = interfaces.emplace_back();
        traffic.name = name;
        std::copy_n(numbers.begin(), 4, traffic.counters.begin());
        std::copy_n(numbers.begin() + 8, 4, traffic.counters.begin() + 4);
    }
    return interfaces;
}

std::vector<Disk> parse_disks(std::string_view text) {
    std::vector<Disk> disks;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        take_number(line);
        take_number(line);
        const std::string_view name = take_word(line);
        std::array<Number, 10> numbers{};  // reads merged sectors ms, the same of writes, now, ms
        for (Number& number : numbers) number = take_number(line);
        if (name.empty()) continue;
        disks.push_back({name, sector_bytes * numbers[2], sector_bytes * numbers[6], numbers[9]});
    }
    return disks;
}

bool parse_process(std::string_view text, ProcessStat& process) {
    // The name of the command may hold brackets and spaces.
    const std::size_t open = text.find('(');
    const std::size_t close = text.rfind(')');
    if (open == text.npos || close == text.npos || close < open) return false;
    process.command = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    take_word(text);  // state
    const auto field = [&text] { return take_number(text); };
    const auto skip = [&text](int n) {
        for (int i = 0; i < n; ++i) take_word(text);
    };
    process.parent = static_cast<int>(field());
    skip(9);  // from its group to the page faults of children
    process.own_ticks = field();
    process.own_ticks += field();
    process.children_ticks = field();
    process.children_ticks += field();
    skip(4);  // priority, nice, threads, timer
    process.start_ticks = field();
    skip(1);  // virtual size
    process.resident_pages = field();
    return true;
}

std::string_view parse_environment(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\0'), text.size());
        std::string_view entry = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) {
            return entry.substr(name.size() + 1);
        }
    }
    return {};
}

}  // namespace heorot::monitor
