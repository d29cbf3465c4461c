// Order statistics of a rank's own samples.
#include "harness/measure/own_times.hpp"

#include <algorithm>

#include "harness/record/check.hpp"

namespace heorot {

OwnTime OwnSamples::summarise(std::span<const double> longest, std::int64_t repetitions) {
    expects(!seconds_.empty() && seconds_.size() == longest.size(),
            "every sample has a length on this rank and one on the slowest");
    OwnTime own;
    for (std::size_t i = 0; i < longest.size(); ++i) {
        // The maximum is one of the ranks' own numbers, digit by digit.
        if (seconds_[i] >= longest[i]) ++own.slowest;
    }
    own.median_seconds = median_of(seconds_) / static_cast<double>(repetitions);
    return own;
}

double median_of(std::span<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return 0.5 * (*std::max_element(values.begin(), middle) + *middle);
}

}  // namespace heorot
