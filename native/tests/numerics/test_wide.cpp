// Tests of doubles side by side: what is done to all lanes is done to each.
#include <utility>

#include "numerics/wide.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot;

constexpr int n = 8;
using Eight = Wide<n>;

/// Lane i is start + i.
Eight counted(double start) {
    Eight wide;
    for (int i = 0; i < n; ++i) wide.set(i, start + i);
    return wide;
}

template <class Expected>
bool all(const Eight& wide, const Expected& expected) {
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && wide[i] == expected(i);
    return right;
}

void arithmetic_is_done_in_every_lane() {
    const Eight a = counted(1.0);
    const Eight b = counted(16.0);
    CHECK(all(a + b, [](int i) { return 17.0 + 2 * i; }));
    CHECK(all(a - 2.0 * b, [](int i) { return -31.0 - i; }));
    CHECK(all(b * a, [](int i) { return (16.0 + i) * (1.0 + i); }));
    CHECK(all(b / a, [](int i) { return (16.0 + i) / (1.0 + i); }));
    CHECK(all(-a, [](int i) { return -1.0 - i; }));
    Eight sum = 3.0;
    CHECK(all(sum, [](int) { return 3.0; }));
    sum += a;
    sum *= 2.0;
    sum -= b;
    CHECK(all(sum, [](int i) { return 2.0 * (4.0 + i) - 16.0 - i; }));
}

void chosen_lanes_are_those_of_both_masks() {
    WideMask<n> first{};
    WideMask<n> second{};
    for (int i = 0; i < n; ++i) {
        first.set(i, i != 2);
        second.set(i, i % 3 != 0);
    }
    const Eight chosen = select(first & second, counted(0.0), counted(100.0));
    CHECK(all(chosen, [](int i) { return i != 2 && i % 3 != 0 ? i : 100.0 + i; }));
}

template <int d>
bool shifts_right() {
    return all(shift<d>(counted(0.0), counted(100.0)),
               [](int i) { return i + d < n ? i + d : 100.0 + i + d - n; });
}

void shifting_goes_on_in_what_comes_behind() {
    [&]<int... d>(std::integer_sequence<int, d...>) {
        const bool right[] = {shifts_right<d>()...};
        for (const bool each : right) CHECK(each);
    }(std::make_integer_sequence<int, n + 1>());
}

}  // namespace

int main() {
    arithmetic_is_done_in_every_lane();
    chosen_lanes_are_those_of_both_masks();
    shifting_goes_on_in_what_comes_behind();
    return tests::result();
}
