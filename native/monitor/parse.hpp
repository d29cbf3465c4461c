// Parsers of the kernel's small texts. Numbers that a text lacks are zero.
//
// Source    proc(5), and Documentation/admin-guide/iostats.rst of the Linux kernel.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heorot::monitor {

using Number = std::uint64_t;

/// The next number of `text`, which then begins behind it; 0 if there is none. Numbers too large
/// for the type become its largest value.
Number take_number(std::string_view& text);
/// The next word of `text`, which then begins behind it; empty if there is none.
std::string_view take_word(std::string_view& text);
/// The next line of `text` without its end, and `text` then begins behind it.
std::string_view take_line(std::string_view& text);

/// Times of a processor, or of all [ticks].
struct CpuTicks {
    Number user = 0;    ///< with those of low priority, and guests
    Number system = 0;  ///< with interrupts
    Number idle = 0;
    Number io_wait = 0;
    Number steal = 0;

    Number busy() const { return user + system; }
};

/// Contents of /proc/stat.
struct Stat {
    CpuTicks all;
    std::vector<int> cpus;       ///< numbers of the processors that are on
    std::vector<CpuTicks> each;  ///< of these
    Number switches = 0;         ///< of contexts
    Number running = 0;          ///< processes that want a processor
    Number blocked = 0;          ///< processes that wait for a disk
};

/// `stat` is filled anew; so its lists keep their room.
void parse_stat(std::string_view text, Stat& stat);

/// The first two numbers of /proc/loadavg as they stand there: over one and over five minutes.
std::array<std::string_view, 2> parse_load(std::string_view text);

/// Of lines `KEY NUMBER` or `KEY: NUMBER kB`, the numbers of some keys.
void parse_keys(std::string_view text, std::span<const std::string_view> keys,
                std::span<Number> values);

/// Counters of an interface or a port.
struct Traffic {
    static constexpr std::size_t n_counters = 8;
    static constexpr std::array<std::string_view, n_counters> names = {
        "rx_bytes", "rx_packets", "rx_errors", "rx_drops",
        "tx_bytes", "tx_packets", "tx_errors", "tx_drops"};

    std::string name;
    std::array<Number, n_counters> counters{};  ///< in the order of `names`
};

/// The interfaces of /proc/net/dev but the loop.
std::vector<Traffic> parse_interfaces(std::string_view text);

/// Transfers of one disk, or of all.
struct Disk {
    std::string_view name;
    Number read_bytes = 0;
    Number written_bytes = 0;
    Number busy_milliseconds = 0;
};

/// Every line of /proc/diskstats; names are views of `text`.
std::vector<Disk> parse_disks(std::string_view text);

/// Contents of /proc/PID/stat.
struct ProcessStat {
    std::string_view command;  ///< view of the text
    int parent = 0;
    Number own_ticks = 0;       ///< its own processor time
    Number children_ticks = 0;  ///< that of children it has waited for
    Number start_ticks = 0;     ///< when it began, after the computer
    Number resident_pages = 0;
};

/// Returns whether `text` is of a process.
bool parse_process(std::string_view text, ProcessStat& process);

/// The value of a variable in /proc/PID/environ; empty if it is not there or empty.
std::string_view parse_environment(std::string_view text, std::string_view name);

}  // namespace heorot::monitor
