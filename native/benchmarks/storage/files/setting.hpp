// What the programs of the family have in common: where their files are, and what they may take.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/files/own_directory.hpp"
#include "harness/program.hpp"

namespace heorot::files {

/// The options of every program that writes files.
class Setting {
  public:
    /// Declares them; before start().
    explicit Setting(Program& program);

    /// A fresh directory, after a look for those of killed runs, which it notes or, with
    /// --remove-stale, removes. **Collective.**
    OwnDirectory open_directory(Program& program) const;
    /// What a rank wants of the file system, under the limit of the user.
    Wanted wanted(double bytes, double inodes) const;
    /// Whether it is too late for another point; notes that once. **Collective.**
    bool is_late(Program& program) const;

  private:
    void report_leftovers(Program& program) const;

    std::string directory_;
    std::size_t most_bytes_;
    double seconds_;
    bool remove_stale_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// What the file system of a directory can do on all hosts.
struct Abilities {
    bool cold = false;    ///< files can be dropped from the page cache
    bool direct = false;  ///< O_DIRECT in units of 4096 bytes; false where files are memory
};
/// **Collective.**
Abilities probe(const World& job, const OwnDirectory& directory);

/// Notes type, free space and abilities of the file system. **Collective.**
void note_file_system(Program& program, const OwnDirectory& directory, const Abilities& abilities);

}  // namespace heorot::files
