// Products of a few long vectors, in blocks that stay in a cache.
#include "numerics/sparse/basis.hpp"

#include <algorithm>

#include "harness/world/threads.hpp"

namespace heorot::sparse {

namespace {

constexpr Index line = 8;  // [double]

std::size_t to_size(Index n) {
    return static_cast<std::size_t>(n);
}

}  // namespace

// Columns begin a line further on than a multiple of lines, so that they do not compete for the
// same places of a cache where n is a power of two.
Basis::Basis(Index n, Index n_columns, int n_threads)
    : n_(n),
      n_columns_(n_columns),
      n_threads_(n_threads),
      stride_((n + line - 1) / line * line + line),
      n_blocks_((n + block - 1) / block),
      values_(to_size(stride_ * n_columns)),
      partial_(to_size(n_blocks_ * n_columns)),
      scratch_(to_size(n_threads * n_columns * block)) {
    each_block([&](Index, Index first, Index last) {
        for (Index j = 0; j < n_columns_; ++j) std::fill(column(j) + first, column(j) + last, 0.0);
    });
}

/// body(b, first, last) for all blocks.
template <class Body>
void Basis::each_block(const Body& body) {
#pragma omp parallel for schedule(static) if (n_blocks_ > 1)
    for (Index b = 0; b < n_blocks_; ++b) body(b, b * block, std::min(n_, (b + 1) * block));
}

void Basis::sum_partial(std::span<double> h) const {
    std::fill(h.begin(), h.end(), 0.0);
    for (Index b = 0; b < n_blocks_; ++b) {
        const double* const part = partial_.data() + b * n_columns_;
        for (std::size_t j = 0; j < h.size(); ++j) h[j] += part[j];
    }
}

// h(j) = V(first ... last - 1, j) w, four columns at a time
void Basis::add_products(Index first, Index last, const double* w, std::span<double> h) const {
    std::size_t j = 0;
    for (; j + 4 <= h.size(); j += 4) {
        const double* const v = column(static_cast<Index>(j));
        const double* const v1 = v + stride_;
        const double* const v2 = v1 + stride_;
        const double* const v3 = v2 + stride_;
        double h0 = 0.0, h1 = 0.0, h2 = 0.0, h3 = 0.0;
#pragma omp simd reduction(+ : h0, h1, h2, h3)
        for (Index i = first; i < last; ++i) {
            h0 += v[i] * w[i];
            h1 += v1[i] * w[i];
            h2 += v2[i] * w[i];
            h3 += v3[i] * w[i];
        }
        h[j] = h0;
        h[j + 1] = h1;
        h[j + 2] = h2;
        h[j + 3] = h3;
    }
    for (; j < h.size(); ++j) {
        const double* const v = column(static_cast<Index>(j));
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (Index i = first; i < last; ++i) sum += v[i] * w[i];
        h[j] = sum;
    }
}

// w(i) = w(i) - sum over j of V(i, j) h(j), four columns at a time
void Basis::subtract_block(Index first, Index last, double* w, std::span<const double> h) const {
    std::size_t j = 0;
    for (; j + 4 <= h.size(); j += 4) {
        const double* const v = column(static_cast<Index>(j));
        const double* const v1 = v + stride_;
        const double* const v2 = v1 + stride_;
        const double* const v3 = v2 + stride_;
        const double h0 = h[j], h1 = h[j + 1], h2 = h[j + 2], h3 = h[j + 3];
#pragma omp simd
        for (Index i = first; i < last; ++i) {
            w[i] -= (h0 * v[i] + h1 * v1[i]) + (h2 * v2[i] + h3 * v3[i]);
        }
    }
    for (; j < h.size(); ++j) {
        const double* const v = column(static_cast<Index>(j));
        const double h_j = h[j];
#pragma omp simd
        for (Index i = first; i < last; ++i) w[i] -= h_j * v[i];
    }
}

void Basis::project(const double* w, std::span<double> h) {
    each_block([&](Index b, Index first, Index last) {
        add_products(first, last, w, {partial_.data() + b * n_columns_, h.size()});
    });
    sum_partial(h);
}

void Basis::subtract_and_project(double* w, std::span<const double> h, std::span<double> rest) {
    each_block([&](Index b, Index first, Index last) {
        subtract_block(first, last, w, h);
        add_products(first, last, w, {partial_.data() + b * n_columns_, rest.size()});
    });
    sum_partial(rest);
}

double Basis::subtract(double* w, std::span<const double> h) {
    each_block([&](Index b, Index first, Index last) {
        subtract_block(first, last, w, h);
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (Index i = first; i < last; ++i) sum += w[i] * w[i];
        partial_[to_size(b * n_columns_)] = sum;
    });
    double sum = 0.0;
    sum_partial({&sum, 1});
    return sum;
}

void Basis::combine(std::span<const double> y, Index n_old, Index n_new) {
#pragma omp parallel for schedule(static) num_threads(n_threads_) if (n_blocks_ > 1)
    for (Index b = 0; b < n_blocks_; ++b) {
        double* const sums = scratch_.data() + thread_number() * n_columns_ * block;
        combine_block(b * block, std::min(n_, (b + 1) * block), sums, y, n_old, n_new);
    }
}

// sums(i, k) = sum over j of V(i, j) y(j, k), which then becomes V(i, k)
void Basis::combine_block(Index first, Index last, double* sums, std::span<const double> y,
                          Index n_old, Index n_new) {
    for (Index k = 0; k < n_new; ++k) {
        double* const sum = sums + k * block - first;
        std::fill(sum + first, sum + last, 0.0);
        // It takes away what is to be added, so that there is one loop for both.
        double minus_y[block];  // NOLINT: n_columns is less
        for (Index j = 0; j < n_old; ++j) minus_y[j] = -y[to_size(k * n_old + j)];
        subtract_block(first, last, sum, {minus_y, to_size(n_old)});
    }
    for (Index k = 0; k < n_new; ++k) {
        std::copy(sums + k * block, sums + k * block + (last - first), column(k) + first);
    }
}

}  // namespace heorot::sparse
