// Transforms of several lines at once, one to a lane: the passes of radix 2 to 16 that make them.
//
// Stockham's autosort algorithm. Before a pass of radix r there are n / l interleaved transforms of
// length l; entry j of transform k is number j (n / l) + k. The pass makes n / (l r) transforms of
// length l r from them. Passes read and write through views, so that gathering and scattering need
// no sweep of their own.
//
// Source: P. N. Swarztrauber, FFT algorithms for vector computers, Parallel Computing 1 (1984);
// C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), section 1.7.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "numerics/transforms/vectors.hpp"

namespace heorot::transforms {

/// exp(-2 pi i j / n) from an angle of at most an eighth of a turn, where it is most exact.
struct Root {
    double re, im;
};
Root root_of_unity(std::int64_t j, std::int64_t n);

/// Whether passes make transforms of n numbers: no prime factor is larger than 13.
bool has_passes(Index n);

/// The factors of n and the roots of unity that go with them.
class Passes {
  public:
    struct Pass {
        int radix;
        Index length;               // l, of the transforms before the pass
        std::vector<double> roots;  // exp(-2 pi i j s / (l r)): re, im for s = 1..r-1, j = 0..l-1
    };

    /// Precondition: has_passes(n).
    explicit Passes(Index n);

    Index size() const { return n_; }
    const std::vector<Pass>& list() const { return passes_; }
    /// Flops of one transform.
    double flops() const;

  private:
    Index n_;
    std::vector<Pass> passes_;
};

/// Blocks one behind the other.
template <int w>
struct Blocks {
    double* at;
    [[gnu::always_inline]] Numbers<w> load(Index i) const {
        return load_block<w>(at + i * block_of<w>);
    }
    [[gnu::always_inline]] void store(Index i, const Numbers<w>& z) const {
        store_block<w>(at + i * block_of<w>, z);
    }
};

/// Where numbers of adjacent lines come from; those of a line are `stride` doubles apart. As the
/// lines next to them are often transformed next, it has them brought to the cache.
template <int w, Direction direction>
struct FromLines {
    const double* at;
    Index stride;
    [[gnu::always_inline]] Numbers<w> load(Index i) const {
        const double* const here = at + i * stride;
        __builtin_prefetch(here + block_of<w>);
        if constexpr (w > 4) __builtin_prefetch(here + block_of<w> + w);
        return load_in_turn<w, direction>(here);
    }
};

/// Where they go.
template <int w, Direction direction>
struct ToLines {
    double* at;
    Index stride;
    [[gnu::always_inline]] void store(Index i, const Numbers<w>& z) const {
        store_in_turn<w, direction>(at + i * stride, z);
    }
};

/// One pass over transforms of n numbers, from the third argument to the fourth.
template <int w, bool exists = (w <= n_lanes)>
struct Kernels {
    using Pass = Passes::Pass;
    template <Direction direction>
    using From = FromLines<w, direction>;
    template <Direction direction>
    using To = ToLines<w, direction>;

    /// The first pass, which has no roots.
    static void first(const Pass&, Index, const From<Direction::forward>&, const Blocks<w>&);
    static void first(const Pass&, Index, const From<Direction::inverse>&, const Blocks<w>&);
    static void first(const Pass&, Index, const Blocks<w>&, const Blocks<w>&);
    /// One of the others.
    static void next(const Pass&, Index, const Blocks<w>&, const Blocks<w>&);
    static void next(const Pass&, Index, const Blocks<w>&, const To<Direction::forward>&);
    static void next(const Pass&, Index, const Blocks<w>&, const To<Direction::inverse>&);
};
/// Vectors that the build does not have.
template <int w>
struct Kernels<w, false> {};

/// From a view of lines to one of the two buffers, of n blocks each, at `scratch`; which one is
/// returned.
template <int w, class From>
Blocks<w> transform_to_blocks(const Passes& passes, const From& from, double* scratch) {
    const Index n = passes.size();
    Blocks<w> a = {scratch};
    Blocks<w> b = {scratch + n * block_of<w>};
    const Passes::Pass* pass = passes.list().data();
    const Passes::Pass* const end = pass + passes.list().size();
    Kernels<w>::first(*pass, n, from, a);
    for (++pass; pass != end; ++pass, std::swap(a, b)) Kernels<w>::next(*pass, n, a, b);
    return a;
}

/// From a view to a view, which may be of the same lines; `scratch` has room for 2 n blocks.
template <int w, class From, class To>
void transform_lines(const Passes& passes, const From& from, const To& to, double* scratch) {
    const Index n = passes.size();
    Blocks<w> a = {scratch};
    Blocks<w> b = {scratch + n * block_of<w>};
    const Passes::Pass* pass = passes.list().data();
    const Passes::Pass* const last = pass + passes.list().size() - 1;
    Kernels<w>::first(*pass, n, from, a);
    if (pass == last) {
        for (Index i = 0; i < n; ++i) to.store(i, a.load(i));
        return;
    }
    for (++pass; pass != last; ++pass, std::swap(a, b)) Kernels<w>::next(*pass, n, a, b);
    Kernels<w>::next(*last, n, a, to);
}

}  // namespace heorot::transforms
