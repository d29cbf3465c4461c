// Flops of transforms of a few numbers.
#include "numerics/transforms/butterflies.hpp"

namespace heorot::transforms {

namespace {

constexpr double product = 6.0;
/// Of a turn by an eighth or three.
constexpr double turn = 4.0;

/// With h = (n - 1) / 2: 6 h for sums and differences of pairs and X_0, then h times 4 h for
/// cosines, 4 h - 2 for sines, 4 for X_k and X_{n-k}.
constexpr double of_odd(int n) {
    const int half = (n - 1) / 2;
    const double h = half;
    return 6.0 * h + h * (8.0 * h + 2.0);
}

}  // namespace

double flops_of_small(int n) {
    switch (n) {
        case 2:
            return 4.0;
        case 4:
            return 16.0;
        case 6:
            return 3.0 * flops_of_small(2) + 2.0 * flops_of_small(3);
        // Two of four points, two turns, four sums and differences.
        case 8:
            return 2.0 * 16.0 + 2.0 * turn + 16.0;
        case 9:
            return 6.0 * flops_of_small(3) + 4.0 * product;
        case 10:
            return 5.0 * flops_of_small(2) + 2.0 * flops_of_small(5);
        case 12:
            return 3.0 * flops_of_small(4) + 4.0 * flops_of_small(3);
        case 14:
            return 7.0 * flops_of_small(2) + 2.0 * flops_of_small(7);
        case 15:
            return 5.0 * flops_of_small(3) + 3.0 * flops_of_small(5);
        // Eight of four points, four turns by an odd eighth and four by an odd sixteenth.
        case 16:
            return 8.0 * 16.0 + 4.0 * turn + 4.0 * product;
        default:
            return of_odd(n);
    }
}

}  // namespace heorot::transforms
