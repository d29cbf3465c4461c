// Transforms of contiguous lines that lie one behind the other.
#pragma once

#include <cstddef>
#include <memory>

#include "numerics/transforms/method.hpp"
#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

/// Lines of n numbers: one after the other; or, if they are short and do not fill vectors by
/// themselves, transposed on the way in and on the way out, one in each lane.
class Lines {
  public:
    /// At most `n_lines` at a time.
    Lines(Index n, Index n_lines);

    /// The lines first ... last - 1 of `from` to their place in `to`, which may be the same.
    void transform(const double* from, double* to, Index first, Index last, Direction direction,
                   double* scratch) const;
    /// How a single one is transformed.
    const Method& line() const { return *line_; }
    std::size_t scratch_length() const;
    /// Of `n_lines` at a time.
    double flops(Index n_lines) const;

  private:
    template <Direction direction>
    void in_lanes(const double* from, double* to, double* scratch) const;

    Index n_;
    std::unique_ptr<const Passes> lanes_;  // none where lines fill vectors
    std::unique_ptr<const Method> line_;
};

}  // namespace heorot::transforms
