// Lanczos' method, restarted thickly.
#include "numerics/sparse/lanczos.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/sparse/random_rows.hpp"
#include "numerics/sparse/rotations.hpp"

namespace heorot::sparse {

namespace {

std::size_t to_size(Index n) {
    return static_cast<std::size_t>(n);
}

}  // namespace

Lanczos::Lanczos(const Csr& a, Index n_wanted, Index n_basis, int n_threads)
    : a_(a),
      n_wanted_(n_wanted),
      n_basis_(n_basis),
      vectors_(a.n_rows),
      basis_(a.n_rows, n_basis + 1, n_threads),
      projected_(to_size(n_basis * n_basis)),
      values_(to_size(n_basis)),
      rotated_(to_size(n_basis * n_basis)),
      h_(to_size(n_basis)),
      rest_(to_size(n_basis)) {}

double Lanczos::working_set_bytes() const {
    return a_.bytes_of_product() + 8.0 * static_cast<double>((n_basis_ - 1) * a_.n_rows);
}

Lanczos::Found Lanczos::find(double residual, int most_products) {
    Found found;
    start();
    Index n_kept = 0;
    for (;;) {
        for (Index j = n_kept; j < n_basis_; ++j) extend(j, found);
        std::vector<double>& t = projected_;
        found.work.flops += diagonalise(t, n_basis_, values_, rotated_);
        found.has_converged = is_done(residual);
        if (found.has_converged || found.n_products >= most_products) break;
        // Half of the unwanted vectors are kept, too: more improve the next basis, but leave less
        // of it new.
        n_kept = keep(n_wanted_ + (n_basis_ - n_wanted_) / 2, found);
    }
    keep(n_wanted_, found);
    return found;
}

void Lanczos::start() {
    double* const v = basis_.column(0);
    vectors_.each([=](Index first, Index last) {
        for (Index i = first; i < last; ++i) v[i] = exact_value(i);
    });
    const double scale = 1.0 / std::sqrt(vectors_.dot(v, v));
    vectors_.each([=](Index first, Index last) {
        for (Index i = first; i < last; ++i) v[i] *= scale;
    });
    std::fill(projected_.begin(), projected_.end(), 0.0);
}

// beta v(j + 1) = A v(j) - V h - V h', h = V^T A v(j), h' its remainder after rounding
void Lanczos::extend(Index j, Found& found) {
    double* const w = basis_.column(j + 1);
    a_.multiply(basis_.column(j), w);
    const auto h = std::span(h_).first(to_size(j + 1));
    const auto rest = std::span(rest_).first(h.size());
    basis_.project(w, h);
    basis_.subtract_and_project(w, h, rest);
    beta_ = std::sqrt(basis_.subtract(w, rest));
    const double scale = 1.0 / beta_;
    vectors_.each([=](Index first, Index last) {
#pragma omp simd
        for (Index i = first; i < last; ++i) w[i] *= scale;
    });
    // Elements of T between v(j) and earlier vectors are known from when those were made.
    projected(j, j) = h[to_size(j)] + rest[to_size(j)];
    if (j + 1 < n_basis_) projected(j, j + 1) = projected(j + 1, j) = beta_;
    ++found.n_products;
    const auto n = static_cast<double>(a_.n_rows);
    const auto n_columns = static_cast<double>(j + 1);
    found.work += {2.0 * static_cast<double>(a_.n_nonzeros()), a_.bytes_of_product()};
    // V is read three times and multiplied four times.
    found.work += {(8.0 * n_columns + 3.0) * n, (24.0 * n_columns + 8.0 + 16.0 + 16.0 + 16.0) * n};
}

bool Lanczos::is_done(double residual) const {
    bool is_small = true;
    for (Index k = 0; k < n_wanted_; ++k) {
        const double last = rotated_[to_size(k * n_basis_ + n_basis_ - 1)];
        is_small = is_small && std::abs(beta_ * last) <= residual;
    }
    return is_small;
}

// V = V Y for the vectors of T to be kept, behind them the one that is orthogonal to all; T is then
// their values, and beta y(last) between each and that one
Index Lanczos::keep(Index n_kept, Found& found) {
    basis_.combine(rotated_, n_basis_, n_kept);
    vectors_.copy(basis_.column(n_basis_), basis_.column(n_kept));
    std::fill(projected_.begin(), projected_.end(), 0.0);
    for (Index k = 0; k < n_kept; ++k) {
        projected(k, k) = values_[to_size(k)];
        const double coupling = beta_ * rotated_[to_size(k * n_basis_ + n_basis_ - 1)];
        projected(k, n_kept) = projected(n_kept, k) = coupling;
    }
    const auto n = static_cast<double>(a_.n_rows);
    found.work += {2.0 * n * static_cast<double>(n_basis_ * n_kept),
                   8.0 * n * static_cast<double>(n_basis_ + n_kept + 2)};
    return n_kept;
}

}  // namespace heorot::sparse
