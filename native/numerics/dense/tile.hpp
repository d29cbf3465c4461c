// A tile of a product: as much of C as the vector registers hold, summed over columns of A.
//
// Rows are whole vectors. Where their number is no multiple, the last vector overlaps the one above
// it: both have the same sums there, so that neither masks nor padding are needed.
#pragma once

#include "numerics/dense/view.hpp"
#include "numerics/lanes.hpp"

namespace heorot::dense {

// A tile of C fills most vector registers; the others hold a column of A and an element of B.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr Index most_vectors = 3;
constexpr Index tile_columns = 8;
#else
constexpr Index most_vectors = 2;
constexpr Index tile_columns = 6;
#endif
constexpr Index tile_rows = most_vectors * n_lanes;

constexpr Index ceil_div(Index a, Index b) {
    return (a + b - 1) / b;
}

/// C = A B or C += alpha A B for at most tile_rows x tile_columns elements of C.
struct Tile {
    Index m;  ///< rows of C; below n_lanes, A has zeros up to n_lanes
    Index n;
    Index depth;
    const double* a;
    Index a_step;  ///< from a column of A to the next
    Index a_last;  ///< from the first row of A to the last vector of rows
    ConstMatrix b;
    double alpha;  ///< 1 if C is overwritten
    bool overwrites;
    Matrix c;
};

void run_tile(const Tile& tile);

}  // namespace heorot::dense
