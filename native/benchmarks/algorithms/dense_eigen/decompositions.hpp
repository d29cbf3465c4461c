// The ways in which a dense symmetric eigenproblem is solved, each measured and verified.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/algorithms/dense_eigen/problem.hpp"
#include "harness/program.hpp"
#include "numerics/libraries/blas.hpp"

namespace heorot::dense_eigen {

/// A square matrix with room of its own, zero at first.
class Square {
  public:
    Square(Index n, Index stride);
    const Matrix& matrix() const { return matrix_; }
    /// Every element, for --corrupt.
    std::span<double> span() { return room_.span(); }

  private:
    Array<double> room_;
    Matrix matrix_;
};

/// The work of a body.
struct Work {
    double flops;
    double bytes;
};

/// The phases of our own ways.
struct Steps {
    explicit Steps(Program& program)
        : phases(program.phases()),
          reduction(phases.add("reduction")),
          tridiagonal(phases.add("tridiagonal")),
          way_back(phases.add("way_back")) {}
    Phases& phases;
    Phase reduction;
    Phase tridiagonal;
    Phase way_back;
};

/// Measures and verifies the decompositions of one matrix.
class Decompositions {
  public:
    Decompositions(Program& program, Index n)
        : program_(program), n_(n), problem_(n), values_(static_cast<std::size_t>(n)) {}

    void measure_lapack(const libraries::Blas& blas, bool with_vectors);
    void measure_values(Steps& steps);
    void measure_vectors(Steps& steps);
    void measure_rotations(Steps& steps);

  private:
    /// Measures a body that works on `a` and returns whether it converged, and verifies the values
    /// and, unless null, `vectors`. `work` is set when the body has run once.
    template <class Body>
    void measure(const std::string& name, const Square& a, Square* vectors,
                 const std::optional<Work>& work, Body&& body);
    void check(const Region& region, Square* vectors);

    Program& program_;
    Index n_;
    Problem problem_;
    std::vector<double> values_;
};

}  // namespace heorot::dense_eigen
