// Tests of Lanczos' method and of what it is made of.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "numerics/sparse/basis.hpp"
#include "numerics/sparse/grids.hpp"
#include "numerics/sparse/lanczos.hpp"
#include "numerics/sparse/random_rows.hpp"
#include "numerics/sparse/rotations.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot::sparse;

using Column = std::vector<double>;

std::size_t to_size(Index n) {
    return static_cast<std::size_t>(n);
}

double largest_difference(const Column& a, const Column& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

double element(Index i, Index j) {
    return exact_value(1000 * j + i) - 1.5;
}

/// Sums of exact numbers are free of rounding, in whatever order.
void basis_products_are_sums() {
    for (const Index n : {1, 255, 256, 1000}) {
        for (const Index n_columns : {1, 3, 4, 9}) {
            Basis basis(n, n_columns, 3);
            Column w(to_size(n));
            Column h(to_size(n_columns));
            Column expected(h.size());
            for (Index i = 0; i < n; ++i) w[to_size(i)] = exact_value(i);
            for (Index j = 0; j < n_columns; ++j) {
                for (Index i = 0; i < n; ++i) {
                    basis.column(j)[i] = element(i, j);
                    expected[to_size(j)] += element(i, j) * w[to_size(i)];
                }
            }
            basis.project(w.data(), h);
            CHECK(h == expected);

            const Column scale(h.size(), 0.25);
            Column rest(h.size());
            Column left = w;
            Column again(h.size());
            for (Index i = 0; i < n; ++i) {
                for (Index j = 0; j < n_columns; ++j) left[to_size(i)] -= 0.25 * element(i, j);
            }
            double square = 0.0;
            for (Index i = 0; i < n; ++i) {
                for (Index j = 0; j < n_columns; ++j) {
                    again[to_size(j)] += element(i, j) * left[to_size(i)];
                }
                square += left[to_size(i)] * left[to_size(i)];
            }
            Column other = w;
            basis.subtract_and_project(other.data(), scale, rest);
            CHECK(other == left && rest == again);
            CHECK(basis.subtract(w.data(), scale) == square);
            CHECK(w == left);
        }
    }
}

void combinations_are_sums() {
    constexpr Index n = 700;
    constexpr Index n_old = 6;
    constexpr Index n_new = 5;
    Basis basis(n, n_old, 2);
    Column y(to_size(n_old * n_old));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = exact_value(static_cast<Index>(i) + 77);
    for (Index j = 0; j < n_old; ++j) {
        for (Index i = 0; i < n; ++i) basis.column(j)[i] = element(i, j);
    }
    basis.combine(y, n_old, n_new);
    bool are = true;
    for (Index k = 0; k < n_new; ++k) {
        for (Index i = 0; i < n; ++i) {
            double sum = 0.0;
            for (Index j = 0; j < n_old; ++j) sum += element(i, j) * y[to_size(k * n_old + j)];
            are = are && basis.column(k)[i] == sum;
        }
    }
    CHECK(are);
}

void rotations_diagonalise() {
    for (const Index m : {1, 2, 3, 20}) {
        const std::size_t size = to_size(m);
        Column t(size * size);
        for (Index i = 0; i < m; ++i) {
            for (Index k = 0; k <= i; ++k) {
                t[to_size(k * m + i)] = t[to_size(i * m + k)] = element(i, k);
            }
        }
        const Column before = t;
        Column values(size);
        Column y(t.size());
        const double flops = diagonalise(t, m, values, y);
        CHECK(m == 1 ? flops == 0.0 : flops > 0.0);
        CHECK(std::is_sorted(values.begin(), values.end()));
        Column again(t.size());
        Column identity(t.size());
        Column products(t.size());
        for (std::size_t i = 0; i < size; ++i) {
            identity[i * size + i] = 1.0;
            for (std::size_t k = 0; k < size; ++k) {
                for (std::size_t l = 0; l < size; ++l) {
                    again[k * size + i] += y[l * size + i] * values[l] * y[l * size + k];
                    products[k * size + i] += y[i * size + l] * y[k * size + l];
                }
            }
        }
        CHECK(largest_difference(again, before) <= 1e-13);
        CHECK(largest_difference(products, identity) <= 1e-13);
    }
}

/// Of a tridiagonal matrix: 2 - 2 cos(pi p / (n + 1)).
void smallest_eigenvalues_are_found() {
    constexpr Index n = 120;
    const Csr a = make_csr(n, FivePoint{{n, 1}}, 2);
    for (const Index n_basis : {12, 50}) {
        Lanczos lanczos(a, 3, n_basis, 2);
        const auto found = lanczos.find(1e-9, 2000);
        CHECK(found.has_converged && found.n_products > 0 && found.work.flops > 0.0);
        for (std::size_t k = 0; k < 3; ++k) {
            const double angle = std::numbers::pi * static_cast<double>(k + 1) / (n + 1.0);
            CHECK(std::abs(lanczos.values()[k] - (4.0 - 2.0 * std::cos(angle))) <= 1e-10);
        }
    }
}

void too_few_products_are_reported() {
    const Csr a = make_csr(400, FivePoint{{20, 20}}, 1);
    CHECK(!Lanczos(a, 3, 10, 1).find(1e-12, 10).has_converged);
}

}  // namespace

int main() {
    basis_products_are_sums();
    combinations_are_sums();
    rotations_diagonalise();
    smallest_eigenvalues_are_found();
    too_few_products_are_reported();
    return heorot::tests::result();
}
