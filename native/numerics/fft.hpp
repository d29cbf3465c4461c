// Fast Fourier transforms: several lines at once, one to a lane, or one line spread over the lanes.
//
// Complex numbers are stored in blocks: n_lanes real parts, then n_lanes imaginary parts. A block
// holds the same point of several lines, or consecutive points of one line. The caller supplies the
// address of each block: transforms read and write through views, so that gathering, scaling and
// transposing need no sweep of their own.
//
// Checked against sum_j x_j exp(-+ 2 pi i j k / n) in tests/numerics/test_fft.cpp: definition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "numerics/lanes.hpp"
#include "numerics/transforms/butterflies.hpp"
#include "numerics/transforms/vectors.hpp"

namespace heorot {

using transforms::Direction;

/// Complex numbers, one in each lane.
using ComplexLanes = transforms::Complex<Lanes>;

/// Number of doubles in a block.
constexpr std::ptrdiff_t block_length = std::ptrdiff_t{2} * n_lanes;

/// The points of a line as blocks: point i begins at origin + at[i] [double].
class Points {
  public:
    /// For the inverse transform real and imaginary parts are exchanged.
    [[gnu::always_inline]] Points(double* origin, const std::int64_t* at, Direction direction)
        : re_(origin + (direction == Direction::forward ? 0 : n_lanes)),
          im_(origin + (direction == Direction::forward ? n_lanes : 0)),
          at_(at) {}
    [[gnu::always_inline]] ComplexLanes load(std::ptrdiff_t i) const {
        return {heorot::load(re_ + at_[i]), heorot::load(im_ + at_[i])};
    }
    [[gnu::always_inline]] void store(std::ptrdiff_t i, const ComplexLanes& z) const {
        heorot::store(re_ + at_[i], z.re);
        heorot::store(im_ + at_[i], z.im);
    }
    /// Has the block after that of point i brought to the cache: where lines lie side by side, it
    /// is needed next.
    [[gnu::always_inline]] void prefetch_next(std::ptrdiff_t i) const {
        __builtin_prefetch(re_ + at_[i] + block_length);
        __builtin_prefetch(im_ + at_[i] + block_length);
    }

  private:
    double* re_;
    double* im_;
    const std::int64_t* at_;
};

/// Points of one of many lines that lie side by side and are transformed one after the other.
struct AdjacentPoints {
    Points points;
    [[gnu::always_inline]] ComplexLanes load(std::ptrdiff_t i) const {
        points.prefetch_next(i);
        return points.load(i);
    }
};

namespace internal {

/// Blocks one behind the other.
struct Buffer {
    double* blocks;
    [[gnu::always_inline]] ComplexLanes load(std::ptrdiff_t i) const {
        const double* const block = blocks + i * block_length;
        return {heorot::load(block), heorot::load(block + n_lanes)};
    }
    [[gnu::always_inline]] void store(std::ptrdiff_t i, const ComplexLanes& z) const {
        double* const block = blocks + i * block_length;
        heorot::store(block, z.re);
        heorot::store(block + n_lanes, z.im);
    }
};

/// Blocks one behind the other, each multiplied by its roots on the way in.
struct TwiddledBuffer {
    double* blocks;
    const double* roots;
    [[gnu::always_inline]] void store(std::ptrdiff_t i, const ComplexLanes& z) const {
        const double* const root = roots + i * block_length;
        Buffer{blocks}.store(i, times(z, heorot::load(root), heorot::load(root + n_lanes)));
    }
};

}  // namespace internal

/// Transforms of n points, n >= 2 a power of two, for all lanes at once.
///
/// Stockham's autosort algorithm in passes of radix 2 to 16, as few as can be. Before a pass of
/// radix r there are n / l interleaved transforms of length l; entry j of transform k is number
/// j (n / l) + k. The pass makes n / (l r) transforms of length l r from them. The first pass reads
/// the caller's points, the last one writes them, up to 256 points there is no other.
/// Source: P. N. Swarztrauber, FFT algorithms for vector computers, Parallel Computing 1 (1984);
/// C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), section 1.7.
class LanesFft {
  public:
    explicit LanesFft(int n);

    int size() const { return n_; }
    /// Flops of a point of a transform, turning by roots of unity included.
    double flops_of_point() const;
    /// Computes the roots of unity; once, before the first transform.
    void make_roots();
    /// What transform() needs to work in [double].
    std::size_t scratch_length() const { return 2 * block_length * static_cast<std::size_t>(n_); }

    /// The forward transform of from.load(i), i = 0..n-1, goes to to.store(k, ...), k = 0..n-1,
    /// both in any order. `to` may overlie `from`. `scratch` holds scratch_length() numbers.
    template <class From, class To>
    void transform(const From& from, const To& to, double* scratch) const {
        internal::Buffer a = {scratch};
        internal::Buffer b = {scratch + block_length * n_};
        const Pass* const first = passes_.data();
        const Pass* const last = first + passes_.size() - 1;
        if (first == last) return run<false>(*first, from, to);
        run<false>(*first, from, a);
        for (const Pass* pass = first + 1; pass != last; ++pass, std::swap(a, b)) {
            run<true>(*pass, a, b);
        }
        run<true>(*last, a, to);
    }

  private:
    struct Pass {
        int radix;
        int length;                 // l, of the transforms before the pass
        std::vector<double> roots;  // exp(-2 pi i j s / (l r)): re, im for s = 1..r-1, j = 0..l-1
    };

    template <bool has_roots, class From, class To>
    [[gnu::always_inline]] void run(const Pass& pass, const From& from, const To& to) const {
        if (pass.radix == 2) run_radix<2, has_roots>(pass, from, to);
        if (pass.radix == 4) run_radix<4, has_roots>(pass, from, to);
        if (pass.radix == 8) run_radix<8, has_roots>(pass, from, to);
        if (pass.radix == 16) run_radix<16, has_roots>(pass, from, to);
    }

    template <int radix, bool has_roots, class From, class To>
    void run_radix(const Pass& pass, const From& from, const To& to) const {
        const std::ptrdiff_t length = pass.length;
        const std::ptrdiff_t n_after = n_ / (length * radix);
        const double* root = pass.roots.data();
        for (std::ptrdiff_t j = 0; j < length; ++j, root += std::ptrdiff_t{2} * (radix - 1)) {
            for (std::ptrdiff_t k = 0; k < n_after; ++k) {
                std::array<ComplexLanes, radix> z;
                transforms::unrolled<radix>([&](auto s) __attribute__((always_inline)) {
                    z[s] = from.load((j * radix + s) * n_after + k);
                    if constexpr (has_roots && s > 0) {
                        z[s] = times(z[s], root[2 * s - 2], root[2 * s - 1]);
                    }
                });
                transforms::small_transform<radix>(z);
                transforms::unrolled<radix>([&](auto p) __attribute__((always_inline)) {
                    to.store((j + length * p) * n_after + k, z[p]);
                });
            }
        }
    }

    int n_;
    std::vector<Pass> passes_;
};

/// The transform of one line of n points, a power of two, that lies in n / p blocks, where p =
/// n_lanes and n >= p^2.
///
/// With j = p b + l and k = c + (n / p) d it is a transform over b in every lane, a multiplication
/// by exp(-2 pi i l c / n), and a transform over the lanes l, for which blocks of p x p points are
/// transposed: X_{c + (n/p) d} = sum_l w_p^(l d) w_n^(l c) sum_b w_{n/p}^(b c) x_{p b + l}.
/// Source: D. H. Bailey, FFTs in external or hierarchical memory, J. Supercomputing 4 (1990).
class LineFft {
  public:
    explicit LineFft(int n);

    int size() const { return lanes_.size() * n_lanes; }
    int n_blocks() const { return lanes_.size(); }
    /// Flops of a point of a transform, turning by roots of unity included.
    double flops_of_point() const;
    /// Computes the roots of unity; once, before the first transform.
    void make_roots();
    /// What transform() needs to work in [double].
    std::size_t scratch_length() const {
        return lanes_.scratch_length() + block_length * static_cast<std::size_t>(n_blocks());
    }

    /// Transforms the line in blocks from.load(b) into to.store(b), b = 0..n/p-1, in the direction
    /// the points have. `to` may overlie `from`. `scratch` holds scratch_length() numbers.
    void transform(const Points& from, const Points& to, double* scratch) const;

  private:
    LanesFft lanes_;
    std::vector<double> roots_;  // exp(-2 pi i l c / n): a block for each c
};

}  // namespace heorot
