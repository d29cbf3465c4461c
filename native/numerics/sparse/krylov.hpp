// Krylov subspace methods for sparse systems of linear equations, preconditioned.
#pragma once

#include "harness/array.hpp"
#include "numerics/sparse/csr.hpp"
#include "numerics/sparse/preconditioners.hpp"
#include "numerics/sparse/vectors.hpp"

namespace heorot::sparse {

/// Criteria to stop: |r| <= tolerance |b|, or the largest number of steps.
struct Limits {
    double tolerance = 1e-8;
    int most_steps = 10000;
};

/// How a solution came about.
struct Solved {
    int n_steps = 0;
    bool has_converged = false;
    Work work;  ///< of all steps
    Work step;  ///< of each
};

/// Solves A x = b from x = 0; the vectors that it needs live as long as itself. Sums, and so the
/// number of steps, are the same with any number of threads.
class Solver {
  public:
    Solver(const Csr& a, const Preconditioner& m)
        : a_(a), m_(m), vectors_(a.n_rows), p_(vectors_.zeros()), r_(vectors_.zeros()) {}
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;
    virtual ~Solver() = default;

    virtual Solved solve(const double* b, double* x, const Limits& limits) = 0;
    /// Bytes that the steps touch repeatedly [B].
    virtual double working_set_bytes() const = 0;

  protected:
    /// The same, with n_vectors vectors besides p, r and x.
    double working_set_bytes(int n_vectors) const {
        return a_.bytes_of_product() + m_.stored_bytes() +
               8.0 * (n_vectors + 1) * static_cast<double>(a_.n_rows);
    }
    /// A product.
    Work product() const {
        return {2.0 * static_cast<double>(a_.n_nonzeros()), a_.bytes_of_product()};
    }

    const Csr& a_;
    const Preconditioner& m_;
    Vectors vectors_;
    Array<double> p_, r_;
};

/// Conjugate gradients, for symmetric positive definite A and M. Source: M. R. Hestenes, E.
/// Stiefel, J. Res. NBS 49 (1952); Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed.
/// (2003), algorithm 9.1.
class ConjugateGradients : public Solver {
  public:
    ConjugateGradients(const Csr& a, const Preconditioner& m)
        : Solver(a, m), q_(vectors_.zeros()), z_(vectors_.zeros()) {}
    Solved solve(const double* b, double* x, const Limits& limits) override;
    double working_set_bytes() const override { return Solver::working_set_bytes(2); }

  private:
    Array<double> q_, z_;
};

/// Stabilised biconjugate gradients, for any A; preconditioned from the right, so that r is that of
/// A x = b. Source: H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992).
class StabilisedBiconjugateGradients : public Solver {
  public:
    StabilisedBiconjugateGradients(const Csr& a, const Preconditioner& m)
        : Solver(a, m),
          shadow_(vectors_.zeros()),
          y_(vectors_.zeros()),
          v_(vectors_.zeros()),
          z_(vectors_.zeros()),
          t_(vectors_.zeros()) {}
    Solved solve(const double* b, double* x, const Limits& limits) override;
    double working_set_bytes() const override { return Solver::working_set_bytes(5); }

  private:
    Work step_work() const;
    void subtract(double alpha);
    double advance(double alpha, double omega, double* x);
    void update_direction(double beta, double omega);

    Array<double> shadow_, y_, v_, z_, t_;
};

}  // namespace heorot::sparse
