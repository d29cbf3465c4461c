// A symmetric matrix is made tridiagonal by Householder's reflections, panel by panel.
//
// A = Q T Q^T, Q = H(0) H(1) ... H(n-3), H(j) = I - tau(j) v(j) v(j)^T. Within a panel columns are
// updated one by one, A - V W^T - W V^T, and the trailing matrix once behind it, by DGEMM. Half of
// the operations are in products of the not yet updated matrix with one vector, which read its
// lower triangle once each.
//
// Source: J. J. Dongarra, D. C. Sorensen, S. J. Hammarling, Block reduction of matrices to
// condensed forms for eigenvalue computations, J. Comput. Appl. Math. 27 (1989); G. H. Golub, C. F.
// Van Loan, Matrix Computations, 3rd ed. (1996), 8.3.
#pragma once

#include <vector>

#include "numerics/dense/multiply.hpp"
#include "numerics/eigen/matrix.hpp"

namespace heorot::eigen {

/// Makes matrices of n rows tridiagonal, and transforms eigenvectors back.
class Tridiagonalisation {
  public:
    explicit Tridiagonalisation(Index n);

    /// Reads and destroys the lower triangle of a. Its diagonal and subdiagonal go to d (n) and e
    /// (n - 1), the vectors v(j) into column j of a from row j + 1 on.
    void reduce(const Matrix& a, double* d, double* e);
    /// z := Q z for a matrix of n columns; a is the result of reduce().
    void transform_back(const Matrix& a, const Matrix& z);

    /// Floating-point operations of the two for n rows.
    static double reduction_flops(Index n);
    static double transformation_flops(Index n);
    /// Bytes that they read and write at least: the triangle is read for every column, and read and
    /// written behind every panel; the transformed vectors are for every block.
    static double reduction_bytes(Index n);
    static double transformation_bytes(Index n);

  private:
    void reduce_panel(const Matrix& a, Index begin, Index end, double* d, double* e);
    void bring_up_to_date(const Matrix& a, Index begin, Index j);
    void make_w(const Matrix& a, Index begin, Index j);
    void update_behind(const Matrix& a, Index begin, Index end);
    void gather_block(const Matrix& a, Index begin, Index end);

    double* w_column(Index k) { return w_.data() + k * stride_; }

    Index n_;
    Index stride_;
    dense::Multiplier multiplier_{1};
    std::vector<double> tau_;
    std::vector<double> w_;        // n x panel: of A - V W^T - W V^T
    std::vector<double> left_;     // n x 2 panel, or n x block: what products have on their left
    std::vector<double> right_;    // 2 panel x n, or block x n: on their right
    std::vector<double> product_;  // block x n
    std::vector<double> small_;    // coefficients; T of a block
};

}  // namespace heorot::eigen
