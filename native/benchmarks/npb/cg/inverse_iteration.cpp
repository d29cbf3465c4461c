// The conjugate gradient method and the products it needs, over a process grid.
#include "benchmarks/npb/cg/inverse_iteration.hpp"

#include <array>
#include <cmath>

namespace heorot::cg {

namespace {

std::size_t to_size(Index n) {
    return static_cast<std::size_t>(n);
}

}  // namespace

Operator::Operator(Program& program, const MatrixKind& kind)
    : phases_(program.phases()),
      partition_(Partition::of(kind.n, program.world().size(), program.world().rank())),
      matrix_(SparseRows(kind, partition_), program.n_threads()),
      grid_row_(program.world().split(partition_.row, partition_.column)),
      grid_column_(program.world().split(partition_.column, partition_.row)),
      gathering_(phases_.add("gather p")),
      product_(phases_.add("product")),
      summing_(phases_.add("sum q")),
      gathered_(partition_.n_grid_rows == 1 ? 0 : to_size(partition_.n_columns())),
      parts_(partition_.n_grid_columns == 1 ? 0 : to_size(partition_.n_rows())),
      arrived_(parts_.size()) {}

void Operator::apply(std::span<const double> p, std::span<double> q) {
    const std::span<const double> columns_of_p = gather(p);
    const std::span<double> rows_of_q = partition_.n_grid_columns == 1 ? q : parts_.span();
    {
        const auto timed = phases_.enter(product_);
        matrix_.multiply(columns_of_p, rows_of_q);
    }
    if (partition_.n_grid_columns > 1) sum_parts(q);
}

// The pieces of p of the own grid column.
std::span<const double> Operator::gather(std::span<const double> p) {
    if (partition_.n_grid_rows == 1) return p;
    const auto timed = phases_.enter(gathering_);
    grid_column_.all_gather(p, gathered_.span());
    return gathered_.span();
}

// The own piece of q is the sum of its parts on the ranks of the own grid row.
void Operator::sum_parts(std::span<double> q) {
    const auto timed = phases_.enter(summing_);
    grid_row_.all_to_all(std::span<const double>(parts_.span()), arrived_.span());
    const double* const parts = arrived_.data();
    const Index n = partition_.n_piece;
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) {
        double sum = parts[i];
        for (int c = 1; c < partition_.n_grid_columns; ++c) sum += parts[c * n + i];
        q[to_size(i)] = sum;
    }
}

InverseIteration::InverseIteration(Program& program, const MatrixKind& kind)
    : world_(program.world()),
      a_(program, kind),
      shift_(kind.shift),
      n_(a_.partition().n_piece),
      phases_(program.phases()),
      updates_(phases_.add("vectors")),
      vectors_(sparse::Vectors::of_equal_blocks(n_, program.n_threads())),
      x_(to_size(n_)),
      z_(to_size(n_)),
      p_(to_size(n_)),
      q_(to_size(n_)),
      r_(to_size(n_)) {}

Work InverseIteration::work() const {
    const double n = world_.sum(static_cast<double>(a_.partition().n_owned()));
    return work(n, world_.sum(static_cast<double>(a_.n_nonzeros())));
}

Work InverseIteration::work(double n, double n_nonzeros) {
    constexpr double n_products = n_steps + 1;
    constexpr double step = 2.0 + 6.0 + 2.0;    // dot, advance, update_direction
    constexpr double around = 2.0 + 7.0 + 1.0;  // r r; x z, z z, |x - q|; the next x
    return {.flops = n_products * 2.0 * n_nonzeros + (n_steps * step + around) * n,
            .bytes = n_products * Matrix::bytes_of_element * n_nonzeros};
}

void InverseIteration::start() {
    const Index n_owned = a_.partition().n_owned();
    double* const x = x_.data();
    vectors_.each([=](Index first, Index last) {
        for (Index i = first; i < last; ++i) x[i] = i < n_owned ? 1.0 : 0.0;
    });
}

void InverseIteration::iterate() {
    conj_grad();
    a_.apply(z_.span(), q_.span());
    const auto timed = phases_.enter(updates_);
    double x_z = 0.0;
    double z_z = 0.0;
    double residual = 0.0;
    const double* const x = x_.data();
    const double* const z = z_.data();
    const double* const q = q_.data();
#pragma omp parallel for simd schedule(static) reduction(+ : x_z, z_z, residual)
    for (Index i = 0; i < n_; ++i) {
        x_z += x[i] * z[i];
        z_z += z[i] * z[i];
        residual += (x[i] - q[i]) * (x[i] - q[i]);
    }
    std::array<double, 3> sums = {x_z, z_z, residual};
    world_.sum(std::span<double>(sums));
    zeta_ = shift_ + 1.0 / sums[0];
    residual_norm_ = std::sqrt(sums[2]);
    const double scale = 1.0 / std::sqrt(sums[1]);
    double* const next = x_.data();
#pragma omp parallel for simd schedule(static)
    for (Index i = 0; i < n_; ++i) next[i] = scale * z[i];
}

double InverseIteration::dot(const Vector& a, const Vector& b) {
    return world_.sum(vectors_.dot(a.data(), b.data()));
}

// A z = x by 25 steps of the conjugate gradient method
void InverseIteration::conj_grad() {
    double rho = start_conj_grad();
    for (int i = 0; i < n_steps; ++i) rho = step(rho);
}

// z = 0, r = x, p = r; returns rho = r r
double InverseIteration::start_conj_grad() {
    const auto timed = phases_.enter(updates_);
    vectors_.fill(z_.data(), 0.0);
    vectors_.copy(x_.data(), r_.data());
    vectors_.copy(x_.data(), p_.data());
    return dot(r_, r_);
}

// Returns the next rho.
double InverseIteration::step(double rho) {
    a_.apply(p_.span(), q_.span());  // q = A p
    const auto timed = phases_.enter(updates_);
    const double alpha = rho / dot(p_, q_);  // alpha = rho / (p q)
    // z = z + alpha p, r = r - alpha q, rho' = r r
    const double next_rho =
        world_.sum(vectors_.advance(alpha, p_.data(), q_.data(), z_.data(), r_.data()));
    vectors_.update_direction(next_rho / rho, r_.data(), p_.data());  // p = r + (rho' / rho) p
    return next_rho;
}

double InverseIteration::conjugacy() {
    start();
    step(step(start_conj_grad()));  // q_ is now A times the last direction, p_ is the next one
    return std::abs(dot(p_, q_)) / std::sqrt(dot(p_, p_) * dot(q_, q_));
}

double InverseIteration::asymmetry() {
    const Index first = world_.rank() * n_;
    for (Index i = 0; i < n_; ++i) {
        const bool is_padding = i >= a_.partition().n_owned();
        x_[to_size(i)] = is_padding ? 0.0 : std::sin(static_cast<double>(first + i));
        p_[to_size(i)] = is_padding ? 0.0 : std::cos(static_cast<double>(7 * (first + i)));
    }
    a_.apply(p_.span(), q_.span());
    a_.apply(x_.span(), r_.span());
    const double length = std::sqrt(dot(x_, x_) * dot(q_, q_));
    return std::abs(dot(x_, q_) - dot(p_, r_)) / length;
}

}  // namespace heorot::cg
