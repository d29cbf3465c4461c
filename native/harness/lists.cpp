// Reading comma-separated lists.
#include "harness/lists.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "harness/record/check.hpp"

namespace heorot {

std::vector<std::string> split_list(std::string_view list) {
    std::vector<std::string> items;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        items.emplace_back(list.substr(start, end - start));
        start = end + 1;
    }
    return items;
}

bool lists(std::string_view list, std::string_view name) {
    const std::vector<std::string> items = split_list(list);
    return std::find(items.begin(), items.end(), name) != items.end();
}

std::string verified_list(std::string_view option, const std::string& list,
                          std::string_view known) {
    if (list == "all") return std::string(known);
    for (const std::string& item : split_list(list)) {
        if (item.empty() || !lists(known, item)) {
            std::string message("--");
            message.append(option).append(": there is no '").append(item).append("'");
            throw UsageError(message, std::string("choose from ").append(known).append(" or all"));
        }
    }
    return list;
}

std::vector<std::int64_t> verified_numbers(std::string_view option, std::string_view list,
                                           std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> numbers;
    for (const std::string& word : split_list(list)) {
        std::int64_t n = 0;
        const char* const last = word.data() + word.size();
        const auto [end, error] = std::from_chars(word.data(), last, n);
        if (error != std::errc() || end != last || n < least || n > most) {
            std::string message("--");
            message.append(option).append(": '").append(word).append("' is no whole number from ");
            message.append(std::to_string(least)).append(" to ").append(std::to_string(most));
            throw UsageError(message, "give one, or several with commas between them");
        }
        numbers.push_back(n);
    }
    return numbers;
}

}  // namespace heorot
