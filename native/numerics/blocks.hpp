// Dense 5 x 5 blocks side by side in lanes: factorisation and products.
//
// Checked by M (M^-1 x) = x and M^-1 M = I in tests/numerics/test_blocks.cpp:
// block_times_solution_is_the_right_hand_side, inverse_times_block_is_the_identity.
#pragma once

#include "numerics/lanes.hpp"

namespace heorot {

constexpr int block_size = 5;

/// Vectors of five numbers.
using BlockVector = Lanes[block_size];  // NOLINT: std::array's calls would hide the registers

/// 5 x 5 matrices: element (row, column) is of[column][row].
struct Block {
    BlockVector of[block_size];  // NOLINT
};

/// Which elements of a matrix are not known to be zero.
struct BlockPattern {
    bool at[block_size][block_size];  // NOLINT: as above
};

/// y += M x for M = m[row][column], where elements outside the pattern are zero and not looked at.
template <BlockPattern pattern, class Rows>
[[gnu::always_inline]] inline void add_product(const Rows& m, const BlockVector& x,
                                               BlockVector& y) {
#pragma GCC unroll 5
    for (int row = 0; row < block_size; ++row) {
#pragma GCC unroll 5
        for (int column = 0; column < block_size; ++column) {
            if (pattern.at[row][column]) y[row] += m[row][column] * x[column];
        }
    }
}

/// y -= M x.
[[gnu::always_inline]] inline void subtract_product(const Block& m, const BlockVector& x,
                                                    BlockVector& y) {
#pragma GCC unroll 5
    for (int column = 0; column < block_size; ++column) {
#pragma GCC unroll 5
        for (int row = 0; row < block_size; ++row) y[row] -= m.of[column][row] * x[column];
    }
}

/// M = L U without pivoting, in place: L below the diagonal (its own is 1), U above it, and on the
/// diagonal the reciprocals of U's. Precondition: no leading minor is (nearly) singular, as holds
/// for diagonally dominant matrices.
[[gnu::always_inline]] inline void factor(Block& m) {
#pragma GCC unroll 5
    for (int p = 0; p < block_size; ++p) {
        m.of[p][p] = 1.0 / m.of[p][p];
#pragma GCC unroll 5
        for (int row = p + 1; row < block_size; ++row) {
            m.of[p][row] *= m.of[p][p];
#pragma GCC unroll 5
            for (int column = p + 1; column < block_size; ++column) {
                m.of[column][row] -= m.of[p][row] * m.of[column][p];
            }
        }
    }
}

/// x := M^-1 x with M as factor() leaves it, if all x[row] with row < first are zero.
template <int first = 0>
[[gnu::always_inline]] inline void solve(const Block& m, BlockVector& x) {
#pragma GCC unroll 5
    for (int p = first; p < block_size; ++p) {
#pragma GCC unroll 5
        for (int row = p + 1; row < block_size; ++row) x[row] -= m.of[p][row] * x[p];
    }
#pragma GCC unroll 5
    for (int p = block_size - 1; p >= 0; --p) {
        x[p] *= m.of[p][p];
#pragma GCC unroll 5
        for (int row = 0; row < p; ++row) x[row] -= m.of[p][row] * x[p];
    }
}

}  // namespace heorot
