// Reading the sizes of matrices.
#include "numerics/dense/sizes.hpp"

#include <charconv>
#include <system_error>

#include "harness/lists.hpp"
#include "harness/record/check.hpp"

namespace heorot::dense {

std::vector<Index> read_sizes(const std::string& option, const std::string& list, Index most) {
    std::vector<Index> sizes;
    for (const std::string& word : split_list(list)) {
        Index n = 0;
        const char* const last = word.data() + word.size();
        const auto [end, error] = std::from_chars(word.data(), last, n);
        if (error != std::errc() || end != last || n < 1 || n > most) {
            std::string message = "--";
            message.append(option).append(": '").append(word);
            message.append("' is no number of rows from 1 to ").append(std::to_string(most));
            throw UsageError(message, "give numbers with commas between them, such as 100,1000");
        }
        sizes.push_back(n);
    }
    return sizes;
}

}  // namespace heorot::dense
