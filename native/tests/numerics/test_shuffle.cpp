// Random orders: nothing is lost, and all orders come as often as each other.
#include <array>
#include <cstddef>
#include <map>
#include <span>

#include "numerics/shuffle.hpp"
#include "tests/testing.hpp"

using namespace heorot;

int main() {
    // All 3 * 2 ways to draw give the 3! orders, each once.
    std::map<std::array<int, 3>, int> n_times;
    for (std::size_t i = 0; i < 6; ++i) {
        std::array<int, 3> order = {0, 1, 2};
        shuffle(std::span<int>(order), [&](std::size_t n) { return n == 3 ? i % 3 : i / 3; });
        ++n_times[order];
    }
    CHECK(n_times.size() == 6);
    // The order in which they are drawn is part of what a seed means.
    std::array<int, 4> order = {0, 1, 2, 3};
    shuffle(std::span<int>(order), [](std::size_t) { return std::size_t{0}; });
    CHECK((order == std::array<int, 4>{1, 2, 3, 0}));
    shuffle(std::span<int>(), [](std::size_t) { return std::size_t{0}; });
    return tests::result();
}
