// Ways to transform one line of complex numbers, by its length.
#pragma once

#include <cstddef>
#include <memory>

#include "numerics/transforms/vectors.hpp"

namespace heorot::transforms {

/// How lines of one length are transformed. The numbers lie in memory with their parts in turn.
class Method {
  public:
    Method() = default;
    virtual ~Method() = default;
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;

    /// The unscaled transform of `from` goes to `to`, which is the same place or another one.
    /// `scratch` has room for scratch_length() doubles. Several threads may do so at once.
    virtual void transform(const double* from, double* to, Direction direction,
                           double* scratch) const = 0;
    virtual std::size_t scratch_length() const = 0;
    /// Of one transform. Lanes that have nothing to do, or do what is done already where they do
    /// not divide a line, are not counted.
    virtual double flops() const = 0;
};

/// The fastest one known for n >= 1 numbers.
std::unique_ptr<const Method> method_for(Index n);

/// n = w m: in every lane a transform of m numbers, w apart, in one pass, and one over the lanes.
/// For w = 2, 4, 8, up to n_lanes.
std::unique_ptr<const Method> along_lanes(Index n, int w);

/// n = n_1 n_2, both w at least: transforms of columns, turning, transforms of rows, w of them at a
/// time. Memory beyond the caches is passed four times, whatever n is.
std::unique_ptr<const Method> in_four_steps(Index n_1, Index n_2, int w);

/// One lane of two. n has no prime factor larger than 13.
std::unique_ptr<const Method> in_one_lane(Index n);

/// Any n: as a convolution of a length that has small factors.
std::unique_ptr<const Method> by_convolution(Index n);

}  // namespace heorot::transforms
