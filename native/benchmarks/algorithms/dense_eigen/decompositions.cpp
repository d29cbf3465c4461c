// Measures decompositions with their counts, and verifies the results.
#include "benchmarks/algorithms/dense_eigen/decompositions.hpp"

#include <algorithm>
#include <cstdint>

#include "numerics/eigen/divide.hpp"
#include "numerics/eigen/implicit_ql.hpp"
#include "numerics/eigen/multisection.hpp"
#include "numerics/eigen/sturm.hpp"
#include "numerics/eigen/tridiagonal.hpp"

namespace heorot::dense_eigen {

namespace {

using eigen::Tridiagonalisation;
using libraries::Blas;

constexpr double tolerance = 10.0;

Work operator+(const Work& a, const Work& b) {
    return {a.flops + b.flops, a.bytes + b.bytes};
}

Work reduction_and_way_back(Index n) {
    return Work{Tridiagonalisation::reduction_flops(n), Tridiagonalisation::reduction_bytes(n)} +
           Work{Tridiagonalisation::transformation_flops(n),
                Tridiagonalisation::transformation_bytes(n)};
}

}  // namespace

Square::Square(Index n, Index stride)
    : room_(static_cast<std::size_t>(n * stride)), matrix_{room_.data(), n, stride} {
    std::fill(room_.begin(), room_.end(), 0.0);
}

template <class Body>
void Decompositions::measure(const std::string& name, const Square& a, Square* vectors,
                             const std::optional<Work>& work, Body&& body) {
    const auto prepare = [&] { problem_.copy_to(a.matrix()); };
    std::fill(values_.begin(), values_.end(), no_result);
    // Runs once for the counts of its work, and as warm-up.
    prepare();
    bool converged = body();
    const auto n = static_cast<double>(n_);
    const double copies = program_.world().size();
    const double nominal = (vectors != nullptr ? 9.0 : 4.0 / 3.0) * n * n * n;
    std::vector<Count> counts = {{"nominal_flops", nominal * copies}};
    if (work) {
        counts.emplace_back("flops", work->flops * copies);
        counts.emplace_back("bytes", work->bytes * copies);
    }
    const double n_matrices = vectors != nullptr ? 2.0 : 1.0;
    const auto region = program_.measure(
        {.region = name,
         .point = {{"n", n_},
                   {"working_set_bytes", static_cast<std::int64_t>(8.0 * n_matrices * n * n)}},
         .counts = counts,
         .prepare = prepare,
         .warm_up = [] {}},
        [&] { converged = body() && converged; });
    program_.check(region, "iterations that did not converge", converged ? 0.0 : 1.0, 0.0);
    check(region, vectors);
}

void Decompositions::check(const Region& region, Square* vectors) {
    program_.corruptible(std::span(values_));
    const ValueErrors values = problem_.errors(values_);
    program_.check(region, "largest deviation of a value", values.largest, tolerance);
    program_.check(region, "deviation of the trace", values.trace, tolerance);
    program_.check(region, "deviation of the Frobenius norm", values.frobenius, tolerance);
    if (vectors == nullptr) return;
    program_.corruptible(vectors->span());
    const VectorErrors errors = problem_.errors(values_, vectors->matrix());
    program_.check(region, "residual", errors.residual, tolerance);
    program_.check(region, "orthogonality", errors.orthogonality, tolerance);
}

void Decompositions::measure_lapack(const Blas& blas, bool with_vectors) {
    Square a(n_, n_);
    Blas::Work room;
    measure(with_vectors ? "lapack_vectors" : "lapack_values", a, with_vectors ? &a : nullptr,
            std::nullopt, [&] {
                return blas.eigen(static_cast<int>(n_), with_vectors, a.matrix().elements,
                                  values_.data(), room);
            });
}

void Decompositions::measure_values(Steps& steps) {
    Square a(n_, eigen::stride_of(n_));
    Tridiagonalisation reduction(n_);
    std::vector<double> subdiagonal(values_.size());
    std::optional<Work> work;
    measure("values", a, nullptr, work, [&] {
        {
            const auto timed = steps.phases.enter(steps.reduction);
            reduction.reduce(a.matrix(), values_.data(), subdiagonal.data());
        }
        const auto timed = steps.phases.enter(steps.tridiagonal);
        const auto result = eigen::tridiagonal_values(n_, values_.data(), subdiagonal.data());
        work = Work{Tridiagonalisation::reduction_flops(n_) +
                        result.n_evaluations * eigen::flops_per_row * static_cast<double>(n_),
                    Tridiagonalisation::reduction_bytes(n_)};
        return result.converged;
    });
}

void Decompositions::measure_vectors(Steps& steps) {
    Square a(n_, eigen::stride_of(n_));
    Square vectors(n_, eigen::stride_of(n_));
    Tridiagonalisation reduction(n_);
    eigen::DivideAndConquer division(n_);
    std::vector<double> subdiagonal(values_.size());
    std::optional<Work> work;
    measure("vectors", a, &vectors, work, [&] {
        {
            const auto timed = steps.phases.enter(steps.reduction);
            reduction.reduce(a.matrix(), values_.data(), subdiagonal.data());
        }
        bool converged = true;
        {
            const auto timed = steps.phases.enter(steps.tridiagonal);
            converged = division.solve(values_.data(), subdiagonal.data(), vectors.matrix());
        }
        const auto timed = steps.phases.enter(steps.way_back);
        reduction.transform_back(a.matrix(), vectors.matrix());
        work = reduction_and_way_back(n_) +
               Work{division.flops(), 40.0 * static_cast<double>(n_ * n_)};
        return converged;
    });
}

void Decompositions::measure_rotations(Steps& steps) {
    Square a(n_, eigen::stride_of(n_));
    Square vectors(n_, eigen::stride_of(n_));
    const Matrix& z = vectors.matrix();
    Tridiagonalisation reduction(n_);
    std::vector<double> subdiagonal(values_.size());
    std::optional<Work> work;
    measure("rotations", a, &vectors, work, [&] {
        {
            const auto timed = steps.phases.enter(steps.reduction);
            reduction.reduce(a.matrix(), values_.data(), subdiagonal.data());
        }
        {
            const auto timed = steps.phases.enter(steps.way_back);
            for (Index j = 0; j < n_; ++j) {
                std::fill_n(z.column(j), n_, 0.0);
                z(j, j) = 1.0;
            }
            reduction.transform_back(a.matrix(), z);
        }
        const auto timed = steps.phases.enter(steps.tridiagonal);
        const auto result = eigen::tridiagonal_vectors(n_, values_.data(), subdiagonal.data(),
                                                       z.elements, z.stride);
        work =
            reduction_and_way_back(n_) + Work{result.n_rotations * eigen::flops_with_vectors(n_),
                                              result.n_rotations * 32.0 * static_cast<double>(n_)};
        return result.converged;
    });
}

}  // namespace heorot::dense_eigen
