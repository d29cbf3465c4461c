// A command in a process of its own, from its start to its end.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace heorot::watch {

/// A command and its limits.
struct Command {
    std::vector<std::string> words;  ///< the program, looked for along PATH, and its arguments
    std::size_t memory_bytes = 0;    ///< limit of the data of each process, 0 if there is none
};

/// The command could not be started.
class StartError : public std::runtime_error {
  public:
    /// `reason` is a value of errno.
    StartError(const std::string& program, int reason);
    const char* hint() const;
    /// As shells have it: 127 if there is no such program, else 126.
    int exit_code() const;

  private:
    int reason_;
};

/// Runs `command` to its end with our input and output, and without core files; returns its exit
/// code, or 128 and the number of the signal that ended it. SIGHUP, SIGINT and SIGTERM are passed
/// on to it and do not end us, now or later. Throws StartError.
int run_to_the_end(const Command& command);

}  // namespace heorot::watch
