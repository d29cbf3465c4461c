// A sparse matrix laid out for fast products with vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/npb/cg/sparse_rows.hpp"
#include "harness/array.hpp"

namespace heorot::cg {

/// Sliced ELLPACK in blocks of columns: the elements of a row that belong to one block form a
/// segment, and all segments of a block come before those of the next, so that the part of the
/// vector which they read stays in the nearest cache. As many segments as a vector has lanes form a
/// slice, a segment in every lane, filled up with zeros to the longest of them. Rows are sorted by
/// the length of their segments, some hundred of them at a time: segments of a slice are equally
/// long, and so are neighbouring slices, whose ends are then foreseen. The place of a column in its
/// block has 16 bits, whatever the size of the matrix. Each thread has rows of its own, in memory
/// that it touched first. Checked against the sum of outer products that defines the matrix in
/// tests/npb/test_cg.cpp: matrix_is_as_defined, wide_matrices_have_blocks.
/// Source: M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop, A unified sparse matrix data
/// format, SIAM J. Sci. Comput. 36 (2014).
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
    using Place = std::uint16_t;

    struct Part {
        std::size_t first_row = 0;
        std::size_t n_rows = 0;
        std::size_t n_slices = 0;  // of a block
        Index n_nonzeros = 0;
        Array<std::uint32_t> lengths;  // of the slices, block after block
        Array<std::uint32_t> rows;     // of their segments, counted from first_row
        Array<double> values;
        Array<Place> places;
    };

    // The rest of a part's slices during a product.
    struct Rest {
        const std::uint32_t* lengths;
        const std::uint32_t* rows;
        const double* values;
        const Place* places;
    };

    // Where a segment begins among the values, and its length: by block and row.
    struct Segment {
        std::size_t start = 0;
        std::uint32_t length = 0;
    };

    void choose_blocks(const SparseRows& rows);
    void make(Part& part, const SparseRows& rows) const;
    std::vector<Segment> measure_segments(Part& part, const SparseRows& rows, RowSum& sum) const;
    void make_slices(Part& part, std::vector<Segment>& segments) const;
    void fill_segments(Part& part, const SparseRows& rows, RowSum& sum,
                       std::vector<Segment>& segments) const;
    static void multiply_block(Rest& rest, std::size_t n_slices, const double* x, double* y);

    std::size_t n_columns_;
    std::size_t n_blocks_ = 1;
    std::size_t block_columns_ = 1;
    Index n_nonzeros_ = 0;
    std::vector<Part> parts_;
};

}  // namespace heorot::cg
