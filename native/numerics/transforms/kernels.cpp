// The passes themselves, of every radix, built once for all callers.
#include <array>
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

/// The same, of any radix.
template <int w, bool has_roots, class From, class To>
void run(const Passes::Pass& pass, Index n, const From& from, const To& to) {
    [&]<int... radix>(std::integer_sequence<int, radix...>) {
        (void)((pass.radix == radix && (run_radix<w, radix, has_roots>(pass, n, from, to), true)) ||
               ...);
    }(std::integer_sequence<int, 16, 8, 4, 2, 5, 3, 10, 12, 15, 9, 6, 7, 11, 13>());
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

template struct Kernels<2>;
template struct Kernels<4>;
template struct Kernels<8>;

}  // namespace heorot::transforms
