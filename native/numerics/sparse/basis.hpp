// A few long vectors side by side: products with all of them, blocks of rows at a time.
#pragma once

#include <cstddef>
#include <span>

#include "harness/array.hpp"
#include "numerics/sparse/csr.hpp"

namespace heorot::sparse {

/// The columns of a tall matrix V. Threads share blocks of its rows; sums are the same with any
/// number of them. Checked against plain sums in tests/numerics/test_sparse_eigen.cpp:
/// basis_products_are_sums.
class Basis {
  public:
    /// `n_columns` columns of n elements, zero.
    Basis(Index n, Index n_columns, int n_threads);

    double* column(Index j) { return values_.data() + j * stride_; }
    const double* column(Index j) const { return values_.data() + j * stride_; }
    Index n_rows() const { return n_; }

    /// h = V^T w, with the first h.size() columns.
    void project(const double* w, std::span<double> h);
    /// w = w - V h and then rest = V^T w, as many columns: V comes from memory once for both.
    void subtract_and_project(double* w, std::span<const double> h, std::span<double> rest);
    /// w = w - V h; returns w w.
    double subtract(double* w, std::span<const double> h);
    /// V = V Y: the first `n_new` columns become combinations of the first n_old, n_new <= n_old.
    /// y(i, k) = y[k * n_old + i].
    void combine(std::span<const double> y, Index n_old, Index n_new);

  private:
    static constexpr Index block = 256;

    template <class Body>
    void each_block(const Body& body);
    void sum_partial(std::span<double> h) const;
    void add_products(Index first, Index last, const double* w, std::span<double> h) const;
    void subtract_block(Index first, Index last, double* w, std::span<const double> h) const;
    void combine_block(Index first, Index last, double* sums, std::span<const double> y,
                       Index n_old, Index n_new);

    Index n_;
    Index n_columns_;
    int n_threads_;
    Index stride_;
    Index n_blocks_;
    Array<double> values_;
    Array<double> partial_;  // of every block, its part of sums
    Array<double> scratch_;  // of every thread, a block of new columns
};

}  // namespace heorot::sparse
