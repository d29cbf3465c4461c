// Reading the command line of watch.
#include "watch/arguments.hpp"

#include <algorithm>
#include <span>

#include "harness/options.hpp"
#include "harness/record/check.hpp"
#include "harness/record/json.hpp"

namespace heorot::watch {

namespace {

/// Options of the watched program, which may be given many times, and all other words.
struct Sorted {
    std::vector<std::string> options;
    std::vector<const char*> words;
};

Sorted sort_words(std::span<const char* const> words) {
    constexpr std::string_view joined = "--option=";
    Sorted sorted;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word.starts_with(joined)) {
            sorted.options.emplace_back(word.substr(joined.size()));
        } else if (word == "--option") {
            if (++i == words.size()) {
                throw UsageError("option --option lacks its value", "it wants NAME=VALUE");
            }
            sorted.options.emplace_back(words[i]);
        } else {
            sorted.words.push_back(words[i]);
        }
    }
    return sorted;
}

std::string options_json(const std::vector<std::string>& options) {
    JsonObject json;
    std::vector<std::string> names;
    for (const std::string& option : options) {
        const std::size_t equals = option.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw UsageError("option --option cannot be '" + option + "'", "it wants NAME=VALUE");
        }
        const std::string name = option.substr(0, equals);
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            throw UsageError("--option " + name + " is given twice", "give it once");
        }
        names.push_back(name);
        json.add(name, option.substr(equals + 1));
    }
    return json.text();
}

}  // namespace

const std::string_view usage =
    "watch --benchmark NAME --ranks N --threads N --record FILE [--memory BYTES]\n"
    "      [--option NAME=VALUE ...] -- COMMAND [ARGUMENT ...]\n"
    "\n"
    "Runs a command, usually a launcher with its ranks, and writes the record about it.\n"
    "\n"
    "  --benchmark  what the record calls it\n"
    "  --ranks      ranks that the command starts\n"
    "  --threads    threads of each rank\n"
    "  --record     file for the record, opened anew\n"
    "  --memory     limit of the data of each process [B], with k, M or G; 0: none\n"
    "  --option     an option for the record, any number of times\n"
    "\n"
    "Ends with the code of the command, or 128 and the number of the signal that ended it.\n";

Arguments read_arguments(int argc, const char* const* argv) {
    const std::span<const char* const> all(argv, static_cast<std::size_t>(argc));
    const auto end = std::find(all.begin(), all.end(), std::string_view("--"));
    const Sorted sorted = sort_words(std::span(all.begin(), end));
    Options options(static_cast<int>(sorted.words.size()), sorted.words.data());
    const auto get = [&options](std::string_view name, const auto& fallback) {
        return options.get(Options::Owner::harness, name, fallback, "");
    };
    const auto demand = [&options](bool holds, const char* message, const char* hint) {
        if (!holds) options.reject(message, hint);
    };
    Arguments arguments;
    arguments.wants_help = get("help", false);
    if (arguments.wants_help) return arguments;
    arguments.benchmark = get("benchmark", std::string());
    arguments.n_ranks = get("ranks", 0);
    arguments.n_threads = get("threads", 0);
    arguments.record = get("record", std::string());
    arguments.memory_bytes = get("memory", std::size_t{0});
    arguments.options_json = options_json(sorted.options);
    if (end != all.end()) arguments.command.assign(end + 1, all.end());
    demand(!arguments.benchmark.empty(), "--benchmark is missing", "give the record a name");
    demand(arguments.n_ranks >= 1, "--ranks is missing or below 1", "give at least 1");
    demand(arguments.n_threads >= 1, "--threads is missing or below 1", "give at least 1");
    demand(!arguments.record.empty(), "--record is missing", "give a file that can be written");
    demand(!arguments.command.empty(), "there is no command", "give it after the word --");
    options.verify();
    return arguments;
}

}  // namespace heorot::watch
