// Groups of processes and their usage: those of a job, of a user, of the kernel.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "monitor/kept_file.hpp"
#include "monitor/parse.hpp"

namespace heorot::monitor {

/// Usage of a group of processes so far, and its present memory and processes.
struct Usage {
    Number cpu_ticks = 0;  ///< of those that have ended, too
    Number read_bytes = 0;
    Number written_bytes = 0;
    Number resident_pages = 0;  ///< now; pages that several share count for each
    int n = 0;                  ///< how many there are now
};

/// All processes in /proc, by job, user or kernel.
///
/// A process is of a job if its environment has the job's mark, or that of its parent if its own
/// may not be read. The time of a job is that of its processes and of the children they have waited
/// for; a process that ended without a waiting process of its job counts with the time last seen.
/// Of users only the time of processes that were seen counts: a process that waits for children of
/// others, as the first process does, would otherwise account for their work.
class Processes {
  public:
    /// `root` is a /proc; `mark` the variable that names the job; `self` is left out.
    Processes(std::string root, std::string mark, int self);
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;
    ~Processes();

    /// Reads due processes: busy ones and those of jobs always, idle ones more seldom.
    void scan();

    /// By name: `j MARK` for jobs, `u NUMBER` for users, `k -` for the kernel.
    const std::map<std::string, Usage>& groups() const { return shown_; }

  private:
    struct Process;
    using Group = std::map<std::string, Usage>::iterator;

    bool look(int pid, Process& process, bool is_new);
    void join(int pid, Process& process, const ProcessStat& stat);
    std::string name_of(int pid, const ProcessStat& stat);
    void look_at_files(int pid, Process& process);
    bool inherits(const Process& process) const;
    void leave(Process& process);
    void forget_gone();
    void sum();

    std::string root_;
    std::string mark_;
    int self_;
    DIR* folder_ = nullptr;
    std::size_t most_kept_;
    std::size_t n_kept_ = 0;
    unsigned n_scans_ = 0;
    std::string buffer_;
    std::unordered_map<int, Process> processes_;
    std::map<std::string, Usage> ended_;  ///< what those have used that are no more
    std::map<std::string, Usage> shown_;
};

struct Processes::Process {
    KeptFile stat;
    std::string command;
    Group group{};
    int parent = 0;
    Number start_ticks = 0;
    Number ticks = 0;         ///< as its group counts them
    Number ticks_before = 0;  ///< those of an earlier group
    Number own_ticks = 0;     ///< its own, to see whether it is idle
    Number resident_pages = 0;
    Number read_bytes = 0;
    Number written_bytes = 0;
    unsigned seen = 0;  ///< number of the scan
    unsigned n_looks = 0;
    unsigned n_idle = 0;  ///< looks since it did something
    bool grouped = false;
    bool of_job = false;
};

}  // namespace heorot::monitor
