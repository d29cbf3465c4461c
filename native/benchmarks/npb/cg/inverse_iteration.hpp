// Inverse iteration for an eigenvalue, each step by the conjugate gradient method, over a process
// grid.
#pragma once

#include <cstddef>
#include <span>

#include "benchmarks/npb/cg/matrix.hpp"
#include "benchmarks/npb/cg/partition.hpp"
#include "benchmarks/npb/cg/sparse_rows.hpp"
#include "benchmarks/npb/work.hpp"
#include "harness/program.hpp"
#include "numerics/sparse/vectors.hpp"

namespace heorot::cg {

using Vector = Array<double>;

/// q = A p, for vectors of which each rank has a piece.
class Operator {
  public:
    /// Makes the matrix. **Collective.**
    Operator(Program& program, const MatrixKind& kind);
    const Partition& partition() const { return partition_; }
    /// Elements of this rank's part of the matrix.
    Index n_nonzeros() const { return matrix_.n_nonzeros(); }
    /// **Collective.**
    void apply(std::span<const double> p, std::span<double> q);

  private:
    std::span<const double> gather(std::span<const double> p);
    void sum_parts(std::span<double> q);

    Phases& phases_;  // before the groups, whose calls it counts
    Partition partition_;
    Matrix matrix_;
    Communicator grid_row_;
    Communicator grid_column_;
    Phase gathering_, product_, summing_;
    Vector gathered_, parts_, arrived_;
};

/// x_{i+1} = A^-1 x_i / |A^-1 x_i|
class InverseIteration {
  public:
    static constexpr int n_steps = 25;  // of the conjugate gradient method

    InverseIteration(Program& program, const MatrixKind& kind);
    /// Flops of an outer iteration of all ranks, and the bytes that it must move: those of the
    /// matrix, as the vectors may stay in a cache. **Collective.**
    Work work() const;
    /// The work for a matrix of n rows with n_nonzeros elements; it depends on nothing else.
    static Work work(double n, double n_nonzeros);
    /// x = (1, 1, ... 1)
    void start();
    /// One outer iteration. **Collective.**
    void iterate();
    /// shift + 1 / (x A^-1 x) of the last one.
    double& zeta() { return zeta_; }
    /// |x - A z| of the last one.
    double residual_norm() const { return residual_norm_; }
    /// |p' (A p)| / (|p'| |A p|) for the second and the third direction p, p' of the conjugate
    /// gradient method, started anew. **Collective.**
    double conjugacy();
    /// |u (A v) - v (A u)| / (|u| |A v|) for two vectors made up here. **Collective.**
    double asymmetry();

  private:
    double dot(const Vector& a, const Vector& b);
    void conj_grad();
    double start_conj_grad();
    double step(double rho);

    const Communicator& world_;
    Operator a_;
    double shift_;
    Index n_;  // of the own pieces
    Phases& phases_;
    Phase updates_;
    sparse::Vectors vectors_;
    Vector x_, z_, p_, q_, r_;
    double zeta_ = 0.0;
    double residual_norm_ = 0.0;
};

}  // namespace heorot::cg
