// Which way to transform a line is the fastest, by its length.
#include "numerics/transforms/method.hpp"

#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

namespace {

// The longest line whose buffers and roots along the lanes stay near the core.
constexpr Index longest_along_lanes = 1 << 16;

/// The divisor of n that is nearest to its root from below.
Index middle_divisor(Index n) {
    Index middle = 1;
    for (Index d = 1; d * d <= n; ++d) {
        if (n % d == 0) middle = d;
    }
    return middle;
}

/// The most lanes, up to `most`, 1 if not even 2 will do.
template <class Fits>
int most_lanes(Index most, Fits fits) {
    for (int w = n_lanes; w > 1; w /= 2) {
        if (w <= most && fits(w)) return w;
    }
    return 1;
}

}  // namespace

std::unique_ptr<const Method> method_for(Index n) {
    if (!has_passes(n)) return by_convolution(n);
    const Index n_1 = middle_divisor(n);
    const int lanes = most_lanes(n, [n](int w) { return n % w == 0 && n / w >= w; });
    const int lines = most_lanes(n_1, [](int) { return true; });
    if (lanes > 1 && n <= longest_along_lanes) return along_lanes(n, lanes);
    if (lines > 1) return in_four_steps(n_1, n / n_1, lines);
    if (lanes > 1) return along_lanes(n, lanes);
    return in_one_lane(n);
}

}  // namespace heorot::transforms
