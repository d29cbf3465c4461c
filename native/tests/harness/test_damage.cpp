// Damage on purpose: one element, always the same, of every type; and what a check makes of NaN.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/program.hpp"
#include "harness/record/check.hpp"
#include "tests/testing.hpp"

using namespace heorot;

int main() {
    std::vector<double> reals(5, 2.0);
    damage(std::span<double>(reals));
    CHECK(reals[2] == 2.0 * (1.0 + 1e-3));
    CHECK(reals[0] == 2.0 && reals[1] == 2.0 && reals[3] == 2.0 && reals[4] == 2.0);
    std::vector<float> zeros(4);
    damage(std::span<float>(zeros));
    CHECK(zeros[2] == 1e-3F && zeros[1] == 0.0F);
    std::vector<std::int64_t> whole(1, 6);
    damage(std::span<std::int64_t>(whole));
    CHECK(whole[0] == 7);
    std::vector<std::uint8_t> small(2, 255);
    damage(std::span<std::uint8_t>(small));
    CHECK(small[1] == 254);
    std::vector<std::byte> bytes(3);
    damage(std::span<std::byte>(bytes));
    CHECK(bytes[1] == std::byte{1});

    CHECK(is_nan(std::numeric_limits<double>::quiet_NaN()));
    CHECK(is_nan(-std::numeric_limits<double>::signaling_NaN()));
    CHECK(!is_nan(std::numeric_limits<double>::infinity()) && !is_nan(0.0) && !is_nan(-1.5));

    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(larger(1.0, 2.0) == 2.0 && larger(2.0, 1.0) == 2.0 && larger(-1.0, -1.0) == -1.0);
    CHECK(is_nan(larger(nan, 1.0)) && is_nan(larger(1.0, nan)) && is_nan(larger(nan, nan)));
    return tests::result();
}
