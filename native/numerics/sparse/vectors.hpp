// Operations on long vectors by all threads, among them the updates of the conjugate gradient
// method.
#pragma once

#include <algorithm>
#include <cstddef>

#include "harness/array.hpp"
#include "numerics/sparse/csr.hpp"

namespace heorot::sparse {

/// Operations on vectors of n elements, block by block: a thread has the same blocks every time.
/// Sums are added up within blocks, and then block after block, so that they depend on the length
/// of a block, but not on the number of threads.
class Vectors {
  public:
    static constexpr Index usual_block = 1024;

    explicit Vectors(Index n, Index block = usual_block)
        : n_(n),
          block_(block),
          n_blocks_((n + block - 1) / block),
          partial_(static_cast<std::size_t>(n_blocks_)) {}
    /// A block for each thread: the least to do where vectors are short.
    static Vectors of_equal_blocks(Index n, int n_threads) {
        constexpr Index line = 8;  // elements of a cache line
        return Vectors(n, (n / n_threads / line + 1) * line);
    }

    Index size() const { return n_; }

    /// body(first, last) for all blocks.
    template <class Body>
    void each(const Body& body) const {
        if (n_blocks_ == 1) return body(0, n_);
#pragma omp parallel for schedule(static)
        for (Index b = 0; b < n_blocks_; ++b) body(b * block_, std::min(n_, (b + 1) * block_));
    }
    /// The sum of body(first, last) over all blocks.
    template <class Body>
    double sum(const Body& body) {
        if (n_blocks_ == 1) return body(0, n_);
        double* const partial = partial_.data();
#pragma omp parallel for schedule(static)
        for (Index b = 0; b < n_blocks_; ++b) {
            partial[b] = body(b * block_, std::min(n_, (b + 1) * block_));
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

    /// x = x + alpha p, r = r - alpha q; returns r r
    double advance(double alpha, const double* p, const double* q, double* x, double* r) {
        return sum([=](Index first, Index last) {
#pragma omp simd
            for (Index i = first; i < last; ++i) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            return dot(r, r, first, last);
        });
    }
    /// p = z + beta p
    void update_direction(double beta, const double* z, double* p) const {
        each([=](Index first, Index last) {
#pragma omp simd
            for (Index i = first; i < last; ++i) p[i] = z[i] + beta * p[i];
        });
    }

  private:
    Index n_;
    Index block_;
    Index n_blocks_;
    Array<double> partial_;
};

}  // namespace heorot::sparse
