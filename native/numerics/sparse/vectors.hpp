// Operations on long vectors by all threads, with sums that do not depend on how many those are.
#pragma once

#include <algorithm>
#include <cstddef>

#include "harness/array.hpp"
#include "numerics/sparse/csr.hpp"

namespace heorot::sparse {

/// What is done with vectors of n elements, block by block: a thread has the same blocks every
/// time. Sums are added up within blocks, and then block after block.
class Vectors {
  public:
    static constexpr Index block = 1024;

    explicit Vectors(Index n)
        : n_(n),
          n_blocks_((n + block - 1) / block),
          partial_(static_cast<std::size_t>(n_blocks_)) {}

    Index size() const { return n_; }

    /// body(first, last) for all blocks.
    template <class Body>
    void each(const Body& body) const {
#pragma omp parallel for schedule(static) if (n_blocks_ > 1)
        for (Index b = 0; b < n_blocks_; ++b) body(b * block, std::min(n_, (b + 1) * block));
    }
    /// The sum of what body(first, last) returns for each block.
    template <class Body>
    double sum(const Body& body) {
        double* const partial = partial_.data();
#pragma omp parallel for schedule(static) if (n_blocks_ > 1)
        for (Index b = 0; b < n_blocks_; ++b) {
            partial[b] = body(b * block, std::min(n_, (b + 1) * block));
        }
        double all = 0.0;
        for (Index b = 0; b < n_blocks_; ++b) all += partial[b];
        return all;
    }

    /// A vector of n zeros, in memory that its threads touched first.
    Array<double> zeros() const {
        Array<double> u(static_cast<std::size_t>(n_));
        fill(u.data(), 0.0);
        return u;
    }
    void fill(double* u, double value) const {
        each([=](Index first, Index last) { std::fill(u + first, u + last, value); });
    }
    void copy(const double* from, double* to) const {
        each([=](Index first, Index last) { std::copy(from + first, from + last, to + first); });
    }
    double dot(const double* u, const double* v) {
        return sum([=](Index first, Index last) { return dot(u, v, first, last); });
    }
    /// The part of a dot product that belongs to a block.
    static double dot(const double* u, const double* v, Index first, Index last) {
        double part = 0.0;
#pragma omp simd reduction(+ : part)
        for (Index i = first; i < last; ++i) part += u[i] * v[i];
        return part;
    }

  private:
    Index n_;
    Index n_blocks_;
    Array<double> partial_;
};

}  // namespace heorot::sparse
