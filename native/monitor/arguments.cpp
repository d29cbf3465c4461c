// Reading the command line of monitor.
#include "monitor/arguments.hpp"

#include <unistd.h>

#include <array>
#include <charconv>
#include <span>

namespace heorot::monitor {

namespace {

constexpr double least_interval_seconds = 0.01;
constexpr double longest_seconds = 1e8;

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

double seconds_of(std::string_view option, std::string_view text, double least) {
    double seconds = 0.0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
    const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    const bool fits = seconds >= least && seconds <= longest_seconds;  // not a number does not
    if (!is_whole || !fits) {
        throw UsageError("option " + std::string(option) + " cannot be '" + std::string(text) +
                         "'");
    }
    return seconds;
}

void set(Arguments& arguments, std::string_view name, std::string_view value) {
    if (name == "--out") {
        arguments.out = value;
    } else if (name == "--host") {
        arguments.host = value;
    } else if (name == "--mark") {
        arguments.mark = value;
    } else if (name == "--proc") {
        arguments.proc = value;
    } else if (name == "--sys") {
        arguments.sys = value;
    } else if (name == "--interval") {
        arguments.interval_seconds = seconds_of(name, value, least_interval_seconds);
    } else if (name == "--seconds") {
        arguments.most_seconds = seconds_of(name, value, 0.0);
    } else {
        throw UsageError("unknown option " + std::string(name));
    }
}

}  // namespace

const std::string_view usage =
    "monitor --out FILE [--interval SECONDS] [--seconds SECONDS] [--host NAME] [--mark VARIABLE]\n"
    "        [--proc DIRECTORY] [--sys DIRECTORY] [--detach]\n"
    "\n"
    "Writes what this node and the jobs on it do, a line per interval, behind what FILE has.\n"
    "\n"
    "  --interval  from one sample to the next [s]; 1\n"
    "  --seconds   after which it ends by itself [s]; 24 hours\n"
    "  --host      what the file calls this node; its host name\n"
    "  --mark      variable that processes of a job have, with its name; HEOROT_JOB\n"
    "  --detach    prints its Unix time when it has begun, and continues in the background\n"
    "\n"
    "It ends earlier if a file `stop` appears in the folder of FILE, or by SIGTERM.\n";

Arguments read_arguments(int argc, const char* const* argv) {
    const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
    Arguments arguments;
    arguments.host = host_name();
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--help") {
            arguments.wants_help = true;
            return arguments;
        }
        if (word == "--detach") {
            arguments.detaches = true;
            continue;
        }
        if (!word.starts_with("--")) {
            throw UsageError("unexpected argument '" + std::string(word) + "'");
        }
        const std::size_t equals = word.find('=');
        if (equals != word.npos) {
            set(arguments, word.substr(0, equals), word.substr(equals + 1));
        } else if (i + 1 == words.size()) {
            throw UsageError("option " + std::string(word) + " lacks its value");
        } else {
            set(arguments, word, words[++i]);
        }
    }
    if (arguments.out.empty()) throw UsageError("--out is missing");
    return arguments;
}

}  // namespace heorot::monitor
