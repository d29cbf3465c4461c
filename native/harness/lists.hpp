// Options that hold several items: comma-separated lists.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heorot {

/// The items of a comma-separated list, empty ones included.
std::vector<std::string> split_list(std::string_view list);

/// Whether `name` is an item of a comma-separated list.
bool lists(std::string_view list, std::string_view name);

/// `list`, or all of `known` if it is "all". Throws UsageError, which names `option`, if an item is
/// unknown.
std::string verified_list(std::string_view option, const std::string& list, std::string_view known);

/// The whole numbers of a comma-separated list. Throws UsageError, which names `option`, if one is
/// no number from `least` to `most`.
std::vector<std::int64_t> verified_numbers(std::string_view option, std::string_view list,
                                           std::int64_t least, std::int64_t most);

}  // namespace heorot
