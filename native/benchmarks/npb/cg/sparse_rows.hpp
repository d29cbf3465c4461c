// The matrix of the Conjugate Gradient benchmark, row by row: a sum of outer products of sparse
// random vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/npb/cg/partition.hpp"

namespace heorot::cg {

/// A = sum_k w^k x_k x_k^T + (rcond - shift) I for k = 0 ... n - 1, with w = rcond^(1/n) and x_k
/// the random vectors: `nonzer` random elements at different random places, and x_k(k) = 1/2.
struct MatrixKind {
    Index n;
    int nonzer;
    double shift;
};

/// One row in the making: elements are added up by column.
class RowSum {
  public:
    explicit RowSum(Index n_columns)
        : values_(static_cast<std::size_t>(n_columns)),
          is_present_(static_cast<std::size_t>(n_columns)) {}
    void add(std::uint32_t column, double value) {
        if (is_present_[column] == 0) {
            is_present_[column] = 1;
            columns_.push_back(column);
        }
        values_[column] += value;
    }
    /// The columns of all elements so far, each once, in order of arrival.
    std::span<const std::uint32_t> columns() const { return columns_; }
    double value(std::uint32_t column) const { return values_[column]; }
    /// Makes the row empty.
    void clear() {
        for (const std::uint32_t column : columns_) {
            values_[column] = 0.0;
            is_present_[column] = 0;
        }
        columns_.clear();
    }

  private:
    std::vector<double> values_;  // by column
    std::vector<std::uint8_t> is_present_;
    std::vector<std::uint32_t> columns_;
};

/// What one rank must know of the random vectors to make its part of the matrix: their elements in
/// its rows, and those in its columns.
class SparseRows {
  public:
    /// Steps through the random numbers of all vectors.
    SparseRows(const MatrixKind& kind, const Partition& partition);

    const Partition& partition() const { return partition_; }
    /// Adds the elements of a local row to `sum`, by local column.
    void add_row(Index local_row, RowSum& sum) const;

  private:
    struct Element {
        std::uint32_t place;  // local column, or number of the vector
        double value;
    };

    void sort_by_row();

    Partition partition_;
    double diagonal_;
    std::vector<std::size_t> vector_starts_;  // by vector, in column_elements_
    std::vector<std::uint32_t> columns_;      // local columns of the elements of all vectors
    std::vector<double> scaled_;              // w^k x_k(column)
    std::vector<std::uint32_t> rows_;         // local rows of the elements, until sorted by row
    std::vector<std::uint32_t> vectors_;      // their vectors
    std::vector<double> values_;              // x_k(row)
    std::vector<std::size_t> row_starts_;     // by local row, in vectors_ and values_
};

}  // namespace heorot::cg
