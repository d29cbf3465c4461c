// The command line of monitor.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace heorot::monitor {

/// The options of monitor.
struct Arguments {
    bool wants_help = false;  ///< if set, the rest need not make sense
    bool detaches = false;
    std::string out;  ///< file of the samples
    std::string host;
    std::string mark = "HEOROT_JOB";
    std::string proc = "/proc";
    std::string sys = "/sys";
    double interval_seconds = 1.0;
    double most_seconds = 86400.0;
};

/// A word of the command line is wrong; what() names it.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Throws UsageError for unreadable or senseless options.
Arguments read_arguments(int argc, const char* const* argv);

/// How monitor is called.
extern const std::string_view usage;

}  // namespace heorot::monitor
