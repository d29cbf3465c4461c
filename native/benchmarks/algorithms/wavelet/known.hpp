// A field whose Haar transform is known in closed form, free of rounding.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "benchmarks/algorithms/wavelet/haar.hpp"

namespace heorot::wavelet {

/// Sums of i^p over a block of `size` numbers, or over its first half minus its second; p = 1, 2.
struct Sums {
    std::int64_t of_1, of_2;
};
inline Sums sums(Index block, Index size) {
    const std::int64_t first = block * size;
    const std::int64_t up_to = size * (size - 1) / 2;
    return {first * size + up_to,
            first * first * size + 2 * first * up_to + (size - 1) * size * (2 * size - 1) / 6};
}
inline Sums differences(Index block, Index size) {
    if (size == 1) return {0, 0};
    const Sums one = sums(2 * block, size / 2);
    const Sums other = sums(2 * block + 1, size / 2);
    return {one.of_1 - other.of_1, one.of_2 - other.of_2};
}

/// The field f(i, j) = i^2 + 2 j^2 - i j + 5, and its transform.
class Known {
  public:
    Known(Index m, Index n, int n_levels) : m_(m), n_(n), n_levels_(n_levels) {}

    static double point(Index i, Index j) {
        return static_cast<double>(i * i + 2 * j * j - i * j + 5);
    }
    /// Number (i, j) of the transform.
    double coefficient(Index i, Index j) const {
        int l = 1;
        while (l < n_levels_ && i < m_ >> l && j < n_ >> l) ++l;
        const Index m = m_ >> l;
        const Index n = n_ >> l;
        const Index size = Index{1} << l;
        const bool below = i >= m;
        const bool right = j >= n;
        const Sums of_i = below ? differences(i - m, size) : sums(i, size);
        const Sums of_j = right ? differences(j - n, size) : sums(j, size);
        const std::int64_t i_0 = below ? 0 : size;
        const std::int64_t j_0 = right ? 0 : size;
        const std::int64_t sum =
            of_i.of_2 * j_0 + 2 * i_0 * of_j.of_2 - of_i.of_1 * of_j.of_1 + 5 * i_0 * j_0;
        return std::ldexp(static_cast<double>(sum), -l);
    }

  private:
    Index m_;
    Index n_;
    int n_levels_;
};

}  // namespace heorot::wavelet
