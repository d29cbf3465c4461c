// Sums in formulas, as Python's comprehensions have them: of a number `each`.
#include "harness/sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace heorot {

namespace {

constexpr double most_per_octave = 64.0;
constexpr int most_sizes = 4096;

/// The sum of term(each) over numbers(job).
template <class Numbers>
Amount sum_of(const std::string& range, const Numbers& numbers, const Term& term) {
    const auto each = std::make_shared<double>(0.0);
    const Amount body = term({"each", [each](const JobSize&) { return *each; }});
    return {"sum(" + body.formula() + " for each in " + range + ")",
            [each, body, numbers](const JobSize& job) {
                double sum = 0.0;
                for (const double number : numbers(job)) {
                    *each = number;
                    sum += body.value(job);
                }
                return sum;
            }};
}

template <class Function>
Amount of(const char* name, const Amount& a, Function function) {
    return {std::string(name) + "(" + a.formula() + ")",
            [a, function](const JobSize& job) { return function(a.value(job)); }};
}

}  // namespace

Amount sum_over(std::string_view option, std::span<const std::int64_t> numbers, const Term& term) {
    const auto listed = [all = std::vector<double>(numbers.begin(), numbers.end())](
                            const JobSize&) { return std::span<const double>(all); };
    return sum_of(std::string(option), listed, term);
}

Amount sum_over(const Sizes& sizes, const Term& term) {
    const auto grown = [sizes](const JobSize& job) {
        const double first = sizes.first.value(job);
        const double per_octave = std::min(sizes.per_octave.value(job), most_per_octave);
        std::vector<double> all;
        for (int step = 0; step < most_sizes; ++step) {
            const double size = first * std::exp2(step / per_octave);
            if (size > sizes.last.value(job)) break;
            all.push_back(size);
        }
        return all;
    };
    const std::string range = "sweep(" + sizes.first.formula() + ", " + sizes.last.formula() +
                              ", " + sizes.per_octave.formula() + ")";
    return sum_of(range, grown, term);
}

Amount n_of(const Sizes& sizes) {
    return sum_over(sizes, [](const Amount&) { return Amount(1.0); });
}
Amount total(const Sizes& sizes) {
    return sum_over(sizes, [](const Amount& each) { return each; });
}

Amount rounded_down(const Amount& a) {
    return of("floor", a, [](double x) { return std::floor(x); });
}
Amount rounded_up(const Amount& a) {
    return of("ceil", a, [](double x) { return std::ceil(x); });
}
Amount octaves(const Amount& a) {
    return of("log2", a,
              [](double x) { return std::log2(std::max(x, std::numeric_limits<double>::min())); });
}

}  // namespace heorot
