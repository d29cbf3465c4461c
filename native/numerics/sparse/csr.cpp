// Products of compressed sparse rows with vectors.
#include "numerics/sparse/csr.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace heorot::sparse {

namespace {

constexpr Place group = 4;
// Not wider: rows are short, and most processors have registers of this width.
using Four = double __attribute__((vector_size(group * sizeof(double))));

/// Where the elements of a row begin.
struct Elements {
    const double* value;
    const Place* column;

    void pass(Place n) {
        value += n;
        column += n;
    }
};

/// By reference: how wide vectors are returned depends on the instruction set.
[[gnu::always_inline]] inline void add_four_products(const Elements& at, const double* x,
                                                     Four& sums) {
    Four a_k;
    std::memcpy(&a_k, at.value, sizeof a_k);
    const Place* const column = at.column;
    sums += a_k * Four{x[column[0]], x[column[1]], x[column[2]], x[column[3]]};
}

/// The sum of a(k) x(column(k)) over n elements, four at a time; passes them.
template <bool fetches>
[[gnu::always_inline]] inline double product_of(Place n, Elements& at, const double* x) {
    Four sums = {};
    for (; n >= group; n -= group, at.pass(group)) {
        if constexpr (fetches) prefetch<group>(at.value, at.column);
        add_four_products(at, x, sums);
    }
    double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; n > 0; --n) sum += *at.value++ * x[*at.column++];
    return sum;
}

/// The rows from i on, up to `last`, that have n elements each, in straight code; the next row.
template <Place n, bool fetches>
[[gnu::always_inline]] inline Index run_of_rows(const Place* starts, Index i, Index last,
                                                Elements& at, const double* x, double* y) {
    do {
        y[i++] = product_of<fetches>(n, at, x);
    } while (i < last && starts[i + 1] - starts[i] == n);
    return i;
}

// y(i) = sum over the elements of row i of a x(column): rows of one length, which follow each
// other in most matrices of grids, in a loop of their own.
template <bool fetches>
void multiply_runs(const Csr& a, Index first, Index last, const double* x, double* y) {
    const Place* const starts = a.starts.data();
    Elements at = {a.values.data() + starts[first], a.columns.data() + starts[first]};
    const auto run = [&]<Place n>(std::integral_constant<Place, n>, Index i)
                         __attribute__((always_inline)) {
                             return run_of_rows<n, fetches>(starts, i, last, at, x, y);
                         };
    for (Index i = first; i < last;) {
        const Place n = starts[i + 1] - starts[i];
        switch (n) {
            case 3:
                i = run(std::integral_constant<Place, 3>(), i);
                break;
            case 4:
                i = run(std::integral_constant<Place, 4>(), i);
                break;
            case 5:
                i = run(std::integral_constant<Place, 5>(), i);
                break;
            case 6:
                i = run(std::integral_constant<Place, 6>(), i);
                break;
            case 7:
                i = run(std::integral_constant<Place, 7>(), i);
                break;
            case 8:
                i = run(std::integral_constant<Place, 8>(), i);
                break;
            default:
                y[i++] = product_of<fetches>(n, at, x);
        }
    }
}

// The same in the plain loop: where lengths change from row to row it has the fewest branches that
// cannot be predicted, one for each row.
template <bool fetches>
void multiply_plainly(const Csr& a, Index first, Index last, const double* x, double* y) {
    constexpr Index usual_length = 8;
    const Place* const starts = a.starts.data();
    Elements at = {a.values.data() + starts[first], a.columns.data() + starts[first]};
    for (Index i = first; i < last; ++i) {
        const double* const end = a.values.data() + starts[i + 1];
        if constexpr (fetches) prefetch<usual_length>(at.value, at.column);
        double sum = 0.0;
        for (; at.value < end; at.pass(1)) sum += *at.value * x[*at.column];
        y[i] = sum;
    }
}

using Multiply = void(const Csr&, Index, Index, const double*, double*);

Multiply* find(const RowWay& way) {
    if (way.in_runs) return way.fetches ? multiply_runs<true> : multiply_runs<false>;
    return way.fetches ? multiply_plainly<true> : multiply_plainly<false>;
}

}  // namespace

std::vector<Index> equal_parts(const Place* starts, Index n, int n_parts) {
    std::vector<Index> parts = {0};
    const auto n_elements = static_cast<std::uint64_t>(starts[n]);
    for (int part = 1; part < n_parts; ++part) {
        const auto before = static_cast<Place>(n_elements * static_cast<std::uint64_t>(part) /
                                               static_cast<std::uint64_t>(n_parts));
        parts.push_back(std::lower_bound(starts, starts + n, before) - starts);
    }
    parts.push_back(n);
    return parts;
}

void Csr::multiply(const double* x, double* y) const {
    const auto n_parts = static_cast<int>(parts.size()) - 1;
    Multiply* const multiply_rows = find(way);
    // Even a parallel region of one thread takes as long as hundreds of elements.
    if (n_parts == 1 || n_nonzeros() < worth_sharing) return multiply_rows(*this, 0, n_rows, x, y);
#pragma omp parallel for schedule(static)
    for (int part = 0; part < n_parts; ++part) {
        const auto p = static_cast<std::size_t>(part);
        multiply_rows(*this, parts[p], parts[p + 1], x, y);
    }
}

}  // namespace heorot::sparse
