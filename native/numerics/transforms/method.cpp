// Which way to transform a line is the fastest, by its length.
#include "numerics/transforms/method.hpp"

#include <cmath>
#include <vector>

#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

namespace {

// So long are lines for which fewer passes count more than buffers that stay near the core.
constexpr Index longest_of_few_passes = 2048;
// So short are lines that no vectors are filled for.
constexpr Index longest_alone = 9;
// Radices up to this one need no more registers than there are.
constexpr int largest_cheap_radix = 8;

/// The divisor of n that is nearest to its root from below.
Index middle_divisor(Index n) {
    Index middle = 1;
    for (Index d = 1; d * d <= n; ++d) {
        if (n % d == 0) middle = d;
    }
    return middle;
}

/// Time of n numbers in every lane, for each of them; it is one in a pass of a cheap radix.
double cost_of_passes(Index n) {
    const std::vector<int> radices = radices_of(n);
    double cost = radices.size() == 1 ? 0.0 : 0.7;  // buffers between them
    for (const int radix : radices) cost += radix > largest_cheap_radix ? 1.25 : 1.0;
    return cost;
}

/// n lines in vectors of w lanes: how many more there are, for each line.
double idle(Index n, int w) {
    const Index filled = (n + w - 1) / w * w;
    return static_cast<double>(filled - n) / static_cast<double>(n);
}

/// A way to transform a line, and its time for each number.
struct Way {
    int w;
    Index n_1;  // rows; 0 along the lanes
    double cost;
};

/// The cheapest way in vectors of w lanes, if there is one that is cheaper than `best`. Turning and
/// transposing costs as much as a pass. Rows that are done twice cost more than columns: they are
/// stored twice, too.
void try_vectors(Index n, int w, Way& best) {
    const double penalty = std::pow(static_cast<double>(n_lanes) / w, 0.55);
    const auto compare = [&](Index n_1, double cost) {
        if (penalty * cost < best.cost) best = {w, n_1, penalty * cost};
    };
    if (n % w == 0 && n > w && radices_of(n / w).size() == 1) {
        compare(0, cost_of_passes(n / w) + 1.5 * (1.0 + idle(n / w, w)));
    }
    for (Index n_1 = w; n_1 <= n / w; ++n_1) {
        if (n % n_1 != 0) continue;
        const Index n_2 = n / n_1;
        const double columns = (1.0 + idle(n_2, w)) * (cost_of_passes(n_1) + 1.0);
        compare(n_1, columns + (1.0 + 2.0 * idle(n_1, w)) * cost_of_passes(n_2));
    }
}

}  // namespace

std::unique_ptr<const Method> method_for(Index n) {
    if (!has_passes(n)) return by_convolution(n);
    if (n <= longest_alone && (n == 1 || radices_of(n).size() == 1)) return in_one_lane(n);
    const Index n_1 = middle_divisor(n);
    if (n > longest_of_few_passes && n_1 >= n_lanes) return in_four_steps(n_1, n / n_1, n_lanes);
    Way best = {1, 0, 1e300};
    for (int w = n_lanes; w > 1; w /= 2) try_vectors(n, w, best);
    if (best.w == 1) return in_one_lane(n);
    return best.n_1 == 0 ? along_lanes(n, best.w) : in_four_steps(best.n_1, n / best.n_1, best.w);
}

}  // namespace heorot::transforms
