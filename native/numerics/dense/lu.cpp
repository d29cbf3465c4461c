// Gaussian elimination: panels in halves, everything large by products.
#include "numerics/dense/lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/dense/columns.hpp"

namespace heorot::dense {

namespace {

// Columns that are eliminated one after the other.
constexpr Index few_columns = 8;
// Below these numbers of rows of a triangle, or of columns next to it, DGEMM does not pay.
constexpr Index small_triangle = 16;
// Columns that are solved together with a triangle: this number stays in L2.
constexpr Index columns_at_once = 192;
// Least work of a thread: less is done faster than a thread wakes up.
constexpr Index fewest_flops = 500'000;
constexpr Index fewest_elements = 1 << 16;

/// B := L^-1 B for the n columns of B; L has m rows.
void solve_triangle(Index m, Index n, ConstMatrix l, Matrix b, Multiplier& multiplier) {
    if (m <= small_triangle) {
        solve_lower(m, n, l, b);
        return;
    }
    const Index top = (m / 2 + small_triangle - 1) / small_triangle * small_triangle;
    solve_triangle(top, n, l, b, multiplier);
    multiplier.add(m - top, n, top, -1.0, l.part(top, 0), b, b.part(top, 0));
    solve_triangle(m - top, n, l.part(top, top), b.part(top, 0), multiplier);
}

/// Part t of n_parts of the columns or rows begin ... end - 1.
template <class Range>
Range part_of(const Range& all, Index t, Index n_parts) {
    const Index size = all.end - all.begin;
    return {all.begin + size * t / n_parts, all.begin + size * (t + 1) / n_parts};
}

}  // namespace

Factorisation::Factorisation(Index n, int n_threads, Index panel_columns)
    : n_(n),
      panel_columns_(std::min(n, panel_columns)),
      pivots_(static_cast<std::size_t>(n)),
      multiplier_(n_threads) {
    const Blocking small{
        .rows = panel_columns_, .depth = panel_columns_, .columns = columns_at_once};
    for (int thread = 0; thread < n_threads; ++thread) own_.emplace_back(1, small);
}

Index Factorisation::n_panels() const {
    return (n_ + panel_columns_ - 1) / panel_columns_;
}

Factorisation::Range Factorisation::range(Index panel) const {
    return {panel * panel_columns_, std::min(n_, (panel + 1) * panel_columns_)};
}

/// The number of threads that have at least `least_of_each` of the work each.
Index Factorisation::parts(Index work, Index least_of_each) const {
    return std::clamp<Index>(work / least_of_each, 1, static_cast<Index>(own_.size()));
}

void Factorisation::factorise_panel(Index panel, Matrix a) {
    const Range columns = range(panel);
    factorise_columns(columns.begin, columns.end, a);
}

/// Factorises the left half, updates the right one, and factorises that.
void Factorisation::factorise_columns(Index begin, Index end, Matrix a) {
    if (end - begin <= few_columns) {
        factorise_few(begin, end, a);
        return;
    }
    const Index half = (end - begin + 1) / 2;
    const Index middle = begin + (half + few_columns - 1) / few_columns * few_columns;
    const Range left{begin, middle};
    factorise_columns(begin, middle, a);
    finish_columns(left, middle, end, a, multiplier_);
    multiplier_.add(n_ - middle, end - middle, middle - begin, -1.0, a.part(middle, begin),
                    a.part(begin, middle), a.part(middle, middle));
    factorise_columns(middle, end, a);
    exchange({middle, end}, begin, middle, a);
}

/// Left-looking, column by column: each is updated just before it is factorised.
void Factorisation::factorise_few(Index begin, Index end, Matrix a) {
    for (Index j = begin; j < end; ++j) {
        double* const column = a.column(j);
        for (Index p = begin; p < j; ++p) {
            for (Index i = p + 1; i < j; ++i) column[i] -= a(i, p) * column[p];
        }
        subtract_columns(n_ - j, j - begin, a.part(j, begin), column + begin, column + j);
        const Index pivot = j + largest_element(n_ - j, column + j);
        pivots_[static_cast<std::size_t>(j)] = pivot;
        if (pivot != j) {
            for (Index c = begin; c < end; ++c) std::swap(a(j, c), a(pivot, c));
        }
        const double top = column[j];
        if (std::abs(top) >= std::numeric_limits<double>::min()) {
            const double factor = 1.0 / top;
#pragma omp simd
            for (Index i = j + 1; i < n_; ++i) column[i] *= factor;
        } else {
            for (Index i = j + 1; i < n_; ++i) column[i] /= top;
        }
    }
}

/// Exchanges the rows of columns begin ... end - 1 as those of a panel were.
void Factorisation::exchange(const Range& rows, Index begin, Index end, Matrix a) const {
    for (Index j = begin; j < end; ++j) {
        double* const column = a.column(j);
        for (Index i = rows.begin; i < rows.end; ++i) {
            std::swap(column[i], column[pivots_[static_cast<std::size_t>(i)]]);
        }
    }
}

/// Columns begin ... end - 1: exchanged, and in the panel's rows brought through its triangle.
void Factorisation::finish_columns(const Range& rows, Index begin, Index end, Matrix a,
                                   Multiplier& own) const {
    exchange(rows, begin, end, a);
    solve_triangle(rows.end - rows.begin, end - begin, a.part(rows.begin, rows.begin),
                   a.part(rows.begin, begin), own);
}

void Factorisation::finish_rows(Index panel, Matrix a) {
    const Range rows = range(panel);
    const Range columns{rows.end, n_};
    const Index height = rows.end - rows.begin;
    const Index n_parts = parts(height * height * (n_ - rows.end), fewest_flops);
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(n_parts)) if (n_parts > 1)
    for (Index t = 0; t < n_parts; ++t) {
        const Range mine = part_of(columns, t, n_parts);
        for (Index j = mine.begin; j < mine.end; j += columns_at_once) {
            finish_columns(rows, j, std::min(mine.end, j + columns_at_once), a,
                           own_[static_cast<std::size_t>(t)]);
        }
    }
}

void Factorisation::update_rest(Index panel, Matrix a) {
    const Range columns = range(panel);
    const Index rest = n_ - columns.end;
    if (rest == 0) return;
    multiplier_.add(rest, rest, columns.end - columns.begin, -1.0,
                    a.part(columns.end, columns.begin), a.part(columns.begin, columns.end),
                    a.part(columns.end, columns.end));
}

/// x(i) -= sum of LU(i, j) x(j) for some rows and other columns, the rows spread over the threads.
void Factorisation::subtract_from_rows(const Range& rows, const Range& columns, ConstMatrix lu,
                                       double* x) const {
    const Index n_columns = columns.end - columns.begin;
    const Index n_parts = parts((rows.end - rows.begin) * n_columns, fewest_elements);
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(n_parts)) if (n_parts > 1)
    for (Index t = 0; t < n_parts; ++t) {
        const Range mine = part_of(rows, t, n_parts);
        subtract_columns(mine.end - mine.begin, n_columns, lu.part(mine.begin, columns.begin),
                         x + columns.begin, x + mine.begin);
    }
}

void Factorisation::solve(ConstMatrix lu, double* x) const {
    for (Index panel = 0; panel < n_panels(); ++panel) {
        const Range columns = range(panel);
        exchange(columns, 0, 1, {x, n_});
        solve_lower(columns.end - columns.begin, 1, lu.part(columns.begin, columns.begin),
                    {x + columns.begin, n_});
        subtract_from_rows({columns.end, n_}, columns, lu, x);
    }
    for (Index panel = n_panels() - 1; panel >= 0; --panel) {
        const Range columns = range(panel);
        solve_upper(columns.end - columns.begin, lu.part(columns.begin, columns.begin),
                    x + columns.begin);
        subtract_from_rows({0, columns.begin}, columns, lu, x);
    }
}

}  // namespace heorot::dense
