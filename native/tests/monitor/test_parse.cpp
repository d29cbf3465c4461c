// Tests of reading the kernel's texts: those of a real machine, and damaged ones.
#include <filesystem>
#include <limits>
#include <string>

#include "monitor/parse.hpp"
#include "tests/monitor/folder.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::monitor;

namespace {

std::filesystem::path captured;

std::string sample(const char* name) {
    return tests::Folder::text_of(captured / name);
}

void check_words() {
    std::string_view text = "  12\t7 x  ";
    CHECK(take_number(text) == 12);
    CHECK(take_number(text) == 7);
    CHECK(take_number(text) == 0);
    CHECK(take_word(text) == "x");
    CHECK(take_word(text).empty());
    std::string_view large = "99999999999999999999999 5";
    CHECK(take_number(large) == std::numeric_limits<Number>::max());
    CHECK(take_number(large) == 5);
    std::string_view lines = "a\n\nb";
    CHECK(take_line(lines) == "a");
    CHECK(take_line(lines).empty());
    CHECK(take_line(lines) == "b");
    CHECK(lines.empty() && take_line(lines).empty());
}

void check_stat() {
    Stat stat;
    for (int i = 0; i < 2; ++i) {  // anew each time
        parse_stat(sample("stat"), stat);
        CHECK(stat.all.user == 136545 && stat.all.system == 54205 + 3778);
        CHECK(stat.all.idle == 258403 && stat.all.io_wait == 850 && stat.all.steal == 190);
        CHECK(stat.all.busy() == 136545 + 54205 + 3778);
        CHECK(stat.cpus == (std::vector<int>{0, 1}) && stat.each.size() == 2);
        CHECK(stat.each[1].user == 70859 && stat.each[1].steal == 95);
        CHECK(stat.switches == 68932725 && stat.running == 14 && stat.blocked == 0);
    }
    parse_stat("cpu  1 2 3 4 5 6 7 8 9 10\ncpu12 1 2 3", stat);
    CHECK(stat.all.user == 3 && stat.all.system == 3 + 6 + 7 && stat.all.steal == 8);
    CHECK(stat.cpus == std::vector<int>{12} && stat.each[0].system == 3);
    CHECK(stat.each[0].idle == 0 && stat.switches == 0);
    parse_stat("", stat);
    CHECK(stat.all.user == 0 && stat.each.empty());
}

void check_load() {
    const std::string text = sample("loadavg");
    CHECK(parse_load(text)[0] == "8.99" && parse_load(text)[1] == "17.15");
    CHECK(parse_load("")[0] == "0" && parse_load("nan x")[0] == "0" &&
          parse_load("1 -2")[1] == "0");
}

void check_keys() {
    const std::array<std::string_view, 3> keys = {"MemTotal", "Cached", "NoSuchKey"};
    std::array<Number, 3> values = {1, 1, 1};
    parse_keys(sample("meminfo"), keys, values);
    CHECK(values[0] == 24684084 && values[1] == 469396 && values[2] == 0);
    const std::array<std::string_view, 2> paging = {"pgpgout", "pgmajfault"};
    parse_keys(sample("vmstat"), paging, std::span(values).first(2));
    CHECK(values[0] == 4072484 && values[1] == 4600);
}

void check_interfaces() {
    const auto found = parse_interfaces(sample("interfaces"));
    CHECK(found.size() == 3 && found[0].name == "ifb0" && found[2].name == "eth0");
    const std::array<Number, 8> eth0 = {576204806, 12543, 0, 0, 603136, 7430, 0, 0};
    CHECK(found[2].counters == eth0);
    // As old kernels have it, without a space.
    const auto tight = parse_interfaces("ib0:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n: 1\n");
    CHECK(tight.size() == 1 && tight[0].name == "ib0");
    CHECK(tight[0].counters == (std::array<Number, 8>{1, 2, 3, 4, 9, 10, 11, 12}));
    CHECK(parse_interfaces("eth1: 7")[0].counters[1] == 0);
}

void check_disks() {
    const std::string text = sample("diskstats");
    const auto disks = parse_disks(text);
    CHECK(disks.size() == 10 && disks[8].name == "vda");
    CHECK(disks[8].read_bytes == 512 * Number{9759442});
    CHECK(disks[8].written_bytes == 512 * Number{8144968});
    CHECK(disks[8].busy_milliseconds == 16816);
    CHECK(parse_disks("7 0\n\n").empty());
}

void check_process() {
    const std::string rest =
        " S 17 0 0 0 -1 4194560 38287 7974056 0 1703 125 894 16339 3822 10 -10 13 0 24 48660480 "
        "4276"
        " 18446744073709551615 1 1 0\n";
    ProcessStat process;
    const std::string text = "31 (a (b) c)" + rest;
    CHECK(parse_process(text, process));
    CHECK(process.command == "a (b) c" && process.parent == 17);
    CHECK(process.own_ticks == 125 + 894);
    CHECK(process.children_ticks == 16339 + 3822);
    CHECK(process.start_ticks == 24 && process.resident_pages == 4276);
    for (const auto* cut : {"", "31", "31 (a", "31 )a("}) CHECK(!parse_process(cut, process));
    CHECK(parse_process("31 (a) R", process) && process.own_ticks == 0);
}

void check_environment() {
    constexpr char written[] = "A=1\0XMARK=no\0MARK=/j/J 1\0MARKED=2\0MARK=3";
    const std::string_view text(written, sizeof written);
    CHECK(parse_environment(text, "MARK") == "/j/J 1");
    CHECK(parse_environment(text, "MARKED") == "2" && parse_environment(text, "ARK").empty());
    CHECK(parse_environment("MARK", "MARK").empty() && parse_environment("", "MARK").empty());
    CHECK(parse_environment("B=1", "B") == "1");
    CHECK(parse_environment("MARKED=2", "MARK").empty());
}

}  // namespace

int main(int, char** argv) {
    captured = argv[1];
    check_words();
    check_stat();
    check_load();
    check_keys();
    check_interfaces();
    check_disks();
    check_process();
    check_environment();
    return tests::result();
}
