// Reading comma-separated lists.
#include "harness/lists.hpp"

#include <algorithm>

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

}  // namespace heorot
