// Options that hold several items: comma-separated lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heorot {

/// The items of a comma-separated list, empty ones included.
std::vector<std::string> split_list(std::string_view list);

/// Whether `name` is an item of a comma-separated list.
bool lists(std::string_view list, std::string_view name);

/// `list`, or all of `known` if it says "all". Throws UsageError, which names `option`, if an item
/// is not known.
std::string verified_list(std::string_view option, const std::string& list, std::string_view known);

}  // namespace heorot
