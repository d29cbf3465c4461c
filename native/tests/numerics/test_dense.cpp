// Tests of dense products and of Gaussian elimination against plain loops, in odd sizes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/check.hpp"
#include "numerics/dense/columns.hpp"
#include "numerics/dense/lu.hpp"
#include "numerics/dense/multiply.hpp"
#include "tests/testing.hpp"

using namespace heorot::dense;

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double outside = 7.0;  // what stands below the columns of a matrix

/// A random matrix with room of its own, whose columns are `gap` longer than it. Never moved: its
/// view points to its elements.
// NOLINTNEXTLINE(cppcoreguidelines-special-member-functions)
struct Room {
    Room(Index m, Index n, unsigned seed, Index gap)
        : elements(static_cast<std::size_t>((m + gap) * n), outside),
          view{elements.data(), m + gap},
          rows(m),
          columns(n) {
        std::mt19937_64 random(seed);
        for (Index j = 0; j < n; ++j) {
            for (Index i = 0; i < m; ++i) {
                view(i, j) = std::ldexp(static_cast<double>(random() >> 11U), -52) - 1.0;
            }
        }
    }
    Room(const Room& other)
        : elements(other.elements),
          view{elements.data(), other.view.stride},
          rows(other.rows),
          columns(other.columns) {}
    Room& operator=(const Room&) = delete;
    ~Room() = default;

    bool is_untouched_outside() const {
        for (Index j = 0; j < columns; ++j) {
            for (Index i = rows; i < view.stride; ++i) {
                if (view(i, j) != outside) return false;
            }
        }
        return true;
    }

    std::vector<double> elements;
    Matrix view;
    Index rows;
    Index columns;
};

/// The largest deviation from C + alpha A B, in units of what rounding can amount to.
double deviation(const Room& a, const Room& b, double alpha, const Room& before, const Room& c) {
    double largest = 0.0;
    for (Index j = 0; j < c.columns; ++j) {
        for (Index i = 0; i < c.rows; ++i) {
            double sum = before.view(i, j);
            double magnitude = std::abs(sum);
            for (Index k = 0; k < a.columns; ++k) {
                sum += alpha * a.view(i, k) * b.view(k, j);
                magnitude += std::abs(alpha * a.view(i, k) * b.view(k, j));
            }
            const double unit = static_cast<double>(a.columns + 2) * eps * magnitude;
            const double off = std::abs(c.view(i, j) - sum) / unit;
            if (heorot::is_nan(off)) return HUGE_VAL;
            largest = std::max(largest, off);
        }
    }
    return largest;
}

struct Shape {
    Index m;
    Index n;
    Index k;
};

void products_are_those_of_plain_loops(const Shape& s, int n_threads, const Blocking& blocking) {
    const Room a(s.m, s.k, 1, 3);
    const Room b(s.k, s.n, 2, 1);
    Room before(s.m, s.n, 3, 2);
    Multiplier multiplier(n_threads, blocking);

    Room added(before);  // NOLINT(performance-unnecessary-copy-initialization): its view is written
    multiplier.add(s.m, s.n, s.k, -0.75, a.view, b.view, added.view);
    CHECK(deviation(a, b, -0.75, before, added) <= 1.0);
    CHECK(added.is_untouched_outside());

    Room made(before);  // NOLINT(performance-unnecessary-copy-initialization)
    for (Index j = 0; j < s.n; ++j) {
        std::fill_n(made.view.column(j), s.m, std::numeric_limits<double>::quiet_NaN());
        std::fill_n(before.view.column(j), s.m, 0.0);
    }
    multiplier.multiply(s.m, s.n, s.k, a.view, b.view, made.view);
    CHECK(deviation(a, b, 1.0, before, made) <= 1.0);
    CHECK(made.is_untouched_outside());
}

void columns_are_subtracted(Index m, Index count) {
    const Room a(m, count, 4, 1);
    const Room x(count, 1, 5, 0);
    const Room before(m, 1, 6, 2);
    Room y(before);  // NOLINT(performance-unnecessary-copy-initialization)
    subtract_columns(m, count, a.view, x.view.elements, y.view.elements);
    CHECK(deviation(a, x, -1.0, before, y) <= 1.0);
    CHECK(y.is_untouched_outside());
}

void the_first_of_the_largest_is_found() {
    std::vector<double> x(77, 0.5);
    CHECK(largest_element(77, x.data()) == 0);
    x[70] = -2.0;
    x[75] = 2.0;
    CHECK(largest_element(77, x.data()) == 70);
    CHECK(largest_element(70, x.data()) == 0);
    x[76] = 3.0;
    CHECK(largest_element(77, x.data()) == 76);
    CHECK(largest_element(1, x.data()) == 0);
    std::fill(x.begin(), x.end(), std::numeric_limits<double>::quiet_NaN());
    CHECK(largest_element(77, x.data()) == 0);
}

/// L U as solve() reads it: undoes the exchanges of every panel, the last one first.
Room product_of_factors(const Room& lu, const Factorisation& factors, Index panel_columns) {
    const Index n = lu.rows;
    Room a(lu);  // NOLINT(performance-unnecessary-copy-initialization)
    for (Index j = 0; j < n; ++j) std::fill_n(a.view.column(j), n, 0.0);
    for (Index first = (n - 1) / panel_columns * panel_columns; first >= 0;
         first -= panel_columns) {
        const Index last = std::min(n, first + panel_columns);
        for (Index j = first; j < n; ++j) {
            // Rows of the panel are those of U so far; below they hold what is left.
            double* const column = a.view.column(j);
            std::vector<double> upper(static_cast<std::size_t>(last - first));
            for (Index p = first; p < last; ++p) {
                upper[static_cast<std::size_t>(p - first)] = p <= j ? lu.view(p, j) : 0.0;
                column[p] = 0.0;
            }
            for (Index p = first; p < std::min(last, j + 1); ++p) {
                const double factor = upper[static_cast<std::size_t>(p - first)];
                column[p] += factor;
                for (Index i = p + 1; i < n; ++i) column[i] += lu.view(i, p) * factor;
            }
            for (Index p = last - 1; p >= first; --p) {
                std::swap(column[p], column[factors.pivots()[static_cast<std::size_t>(p)]]);
            }
        }
    }
    return a;
}

void a_system_is_solved(Index n, int n_threads, Index panel_columns) {
    const Room a(n, n, 8, 1);
    const Room b(n, 1, 9, 0);
    Room lu(a);  // NOLINT(performance-unnecessary-copy-initialization)
    Factorisation factors(n, n_threads, panel_columns);
    for (Index panel = 0; panel < factors.n_panels(); ++panel) {
        factors.factorise_panel(panel, lu.view);
        factors.finish_rows(panel, lu.view);
        factors.update_rest(panel, lu.view);
    }
    CHECK(lu.is_untouched_outside());

    double largest_factor = 0.0;
    for (Index j = 0; j < n; ++j) {
        for (Index i = j + 1; i < n; ++i) {
            largest_factor = std::max(largest_factor, std::abs(lu.view(i, j)));
        }
    }
    CHECK(largest_factor <= 1.0 + 4.0 * eps);  // or another row would have been the pivot's

    const Room again = product_of_factors(lu, factors, std::min(n, panel_columns));
    double largest = 0.0;
    for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) {
            largest = std::max(largest, std::abs(again.view(i, j) - a.view(i, j)));
        }
    }
    CHECK(largest <= 8.0 * static_cast<double>(n) * eps);

    Room x(b);  // NOLINT(performance-unnecessary-copy-initialization)
    factors.solve(lu.view, x.view.elements);
    double residual = 0.0;
    double size = 1.0;
    for (Index i = 0; i < n; ++i) {
        double rest = b.view(i, 0);
        for (Index j = 0; j < n; ++j) rest -= a.view(i, j) * x.view(j, 0);
        residual = std::max(residual, std::abs(rest));
        size = std::max(size, std::abs(x.view(i, 0)));
    }
    CHECK(residual <= 8.0 * static_cast<double>(n) * eps * size);
}

/// The first column has its largest element in the last row, which no elimination without
/// exchanges survives.
void rows_are_exchanged() {
    Room a(3, 3, 1, 0);
    const double elements[] = {0.0, 1.0, 2.0, 1.0, 0.0, 4.0, 3.0, 1.0, 0.0};
    std::copy(std::begin(elements), std::end(elements), a.elements.begin());
    Factorisation factors(3, 1, 2);
    for (Index panel = 0; panel < factors.n_panels(); ++panel) {
        factors.factorise_panel(panel, a.view);
        factors.finish_rows(panel, a.view);
        factors.update_rest(panel, a.view);
    }
    CHECK(factors.n_panels() == 2);
    CHECK((factors.pivots() == std::vector<Index>{2, 1, 2}) ||
          (factors.pivots() == std::vector<Index>{2, 2, 2}));
    double x[] = {4.0, 2.0, 6.0};
    factors.solve(a.view, x);
    for (const double each : x) CHECK(std::abs(each - 1.0) <= 8.0 * eps);
}

}  // namespace

int main() {
    const Blocking tiny{.rows = 16, .depth = 5, .columns = 12};
    for (const Index m : {1, 7, 8, 23, 24, 25, 49, 67}) {
        for (const Index n : {1, 5, 8, 9, 33, 67}) {
            for (const Index k : {1, 2, 67}) {
                products_are_those_of_plain_loops({m, n, k}, 1, {});
                products_are_those_of_plain_loops({m, n, k}, 1, tiny);
            }
        }
    }
    // Enough of A to be packed, in strips of every number of rows.
    for (Index m = 49; m < 74; ++m) products_are_those_of_plain_loops({m, 39, 251}, 1, {});
    for (const int n_threads : {2, 3, 4, 6}) {
        products_are_those_of_plain_loops({301, 157, 131}, n_threads, {});
        products_are_those_of_plain_loops({11, 2503, 211}, n_threads, {});
        products_are_those_of_plain_loops({2503, 3, 607}, n_threads, {});
    }
    products_are_those_of_plain_loops({401, 1601, 301}, 1, {});
    for (Index count = 0; count < 20; ++count) columns_are_subtracted(37, count);
    the_first_of_the_largest_is_found();
    for (const Index n : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 67, 131, 203}) {
        for (const Index panel : {1, 5, 8, 24, 128}) a_system_is_solved(n, 1, panel);
    }
    for (const int n_threads : {2, 3}) {
        a_system_is_solved(517, n_threads, 128);
        a_system_is_solved(301, n_threads, 40);
    }
    rows_are_exchanged();
    return heorot::tests::result();
}
