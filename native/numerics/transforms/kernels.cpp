// The passes themselves, of every radix, built once for all callers.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

namespace {

/// One pass over transforms of n numbers, from `from` to `to`.
template <int w, int radix, bool has_roots, class From, class To>
void run_radix(const Passes::Pass& pass, Index n, const From& from, const To& to) {
    const Index length = pass.length;
    const Index n_after = n / (length * radix);
    const double* root = pass.roots.data();
    for (Index j = 0; j < length; ++j, root += Index{2} * (radix - 1)) {
        for (Index k = 0; k < n_after; ++k) {
            std::array<Numbers<w>, radix> z;
            unrolled<radix>([&](auto s) __attribute__((always_inline)) {
                z[s] = from.load((j * radix + s) * n_after + k);
                if constexpr (has_roots && s > 0) {
                    z[s] = times(z[s], root[2 * s - 2], root[2 * s - 1]);
                }
            });
            small_transform<radix>(z);
            unrolled<radix>([&](auto p) __attribute__((always_inline)) {
                to.store((j + length * p) * n_after + k, z[p]);
            });
        }
    }
}

/// action(radix) with a constant.
template <class Action>
[[gnu::always_inline]] inline void with_radix(int given, Action action) {
    [&]<int... radix>(std::integer_sequence<int, radix...>) __attribute__((always_inline)) {
        (void)((given == radix && (action(std::integral_constant<int, radix>()), true)) || ...);
    }(std::integer_sequence<int, 16, 8, 4, 2, 5, 3, 10, 12, 14, 15, 9, 6, 7, 11, 13>());
}

template <int w, bool has_roots, class From, class To>
void run(const Passes::Pass& pass, Index n, const From& from, const To& to) {
    with_radix(pass.radix, [&](auto radix) { run_radix<w, radix, has_roots>(pass, n, from, to); });
}

/// Columns of as many numbers as a pass transforms: no buffer lies between them and the rows.
template <int w, int radix, Direction direction>
void run_columns(const double* from, Index n_2, const double* roots, double* rows) {
    for (Index group = 0; group < n_groups<w>(n_2); ++group) {
        const Index first = first_of<w>(group, n_2);
        std::array<Numbers<w>, radix> z;
        unrolled<radix>([&](auto s) __attribute__((always_inline)) {
            z[s] = load_in_turn<w, direction>(from + 2 * (s * n_2 + first));
        });
        small_transform<radix>(z);
        unrolled<radix - 1>([&](auto k) __attribute__((always_inline)) {
            const Numbers<w> root = load_block<w>(roots + k * block_of<w>);
            z[k + 1] = times(z[k + 1], root.re, root.im);
        });
        roots += (radix - 1) * block_of<w>;
        unrolled<static_cast<int>(n_groups<w>(radix))>([&](auto h) __attribute__((always_inline)) {
            constexpr Index k = first_of<w>(h, radix);
            double* const to = rows + (h * n_2 + first) * block_of<w>;
            transpose_to<w>([&](auto i) __attribute__((always_inline)) { return z[k + i]; }, to);
        });
    }
}

/// The transform of the first m of z.
template <int m, class V, std::size_t n>
[[gnu::always_inline]] inline void transform_first(std::array<Complex<V>, n>& z) {
    std::array<Complex<V>, m> first;
    std::copy(z.begin(), z.begin() + m, first.begin());
    small_transform<m>(first);
    std::copy(first.begin(), first.end(), z.begin());
}

/// Of lines with fewer numbers in each lane than there are lanes, the last vectors are not full.
template <int w, int m, Direction direction>
void run_line(const double* from, const double* roots, double* to) {
    std::array<Numbers<w>, std::max(m, w)> z = {};
    unrolled<m>([&](auto b) __attribute__((always_inline)) {
        z[b] = load_in_turn<w, direction>(from + b * block_of<w>);
    });
    transform_first<m>(z);
    unrolled<m - 1>([&](auto c) __attribute__((always_inline)) {
        const Numbers<w> root = load_block<w>(roots + c * block_of<w>);
        z[c + 1] = times(z[c + 1], root.re, root.im);
    });
    unrolled<static_cast<int>(n_groups<w>(m))>([&](auto h) __attribute__((always_inline)) {
        constexpr Index c = m < w ? 0 : first_of<w>(h, m);
        std::array<Numbers<w>, w> of_lanes =
            transposed<w>([&](auto i) __attribute__((always_inline)) { return z[c + i]; });
        small_transform<w>(of_lanes);
        unrolled<w>([&](auto d) __attribute__((always_inline)) {
            double* const at = to + 2 * (c + m * d);
            if constexpr (m < w && d * m + w > w * m) {
                std::array<double, block_of<w>> full;
                store_in_turn<w, direction>(full.data(), of_lanes[d]);
                std::memcpy(at, full.data(), std::size_t{2} * m * sizeof(double));
            } else {
                store_in_turn<w, direction>(at, of_lanes[d]);
            }
        });
    });
}

/// Rows of as many numbers.
template <int w, int radix, Direction direction>
void run_rows(const double* rows, Index n_1, double* to) {
    for (Index group = 0; group < n_groups<w>(n_1); ++group, rows += radix * block_of<w>) {
        std::array<Numbers<w>, radix> z;
        unrolled<radix>([&](auto j) __attribute__((always_inline)) {
            z[j] = load_block<w>(rows + j * block_of<w>);
        });
        small_transform<radix>(z);
        const Index first = first_of<w>(group, n_1);
        unrolled<radix>([&](auto k) __attribute__((always_inline)) {
            store_in_turn<w, direction>(to + 2 * (first + k * n_1), z[k]);
        });
    }
}

template <int radix, Direction direction>
void run_alone(const double* from, const double* /*roots*/, double* to) {
    constexpr std::size_t re = direction == Direction::forward ? 0 : 1;
    std::array<Complex<double>, radix> z;
    for (std::size_t j = 0; j < z.size(); ++j) z[j] = {from[2 * j + re], from[2 * j + 1 - re]};
    small_transform<radix>(z);
    for (std::size_t k = 0; k < z.size(); ++k) {
        to[2 * k + re] = z[k].re;
        to[2 * k + 1 - re] = z[k].im;
    }
}

using Pass = Passes::Pass;
constexpr Direction there = Direction::forward;
constexpr Direction back = Direction::inverse;

}  // namespace

template <int w, bool exists>
void Kernels<w, exists>::first(const Pass& pass, Index n, const From<there>& from,
                               const Blocks<w>& to) {
    run<w, false>(pass, n, from, to);
}
template <int w, bool exists>
void Kernels<w, exists>::first(const Pass& pass, Index n, const From<back>& from,
                               const Blocks<w>& to) {
    run<w, false>(pass, n, from, to);
}
template <int w, bool exists>
void Kernels<w, exists>::first(const Pass& pass, Index n, const Blocks<w>& from,
                               const Blocks<w>& to) {
    run<w, false>(pass, n, from, to);
}
template <int w, bool exists>
void Kernels<w, exists>::next(const Pass& pass, Index n, const Blocks<w>& from,
                              const Blocks<w>& to) {
    run<w, true>(pass, n, from, to);
}
template <int w, bool exists>
void Kernels<w, exists>::next(const Pass& pass, Index n, const Blocks<w>& from,
                              const To<there>& to) {
    run<w, true>(pass, n, from, to);
}
template <int w, bool exists>
void Kernels<w, exists>::next(const Pass& pass, Index n, const Blocks<w>& from,
                              const To<back>& to) {
    run<w, true>(pass, n, from, to);
}
template <int w, bool exists>
void Kernels<w, exists>::only(const Pass& pass, Index n, const From<there>& from,
                              const To<there>& to) {
    run<w, false>(pass, n, from, to);
}
template <int w, bool exists>
void Kernels<w, exists>::only(const Pass& pass, Index n, const From<back>& from,
                              const To<back>& to) {
    run<w, false>(pass, n, from, to);
}
template <int w, bool exists>
ColumnsOfOnePass* Kernels<w, exists>::columns(int radix, Direction direction) {
    ColumnsOfOnePass* found = nullptr;
    with_radix(radix, [&](auto n_1) {
        if constexpr (n_1 >= w) {
            found = direction == there ? run_columns<w, n_1, there> : run_columns<w, n_1, back>;
        }
    });
    return found;
}
template <int w, bool exists>
RowsOfOnePass* Kernels<w, exists>::rows(int radix, Direction direction) {
    RowsOfOnePass* found = nullptr;
    with_radix(radix, [&](auto n_2) {
        if constexpr (n_2 >= w) {
            found = direction == there ? run_rows<w, n_2, there> : run_rows<w, n_2, back>;
        }
    });
    return found;
}
template <int w, bool exists>
LineOfOnePass* Kernels<w, exists>::line(int radix, Direction direction) {
    LineOfOnePass* found = nullptr;
    with_radix(radix, [&](auto m) {
        found = direction == there ? run_line<w, m, there> : run_line<w, m, back>;
    });
    return found;
}
LineOfOnePass* line_of_one_pass(int radix, Direction direction) {
    LineOfOnePass* found = nullptr;
    with_radix(radix, [&](auto n) {
        found = direction == there ? run_alone<n, there> : run_alone<n, back>;
    });
    return found;
}

template struct Kernels<2>;
template struct Kernels<4>;
template struct Kernels<8>;

}  // namespace heorot::transforms
