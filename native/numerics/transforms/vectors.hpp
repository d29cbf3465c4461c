// Vectors of two, four or eight doubles, and complex numbers on their way between memory, where
// real and imaginary parts lie in turn, and two vectors, which hold the one and the other.
//
// Checked in tests/numerics/test_transforms.cpp: interleaved_numbers_meet_memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "numerics/lanes.hpp"
#include "numerics/transforms/butterflies.hpp"

namespace heorot::transforms {

using Index = std::ptrdiff_t;

/// The sign of the exponent: forward is sum_j x_j exp(-2 pi i j k / n), inverse has the other
/// sign. Neither is scaled: the inverse of the forward transform is n times the input.
enum class Direction { forward, inverse };

/// w doubles.
template <int w>
struct VectorOf {
    using Type [[gnu::vector_size(w * sizeof(double))]] = double;
};
template <int w>
using Vector = VectorOf<w>::Type;

template <int w>
using Numbers = Complex<Vector<w>>;

template <int w>
[[gnu::always_inline]] inline Vector<w> load(const double* from) {
    Vector<w> v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
template <int w>
[[gnu::always_inline]] inline void store(double* to, const Vector<w>& v) {
    std::memcpy(to, &v, sizeof v);
}

/// Which of w adjacent numbers lane `lane` has: shuffles within pairs of lanes part them from
/// memory, and join them, at the least cost, and leave the second half between the numbers of the
/// first.
template <int w>
constexpr int number_in(int lane) {
    return lane / 2 + lane % 2 * (w / 2);
}

/// w complex numbers as they lie in memory, parts in turn, in the order number_in. The inverse
/// transform is the forward one with real and imaginary parts exchanged on the way in and on the
/// way out.
template <int w, Direction direction>
[[gnu::always_inline]] inline Numbers<w> load_in_turn(const double* from) {
    const Vector<w> a = load<w>(from);
    const Vector<w> b = load<w>(from + w);
    return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        const Vector<w> re = __builtin_shufflevector(a, b, (i % 2 * (w - 1) + i)...);
        const Vector<w> im = __builtin_shufflevector(a, b, (i % 2 * (w - 1) + i + 1)...);
        if constexpr (direction == Direction::forward) return Numbers<w>{re, im};
        return Numbers<w>{im, re};
    }(std::make_integer_sequence<int, w>());
}
template <int w, Direction direction>
[[gnu::always_inline]] inline void store_in_turn(double* to, const Numbers<w>& z) {
    const Vector<w> re = direction == Direction::forward ? z.re : z.im;
    const Vector<w> im = direction == Direction::forward ? z.im : z.re;
    [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        store<w>(to, __builtin_shufflevector(re, im, (i % 2 * (w - 1) + i)...));
        store<w>(to + w, __builtin_shufflevector(re, im, (i % 2 * (w - 1) + i + 1)...));
    }(std::make_integer_sequence<int, w>());
}

/// Of complex numbers in blocks: w real parts, then w imaginary parts [double].
template <int w>
constexpr Index block_of = Index{2} * w;

template <int w>
[[gnu::always_inline]] inline Numbers<w> load_block(const double* from) {
    return {load<w>(from), load<w>(from + w)};
}
template <int w>
[[gnu::always_inline]] inline void store_block(double* to, const Numbers<w>& z) {
    store<w>(to, z.re);
    store<w>(to + w, z.im);
}

}  // namespace heorot::transforms
