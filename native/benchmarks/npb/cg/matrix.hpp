// A sparse matrix laid out for fast products with vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/npb/cg/sparse_rows.hpp"
#include "harness/array.hpp"

namespace heorot::cg {

/// Compressed sparse rows, in blocks of columns: the elements of a row that belong to one block
/// form a segment, and all segments of a block come before those of the next, so that the part of
/// the vector which they read stays in the nearest cache. The place of a column in its block has 16
/// bits, whatever the size of the matrix. Segments are filled up with zeros to whole groups of
/// four, whose four places are one word: one load instead of four. Each thread has rows of its own,
/// in memory that it touched first. Checked against the sum of outer products that defines the
/// matrix in tests/npb/test_cg.cpp: matrix_is_as_defined, wide_matrices_have_blocks.
class Matrix {
  public:
    /// The local matrix of `rows`, for `n_parts` threads.
    Matrix(const SparseRows& rows, int n_parts);
    /// y = A x for local vectors: x of n_columns(), y of n_rows() elements.
    void multiply(std::span<const double> x, std::span<double> y) const;
    /// A value and its place.
    static constexpr double bytes_of_element = sizeof(double) + sizeof(std::uint16_t);
    /// Nonzero elements, without the padding of segments.
    Index n_nonzeros() const { return n_nonzeros_; }

  private:
    static constexpr std::size_t group_size = 4;
    using Places = std::uint64_t;  // of a group: 16 bits each, those of the first one lowest

    struct Part {
        std::size_t first_row = 0;
        std::size_t n_rows = 0;
        Index n_nonzeros = 0;
        Array<std::uint32_t> lengths;  // of the segments, by block and row [group]
        Array<double> values;
        Array<Places> places;
    };

    // The rest of a part's elements during a product.
    struct Rest {
        const std::uint32_t* lengths;
        const double* values;
        const Places* places;
    };

    void choose_blocks(const SparseRows& rows);
    void make(Part& part, const SparseRows& rows) const;
    void measure_segments(Part& part, const SparseRows& rows, RowSum& sum) const;
    void fill_segments(Part& part, const SparseRows& rows, RowSum& sum) const;
    template <bool is_first>
    static void multiply_block(Rest& rest, std::size_t n_rows, const double* x, double* y);

    std::size_t n_columns_;
    std::size_t n_blocks_ = 1;
    std::size_t block_columns_ = 1;
    Index n_nonzeros_ = 0;
    std::vector<Part> parts_;
};

}  // namespace heorot::cg
