// Systems of dense linear equations: P A = L U with exchanges of rows, and solutions from it.
//
// Checked by A x = b and P A = L U in tests/numerics/test_dense.cpp.
#pragma once

#include <vector>

#include "numerics/dense/multiply.hpp"
#include "numerics/dense/view.hpp"

namespace heorot::dense {

/// Gaussian elimination with partial pivoting, panel after panel of columns, in place
/// (right-looking): the trailing matrix is updated as soon as a panel is factorised. L, with unit
/// diagonal, is below the diagonal, U on it and above. As in LINPACK and HPL the rows of L keep
/// their places at the factorisation of their panel: solve() exchanges them as it proceeds.
/// Source: J. J. Dongarra, P. Luszczek, A. Petitet, The LINPACK Benchmark: past, present and
/// future, Concurrency and Computation 15 (2003); S. Toledo, Locality of reference in LU
/// decomposition with partial pivoting, SIAM J. Matrix Anal. Appl. 18 (1997), for the halves of a
/// panel.
class Factorisation {
  public:
    /// Of n rows, in panels of panel_columns columns. Throws Refusal if memory does not suffice.
    Factorisation(Index n, int n_threads, Index panel_columns = 128);

    /// The three steps with panel 0 ... n_panels() - 1, in this order: its own columns; the rows
    /// next to its diagonal block, which become rows of U; the trailing matrix.
    void factorise_panel(Index panel, Matrix a);
    void finish_rows(Index panel, Matrix a);
    void update_rest(Index panel, Matrix a);
    Index n_panels() const;

    /// x, which holds b, := A^-1 b.
    void solve(ConstMatrix lu, double* x) const;

    /// The row with which each row was exchanged, in order.
    const std::vector<Index>& pivots() const { return pivots_; }

  private:
    /// Rows begin ... end - 1 of the matrix are the columns of a panel, too.
    struct Range {
        Index begin;
        Index end;
    };
    Range range(Index panel) const;
    Index parts(Index work, Index least_of_each) const;
    void factorise_columns(Index begin, Index end, Matrix a);
    void factorise_few(Index begin, Index end, Matrix a);
    void finish_columns(const Range& rows, Index begin, Index end, Matrix a, Multiplier& own) const;
    void exchange(const Range& rows, Index begin, Index end, Matrix a) const;
    void subtract_from_rows(const Range& rows, const Range& columns, ConstMatrix lu,
                            double* x) const;

    Index n_;
    Index panel_columns_;
    std::vector<Index> pivots_;
    Multiplier multiplier_;
    std::vector<Multiplier> own_;  // of every thread
};

}  // namespace heorot::dense
