// The classes of the Integer Sort benchmark, and the published ranks of their test keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/measure/measure.hpp"

namespace heorot::is {

constexpr std::int64_t n_iterations = 10;
constexpr std::size_t n_tests = 5;

/// The key at `index` of the sequence has, in iteration k, the rank `rank` + sign (k - k0).
struct TestKey {
    std::int64_t index;
    std::int64_t rank;
    int sign;
    int k0;
};

struct ProblemClass {
    const char* name;
    int log2_n_keys;
    int log2_n_values;
    std::array<TestKey, n_tests> tests;

    std::int64_t n_keys() const { return std::int64_t{1} << log2_n_keys; }
    std::int64_t n_values() const { return std::int64_t{1} << log2_n_values; }
};

constexpr std::array<ProblemClass, 7> classes = {{
    {"S",
     16,
     11,
     {{{48427, 0, 1, 0},
       {17148, 18, 1, 0},
       {23627, 346, 1, 0},
       {62548, 64917, -1, 0},
       {4431, 65463, -1, 0}}}},
    {"W",
     20,
     16,
     {{{357773, 1249, 1, 2},
       {934767, 11698, 1, 2},
       {875723, 1039987, -1, 0},
       {898999, 1043896, -1, 0},
       {404505, 1048018, -1, 0}}}},
    {"A",
     23,
     19,
     {{{2112377, 104, 1, 1},
       {662041, 17523, 1, 1},
       {5336171, 123928, 1, 1},
       {3642833, 8288932, -1, 1},
       {4250760, 8388264, -1, 1}}}},
    {"B",
     25,
     21,
     {{{41869, 33422937, -1, 0},
       {812306, 10244, 1, 0},
       {5102857, 59149, 1, 0},
       {18232239, 33135281, -1, 0},
       {26860214, 99, 1, 0}}}},
    {"C",
     27,
     23,
     {{{44172927, 61147, 1, 0},
       {72999161, 882988, 1, 0},
       {74326391, 266290, 1, 0},
       {129606274, 133997595, -1, 0},
       {21736814, 133525895, -1, 0}}}},
    {"D",
     31,
     27,
     {{{1317351170, 1, 1, 0},
       {995930646, 36538729, 1, 0},
       {1157283250, 1978098519, -1, 0},
       {1503301535, 2145192618, -1, 0},
       {1453734525, 2147425337, -1, 0}}}},
    {"E",
     35,
     31,
     {{{21492309536, 3, 1, 2},
       {24606226181, 27580354, 1, 2},
       {12608530949, 3248475153, 1, 2},
       {4065943607, 30048754302, -1, 2},
       {3324513396, 31485259697, -1, 2}}}},
}};

/// The benchmark's own count of operations.
inline std::vector<Count> operations_of(const ProblemClass& problem) {
    return {{"operations", n_iterations * problem.n_keys()}};
}

/// The published rank of test key `i` of `problem` in iteration k: each iteration replaces two keys
/// by one below most others and one above.
inline std::int64_t published_rank(const ProblemClass& problem, std::size_t i, std::int64_t k) {
    const TestKey& test = problem.tests[i];
    const bool is_third_of_e = problem.log2_n_keys == 35 && i == 2;
    const int n_overwritten_below = is_third_of_e ? (k > 2 ? 1 : 0) + (k > 4 ? 1 : 0) : 0;
    return test.rank + test.sign * (k - test.k0) - n_overwritten_below;
}

}  // namespace heorot::is
