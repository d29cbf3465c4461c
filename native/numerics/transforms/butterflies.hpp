// Transforms of a few complex numbers in registers: several at once, one to a lane of a vector.
//
// X_k = sum_j x_j exp(-2 pi i j k / n) for n = 2 ... 16. V is a vector of doubles, or a type
// with their arithmetic, by which tests count operations.
//
// Source: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), chapters 1
// and 2; I. J. Good, The interaction algorithm and practical Fourier analysis, J. R. Statist. Soc.
// B 20 (1958), for 6, 10, 12, 14, 15.
//
// Checked against the definition in tests/numerics/test_transforms.cpp: small_transforms.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "numerics/lanes.hpp"

namespace heorot::transforms {

constexpr double cos_pi_4 = 0.70710678118654752440;
constexpr double cos_pi_8 = 0.92387953251128675613;
constexpr double sin_pi_8 = 0.38268343236508977173;

/// Complex numbers, one in each lane.
template <class V>
struct Complex {
    V re, im;
};

template <class V>
[[gnu::always_inline]] inline Complex<V> operator+(const Complex<V>& a, const Complex<V>& b) {
    return {a.re + b.re, a.im + b.im};
}
template <class V>
[[gnu::always_inline]] inline Complex<V> operator-(const Complex<V>& a, const Complex<V>& b) {
    return {a.re - b.re, a.im - b.im};
}
/// z (re + i im); the root is one for all lanes, or one for each.
template <class V, class Real>
[[gnu::always_inline]] inline Complex<V> times(const Complex<V>& z, const Real& re,
                                               const Real& im) {
    return {z.re * re - z.im * im, z.re * im + z.im * re};
}

/// z exp(-2 pi i / 8) and z exp(-2 pi i 3 / 8).
template <class V>
[[gnu::always_inline]] inline Complex<V> turned_by_1_8(const Complex<V>& z) {
    return {(z.re + z.im) * cos_pi_4, (z.im - z.re) * cos_pi_4};
}
template <class V>
[[gnu::always_inline]] inline Complex<V> turned_by_3_8(const Complex<V>& z) {
    return {(z.im - z.re) * cos_pi_4, (z.re + z.im) * -cos_pi_4};
}

/// f(0), ..., f(n - 1) with constants as arguments.
template <int n, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
    [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        (f(std::integral_constant<int, i>{}), ...);
    }(std::make_integer_sequence<int, n>{});
}

/// a + b and a - b.
template <class V>
[[gnu::always_inline]] inline void butterfly(Complex<V>& a, Complex<V>& b) {
    const Complex<V> sum = a + b;
    b = a - b;
    a = sum;
}

/// X_k = sum_j a_j (-i)^(j k), k = 0..3, in place.
template <class V>
[[gnu::always_inline]] inline void butterfly(Complex<V>& a, Complex<V>& b, Complex<V>& c,
                                             Complex<V>& d) {
    const Complex<V> even = a + c;
    const Complex<V> odd = b + d;
    const Complex<V> x = a - c;
    const Complex<V> y = b - d;
    a = even + odd;
    b = {x.re + y.im, x.im - y.re};
    c = even - odd;
    d = {x.re - y.im, x.im + y.re};
}

/// cos and sin of 2 pi j / n, j = 0 ... (n - 1) / 2.
template <int n>
struct Circle;
template <>
struct Circle<3> {
    static constexpr std::array cos = {1.0, -0.5};
    static constexpr std::array sin = {0.0, 0.86602540378443864676};
};
template <>
struct Circle<5> {
    static constexpr std::array cos = {1.0, 0.30901699437494742410, -0.80901699437494742410};
    static constexpr std::array sin = {0.0, 0.95105651629515357212, 0.58778525229247312917};
};
template <>
struct Circle<7> {
    static constexpr std::array cos = {1.0, 0.62348980185873353053, -0.22252093395631440429,
                                       -0.90096886790241912624};
    // NOLINTBEGIN(modernize-use-std-numbers): the last one is near to another constant only
    static constexpr std::array sin = {0.0, 0.78183148246802980871, 0.97492791218182360702,
                                       0.43388373911755812048};
    // NOLINTEND(modernize-use-std-numbers)
};
template <>
struct Circle<9> {
    static constexpr std::array cos = {1.0, 0.76604444311897803520, 0.17364817766693034885, -0.5,
                                       -0.93969262078590838405};
    static constexpr std::array sin = {0.0, 0.64278760968653932632, 0.98480775301220805937,
                                       0.86602540378443864676, 0.34202014332566873304};
};
template <>
struct Circle<11> {
    static constexpr std::array cos = {1.0,
                                       0.84125353283118116886,
                                       0.41541501300188642553,
                                       -0.14231483827328514045,
                                       -0.65486073394528506406,
                                       -0.95949297361449738990};
    static constexpr std::array sin = {0.0,
                                       0.54064081745559758211,
                                       0.90963199535451837141,
                                       0.98982144188093273238,
                                       0.75574957435425828377,
                                       0.28173255684142969772};
};
template <>
struct Circle<13> {
    static constexpr std::array cos = {1.0,
                                       0.88545602565320989587,
                                       0.56806474673115580251,
                                       0.12053668025532305335,
                                       -0.35460488704253562597,
                                       -0.74851074817110109864,
                                       -0.97094181742605202716};
    static constexpr std::array sin = {0.0,
                                       0.46472317204376854566,
                                       0.82298386589365639458,
                                       0.99270887409805399280,
                                       0.93501624268541482344,
                                       0.66312265824079520238,
                                       0.23931566428755776715};
};

/// n odd: with s_j = x_j + x_{n-j} and d_j = x_j - x_{n-j}, X_k and X_{n-k} are
/// x_0 + sum_j s_j cos(2 pi j k / n) -+ i sum_j d_j sin(2 pi j k / n), j = 1 ... (n - 1) / 2.
template <int n, class V>
[[gnu::always_inline]] inline void odd_transform(std::array<Complex<V>, n>& z) {
    constexpr int half = (n - 1) / 2;
    const Complex<V> first = z[0];
    std::array<Complex<V>, half> s;
    std::array<Complex<V>, half> d;
    unrolled<half>([&](auto j) __attribute__((always_inline)) {
        s[j] = z[j + 1] + z[n - 1 - j];
        d[j] = z[j + 1] - z[n - 1 - j];
        z[0] = z[0] + s[j];
    });
    unrolled<half>([&](auto k) __attribute__((always_inline)) {
        Complex<V> even = first;
        Complex<V> odd;
        unrolled<half>([&](auto j) __attribute__((always_inline)) {
            constexpr int angle = (j + 1) * (k + 1) % n;
            constexpr double c = Circle<n>::cos[angle <= half ? angle : n - angle];
            constexpr double t = angle <= half ? Circle<n>::sin[angle] : -Circle<n>::sin[n - angle];
            even.re = even.re + s[j].re * c;
            even.im = even.im + s[j].im * c;
            if constexpr (j == 0) {
                odd = {d[j].re * t, d[j].im * t};
            } else {
                odd.re = odd.re + d[j].re * t;
                odd.im = odd.im + d[j].im * t;
            }
        });
        z[k + 1] = {even.re + odd.im, even.im - odd.re};
        z[n - 1 - k] = {even.re - odd.im, even.im + odd.re};
    });
}

template <int n, class V>
[[gnu::always_inline]] inline void small_transform(std::array<Complex<V>, n>& z);

/// n = p q without a common divisor. With j = q a + p b mod n the exponent j k falls apart into
/// a k / p + b k / q: it is a transform over a and one over b, and no turning between them.
template <int p, int q, class V>
[[gnu::always_inline]] inline void coprime_transform(
    std::array<Complex<V>, static_cast<std::size_t>(p) * q>& z) {
    constexpr int n = p * q;
    std::array<Complex<V>, n> of;  // (k mod p, b)
    unrolled<q>([&](auto b) __attribute__((always_inline)) {
        std::array<Complex<V>, p> column;
        unrolled<p>([&](auto a)
                        __attribute__((always_inline)) { column[a] = z[(q * a + p * b) % n]; });
        small_transform<p>(column);
        unrolled<p>([&](auto k) __attribute__((always_inline)) { of[k * q + b] = column[k]; });
    });
    unrolled<p>([&](auto k) __attribute__((always_inline)) {
        std::array<Complex<V>, q> row;
        unrolled<q>([&](auto b) __attribute__((always_inline)) { row[b] = of[k * q + b]; });
        small_transform<q>(row);
        unrolled<n>([&](auto m) __attribute__((always_inline)) {
            if constexpr (m % p == k) z[m] = row[m % q];
        });
    });
}

template <class V>
[[gnu::always_inline]] inline void transform_of_8(std::array<Complex<V>, 8>& z) {
    butterfly(z[0], z[2], z[4], z[6]);
    butterfly(z[1], z[3], z[5], z[7]);
    // w = exp(-2 pi i / 8): X_k = E_k + w^k O_k, X_{k+4} = E_k - w^k O_k
    const Complex<V> w2 = {z[5].im, -z[5].re};
    const std::array<Complex<V>, 4> even = {z[0], z[2], z[4], z[6]};
    const std::array<Complex<V>, 4> odd = {z[1], turned_by_1_8(z[3]), w2, turned_by_3_8(z[7])};
    unrolled<4>([&](auto k) __attribute__((always_inline)) {
        z[k] = even[k] + odd[k];
        z[k + 4] = even[k] - odd[k];
    });
}

/// X_{q + 3 p} = sum_s w_3^(s p) w^(s q) sum_r w_3^(r q) z_{s + 3 r}, w = exp(-2 pi i / 9)
template <class V>
[[gnu::always_inline]] inline void transform_of_9(std::array<Complex<V>, 9>& z) {
    std::array<Complex<V>, 9> of;  // (q, s)
    unrolled<3>([&](auto s) __attribute__((always_inline)) {
        std::array<Complex<V>, 3> column = {z[s], z[s + 3], z[s + 6]};
        odd_transform<3>(column);
        unrolled<3>([&](auto q) __attribute__((always_inline)) {
            of[3 * q + s] = column[q];
            if constexpr (s * q > 0) {
                of[3 * q + s] = times(column[q], Circle<9>::cos[s * q], -Circle<9>::sin[s * q]);
            }
        });
    });
    unrolled<3>([&](auto q) __attribute__((always_inline)) {
        std::array<Complex<V>, 3> row = {of[3 * q], of[3 * q + 1], of[3 * q + 2]};
        odd_transform<3>(row);
        unrolled<3>([&](auto p) __attribute__((always_inline)) { z[q + 3 * p] = row[p]; });
    });
}

/// X_{q + 4 p} = sum_s (-i)^(s p) w^(s q) sum_r (-i)^(r q) z_{s + 4 r}, w = exp(-2 pi i / 16)
template <class V>
[[gnu::always_inline]] inline void transform_of_16(std::array<Complex<V>, 16>& z) {
    unrolled<4>([&](auto s) __attribute__((always_inline)) {
        butterfly(z[s], z[s + 4], z[s + 8], z[s + 12]);
    });
    z[5] = times(z[5], cos_pi_8, -sin_pi_8);
    z[6] = turned_by_1_8(z[6]);
    z[7] = times(z[7], sin_pi_8, -cos_pi_8);
    z[9] = turned_by_1_8(z[9]);
    z[10] = {z[10].im, -z[10].re};
    z[11] = turned_by_3_8(z[11]);
    z[13] = times(z[13], sin_pi_8, -cos_pi_8);
    z[14] = turned_by_3_8(z[14]);
    z[15] = times(z[15], -cos_pi_8, sin_pi_8);
    std::array<Complex<V>, 16> x;
    unrolled<4>([&](auto q) __attribute__((always_inline)) {
        butterfly(z[4 * q], z[4 * q + 1], z[4 * q + 2], z[4 * q + 3]);
        unrolled<4>([&](auto p) __attribute__((always_inline)) { x[q + 4 * p] = z[4 * q + p]; });
    });
    z = x;
}

/// The transform of n points in registers.
template <int n, class V>
[[gnu::always_inline]] inline void small_transform(std::array<Complex<V>, n>& z) {
    if constexpr (n == 2) butterfly(z[0], z[1]);
    if constexpr (n == 4) butterfly(z[0], z[1], z[2], z[3]);
    if constexpr (n == 6) coprime_transform<2, 3>(z);
    if constexpr (n == 8) transform_of_8(z);
    if constexpr (n == 9) transform_of_9(z);
    if constexpr (n == 10) coprime_transform<2, 5>(z);
    if constexpr (n == 12) coprime_transform<4, 3>(z);
    if constexpr (n == 14) coprime_transform<2, 7>(z);
    if constexpr (n == 15) coprime_transform<3, 5>(z);
    if constexpr (n == 16) transform_of_16(z);
    if constexpr (n % 2 == 1 && n != 9 && n != 15) odd_transform<n>(z);
}

/// Flops of small_transform<n>.
double flops_of_small(int n);

}  // namespace heorot::transforms
