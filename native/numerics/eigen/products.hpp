// Products of matrices as the eigensolver needs them: blocks of larger ones, added to others.
#pragma once

#include <vector>

#include "numerics/eigen/matrix.hpp"

namespace heorot::eigen {

/// A matrix stored column by column that begins somewhere in a larger one; a view.
struct Block {
    const double* elements;
    Index stride;
};

/// Multiplies, with room of its own to put operands in the order in which they are needed.
class Products {
  public:
    Products();

    /// C += alpha A B: A has m rows and k columns, B k rows and n columns, those of C begin
    /// `stride` apart.
    void add(Index m, Index n, Index k, double alpha, Block a, Block b, double* c, Index stride);

  private:
    void add_panel(Index m, Index n, Index k, double alpha, Block a, double* c, Index stride);

    std::vector<double> packed_a_;
    std::vector<double> packed_b_;
};

}  // namespace heorot::eigen
