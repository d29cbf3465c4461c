// A directory for the files of a run, which goes with it: at its end, after an error or a signal.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/room.hpp"
#include "harness/world/world.hpp"

namespace heorot {

/// The process that made a directory, as its name has it.
struct Owner {
    std::string host;
    pid_t pid = 0;
    std::int64_t started = 0;  ///< seconds since 1970

    bool operator==(const Owner&) const = default;
};

/// This process.
Owner this_process();
/// heorot-files.HOST.PID.STARTED.RANDOM, for a host with any name.
std::string directory_name(const Owner& owner, std::uint64_t random);
/// The owner that such a name has; none if it is another name.
std::optional<Owner> owner_of(std::string_view name);

/// A directory in which `parent` has files of an earlier run.
struct Leftover {
    std::string name;
    Owner owner;
    /// Whether its owner has ended; false for another host, where it may run.
    bool is_stale = false;
};
/// Directories of this user with such names, unless their owner is alive on this host.
std::vector<Leftover> leftovers_in(const std::string& parent);
/// Removes the files of a stale directory and the directory itself, as far as a run has made them;
/// false if anything is left of it.
bool remove_leftover(const std::string& parent, const Leftover& leftover);

/// A fresh directory of mode 0700 for the ranks of each host. Files in it have names that begin
/// with `file_prefix`; nothing else is ever removed. Signals that end the process remove it, too.
class OwnDirectory {
  public:
    static constexpr std::string_view file_prefix = "heorot.";

    /// Makes it in `parent`, or in $TMPDIR or /tmp if that is empty. Ends the program, as
    /// cannot_run(), if that fails on any host. **Collective.**
    OwnDirectory(const World& job, const std::string& parent);
    OwnDirectory(const OwnDirectory&) = delete;
    OwnDirectory& operator=(const OwnDirectory&) = delete;
    /// Removes it on the first rank of each host: no other rank may have a file open.
    ~OwnDirectory();

    /// The directory in which it is made: `parent`, $TMPDIR or /tmp.
    static std::string chosen(const std::string& parent);

    int descriptor() const { return descriptor_; }
    const std::string& parent() const { return parent_; }
    const std::string& name() const { return name_; }
    /// Ends the program, as cannot_run(), if the files of a run do not fit on some host: on every
    /// rank what it wants, and holds of it already [B]. **Collective.**
    void require_room(const Wanted& of_rank, double held = 0.0) const;

    /// Ends the program, as cannot_run(), if any rank has a problem with its files there: with the
    /// first one's. **Collective.**
    void require_no(const std::string& problem) const;

  private:
    std::string make();
    std::string enter();
    void close_all();

    const World& job_;
    std::string parent_;
    std::string name_;
    int parent_descriptor_ = -1;
    int descriptor_ = -1;
    int slot_ = -1;  // among the directories that signals remove
};

}  // namespace heorot
