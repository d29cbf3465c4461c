// A few of the smallest eigenvalues of a sparse symmetric matrix, and their vectors.
#pragma once

#include <span>
#include <vector>

#include "numerics/sparse/basis.hpp"
#include "numerics/sparse/csr.hpp"
#include "numerics/sparse/preconditioners.hpp"
#include "numerics/sparse/vectors.hpp"

namespace heorot::sparse {

/// The method of Lanczos with thick restart: a basis of at most m vectors grows by products with
/// A; then some Ritz vectors, eigenvectors of A's projection onto it, make a smaller basis, which
/// grows again. Every new vector is made orthogonal to all others, twice. Source: K. Wu, H. Simon,
/// Thick-restart Lanczos method for large symmetric eigenvalue problems, SIAM J. Matrix Anal. Appl.
/// 22 (2000); J. W. Daniel et al., Math. Comp. 30 (1976).
class Lanczos {
  public:
    /// For `n_wanted` eigenvalues by a basis of n_basis vectors; 2 n_wanted < n_basis < n.
    Lanczos(const Csr& a, Index n_wanted, Index n_basis, int n_threads);

    /// How it went.
    struct Found {
        int n_products = 0;
        bool has_converged = false;
        Work work;
    };
    /// Iterates until |A u - theta u| <= residual for all wanted pairs, or up to most_products.
    Found find(double residual, int most_products);

    /// Of the last time; ascending.
    std::span<double> values() { return std::span(values_).first(n_wanted()); }
    /// Of length 1.
    double* vector(Index k) { return basis_.column(k); }
    /// Bytes that it touches repeatedly [B].
    double working_set_bytes() const;

  private:
    std::size_t n_wanted() const { return static_cast<std::size_t>(n_wanted_); }
    double& projected(Index i, Index k) {
        return projected_[static_cast<std::size_t>(k * n_basis_ + i)];
    }
    void start();
    void extend(Index j, Found& found);
    Index keep(Index n_kept, Found& found);
    bool is_done(double residual) const;

    const Csr& a_;
    Index n_wanted_;
    Index n_basis_;
    Vectors vectors_;
    Basis basis_;
    double beta_ = 0.0;              // length of the last vector before it was scaled
    std::vector<double> projected_;  // T = V^T A V
    std::vector<double> values_;     // of T
    std::vector<double> rotated_;    // vectors of T
    std::vector<double> h_, rest_;
};

}  // namespace heorot::sparse
