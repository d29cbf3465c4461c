// Divide and conquer: splitting of parts, and updates of their columns.
#include "numerics/eigen/divide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "numerics/eigen/implicit_ql.hpp"
#include "numerics/eigen/secular.hpp"

namespace heorot::eigen {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr Index largest_leaf = 32;  // solved by implicit QL

std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

DivideAndConquer::DivideAndConquer(Index n)
    : n_(n),
      coupling_(at(n)),
      order_(at(n)),
      kinds_(at(n)),
      kept_(at(n)),
      places_(at(n)),
      poles_(at(n)),
      couplings_(at(n)),
      weights_(at(n)),
      roots_(at(n)),
      column_(at(n)),
      deflated_(at(n)),
      factors_(at(n * n)),
      gathered_(at(n * n)) {}

bool DivideAndConquer::solve(double* d, double* e, const Matrix& z) {
    flops_ = n_columns_ = n_deflated_ = 0.0;
    for (Index j = 0; j < n_; ++j) std::fill_n(z.column(j), n_, 0.0);
    if (!conquer(0, n_, d, e, z)) return false;
    sort(d, z);
    return true;
}

bool DivideAndConquer::conquer(Index begin, Index n, double* d, double* e, const Matrix& z) {
    if (n <= largest_leaf) {
        for (Index j = begin; j < begin + n; ++j) z(j, j) = 1.0;
        const auto result =
            tridiagonal_vectors(n, d + begin, e + begin, &z(begin, begin), z.stride);
        flops_ += result.n_rotations * flops_with_vectors(n);
        return result.converged;
    }
    const Part part{begin, n / 2, n};
    const Index middle = begin + part.n_upper;
    const double coupling = e[middle - 1];
    d[middle - 1] -= std::abs(coupling);
    d[middle] -= std::abs(coupling);
    if (!conquer(begin, part.n_upper, d, e, z)) return false;
    if (!conquer(middle, n - part.n_upper, d, e, z)) return false;
    merge(part, coupling, d, z);
    return true;
}

void DivideAndConquer::merge(const Part& part, double coupling, double* d, const Matrix& z) {
    take_coupling(part, coupling > 0.0, z);
    // The vector of the couplings is made one of length 1.
    const double weight = 2.0 * std::abs(coupling);
    deflate(part, weight, d, z);
    n_columns_ += static_cast<double>(part.n);
    n_deflated_ += static_cast<double>(n_left_);
    if (n_kept_ == 0) return;
    find_values(weight);
    refine_weights();
    order_by_kind();
    make_vectors();
    multiply(part, d, z);
}

/// The vector that couples the halves, in the basis of their eigenvectors.
void DivideAndConquer::take_coupling(const Part& part, bool is_positive, const Matrix& z) {
    const Index middle = part.begin + part.n_upper;
    const double factor = std::sqrt(0.5);
    for (Index j = part.begin; j < part.begin + part.n; ++j) {
        const double last_of_upper = z(middle - 1, j);
        const double first_of_lower = is_positive ? z(middle, j) : -z(middle, j);
        coupling_[at(j)] = factor * (j < middle ? last_of_upper : first_of_lower);
        kinds_[at(j)] = j < middle ? Kind::upper : Kind::lower;
    }
}

void DivideAndConquer::deflate(const Part& part, double weight, double* d, const Matrix& z) {
    const auto begin = order_.begin() + part.begin;
    std::iota(begin, begin + part.n, part.begin);
    std::sort(begin, begin + part.n, [d](Index i, Index j) { return d[i] < d[j]; });
    double largest = 0.0;
    for (Index j = part.begin; j < part.begin + part.n; ++j) {
        largest = std::max({largest, std::abs(d[j]), weight * std::abs(coupling_[at(j)])});
    }
    const double tolerance = 8.0 * eps * largest;
    n_kept_ = n_left_ = 0;
    Index candidate = -1;
    for (Index place = part.begin; place < part.begin + part.n; ++place) {
        const Index j = order_[at(place)];
        if (weight * std::abs(coupling_[at(j)]) <= tolerance) {
            kinds_[at(j)] = Kind::deflated;
            deflated_[at(n_left_++)] = j;
            continue;
        }
        if (candidate >= 0 && !combine(part, candidate, j, tolerance, d, z)) {
            keep(candidate, d);
        }
        candidate = j;
    }
    if (candidate >= 0) keep(candidate, d);
}

/// Rotates two columns so that the first is decoupled, if their values are so close that the matrix
/// stays diagonal; returns whether they are.
bool DivideAndConquer::combine(const Part& part, Index one, Index other, double tolerance,
                               double* d, const Matrix& z) {
    const double length = std::hypot(coupling_[at(one)], coupling_[at(other)]);
    const double c = coupling_[at(other)] / length;
    const double s = coupling_[at(one)] / length;
    const double difference = d[other] - d[one];
    if (std::abs(difference * c * s) > tolerance) return false;
    coupling_[at(other)] = length;
    double* const x = &z(part.begin, one);
    double* const y = &z(part.begin, other);
    for (Index i = 0; i < part.n; ++i) {
        const double old = x[i];
        x[i] = c * old - s * y[i];
        y[i] = s * old + c * y[i];
    }
    d[other] -= difference * s * s;
    d[one] += difference * s * s;
    if (kinds_[at(one)] != kinds_[at(other)]) kinds_[at(other)] = Kind::both;
    kinds_[at(one)] = Kind::deflated;
    deflated_[at(n_left_++)] = one;
    flops_ += 6.0 * static_cast<double>(part.n);
    return true;
}

void DivideAndConquer::keep(Index column, const double* d) {
    kept_[at(n_kept_)] = column;
    poles_[at(n_kept_)] = d[column];
    couplings_[at(n_kept_)] = coupling_[at(column)];
    ++n_kept_;
}

void DivideAndConquer::find_values(double weight) {
    double sum = 0.0;
    for (Index j = 0; j < n_kept_; ++j) {
        weights_[at(j)] = weight * couplings_[at(j)] * couplings_[at(j)];
        sum += weights_[at(j)];
    }
    const Secular f{n_kept_, poles_.data(), weights_.data(), sum};
    double n_evaluations = 0.0;
    for (Index i = 0; i < n_kept_; ++i) {
        const Root root = find_root(f, i, &factors_[at(i * n_kept_)]);
        roots_[at(i)] = root.value;
        n_evaluations += static_cast<double>(root.n_evaluations);
    }
    flops_ += n_evaluations * flops_per_pole * static_cast<double>(n_kept_);
}

/// The couplings with which the roots that were found are exact: with them vectors are orthogonal.
void DivideAndConquer::refine_weights() {
    double* const product = column_.data();
    std::fill_n(product, n_kept_, -1.0);
    for (Index i = 0; i < n_kept_; ++i) {
        const double* const difference = &factors_[at(i * n_kept_)];
        const auto multiply_with = [&](Index begin, Index end) {
#pragma omp simd
            for (Index j = begin; j < end; ++j) {
                product[j] *= difference[j] / (poles_[at(j)] - poles_[at(i)]);
            }
        };
        multiply_with(0, i);
        product[i] *= difference[i];
        multiply_with(i + 1, n_kept_);
    }
    for (Index j = 0; j < n_kept_; ++j) {
        couplings_[at(j)] = std::copysign(std::sqrt(product[j]), couplings_[at(j)]);
    }
    flops_ += 3.0 * static_cast<double>(n_kept_ * n_kept_);
}

/// Where the columns that are kept come if those that are zero below are first, those above last.
void DivideAndConquer::order_by_kind() {
    Index place = 0;
    for (const Kind kind : {Kind::upper, Kind::both, Kind::lower}) {
        for (Index j = 0; j < n_kept_; ++j) {
            if (kinds_[at(kept_[at(j)])] == kind) places_[at(j)] = place++;
        }
    }
}

/// Eigenvectors of the diagonal matrix with its coupling, rows in the order of the kinds.
void DivideAndConquer::make_vectors() {
    for (Index i = 0; i < n_kept_; ++i) {
        double* const vector = &factors_[at(i * n_kept_)];
        double squares = 0.0;
#pragma omp simd reduction(+ : squares)
        for (Index j = 0; j < n_kept_; ++j) {
            column_[at(j)] = couplings_[at(j)] / vector[j];
            squares += column_[at(j)] * column_[at(j)];
        }
        const double scale = 1.0 / std::sqrt(squares);
        for (Index j = 0; j < n_kept_; ++j) vector[places_[at(j)]] = scale * column_[at(j)];
    }
    flops_ += 4.0 * static_cast<double>(n_kept_ * n_kept_);
}

/// The columns that are kept, times the vectors, come first, the others behind them.
void DivideAndConquer::multiply(const Part& part, double* d, const Matrix& z) {
    Index n_of[3] = {};
    for (Index j = 0; j < n_kept_; ++j) {
        ++n_of[static_cast<std::size_t>(kinds_[at(kept_[at(j)])])];
    }
    const Index n_above = n_of[0] + n_of[1];
    const Index n_below = n_of[1] + n_of[2];
    const Index n_lower = part.n - part.n_upper;
    double* const above = gathered_.data();
    double* const below = above + part.n_upper * n_above;
    double* const left = below + n_lower * n_below;
    for (Index j = 0; j < n_kept_; ++j) {
        const double* const column = &z(part.begin, kept_[at(j)]);
        const Index place = places_[at(j)];
        if (place < n_above) std::copy_n(column, part.n_upper, above + place * part.n_upper);
        if (place >= n_of[0]) {
            std::copy_n(column + part.n_upper, n_lower, below + (place - n_of[0]) * n_lower);
        }
    }
    for (Index j = 0; j < n_left_; ++j) {
        std::copy_n(&z(part.begin, deflated_[at(j)]), part.n, left + j * part.n);
        column_[at(j)] = d[deflated_[at(j)]];
    }
    double* const upper = &z(part.begin, part.begin);
    multiplier_.multiply(part.n_upper, n_kept_, n_above, {above, part.n_upper},
                         {factors_.data(), n_kept_}, {upper, z.stride});
    multiplier_.multiply(n_lower, n_kept_, n_below, {below, n_lower},
                         {factors_.data() + n_of[0], n_kept_}, {upper + part.n_upper, z.stride});
    for (Index j = 0; j < n_left_; ++j) {
        std::copy_n(left + j * part.n, part.n, &z(part.begin, part.begin + n_kept_ + j));
    }
    std::copy_n(roots_.data(), n_kept_, d + part.begin);
    std::copy_n(column_.data(), n_left_, d + part.begin + n_kept_);
    flops_ += 2.0 * static_cast<double>((part.n_upper * n_above + n_lower * n_below) * n_kept_);
}

void DivideAndConquer::sort(double* d, const Matrix& z) {
    std::iota(order_.begin(), order_.end(), Index{0});
    std::sort(order_.begin(), order_.end(), [d](Index i, Index j) { return d[i] < d[j]; });
    for (Index j = 0; j < n_; ++j) {
        std::copy_n(z.column(order_[at(j)]), n_, &gathered_[at(j * n_)]);
        column_[at(j)] = d[order_[at(j)]];
    }
    for (Index j = 0; j < n_; ++j) std::copy_n(&gathered_[at(j * n_)], n_, z.column(j));
    std::copy_n(column_.data(), n_, d);
}

}  // namespace heorot::eigen
