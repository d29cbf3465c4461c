// The symmetric tridiagonal eigenproblem by divide and conquer: values and vectors.
//
// T is two smaller matrices and a product of a vector with itself that couples them. From the
// eigenvalues and eigenvectors of the two, those of T follow by the secular equation: values one by
// one, vectors by a product of matrices. Columns that the coupling does not touch, or not after a
// rotation with another one, are left as they are.
//
// Source: J. J. M. Cuppen, A divide and conquer method for the symmetric tridiagonal eigenproblem,
// Numer. Math. 36 (1981); M. Gu, S. C. Eisenstat, A divide-and-conquer algorithm for the symmetric
// tridiagonal eigenproblem, SIAM J. Matrix Anal. Appl. 16 (1995), for vectors that are orthogonal;
// J. Rutter, A serial implementation of Cuppen's divide and conquer algorithm, LAPACK Working Note
// 69 (1994), for columns that are zero in one half.
#pragma once

#include <vector>

#include "harness/array.hpp"
#include "numerics/dense/multiply.hpp"
#include "numerics/eigen/matrix.hpp"

namespace heorot::eigen {

/// Solves tridiagonal matrices of n rows.
class DivideAndConquer {
  public:
    explicit DivideAndConquer(Index n);

    /// Eigenvalues, ascending, in place of the diagonal d (n), and eigenvectors in the columns of
    /// z; destroys the subdiagonal e (n - 1). False if an iteration did not converge.
    bool solve(double* d, double* e, const Matrix& z);

    /// Operations that the last solve() performed.
    double flops() const { return flops_; }
    /// Of the columns that it could have multiplied, the part that it left as they were [1].
    double deflated_share() const { return n_columns_ > 0.0 ? n_deflated_ / n_columns_ : 0.0; }

  private:
    /// Which rows of a column are not zero, and whether it is multiplied at all.
    enum class Kind : unsigned char { upper, both, lower, deflated };
    /// Rows and columns begin ... begin + n - 1, of which the first n_upper are one half.
    struct Part {
        Index begin;
        Index n_upper;
        Index n;
    };

    bool conquer(Index begin, Index n, double* d, double* e, const Matrix& z);
    void merge(const Part& part, double coupling, double* d, const Matrix& z);
    void take_coupling(const Part& part, bool is_positive, const Matrix& z);
    void deflate(const Part& part, double weight, double* d, const Matrix& z);
    bool combine(const Part& part, Index one, Index other, double tolerance, double* d,
                 const Matrix& z);
    void keep(Index column, const double* d);
    void find_values(double weight);
    void refine_weights();
    void order_by_kind();
    void make_vectors();
    void multiply(const Part& part, double* d, const Matrix& z);
    void sort(double* d, const Matrix& z);

    Index n_;
    dense::Multiplier multiplier_{1};
    double flops_ = 0.0;
    double n_columns_ = 0.0;
    double n_deflated_ = 0.0;
    std::vector<double> coupling_;  // of every column with the other half
    std::vector<Index> order_;      // columns, by ascending value
    std::vector<Kind> kinds_;       // of the columns
    Index n_kept_ = 0;
    std::vector<Index> kept_;        // the columns that are not deflated, by ascending value
    std::vector<Index> places_;      // of these, among those of all kinds in their order
    std::vector<double> poles_;      // their values
    std::vector<double> couplings_;  // theirs
    std::vector<double> weights_;
    std::vector<double> roots_;
    std::vector<double> column_;
    std::vector<Index> deflated_;
    Index n_left_ = 0;
    Array<double> factors_;   // n x n: differences of poles and roots, then vectors
    Array<double> gathered_;  // n x n: columns by kind
};

}  // namespace heorot::eigen
