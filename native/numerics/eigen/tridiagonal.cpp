// Householder's reduction to tridiagonal form and the way back.
#include "numerics/eigen/tridiagonal.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/eigen/columns.hpp"

namespace heorot::eigen {

namespace {

constexpr Index panel = 32;  // columns of A whose reflections are gathered before the rest changes
constexpr Index block = 64;  // reflections that are applied to vectors together
constexpr Index strip = 96;  // columns of the triangle that is updated by one product

double dot(Index first, Index end, const double* x, const double* y) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index i = first; i < end; ++i) sum += x[i] * y[i];
    return sum;
}

/// The remaining element of a reflected column, and the factor of the reflection.
struct Reflection {
    double element;
    double tau;
};

/// Turns x into v with v(first) = 1, so that (I - tau v v^T) x has one element left, at `first`.
Reflection reflect(Index first, Index end, double* x) {
    const double below = dot(first + 1, end, x, x);
    const double alpha = x[first];
    x[first] = 1.0;
    if (below == 0.0) return {alpha, 0.0};
    const double beta = -std::copysign(std::sqrt(alpha * alpha + below), alpha);
    const double scale = 1.0 / (alpha - beta);
    for (Index i = first + 1; i < end; ++i) x[i] *= scale;
    return {beta, (beta - alpha) / beta};
}

}  // namespace

Tridiagonalisation::Tridiagonalisation(Index n)
    : n_(n),
      stride_(stride_of(n)),
      tau_(static_cast<std::size_t>(n)),
      w_(static_cast<std::size_t>(stride_ * panel)),
      left_(static_cast<std::size_t>(stride_ * block)),
      right_(static_cast<std::size_t>(n * block)),
      product_(static_cast<std::size_t>(n * block)),
      small_(static_cast<std::size_t>(block * block)) {
    static_assert(2 * panel <= block);
}

void Tridiagonalisation::reduce(const Matrix& a, double* d, double* e) {
    const Index n_reflections = std::max<Index>(n_ - 2, 0);
    for (Index begin = 0; begin < n_reflections; begin += panel) {
        const Index end = std::min(begin + panel, n_reflections);
        reduce_panel(a, begin, end, d, e);
        update_behind(a, begin, end);
    }
    for (Index j = n_reflections; j < n_; ++j) {
        d[j] = a(j, j);
        if (j + 1 < n_) e[j] = a(j + 1, j);
    }
}

void Tridiagonalisation::reduce_panel(const Matrix& a, Index begin, Index end, double* d,
                                      double* e) {
    for (Index j = begin; j < end; ++j) {
        bring_up_to_date(a, begin, j);
        d[j] = a(j, j);
        const Reflection made = reflect(j + 1, n_, a.column(j));
        e[j] = made.element;
        tau_[static_cast<std::size_t>(j)] = made.tau;
        make_w(a, begin, j);
    }
}

/// a(j) -= V W(j)^T + W V(j)^T, with the columns of V and W in the panel so far.
void Tridiagonalisation::bring_up_to_date(const Matrix& a, Index begin, Index j) {
    const Index known = j - begin;
    double* const of_w = small_.data();
    double* const of_v = of_w + panel;
    for (Index k = 0; k < known; ++k) {
        of_w[k] = -w_column(k)[j];
        of_v[k] = -a(j, begin + k);
    }
    add_columns(j, n_, known, a.column(begin), a.stride, of_w, a.column(j));
    add_columns(j, n_, known, w_.data(), stride_, of_v, a.column(j));
}

/// w = tau p - (tau^2 / 2) (p^T v) v, where p = (A - V W^T - W V^T) v for what is right of column
/// j.
void Tridiagonalisation::make_w(const Matrix& a, Index begin, Index j) {
    const Index known = j - begin;
    const double* const v = a.column(j);
    double* const w = w_column(known);
    double* const w_v = small_.data();
    double* const v_v = w_v + panel;
    symmetric_times(a, j + 1, v, w);
    dot_columns(j + 1, n_, known, w_.data(), stride_, v, w_v);
    dot_columns(j + 1, n_, known, a.column(begin), a.stride, v, v_v);
    for (Index k = 0; k < 2 * panel; ++k) w_v[k] = -w_v[k];
    add_columns(j + 1, n_, known, a.column(begin), a.stride, w_v, w);
    add_columns(j + 1, n_, known, w_.data(), stride_, v_v, w);
    const double tau = tau_[static_cast<std::size_t>(j)];
    const double half = 0.5 * tau * tau * dot(j + 1, n_, w, v);
    for (Index i = j + 1; i < n_; ++i) w[i] = tau * w[i] - half * v[i];
}

/// The lower triangle behind the panel: A -= V W^T + W V^T = (V W) (W V)^T, strip by strip.
void Tridiagonalisation::update_behind(const Matrix& a, Index begin, Index end) {
    const Index k = end - begin;
    for (Index c = 0; c < k; ++c) {
        const double* const v = a.column(begin + c);
        const double* const w = w_column(c);
        std::copy(v + end, v + n_, left_.data() + c * stride_ + end);
        std::copy(w + end, w + n_, left_.data() + (k + c) * stride_ + end);
        for (Index i = end; i < n_; ++i) {
            right_[static_cast<std::size_t>(i * 2 * k + c)] = w[i];
            right_[static_cast<std::size_t>(i * 2 * k + k + c)] = v[i];
        }
    }
    for (Index j = end; j < n_; j += strip) {
        const Index columns = std::min(strip, n_ - j);
        multiplier_.add(n_ - j, columns, 2 * k, -1.0, {left_.data() + j, stride_},
                        {right_.data() + j * 2 * k, 2 * k}, {&a(j, j), a.stride});
    }
}

/// I - V T V^T of the reflections begin ... end - 1: V^T in right_, V T in left_.
void Tridiagonalisation::gather_block(const Matrix& a, Index begin, Index end) {
    const Index k = end - begin;
    const Index rows = n_ - begin - 1;
    for (Index c = 0; c < k; ++c) {
        const double* const v = a.column(begin + c) + begin + 1;
        for (Index i = 0; i < rows; ++i) {
            right_[static_cast<std::size_t>(c + i * k)] = i < c ? 0.0 : v[i];
        }
    }
    // T(0:c, c) = -tau T (V^T v), so that column c of V T is tau (v - V T V^T v).
    std::fill(left_.begin(), left_.begin() + k * stride_, 0.0);
    for (Index c = 0; c < k; ++c) {
        const double tau = tau_[static_cast<std::size_t>(begin + c)];
        const double* const v = a.column(begin + c) + begin + 1;
        double* const column = left_.data() + c * stride_;
        for (Index l = 0; l < c; ++l) {
            const double* const other = a.column(begin + l) + begin + 1;
            small_[static_cast<std::size_t>(l)] = -tau * dot(c, rows, other, v);
        }
        for (Index i = c; i < rows; ++i) column[i] = tau * v[i];
        add_columns(0, rows, c, left_.data(), stride_, small_.data(), column);
    }
}

void Tridiagonalisation::transform_back(const Matrix& a, const Matrix& z) {
    const Index n_reflections = std::max<Index>(n_ - 2, 0);
    const Index n_blocks = (n_reflections + block - 1) / block;
    for (Index b = n_blocks - 1; b >= 0; --b) {
        const Index begin = b * block;
        const Index k = std::min(begin + block, n_reflections) - begin;
        const Index rows = n_ - begin - 1;
        gather_block(a, begin, begin + k);
        multiplier_.multiply(k, n_, rows, {right_.data(), k}, {&z(begin + 1, 0), z.stride},
                             {product_.data(), k});
        multiplier_.add(rows, n_, k, -1.0, {left_.data(), stride_}, {product_.data(), k},
                        {&z(begin + 1, 0), z.stride});
    }
}

double Tridiagonalisation::reduction_flops(Index n) {
    double sum = 0.0;
    for (Index j = 0; j + 2 < n; ++j) {
        const auto m = static_cast<double>(n - j - 1);
        const auto known = static_cast<double>(j % panel);
        sum += 2.0 * m * m + 4.0 * known * (m + 1.0) + 8.0 * known * m + 8.0 * m;
    }
    for (Index begin = 0; begin + 2 < n; begin += panel) {
        const Index end = std::min(begin + panel, n - 2);
        for (Index j = end; j < n; j += strip) {
            const auto area = static_cast<double>((n - j) * std::min(strip, n - j));
            sum += 4.0 * static_cast<double>(end - begin) * area;
        }
    }
    return sum;
}

double Tridiagonalisation::transformation_flops(Index n) {
    double sum = 0.0;
    for (Index begin = 0; begin + 2 < n; begin += block) {
        const auto k = static_cast<double>(std::min(begin + block, n - 2) - begin);
        const auto rows = static_cast<double>(n - begin - 1);
        sum += 4.0 * k * rows * static_cast<double>(n) + 2.0 * k * k * rows;
    }
    return sum;
}

double Tridiagonalisation::reduction_bytes(Index n) {
    double sum = 0.0;
    for (Index j = 0; j + 2 < n; ++j) {
        const auto m = static_cast<double>(n - j - 1);
        sum += 8.0 * m * (m + 1.0) / 2.0;
        // Behind every panel, and at the very end.
        if ((j + 1) % panel == 0 || j + 3 == n) sum += 16.0 * m * (m + 1.0) / 2.0;
    }
    return sum;
}

double Tridiagonalisation::transformation_bytes(Index n) {
    double sum = 0.0;
    for (Index begin = 0; begin + 2 < n; begin += block) {
        sum += 16.0 * static_cast<double>((n - begin - 1) * n);
    }
    return sum;
}

}  // namespace heorot::eigen
