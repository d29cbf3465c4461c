// Following processes from sample to sample.
#include "monitor/processes.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace heorot::monitor {

namespace {

constexpr unsigned most_patience = 8;  // an idle process is looked at every so many scans
constexpr unsigned n_early_looks = 4;  // a fork has its parent's environment until it is something
constexpr std::size_t most_environment_bytes = std::size_t{1} << 20U;
constexpr int kernel_parent = 2;  // kthreadd, whose children are the threads of the kernel

std::size_t descriptors_to_keep() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    limit.rlim_cur = limit.rlim_max;  // as many as we may have
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1U << 14U) / 2);
}

/// Marks are words in a line: everything that is no part of a plain word is written as %XX.
std::string as_word(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    constexpr std::string_view plain = "_./:+@#-,=";
    std::string word;
    for (const char letter : text) {
        const bool is_plain = (letter >= '0' && letter <= '9') ||
                              (letter >= 'A' && letter <= 'Z') ||
                              (letter >= 'a' && letter <= 'z') || plain.find(letter) != plain.npos;
        if (is_plain) {
            word += letter;
        } else {
            const auto byte = static_cast<unsigned char>(letter);
            word += {'%', digits[byte >> 4U], digits[byte & 15U]};
        }
    }
    return word;
}

}  // namespace

Processes::Processes(std::string root, std::string mark, int self)
    : root_(std::move(root)),
      mark_(std::move(mark)),
      self_(self),
      most_kept_(descriptors_to_keep()) {
    folder_ = opendir(root_.c_str());
}

Processes::~Processes() {
    if (folder_ != nullptr) closedir(folder_);
}

void Processes::scan() {
    ++n_scans_;
    if (folder_ == nullptr) return;
    rewinddir(folder_);
    while (const dirent* entry = readdir(folder_)) {
        const std::string_view name = entry->d_name;
        int pid = 0;
        const auto read = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (read.ec != std::errc() || read.ptr != name.data() + name.size() || pid == self_)
            continue;
        const auto [found, is_new] = processes_.try_emplace(pid);
        Process& process = found->second;
        const unsigned patience =
            process.of_job ? 1 : std::clamp(process.n_idle, 1U, most_patience);
        const bool is_due = is_new || process.n_looks < n_early_looks ||
                            (n_scans_ + static_cast<unsigned>(pid)) % patience == 0;
        // A process that ended while it was read is omitted.
        if (!is_due || look(pid, process, is_new)) process.seen = n_scans_;
    }
    forget_gone();
    sum();
}

bool Processes::look(int pid, Process& process, bool is_new) {
    ProcessStat stat;
    if (process.stat.is_open()) {
        if (!parse_process(process.stat.read(buffer_), stat)) return false;
    } else {
        KeptFile file(root_ + '/' + std::to_string(pid) + "/stat");
        if (!parse_process(file.read(buffer_), stat)) return false;
        // The number of an ended process may be another's by now.
        if (!is_new && stat.start_ticks != process.start_ticks) return false;
        if (n_kept_ < most_kept_) {
            process.stat = std::move(file);
            ++n_kept_;
        }
    }
    process.parent = stat.parent;
    process.start_ticks = stat.start_ticks;
    process.resident_pages = stat.resident_pages;
    process.n_idle = stat.own_ticks == process.own_ticks ? process.n_idle + 1 : 0;
    process.own_ticks = stat.own_ticks;
    ++process.n_looks;
    const Number own_ticks = stat.own_ticks;
    const Number children_ticks = stat.children_ticks;
    if (process.n_looks <= n_early_looks || stat.command != process.command) {
        process.command = stat.command;
        join(pid, process, stat);
    }
    process.ticks = own_ticks + (process.of_job ? children_ticks : 0);
    if (process.of_job) look_at_files(pid, process);
    return true;
}

void Processes::join(int pid, Process& process, const ProcessStat& stat) {
    if (process.of_job) return;
    const Number own_ticks = stat.own_ticks;
    const std::string name = name_of(pid, stat);
    if (process.grouped && process.group->first == name) return;
    if (process.grouped) {
        process.ticks = own_ticks;
        leave(process);
        process.ticks_before = own_ticks;
    }
    process.group = ended_.try_emplace(name).first;
    process.grouped = true;
    process.of_job = name.starts_with("j ");
}

std::string Processes::name_of(int pid, const ProcessStat& stat) {
    if (pid == kernel_parent || stat.parent == kernel_parent) return "k -";
    const int parent = stat.parent;
    const std::string path = root_ + '/' + std::to_string(pid);
    struct stat owner{};
    if (::stat(path.c_str(), &owner) != 0) owner.st_uid = 0;
    const KeptFile environment(path + "/environ");
    const std::string_view text = environment.read(buffer_, most_environment_bytes);
    const std::string_view job = parse_environment(text, mark_);
    if (!job.empty()) return "j " + as_word(job);
    if (text.empty()) {
        const auto found = processes_.find(parent);
        if (found != processes_.end() && found->second.of_job) return found->second.group->first;
    }
    return "u " + std::to_string(owner.st_uid);
}

void Processes::look_at_files(int pid, Process& process) {
    constexpr std::array<std::string_view, 2> keys = {"read_bytes", "write_bytes"};
    std::array<Number, 2> values{};
    const KeptFile file(root_ + '/' + std::to_string(pid) + "/io");
    const std::string_view text = file.read(buffer_);
    if (text.empty()) return;
    parse_keys(text, keys, values);
    process.read_bytes = values[0];
    process.written_bytes = values[1];
}

/// Whether an ancestor of the same job lives, which has waited for an ended process or will.
bool Processes::inherits(const Process& process) const {
    int parent = process.parent;
    for (int depth = 0; depth < 64; ++depth) {
        const auto found = processes_.find(parent);
        if (found == processes_.end()) return false;
        const Process& ancestor = found->second;
        if (!ancestor.grouped || ancestor.group != process.group) return false;
        if (ancestor.seen == n_scans_) return true;
        parent = ancestor.parent;
    }
    return false;
}

/// Its usage stays with its group.
void Processes::leave(Process& process) {
    Usage& ended = process.group->second;
    ended.cpu_ticks += process.ticks - std::min(process.ticks, process.ticks_before);
    ended.read_bytes += process.read_bytes;
    ended.written_bytes += process.written_bytes;
}

void Processes::forget_gone() {
    std::vector<int> gone;
    for (auto& [pid, process] : processes_) {
        if (process.seen == n_scans_) continue;
        gone.push_back(pid);
        if (process.grouped && !(process.of_job && inherits(process))) leave(process);
    }
    for (const int pid : gone) {
        const auto found = processes_.find(pid);
        if (found->second.stat.is_open()) --n_kept_;
        processes_.erase(found);
    }
}

void Processes::sum() {
    std::map<std::string, Usage> sums = ended_;
    for (const auto& [pid, process] : processes_) {
        if (!process.grouped) continue;
        Usage& usage = sums[process.group->first];
        usage.cpu_ticks += process.ticks - std::min(process.ticks, process.ticks_before);
        usage.read_bytes += process.read_bytes;
        usage.written_bytes += process.written_bytes;
        usage.resident_pages += process.resident_pages;
        ++usage.n;
    }
    // A child that has ended and is not waited for yet is nowhere for a moment.
    for (auto& [name, usage] : sums) {
        const Usage& before = shown_[name];
        usage.cpu_ticks = std::max(usage.cpu_ticks, before.cpu_ticks);
        usage.read_bytes = std::max(usage.read_bytes, before.read_bytes);
        usage.written_bytes = std::max(usage.written_bytes, before.written_bytes);
    }
    shown_ = std::move(sums);
}

}  // namespace heorot::monitor
