// The operators' loops. All of them run along rows and vectorise.
//
// A symmetric operator needs, of the 27 points around point i, only its own value c(i) and the sums
// over the plane of constant x: f(i) of the four neighbours across faces, e(i) of the four across
// edges. With t(i) = face c(i) + edge f(i) + corner e(i), the contribution of the point to its
// neighbours along x,
//   (C x)(i) = centre c(i) + face f(i) + edge e(i) + t(i-1) + t(i+1).
// Two rows at a time share half of the sums. Zero weights cost nothing: they are known at compile
// time.
//
// Checked against all 27 points, one after the other, in tests/npb/test_mg.cpp: check_cycles.
#include "benchmarks/npb/mg/operators.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "numerics/lanes.hpp"

namespace heorot::mg {

namespace {

// Points of a row that are done before the next rows: the points that rows share are then in L1d.
constexpr Index strip = 128;

constexpr Index n_lanes = heorot::n_lanes;

// One number of a row, or as many as a vector has lanes.
template <class T>
[[gnu::always_inline]] inline T read(const double* from) {
    if constexpr (std::is_same_v<T, Lanes>) {
        return load(from);
    } else {
        return *from;
    }
}

// c, f and e of one or several points.
template <class T>
struct Sums {
    T centre, face, edge;
};

// Which weights are not zero.
template <bool face, bool corner>
struct Weights {
    Stencil c;

    template <class T>
    [[gnu::always_inline]] T along_x(const Sums<T>& s) const {
        T t = c.edge * s.face;
        if constexpr (face) t += c.face * s.centre;
        if constexpr (corner) t += c.corner * s.edge;
        return t;
    }
    template <class T>
    [[gnu::always_inline]] T in_plane(const Sums<T>& s) const {
        T sum = c.centre * s.centre + c.edge * s.edge;
        if constexpr (face) sum += c.face * s.face;
        return sum;
    }
};

// The neighbouring rows j and j + 1 and all around them: rows j - 1 ... j + 2 of three planes.
struct RowPair {
    template <class T>
    struct Both {
        Sums<T> first, second;
    };
    template <class T>
    [[gnu::always_inline]] Both<T> sums(Index i) const {
        const T outer1 = read<T>(below[1] + i) + read<T>(above[1] + i);
        const T outer2 = read<T>(below[2] + i) + read<T>(above[2] + i);
        const T here1 = read<T>(here[1] + i);
        const T here2 = read<T>(here[2] + i);
        return {{here1, read<T>(here[0] + i) + here2 + outer1,
                 read<T>(below[0] + i) + read<T>(above[0] + i) + outer2},
                {here2, here1 + read<T>(here[3] + i) + outer2,
                 read<T>(below[3] + i) + read<T>(above[3] + i) + outer1}};
    }

    const double* below[4];
    const double* here[4];
    const double* above[4];
};

// Without a second row, row j replaces the row beyond it.
RowPair rows_around(const Planes& x, Index j, bool has_second) {
    const auto rows = [j, has_second](const Plane& plane) {
        return std::array{plane.row(j - 1), plane.row(j), plane.row(j + 1),
                          plane.row(has_second ? j + 2 : j)};
    };
    const auto below = rows(x.below);
    const auto here = rows(x.here);
    const auto above = rows(x.above);
    return {{below[0], below[1], below[2], below[3]},
            {here[0], here[1], here[2], here[3]},
            {above[0], above[1], above[2], above[3]}};
}

// t and the rest of C x + base in both rows, at one or several points.
template <class T>
struct Terms {
    T t0, t1, rest0, rest1;
};

// Two rows of out = base + C x; the second may be a row that is never read.
template <class W>
struct Row2 {
    W weights;
    RowPair x;
    const double* base0;
    const double* base1;
    double* out0;
    double* out1;

    template <class T>
    [[gnu::always_inline]] Terms<T> terms(Index i) const {
        const auto sums = x.sums<T>(i);
        return {weights.along_x(sums.first), weights.along_x(sums.second),
                read<T>(base0 + i) + weights.in_plane(sums.first),
                read<T>(base1 + i) + weights.in_plane(sums.second)};
    }
};

// out = base + C x at as many points of `range` as whole vectors cover; returns the first of the
// rest. `before` is the point before the range, and on return before the rest; end(i) gives the
// terms of the points behind it.
template <class W, class End>
Index add_lanes(const Row2<W>& rows, Range range, const End& end, Terms<double>& before) {
    Index i = range.first;
    if (i + n_lanes > range.last) return i;
    const Row2<W> r = rows;  // a copy, which can stay in registers
    Lanes before0 = lanes_of(before.t0);
    Lanes before1 = lanes_of(before.t1);
    auto now = r.template terms<Lanes>(i);
    const auto put = [&](const Lanes& next0, const Lanes& next1) {
        store(r.out0 + i,
              now.rest0 + (shift<n_lanes - 1>(before0, now.t0) + shift<1>(now.t0, next0)));
        store(r.out1 + i,
              now.rest1 + (shift<n_lanes - 1>(before1, now.t1) + shift<1>(now.t1, next1)));
    };
    for (; i + 2 * n_lanes <= range.last; i += n_lanes) {
        const auto next = r.template terms<Lanes>(i + n_lanes);
        put(next.t0, next.t1);
        before0 = now.t0;
        before1 = now.t1;
        now = next;
    }
    const Terms<double> after = end(i + n_lanes);
    put(lanes_of(after.t0), lanes_of(after.t1));
    before.t0 = now.t0[n_lanes - 1];
    before.t1 = now.t1[n_lanes - 1];
    return i + n_lanes;
}

// out = base + C x on `range`, a part of `whole`, which is all there is of a periodic row.
template <class W>
void add_to_rows(const Row2<W>& rows, Range range, const Patch& whole) {
    const auto end = [&](Index i) {
        if (whole.periodic_x && i < whole.x.first) i = whole.x.last - 1;
        if (whole.periodic_x && i == whole.x.last) i = whole.x.first;
        return rows.template terms<double>(i);
    };
    Terms<double> before = end(range.first - 1);
    Index i = add_lanes(rows, range, end, before);
    if (i == range.last) return;
    auto now = rows.template terms<double>(i);
    for (; i < range.last; ++i) {
        const auto next = end(i + 1);
        rows.out0[i] = now.rest0 + (before.t0 + next.t0);
        rows.out1[i] = now.rest1 + (before.t1 + next.t1);
        before = now;
        now = next;
    }
}

template <class W>
void add_operator(const W& weights, const Patch& patch, const Planes& x, const Plane& base,
                  const Plane& out, RowBuffers& buffers) {
    double* const spare = buffers.row(2);
    for (Index first = patch.x.first; first < patch.x.last; first += strip) {
        const Range range = {first, std::min(first + strip, patch.x.last)};
        for (Index j = patch.y.first; j < patch.y.last; j += 2) {
            const bool has_second = j + 1 < patch.y.last;
            add_to_rows<W>({weights, rows_around(x, j, has_second), base.row(j),
                            has_second ? base.row(j + 1) : spare, out.row(j),
                            has_second ? out.row(j + 1) : spare},
                           range, patch);
        }
    }
}

}  // namespace

void resid(const Patch& patch, const Planes& u, const Plane& v, const Plane& r, RowBuffers& rows) {
    constexpr Stencil minus_a = {-laplacian.centre, 0.0, -laplacian.edge, -laplacian.corner};
    add_operator(Weights<false, true>{minus_a}, patch, u, v, r, rows);
}

void psinv(const Patch& patch, const Stencil& smoother, const Planes& r, const Plane& u,
           RowBuffers& rows) {
    add_operator(Weights<true, false>{smoother}, patch, r, u, u, rows);
}

}  // namespace heorot::mg
