// Sparse matrices in sliced ELLPACK, sorted: SELL-C-sigma, whose rows lie side by side in lanes.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "harness/array.hpp"
#include "numerics/lanes.hpp"
#include "numerics/sparse/csr.hpp"

namespace heorot::sparse {

/// Rows are sorted by length, the longest first, within windows of sigma rows. C of them that
/// follow each other form a chunk, as wide as its longest row; shorter rows are filled up with
/// zeros. A chunk lies column by column, so that a vector register has elements of as many rows.
/// Each thread has chunks of its own, in memory that it touched first. Source: M. Kreutzer et al.,
/// SIAM J. Sci. Comput. 36 (2014).
class Sell {
  public:
    static constexpr Index chunk_rows = Index{2} * n_lanes;  // C

    /// The same matrix; a window of `sigma` rows, rounded up to whole chunks.
    Sell(const Csr& a, Index sigma);

    /// y = A x; x and y in the order of the rows that the Csr has. Checked against the definitions
    /// in tests/numerics/test_sparse.cpp: products_are_as_defined.
    void multiply(const double* x, double* y) const;
    /// What a product must read and write at least: elements that are not there to fill up, the
    /// vectors once, and where rows go, if they are not in order [B].
    double bytes_of_product() const;
    /// Elements with the padding of chunks, over elements without.
    double fill() const;

  private:
    /// Whether it is a row, and not padding behind the last.
    bool has(Place row) const { return std::cmp_less(row, n_rows_); }
    void sort_rows(const Csr& a, Index sigma);
    void fill_chunk(const Csr& a, Index chunk);
    void multiply_chunk(Index chunk, const double* x, double* y) const;

    Index n_rows_;
    Index n_nonzeros_;
    Index n_chunks_;
    bool in_order_ = true;
    Array<Place> order_;   // the row of each place; n_rows_ behind the last one
    Array<Place> starts_;  // of the chunks, in columns of chunk_rows elements
    Array<Place> columns_;
    Array<double> values_;
    std::vector<Index> parts_;
};

}  // namespace heorot::sparse
