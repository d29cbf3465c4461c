// The three arrays of memory/stream, and what each kernel must leave behind.
#pragma once

#include <algorithm>

#include "benchmarks/memory/values/known.hpp"

namespace heorot::stream {

using values::Index;

constexpr double s = 3.0;

/// The three arrays, n elements each.
struct Arrays {
    double* a;
    double* b;
    double* c;
    Index n;
};

/// What they hold, as multiples of x(i); a as one value if it was filled with that.
struct Multiples {
    double a = 1.0;
    double b = 2.0;
    double c = 4.0;
    double filled = 0.0;
};

/// The first call places the pages too: same schedule as the kernels.
inline void set(const Arrays& v, const Multiples& m) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < v.n; ++i) {
        v.a[i] = m.a * values::x(i);
        v.b[i] = m.b * values::x(i);
        v.c[i] = m.c * values::x(i);
    }
}

/// Of all elements of all three arrays.
inline double largest_deviation(const Arrays& v, const Multiples& m) {
    double largest = 0.0;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (Index i = 0; i < v.n; ++i) {
        const double x = values::x(i);
        const double a = m.filled != 0.0 ? m.filled : m.a * x;
        largest =
            std::max({largest, values::deviation(v.a[i], a), values::deviation(v.b[i], m.b * x),
                      values::deviation(v.c[i], m.c * x)});
    }
    return largest;
}

}  // namespace heorot::stream
