// Products of dense matrices: C = A B and C += alpha A B, by blocks, on any number of threads.
//
// Checked against plain loops in tests/numerics/test_dense.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/array.hpp"
#include "numerics/dense/view.hpp"

namespace heorot::dense {

/// Sizes of the blocks that are used while they are in a cache.
struct Blocking {
    Index rows = 192;      ///< of a block of A, which is rows x depth: for L2
    Index depth = 256;     ///< columns of this block, rows of one of B
    Index columns = 1536;  ///< of a block of B, which is depth x columns: for the last cache
};

/// Multiplies, with room of its own for blocks. The threads have rectangles of C of their own, and
/// do not wait for each other before the end. Blocks of A are packed where that pays, so that a
/// small product consists of its tiles and nothing else; B, stored by columns, never is.
/// Source: K. Goto, R. A. van de Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS
/// 34 (2008); F. G. Van Zee, R. A. van de Geijn, BLIS: a framework for rapidly instantiating BLAS
/// functionality, ACM TOMS 41 (2015), for the order of the loops; A. Heinecke, G. Henry, M.
/// Hutchinson, H. Pabst, LIBXSMM: accelerating small matrix multiplications by runtime code
/// generation, SC16 (2016), for small products without packing.
class Multiplier {
  public:
    /// `n_threads` work on large products. Throws Refusal if there is no room.
    explicit Multiplier(int n_threads, const Blocking& blocking = {});

    /// C = A B: A has m rows and k columns, B k rows and n columns; C lies elsewhere.
    void multiply(Index m, Index n, Index k, ConstMatrix a, ConstMatrix b, Matrix c);
    /// C += alpha A B.
    void add(Index m, Index n, Index k, double alpha, ConstMatrix a, ConstMatrix b, Matrix c);

  private:
    using Room = Array<double>;  // of one thread, for a block of A
    struct Product {
        Index m;
        Index n;
        Index k;
        double alpha;
        bool overwrites;
        ConstMatrix a;
        ConstMatrix b;
        Matrix c;
    };

    void run(const Product& product);
    void run_part(const Product& product, Room& room) const;
    void run_panel(const Product& product, Room& room) const;

    Blocking blocking_;
    std::vector<Room> rooms_;
};

}  // namespace heorot::dense
