// What a stencil makes of a row of points: the 7-point and the 27-point stencil.
//
// Checked in every run against the factor by which a wave changes: Field::largest_deviation().
#pragma once

#include <array>
#include <cstddef>

#include "benchmarks/algorithms/stencil/grid.hpp"
#include "numerics/lanes.hpp"
#include "numerics/nontemporal.hpp"

namespace heorot::stencil {

/// The row of a point and its neighbours: of[1 + dk][1 + dj] begins at i = 0. Memory extends by a
/// vector before it and by two after it.
struct Rows {
    std::array<std::array<const double*, 3>, 3> of;

    /// The same rows, from point i on.
    Rows from(Index i) const {
        Rows rest = *this;
        for (auto& plane : rest.of) {
            for (auto& row : plane) row += i;
        }
        return rest;
    }
};

/// 0, 1, 2, ...
[[gnu::always_inline]] inline LaneMask lane_numbers() {
    LaneMask numbers;
    for (int lane = 0; lane < n_lanes; ++lane) numbers[lane] = lane;
    return numbers;
}

/// Where a row goes, and what comes next.
struct Target {
    double* v;             ///< the row; v + 1 is at the beginning of a cache line
    const double* coming;  ///< a row that will be loaded soon: it is fetched meanwhile
};

/// v(i) = element(i) for i = 1, ..., n, in lanes; element(i) is of n_lanes points, of which the
/// last ones may lie beyond n. The values of v there are read and written back.
template <bool past_caches, class Element>
[[gnu::always_inline]] inline void for_lanes(const Target& to, Index n, Element element) {
    const auto put = [&](Index i, const Lanes& lanes) __attribute__((always_inline)) {
        __builtin_prefetch(to.coming + i);
        if constexpr (past_caches) {
            store_past_caches(to.v + i, lanes);
        } else {
            store(to.v + i, lanes);
        }
    };
    Index i = 1;
    for (; i + n_lanes - 1 <= n; i += n_lanes) put(i, element(i));
    if (i > n) return;
    const LaneMask is_point = lane_numbers() <= n - i;
    put(i, select(is_point, element(i), load(to.v + i)));
}

/// Three vectors in a row, of which the middle one begins at i.
class Window {
  public:
    /// The next vector is at i = 1.
    template <class At>
    [[gnu::always_inline]] explicit Window(const At& at)
        : middle_(at(1 - n_lanes)), behind_(at(1)) {}
    /// Advances by a vector; then the middle is at i.
    template <class At>
    [[gnu::always_inline]] void advance(const At& at, Index i) {
        before_ = middle_;
        middle_ = behind_;
        behind_ = at(i + n_lanes);
    }
    [[gnu::always_inline]] Lanes middle() const { return middle_; }
    /// The sum of what lies one point before and behind.
    [[gnu::always_inline]] Lanes beside() const {
        return shift<n_lanes - 1>(before_, middle_) + shift<1>(middle_, behind_);
    }

  private:
    Lanes before_{};
    Lanes middle_;
    Lanes behind_;
};

/// v = c0 u + c1 (u of the 6 neighbours), with c0 + 6 c1 = 1.
struct SevenPoint {
    static constexpr int n_points = 7;
    static constexpr double flops_by_definition = 8;  ///< of a point: 6 additions, 2 products
    static constexpr double flops = 8;
    double c0 = 0.4;
    double c1 = 0.1;

    double factor(const Field::Cosines& c) const { return c0 + 2.0 * c1 * (c.x + c.y + c.z); }

    /// v(i) for i = 1, ..., n
    void by_definition(double* v, const Rows& u, Index n) const {
        const double* const u0 = u.of[1][1];
        const double *const south = u.of[1][0], *const north = u.of[1][2];
        const double *const below = u.of[0][1], *const above = u.of[2][1];
        const double a = c0, b = c1;
#pragma omp simd
        for (Index i = 1; i <= n; ++i) {
            v[i] = a * u0[i] +
                   b * (((u0[i - 1] + u0[i + 1]) + (south[i] + north[i])) + (below[i] + above[i]));
        }
    }
    /// The same in lanes. The points before and behind are shifted out of aligned vectors in
    /// caches, where loads that cross lines cost most; past them they are loaded, as fewer
    /// operations between two misses leave room for more misses at a time.
    template <bool past_caches = false>
    void in_lanes(const Target& to, const Rows& u, Index n) const {
        const double* const u0 = u.of[1][1];
        const double *const south = u.of[1][0], *const north = u.of[1][2];
        const double *const below = u.of[0][1], *const above = u.of[2][1];
        const auto sum = [&](Index i, const Lanes& centre,
                             const Lanes& beside) __attribute__((always_inline)) {
            return c0 * centre + c1 * ((beside + (load(south + i) + load(north + i))) +
                                       (load(below + i) + load(above + i)));
        };
        const auto centre_at = [&](Index i) __attribute__((always_inline)) { return load(u0 + i); };
        Window centre(centre_at);
        for_lanes<past_caches>(to, n, [&](Index i) __attribute__((always_inline)) {
            if constexpr (past_caches) {
                return sum(i, centre_at(i), centre_at(i - 1) + centre_at(i + 1));
            } else {
                centre.advance(centre_at, i);
                return sum(i, centre.middle(), centre.beside());
            }
        });
    }
};

/// v = c0 u + c1 (u of the 6 nearest neighbours) + c2 (of the 12 at edges) + c3 (of the 8 at
/// corners), with c0 + 6 c1 + 12 c2 + 8 c3 = 1.
struct TwentySevenPoint {
    static constexpr int n_points = 27;
    static constexpr double flops_by_definition = 30;  ///< 26 additions, 4 products
    static constexpr double flops = 18;                ///< in lanes: 14 additions, 4 products
    double c0 = 0.36;
    double c1 = 0.06;
    double c2 = 0.02;
    double c3 = 0.005;

    double factor(const Field::Cosines& c) const {
        return c0 + 2.0 * c1 * (c.x + c.y + c.z) + 4.0 * c2 * (c.x * c.y + c.y * c.z + c.z * c.x) +
               8.0 * c3 * c.x * c.y * c.z;
    }

    /// v(i) for i = 1, ..., n
    void by_definition(double* v, const Rows& u, Index n) const {
        const double *const u0 = u.of[1][1], *const s = u.of[1][0], *const t = u.of[1][2];
        const double *const b = u.of[0][1], *const bs = u.of[0][0], *const bt = u.of[0][2];
        const double *const a = u.of[2][1], *const as = u.of[2][0], *const at = u.of[2][2];
        const double w0 = c0, w1 = c1, w2 = c2, w3 = c3;
#pragma omp simd
        for (Index i = 1; i <= n; ++i) {
            const double faces = ((u0[i - 1] + u0[i + 1]) + (s[i] + t[i])) + (b[i] + a[i]);
            const double edges = (((s[i - 1] + s[i + 1]) + (t[i - 1] + t[i + 1])) +
                                  ((b[i - 1] + b[i + 1]) + (a[i - 1] + a[i + 1]))) +
                                 ((bs[i] + bt[i]) + (as[i] + at[i]));
            const double corners = ((bs[i - 1] + bs[i + 1]) + (bt[i - 1] + bt[i + 1])) +
                                   ((as[i - 1] + as[i + 1]) + (at[i - 1] + at[i + 1]));
            v[i] = (w0 * u0[i] + w1 * faces) + (w2 * edges + w3 * corners);
        }
    }
    /// The same in lanes, by the sums of the four nearest and of the four diagonal rows, which
    /// three points have in common.
    template <bool past_caches = false>
    void in_lanes(const Target& to, const Rows& u, Index n) const {
        const double *const u0 = u.of[1][1], *const s = u.of[1][0], *const t = u.of[1][2];
        const double *const b = u.of[0][1], *const bs = u.of[0][0], *const bt = u.of[0][2];
        const double *const a = u.of[2][1], *const as = u.of[2][0], *const at = u.of[2][2];
        const auto nearest_at = [&](Index i) __attribute__((always_inline)) {
            return (load(s + i) + load(t + i)) + (load(b + i) + load(a + i));
        };
        const auto diagonal_at = [&](Index i) __attribute__((always_inline)) {
            return (load(bs + i) + load(bt + i)) + (load(as + i) + load(at + i));
        };
        const auto centre_at = [&](Index i) __attribute__((always_inline)) { return load(u0 + i); };
        Window centre(centre_at), nearest(nearest_at), diagonal(diagonal_at);
        for_lanes<past_caches>(to, n, [&](Index i) __attribute__((always_inline)) {
            centre.advance(centre_at, i);
            nearest.advance(nearest_at, i);
            diagonal.advance(diagonal_at, i);
            const Lanes faces = centre.beside() + nearest.middle();
            const Lanes edges = nearest.beside() + diagonal.middle();
            return (c0 * centre.middle() + c1 * faces) + (c2 * edges + c3 * diagonal.beside());
        });
    }
};

}  // namespace heorot::stencil
