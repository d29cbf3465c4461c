// Tests of sparse matrices: products against definitions, at odd sizes and with several threads.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "numerics/sparse/csr.hpp"
#include "numerics/sparse/grids.hpp"
#include "numerics/sparse/random_rows.hpp"
#include "numerics/sparse/sell.hpp"
#include "numerics/sparse/vectors.hpp"
#include "numerics/sparse/wavefronts.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot::sparse;

using Column = std::vector<double>;

Column exact_vector(Index n) {
    Column u;
    for (Index i = 0; i < n; ++i) u.push_back(exact_value(i));
    return u;
}

/// y = A x by Csr and Sell, for several numbers of threads and windows; equal to `expected`.
template <class Rows>
bool products_are(const Rows& rows, Index n, const Column& x, const Column& expected) {
    bool are = true;
    for (const int n_threads : {1, 2, 3, 7}) {
        Csr a = make_csr(n, rows, n_threads);
        Column y(x.size());
        for (const RowWay& way : row_ways) {
            a.way = way;
            std::fill(y.begin(), y.end(), -1.0);
            a.multiply(x.data(), y.data());
            are = are && y == expected;
        }
        for (const Index sigma : {Index{1}, Index{50}, Index{1000000}}) {
            const Sell sell(a, sigma);
            std::fill(y.begin(), y.end(), -1.0);
            sell.multiply(x.data(), y.data());
            are = are && y == expected && sell.fill() >= 1.0;
        }
    }
    return are;
}

template <class Equation>
bool grid_products_are_right(const Equation& equation) {
    const Grid& grid = equation.grid;
    const Column x = exact_vector(grid.size());
    Column expected;
    for (Index k = 0; k < grid.nz; ++k) {
        for (Index j = 0; j < grid.ny; ++j) {
            for (Index i = 0; i < grid.nx; ++i) {
                expected.push_back(equation.without_matrix(x.data(), i, j, k));
            }
        }
    }
    return products_are(equation, grid.size(), x, expected);
}

template <class Rows>
bool random_products_are_right(const Rows& rows) {
    const Column x = exact_vector(rows.n);
    Column expected;
    for (Index i = 0; i < rows.n; ++i) expected.push_back(rows.row(i).times(x.data()));
    return products_are(rows, rows.n, x, expected);
}

void products_are_as_defined() {
    for (const Index n : {1, 2, 5, 16, 33}) {
        CHECK(grid_products_are_right(FivePoint{{n, n + 3}}));
        CHECK(random_products_are_right(PowerLawRows{7 * n}));
        CHECK(random_products_are_right(BandedRows{70 * n}));
    }
    for (const Index n : {1, 2, 5, 9}) {
        CHECK(grid_products_are_right(SevenPoint{{n, n + 1, 3}}));
        // Powers of two, so that sums are exact.
        CHECK(grid_products_are_right(SevenPoint{{n, 4, n + 1}, 0.5, 0.25, -0.125}));
        CHECK(grid_products_are_right(TwentySevenPoint{{n + 2, n, 4}}));
    }
}

/// The columns of a row ascend and lie in its range.
bool is_in_order(const Spread& row) {
    Index before = row.first - 1;
    bool is = true;
    row.visit([&](Index column, double value) {
        is = is && column > before && column < row.last && std::abs(value) <= 1.0;
        before = column;
    });
    return is;
}

void random_rows_are_as_described() {
    constexpr Index n = 100000;
    const PowerLawRows law{n};
    const BandedRows band{n};
    std::vector<Index> lengths;
    bool are_in_order = true;
    for (Index i = 0; i < n; ++i) {
        are_in_order = are_in_order && is_in_order(law.row(i)) && is_in_order(band.row(i));
        lengths.push_back(law.row(i).length);
        const Spread row = band.row(i);
        are_in_order = are_in_order && row.first >= i - BandedRows::half_width &&
                       row.last <= i + BandedRows::half_width + 1;
    }
    CHECK(are_in_order);
    // The part of rows that have `least` elements or more: four standard deviations.
    for (const Index least : {8, 16, 64, 256, 1024}) {
        const double share =
            static_cast<double>(PowerLawRows::shortest) / static_cast<double>(least);
        const auto found = static_cast<double>(std::count_if(
            lengths.begin(), lengths.end(), [=](Index length) { return length >= least; }));
        const double expected = share * n;
        CHECK(std::abs(found - expected) <= 4.0 * std::sqrt(expected));
    }
    CHECK(*std::min_element(lengths.begin(), lengths.end()) == PowerLawRows::shortest);
    CHECK(*std::max_element(lengths.begin(), lengths.end()) == PowerLawRows::longest);
}

/// Rows of every length up to 13, in runs of three and by themselves.
void rows_of_every_length_are_multiplied() {
    constexpr Index n = 90;
    const auto length = [](Index i) { return i % 7 < 3 ? i / 7 : i % 14; };
    const auto rows = [&](Index i, auto element) {
        for (Index k = 0; k < length(i); ++k) element(k * 5, exact_value(i + k));
    };
    const Column x = exact_vector(n);
    Column expected;
    for (Index i = 0; i < n; ++i) {
        double sum = 0.0;
        for (Index k = 0; k < length(i); ++k) {
            sum += exact_value(i + k) * x[static_cast<std::size_t>(k * 5)];
        }
        expected.push_back(sum);
    }
    CHECK(products_are(rows, n, x, expected));
}

void sorting_saves_room() {
    const Csr a = make_csr(5000, PowerLawRows{5000}, 1);
    CHECK(Sell(a, 5000).fill() < Sell(a, 1).fill());
    CHECK(Sell(a, 5000).fill() < 1.2);
}

void parts_have_as_many_elements() {
    const Csr a = make_csr(3000, PowerLawRows{3000}, 4);
    CHECK(a.parts.size() == 5);
    CHECK(a.parts.front() == 0 && a.parts.back() == 3000);
    for (std::size_t p = 0; p < 4; ++p) {
        const auto n = static_cast<double>(a.starts[static_cast<std::size_t>(a.parts[p + 1])] -
                                           a.starts[static_cast<std::size_t>(a.parts[p])]);
        CHECK(std::abs(n - static_cast<double>(a.n_nonzeros()) / 4.0) <= PowerLawRows::longest);
    }
}

void wavefronts_follow_each_other() {
    const Grid grid{5, 3, 4};
    const Wavefronts fronts(grid);
    CHECK(fronts.fronts.front() == 0 && fronts.fronts.back() == grid.size());
    CHECK(fronts.fronts.size() == 5 + 3 + 4 - 1);
    for (std::size_t f = 0; f + 1 < fronts.fronts.size(); ++f) {
        for (Index place = fronts.fronts[f]; place < fronts.fronts[f + 1]; ++place) {
            const Index point = fronts.order[static_cast<std::size_t>(place)];
            CHECK(std::cmp_equal(fronts.places[static_cast<std::size_t>(point)], place));
            const Index sum = point % 5 + point / 5 % 3 + point / 15;
            CHECK(std::cmp_equal(sum, f));
        }
    }
}

void sums_do_not_depend_on_threads() {
    const Index n = 3 * Vectors::usual_block + 17;
    Vectors vectors(n);
    const Column u = exact_vector(n);
    double sum = 0.0;
    for (const double each : u) sum += each * each;
    CHECK(vectors.dot(u.data(), u.data()) == sum);  // free of rounding
}

/// Free of rounding.
void updates_are_as_defined(Vectors vectors) {
    const Column p = exact_vector(vectors.size());
    Column q = p;
    std::ranges::reverse(q);
    Column x(p.size(), 1.0);
    Column r = q;
    double q_q = 0.0;
    for (const double each : q) q_q += each * each;
    CHECK(vectors.advance(2.0, p.data(), q.data(), x.data(), r.data()) == q_q);
    Column z = r;
    vectors.update_direction(0.5, p.data(), z.data());
    for (std::size_t i = 0; i < p.size(); ++i) {
        CHECK(x[i] == 1.0 + 2.0 * p[i]);
        CHECK(r[i] == -q[i]);
        CHECK(z[i] == p[i] - 0.5 * q[i]);
    }
}

}  // namespace

int main() {
    products_are_as_defined();
    random_rows_are_as_described();
    rows_of_every_length_are_multiplied();
    sorting_saves_room();
    parts_have_as_many_elements();
    wavefronts_follow_each_other();
    sums_do_not_depend_on_threads();
    // Less than a block, one, several; blocks for one thread, and for more than there may be.
    for (const Index n : {Index{1}, Index{9}, Vectors::usual_block, 2 * Vectors::usual_block + 3}) {
        updates_are_as_defined(Vectors(n));
        updates_are_as_defined(Vectors::of_equal_blocks(n, 1));
        updates_are_as_defined(Vectors::of_equal_blocks(n, 3));
    }
    return heorot::tests::result();
}
