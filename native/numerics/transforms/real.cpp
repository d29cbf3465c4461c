// Transforms of real numbers, by transforms of n / 2 complex ones, and back.
#include "numerics/transforms/real.hpp"

#include <algorithm>
#include <utility>

#include "harness/record/check.hpp"
#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

namespace {

constexpr int w = n_lanes;
constexpr Direction plain = Direction::forward;

bool is_even(Index n) {
    return n % 2 == 0;
}

/// Of a and b, numbers k and m - k, to the same two: of the transform of n / 2 complex numbers to
/// that of n real ones, or back. `root` is -i w^k / 2.
template <Direction direction, class V>
[[gnu::always_inline]] inline void untangle(Complex<V>& a, Complex<V>& b, const Complex<V>& root) {
    const Complex<V> conjugate = {b.re, -b.im};
    Complex<V> even = a + conjugate;
    Complex<V> odd = a - conjugate;
    if constexpr (direction == Direction::forward) {
        even = {even.re * 0.5, even.im * 0.5};
        odd = times(odd, root.re, root.im);
    } else {
        odd = times(odd, root.re * 2.0, root.im * -2.0);
    }
    a = even + odd;
    b = {even.re - odd.re, odd.im - even.im};
}

/// Number i goes where number w - 1 - i was.
[[gnu::always_inline]] inline Vector<w> reversed(const Vector<w>& v) {
    return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        return __builtin_shufflevector(v, v, (w - 1 - i)...);
    }(std::make_integer_sequence<int, w>());
}

/// All pairs k and m - k of `from`, which is left alone, or is `to`; 0 < k < m - k.
template <Direction direction>
void untangle_pairs(const double* from, double* to, const double* roots, Index m) {
    Index k = 1;
    for (; k + w <= m - k - w + 1; k += w) {
        const Index mirror = m - k - w + 1;
        Numbers<w> a = load_in_turn<w, plain>(from + 2 * k);
        Numbers<w> b = load_in_turn<w, plain>(from + 2 * mirror);
        b = {reversed(b.re), reversed(b.im)};
        untangle<direction>(a, b, load_in_turn<w, plain>(roots + 2 * k));
        store_in_turn<w, plain>(to + 2 * k, a);
        const Numbers<w> mirrored = {reversed(b.re), reversed(b.im)};
        store_in_turn<w, plain>(to + 2 * mirror, mirrored);
    }
    for (; 2 * k <= m; ++k) {
        const Index mirror = m - k;
        Complex<double> a = {from[2 * k], from[2 * k + 1]};
        Complex<double> b = {from[2 * mirror], from[2 * mirror + 1]};
        untangle<direction>(a, b, Complex<double>{roots[2 * k], roots[2 * k + 1]});
        to[2 * mirror] = b.re;
        to[2 * mirror + 1] = b.im;
        to[2 * k] = a.re;
        to[2 * k + 1] = a.im;
    }
}

}  // namespace

RealTransform::RealTransform(Index n) : n_(n), method_(method_for(is_even(n) ? n / 2 : n)) {
    expects(n >= 1, "a line has one number at least");
    for (Index k = 0; is_even(n) && 4 * k <= n; ++k) {
        const Root root = root_of_unity(k, n);
        roots_.insert(roots_.end(), {0.5 * root.im, -0.5 * root.re});
    }
}

void RealTransform::forward(const double* from, double* to, double* scratch) const {
    if (is_even(n_)) {
        const Index m = n_ / 2;
        method_->transform(from, to, plain, scratch);
        const double sum = to[0];
        const double difference = to[1];
        untangle_pairs<plain>(to, to, roots_.data(), m);
        to[0] = sum + difference;
        to[2 * m] = sum - difference;
        to[1] = to[2 * m + 1] = 0.0;
        return;
    }
    double* const line = scratch + method_->scratch_length();
    for (Index j = 0; j < n_; ++j) {
        line[2 * j] = from[j];
        line[2 * j + 1] = 0.0;
    }
    method_->transform(line, line, plain, scratch);
    std::copy(line, line + n_ + 1, to);
}

void RealTransform::inverse(const double* from, double* to, double* scratch) const {
    double* const line = scratch + method_->scratch_length();
    if (is_even(n_)) {
        const Index m = n_ / 2;
        line[0] = from[0] + from[2 * m];
        line[1] = from[0] - from[2 * m];
        untangle_pairs<Direction::inverse>(from, line, roots_.data(), m);
        method_->transform(line, to, Direction::inverse, scratch);
        return;
    }
    line[0] = from[0];
    line[1] = 0.0;
    for (Index k = 1; 2 * k < n_; ++k) {
        line[2 * k] = line[2 * (n_ - k)] = from[2 * k];
        line[2 * k + 1] = from[2 * k + 1];
        line[2 * (n_ - k) + 1] = -from[2 * k + 1];
    }
    method_->transform(line, line, Direction::inverse, scratch);
    for (Index j = 0; j < n_; ++j) to[j] = line[2 * j];
}

std::size_t RealTransform::scratch_length() const {
    return method_->scratch_length() + static_cast<std::size_t>(is_even(n_) ? n_ : 2 * n_);
}

double RealTransform::flops() const {
    if (!is_even(n_)) return method_->flops();
    // A pair: sum and difference, the half of the one, the other turned, two sums; k = 0.
    constexpr double pair = 4.0 + 2.0 + 6.0 + 4.0;
    const Index n_pairs = n_ / 4;
    return method_->flops() + pair * static_cast<double>(n_pairs) + 2.0;
}

}  // namespace heorot::transforms
