// The command line of watch: contents of the record, and the command after the word "--".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heorot::watch {

/// The options of watch.
struct Arguments {
    bool wants_help = false;  ///< if set, the rest need not make sense
    std::string benchmark;
    std::string options_json;  ///< an object of texts
    int n_ranks = 0;
    int n_threads = 0;
    std::string record;
    std::size_t memory_bytes = 0;      ///< limit of the data of each process, 0 if there is none
    std::vector<std::string> command;  ///< at least one word
};

/// Throws UsageError for unreadable or senseless options.
Arguments read_arguments(int argc, const char* const* argv);

/// How watch is called.
extern const std::string_view usage;

}  // namespace heorot::watch
