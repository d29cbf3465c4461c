// Tests of sorts: all of ours against the library's, for keys that are hard on sorts.
#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "benchmarks/algorithms/sort/input.hpp"
#include "benchmarks/algorithms/sort/merge.hpp"
#include "benchmarks/algorithms/sort/parallel.hpp"
#include "benchmarks/algorithms/sort/quick.hpp"
#include "numerics/generators/xoshiro.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot::sort;

/// Lists of n keys: random, of one value, of two, twelve, thirteen, of a byte, ascending, reversed,
/// ascending and then descending, ascending but for the last, of one value but for the last, of
/// twelve but for one, mostly of one, and with the extreme values.
template <class Key>
std::vector<std::vector<Key>> lists_of(std::size_t n) {
    heorot::generators::Xoshiro256 random(n);
    const auto made_of = [](Word word) {
        if constexpr (std::is_same_v<Key, double>) {
            return static_cast<double>(static_cast<std::int64_t>(word));
        } else {
            return word;
        }
    };
    std::vector<Key> drawn(n), same(n, made_of(7)), two(n), byte(n);
    for (Key& key : drawn) key = made_of(random.next());
    for (Key& key : two) key = made_of(random.next() & 1U);
    for (Key& key : byte) key = made_of(random.next() & 0xff0000U);
    std::vector<Key> ascending = drawn, reversed = drawn, extreme = drawn;
    std::sort(ascending.begin(), ascending.end());
    std::sort(reversed.begin(), reversed.end(), std::greater<>());
    using Limits = std::numeric_limits<Key>;
    const Key largest = Limits::has_infinity ? Limits::infinity() : Limits::max();
    for (std::size_t i = 0; i < n; i += 3) extreme[i] = i % 2 == 0 ? largest : Limits::lowest();
    std::vector<Key> dozen = drawn, more = drawn, most = drawn;
    for (Key& key : dozen) key = made_of(random.next() % 12);
    for (Key& key : more) key = made_of(random.next() % 13);
    for (Key& key : most) key = random.next() % 4 != 0 ? made_of(1) : key;
    std::vector<Key> pipe = ascending, nearly = ascending, last = same, rare = dozen;
    std::reverse(pipe.begin() + static_cast<std::ptrdiff_t>(n / 2), pipe.end());
    if (n > 0) nearly.back() = last.back() = made_of(6);
    if (n > 0) rare[n / 2] = made_of(99);
    return {drawn,     same,     two,  byte,   dozen, more, most,
            ascending, reversed, pipe, nearly, last,  rare, extreme};
}

template <class Key>
void all_sorts_equal_that_of_the_library(std::size_t n, std::size_t n_threads) {
    ParallelSort<Key> quick(n_threads);
    std::vector<Key> scratch(n);
    for (const std::vector<Key>& keys : lists_of<Key>(n)) {
        std::vector<Key> expected = keys;
        std::sort(expected.begin(), expected.end());
        std::vector<Key> sorted = keys;
        quick.sort(sorted);
        CHECK((sorted == expected) && "parted keys are those of the library's sort");
        sorted = keys;
        merge_sort(std::span(sorted), std::span(scratch));
        CHECK((sorted == expected) && "merged keys are those of the library's sort");
        const std::span<const Key> before = keys, after = sorted;
        CHECK((contents(before) == contents(after)) && "contents do not depend on the order");
        CHECK((n_descents(after) == 0.0) && "sorted keys do not descend");
    }
}

/// As many keys as any network sorts, and the first numbers that are parted, about any pivot.
template <class Key>
void keys_of_any_number_are_parted() {
    for (std::size_t n = 0; n <= 600; ++n) {
        for (const std::vector<Key>& keys : lists_of<Key>(n)) {
            std::vector<Key> expected = keys;
            std::sort(expected.begin(), expected.end());
            for (const int n_medians : {0, 1, 99}) {
                std::vector<Key> sorted = keys;
                quick_sort(std::span(sorted), n_medians);
                CHECK((sorted == expected) && "few keys are those of the library's sort");
            }
        }
    }
}

/// By their bits, as -0 equals 0 and what is no number nothing.
void doubles_have_a_total_order() {
    using Limits = std::numeric_limits<double>;
    heorot::generators::Xoshiro256 random(1);
    const std::vector<double> values = {0.0,
                                        -0.0,
                                        1.0,
                                        -1.0,
                                        Limits::quiet_NaN(),
                                        -Limits::quiet_NaN(),
                                        Limits::infinity(),
                                        -Limits::infinity(),
                                        Limits::denorm_min()};
    for (const std::size_t n : {9U, 200U, 5000U}) {
        std::vector<double> keys(n);
        for (double& key : keys) key = values[random.next() % values.size()];
        std::vector<double> expected = keys;
        std::sort(expected.begin(), expected.end(),
                  [](double a, double b) { return std::strong_order(a, b) < 0; });
        quick_sort(std::span(keys));
        const auto is_same = [](double a, double b) {
            return std::bit_cast<Word>(a) == std::bit_cast<Word>(b);
        };
        CHECK(std::ranges::equal(keys, expected, is_same) && "all doubles have their places");
    }
}

void wrong_results_are_seen() {
    std::vector<Word> keys = {1, 2, 3, 4, 5, 6};
    const auto before = contents(std::span<const Word>(keys));
    std::vector<Word> swapped = {1, 2, 4, 3, 5, 6};
    CHECK((n_descents(std::span<const Word>(swapped)) == 1.0) && "a descent is counted");
    // The sum and the exclusive or stay.
    std::vector<Word> other = {0, 3, 3, 4, 5, 6};
    CHECK((!(contents(std::span<const Word>(other)) == before)) && "other keys are seen");
    std::vector<Word> doubled = {1, 2, 3, 4, 5, 5};
    CHECK((!(contents(std::span<const Word>(doubled)) == before)) && "a lost key is seen");
    std::vector<double> number = {1.0, std::numeric_limits<double>::quiet_NaN(), 2.0};
    CHECK((n_descents(std::span<const double>(number)) > 0.0) && "what is no number is seen");
}

void random_input_changes_and_is_kept() {
    Input<Word> input("random", 1001);
    std::vector<Word> first(1001), second(1001);
    input.give(first);
    CHECK((std::ranges::equal(first, input.given())) && "what was given is known");
    input.give(second);
    CHECK((first != second) && "every body gets other keys");
    Input<double> few("few", 100000);
    std::vector<double> keys(100000);
    few.give(keys);
    std::sort(keys.begin(), keys.end());
    const auto n = std::unique(keys.begin(), keys.end()) - keys.begin();
    CHECK((n == 100) && "there are 100 different values");
}

}  // namespace

int main() {
    for (const std::size_t n : {0U, 1U, 2U, 15U, 16U, 17U, 33U, 255U, 1000U, 4099U, 70001U}) {
        for (const std::size_t n_threads : {1U, 3U}) {
            all_sorts_equal_that_of_the_library<Word>(n, n_threads);
            all_sorts_equal_that_of_the_library<double>(n, n_threads);
        }
    }
    keys_of_any_number_are_parted<Word>();
    keys_of_any_number_are_parted<double>();
    doubles_have_a_total_order();
    wrong_results_are_seen();
    random_input_changes_and_is_kept();
    return heorot::tests::result();
}
