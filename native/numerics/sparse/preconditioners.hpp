// Preconditioners: approximate solutions of A z = r that cost about as much as a product.
#pragma once

#include <span>
#include <vector>

#include "harness/array.hpp"
#include "numerics/sparse/csr.hpp"
#include "numerics/sparse/vectors.hpp"

namespace heorot::sparse {

/// Operations of a step, and the bytes that it must move from and to memory.
struct Work {
    double flops = 0.0;
    double bytes = 0.0;

    Work& operator+=(const Work& other) {
        flops += other.flops;
        bytes += other.bytes;
        return *this;
    }
    friend Work operator+(Work a, const Work& b) { return a += b; }
    friend Work operator*(double times, const Work& a) {
        return {times * a.flops, times * a.bytes};
    }
};

/// z = M^-1 r for a matrix M that is like A.
class Preconditioner {
  public:
    Preconditioner() = default;
    Preconditioner(const Preconditioner&) = delete;
    Preconditioner& operator=(const Preconditioner&) = delete;
    virtual ~Preconditioner() = default;

    virtual void apply(const double* r, double* z) const = 0;
    virtual Work work() const = 0;
    /// Memory of M [B].
    virtual double stored_bytes() const = 0;
};

/// Jacobi: M is the diagonal of A.
class Jacobi : public Preconditioner {
  public:
    explicit Jacobi(const Csr& a);
    void apply(const double* r, double* z) const override;
    Work work() const override;
    double stored_bytes() const override { return 8.0 * static_cast<double>(vectors_.size()); }

  private:
    Vectors vectors_;
    Array<double> inverse_;  // of the diagonal
};

/// M = (I + L) (D + U), L and U strict triangles, D a diagonal. A's rows come in wavefronts: none
/// has an element in a column of its own wavefront but the diagonal. Threads share the wide ones.
class Factors : public Preconditioner {
  public:
    /// The kind of M.
    enum class Kind {
        /// L, D and U as in A = L D + D + U, M = (L D + D) D^-1 (D + U): one sweep of
        /// Gauss-Seidel forwards and one backwards, from z = 0.
        symmetric_gauss_seidel,
        /// Gaussian elimination of A without fill-in, ILU(0): elements are dropped where A has
        /// none.
        /// If A is symmetric and positive definite, D (I + L)^T = D + U, and this is
        /// incomplete Cholesky, IC(0), without its square roots. Source: J. A. Meijerink, H. A. van
        /// der Vorst, Math. Comp. 31 (1977); Y. Saad, Iterative Methods for Sparse Linear Systems,
        /// 2nd ed. (2003), algorithm 10.4.
        incomplete
    };

    /// `fronts`: where each wavefront begins, and where the last one ends; for `n_threads` threads.
    Factors(const Csr& a, std::span<const Index> fronts, Kind kind, int n_threads);
    /// Checked against M in tests/numerics/test_sparse_solvers.cpp:
    /// factors_are_those_of_the_matrix.
    void apply(const double* r, double* z) const override;
    Work work() const override;
    double stored_bytes() const override;

  private:
    /// Rows that come before any of the next stage: a wavefront that is worth sharing, or several
    /// that are so narrow that to wait for other threads would take longer.
    struct Stage {
        Index first;
        Index last;
        bool is_shared;
    };
    void make_stages(std::span<const Index> fronts);
    void forwards(Index i, const double* r, double* z) const;
    void backwards(Index i, double* z) const;

    Csr lower_;
    Csr upper_;
    Array<double> inverse_;  // of D
    std::vector<Stage> stages_;
};

}  // namespace heorot::sparse
