// What the programs of the family have in common: see setting.hpp.
#include "benchmarks/storage/files/setting.hpp"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

#include "benchmarks/storage/files/content.hpp"
#include "benchmarks/storage/files/page_cache.hpp"

namespace heorot::files {

namespace {

/// Seconds since 1970 as people write them.
std::string date_of(std::int64_t seconds) {
    const std::time_t time = seconds;
    std::tm parts{};
    std::array<char, 32> text{};
    if (gmtime_r(&time, &parts) == nullptr) return "at an unknown time";
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
    return text.data();
}

std::string described(const std::string& parent, const Leftover& one) {
    return parent + "/" + one.name + " of process " + std::to_string(one.owner.pid) + " on " +
           one.owner.host + ", started " + date_of(one.owner.started);
}

/// Texts of the hosts as one note, equal ones once: hosts may share the directory.
void note_once(Program& program, std::string_view name, std::vector<std::string> texts) {
    std::ranges::sort(texts);
    const auto repeated = std::ranges::unique(texts);
    texts.erase(repeated.begin(), repeated.end());
    std::string all;
    for (const std::string& text : texts) all += (all.empty() || text.empty() ? "" : "; ") + text;
    if (!all.empty()) program.note(name, all);
}

std::string probe_name(const World& job) {
    return std::string(OwnDirectory::file_prefix) + "probe." + std::to_string(job.rank());
}

/// Whether one page, written and flushed, leaves the page cache; false if anything fails.
bool can_drop(int directory, const char* name, Content& content) {
    Trouble trouble;
    const File file(directory, name, O_RDWR | O_CREAT | O_EXCL, trouble);
    if (!file.is_open()) return false;
    write_all(file.number(), content.buffer(), 0, trouble);
    drop_from_cache(file, trouble);
    return !trouble.is_there() && cached_share(file, content.size()) == 0.0;
}

bool takes_direct(int directory, const char* name, Content& content) {
    Trouble trouble;
    const File file(directory, name, O_RDWR | O_DIRECT, trouble);
    if (!file.is_open()) return false;
    write_all(file.number(), content.buffer(), 0, trouble);
    read_all(file.number(), content.buffer(), 0, trouble);
    return !trouble.is_there();
}

}  // namespace

Setting::Setting(Program& program)
    : directory_(program.option("directory", "", "for the files; empty: $TMPDIR or /tmp")),
      most_bytes_(program.option("most-bytes", std::size_t{8} << 30U,
                                 "limit of all files of a host at a time [B]")),
      seconds_(program.option("seconds", 60.0, "after which no further point begins [s]")),
      remove_stale_(program.option("remove-stale", false,
                                   "remove directories that killed runs of this host have left")) {}

void Setting::report_leftovers(Program& program) const {
    const World& job = program.job();
    const std::string parent = OwnDirectory::chosen(directory_);
    std::string left;
    std::string elsewhere;
    for (const Leftover& one : job.leads_host() ? leftovers_in(parent) : std::vector<Leftover>{}) {
        if (remove_stale_ && remove_leftover(parent, one)) continue;
        std::string& text = one.is_stale ? left : elsewhere;
        text += (text.empty() ? "" : "; ") + described(parent, one);
    }
    note_once(program, "left_behind", job.gather(left));
    note_once(program, "of_other_hosts", job.gather(elsewhere));
}

OwnDirectory Setting::open_directory(Program& program) const {
    report_leftovers(program);
    return {program.job(), directory_};
}

Wanted Setting::wanted(double bytes, double inodes) const {
    // The probe and the directory itself.
    return {.bytes = bytes, .inodes = inodes + 2.0, .most = static_cast<double>(most_bytes_)};
}

bool Setting::is_late(Program& program) const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
    std::array<double, 1> seconds = {spent.count()};
    program.job().broadcast<double>(seconds);
    if (seconds[0] < seconds_) return false;
    program.note("left_out", "points that would begin after the limit of --seconds");
    return true;
}

Abilities probe(const World& job, const OwnDirectory& directory) {
    Content content(job.rank(), Content::page_bytes);
    const std::string name = probe_name(job);
    const int in = directory.descriptor();
    Abilities here;
    here.cold = can_drop(in, name.c_str(), content);
    // File systems in memory may accept O_DIRECT, but then no device is involved.
    here.direct = here.cold && takes_direct(in, name.c_str(), content);
    unlinkat(in, name.c_str(), 0);
    std::array<double, 2> all = {here.cold ? 1.0 : 0.0, here.direct ? 1.0 : 0.0};
    job.minimum(all);
    return {.cold = all[0] > 0.0, .direct = all[1] > 0.0};
}

void note_file_system(Program& program, const OwnDirectory& directory, const Abilities& abilities) {
    struct statfs facts{};
    if (fstatfs(directory.descriptor(), &facts) == 0) {
        std::array<char, 24> type{};
        std::snprintf(type.data(), type.size(), "0x%lx", static_cast<unsigned long>(facts.f_type));
        program.note("file_system_type", type.data());
    }
    const Room room = room_in(directory.descriptor());
    program.note("directory", directory.parent());
    if (room.bytes) program.note("free_bytes", *room.bytes);
    if (room.inodes) program.note("free_inodes", *room.inodes);
    program.note("cold_reads", abilities.cold ? "yes" : "no: the page cache keeps what is dropped");
    program.note("direct", abilities.direct ? "yes" : "no");
}

}  // namespace heorot::files
