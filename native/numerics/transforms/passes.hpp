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

#include "harness/array.hpp"
#include "numerics/transforms/vectors.hpp"

namespace heorot::transforms {

/// exp(-2 pi i j / n) from an angle of at most an eighth of a turn, where it is most exact.
struct Root {
    double re, im;
};
Root root_of_unity(std::int64_t j, std::int64_t n);

/// A copy at an address divisible by 64: vectors do not straddle lines of the cache.
Array<double> aligned(const std::vector<double>& values);

/// Appends a block of w numbers of type Root, number(0), ..., number(w - 1), in the order
/// number_in.
template <int w, class Number>
void add_block(std::vector<double>& to, const Number& number) {
    for (int l = 0; l < w; ++l) to.push_back(number(number_in<w>(l)).re);
    for (int l = 0; l < w; ++l) to.push_back(number(number_in<w>(l)).im);
}

/// Whether passes make transforms of n numbers: no prime factor is larger than 13.
bool has_passes(Index n);

/// Few radices whose product is n, the largest first. Precondition: has_passes(n).
std::vector<int> radices_of(Index n);

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

/// Lines in groups of w: the number of groups of n lines, and the first line of each. The last one
/// begins earlier if w does not divide n.
template <int w>
constexpr Index n_groups(Index n) {
    return (n + w - 1) / w;
}
template <int w>
constexpr Index first_of(Index group, Index n) {
    return group * w < n - w ? group * w : n - w;
}

/// w vectors rows(k) with w numbers each, those and the lanes in the order number_in, to vectors
/// for each lane that was, in their own order, with lanes for the rows, in that order.
template <int w, class Rows>
[[gnu::always_inline]] inline std::array<Numbers<w>, w> transposed(const Rows& rows) {
    Vector<w> re[w];  // NOLINT: vectors
    Vector<w> im[w];  // NOLINT
    unrolled<w>([&](auto i) __attribute__((always_inline)) {
        const Numbers<w> z = rows(std::integral_constant<int, number_in<w>(i)>());
        re[i] = z.re;
        im[i] = z.im;
    });
    transpose(re);
    transpose(im);
    std::array<Numbers<w>, w> columns;
    unrolled<w>([&](auto l)
                    __attribute__((always_inline)) { columns[number_in<w>(l)] = {re[l], im[l]}; });
    return columns;
}

/// The same, to w blocks.
template <int w, class Rows>
[[gnu::always_inline]] inline void transpose_to(const Rows& rows, double* to) {
    const std::array<Numbers<w>, w> columns = transposed<w>(rows);
    unrolled<w>([&](auto l) __attribute__((always_inline)) {
        store_block<w>(to + l * block_of<w>, columns[l]);
    });
}

using ColumnsOfOnePass = void(const double* from, Index n_2, const double* roots, double* rows);
using RowsOfOnePass = void(const double* rows, Index n_1, double* to);
using LineOfOnePass = void(const double* from, const double* roots, double* to);

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
    /// The first one, where there is no other.
    static void only(const Pass&, Index, const From<Direction::forward>&,
                     const To<Direction::forward>&);
    static void only(const Pass&, Index, const From<Direction::inverse>&,
                     const To<Direction::inverse>&);

    /// Of n_1 = radix numbers each, n_1 >= w, the columns of a matrix with n_2 >= w columns,
    /// w at a time; turned by `roots`, n_1 - 1 blocks for each group of columns, and transposed to
    /// groups of rows of n_2 blocks.
    static ColumnsOfOnePass* columns(int radix, Direction direction);
    /// n_1 such rows, of radix numbers each.
    static RowsOfOnePass* rows(int radix, Direction direction);
    /// A line of w m numbers, m = radix, by one pass along the lanes and one over them, between
    /// which `roots`, m - 1 blocks, turn it.
    static LineOfOnePass* line(int radix, Direction direction);
};
/// Vectors that the build does not have.
template <int w>
struct Kernels<w, false> {};

/// One number at a time, without lanes, by one pass.
LineOfOnePass* line_of_one_pass(int radix, Direction direction);

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
    if (pass == last) return Kernels<w>::only(*pass, n, from, to);
    Kernels<w>::first(*pass, n, from, a);
    for (++pass; pass != last; ++pass, std::swap(a, b)) Kernels<w>::next(*pass, n, a, b);
    Kernels<w>::next(*last, n, a, to);
}

}  // namespace heorot::transforms
