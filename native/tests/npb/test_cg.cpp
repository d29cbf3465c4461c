// The matrix of the Conjugate Gradient benchmark: identities, and its division among ranks.
#include <cmath>
#include <cstdint>
#include <vector>

#include "benchmarks/npb/cg/matrix.hpp"
#include "benchmarks/npb/cg/partition.hpp"
#include "benchmarks/npb/cg/sparse_rows.hpp"
#include "numerics/random.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::cg;

namespace {

constexpr MatrixKind kind = {.n = 1001, .nonzer = 5, .shift = 7.0};

std::vector<double> random_vector(std::size_t n) {
    Random random(271828183);
    std::vector<double> x(n);
    for (double& value : x) value = random.next() - 0.5;
    return x;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// y = A x with the matrix divided among `n_ranks`, one after the other.
std::vector<double> product(const std::vector<double>& x, int n_ranks, int n_parts) {
    std::vector<double> y(x.size(), 0.0);
    for (int rank = 0; rank < n_ranks; ++rank) {
        const Partition part = Partition::of(kind.n, n_ranks, rank);
        const Matrix matrix(SparseRows(kind, part), n_parts);
        std::vector<double> local_x(static_cast<std::size_t>(part.n_columns()), 0.0);
        std::vector<double> local_y(static_cast<std::size_t>(part.n_rows()), -1.0);
        for (Index i = 0; i < kind.n; ++i) {
            const Index column = part.local_column(i);
            if (column >= 0) {
                local_x[static_cast<std::size_t>(column)] = x[static_cast<std::size_t>(i)];
            }
        }
        matrix.multiply(local_x, local_y);
        for (Index i = 0; i < kind.n; ++i) {
            const Index row = part.local_row(i);
            if (row >= 0) y[static_cast<std::size_t>(i)] += local_y[static_cast<std::size_t>(row)];
        }
    }
    return y;
}

/// y = A x by the definition: sum_k w^k x_k (x_k x) + (rcond - shift) x.
std::vector<double> product_by_definition(const std::vector<double>& x) {
    Random random(314159265);
    random.next();
    std::vector<double> y(x.size(), 0.0);
    for (Index k = 0; k < kind.n; ++k) {
        std::vector<double> vector(x.size(), 0.0);
        for (int n_set = 0; n_set < kind.nonzer;) {
            const double value = random.next();
            const auto place = static_cast<std::size_t>(1024.0 * random.next());
            if (place >= x.size() || vector[place] != 0.0) continue;
            vector[place] = value;
            ++n_set;
        }
        vector[static_cast<std::size_t>(k)] = 0.5;
        const auto n = static_cast<double>(kind.n);
        const double factor = std::pow(0.1, static_cast<double>(k) / n) * dot(vector, x);
        for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * vector[i];
    }
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += (0.1 - kind.shift) * x[i];
    return y;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::abs(a[i] - b[i]));
    return largest;
}

void matrix_is_as_defined() {
    const std::vector<double> x = random_vector(static_cast<std::size_t>(kind.n));
    CHECK(largest_difference(product(x, 1, 1), product_by_definition(x)) < 1e-13);
}

void matrix_is_symmetric() {
    const std::vector<double> u = random_vector(static_cast<std::size_t>(kind.n));
    std::vector<double> v = u;
    for (double& value : v) value = value * value - 0.1;
    CHECK(std::abs(dot(u, product(v, 1, 1)) - dot(v, product(u, 1, 1))) < 1e-12);
}

void parallel_equals_serial() {
    const std::vector<double> x = random_vector(static_cast<std::size_t>(kind.n));
    const std::vector<double> serial = product(x, 1, 1);
    for (int n_ranks = 1; n_ranks <= 12; ++n_ranks) {
        for (int n_parts = 1; n_parts <= 3; ++n_parts) {
            CHECK(largest_difference(product(x, n_ranks, n_parts), serial) < 1e-13);
        }
    }
}

void wide_matrices_have_blocks() {
    const MatrixKind wide = {.n = 20000, .nonzer = 8, .shift = 1.0};
    const Matrix matrix(SparseRows(wide, Partition::of(wide.n, 1, 0)), 2);
    std::vector<double> ones(20000, 1.0);
    std::vector<double> unit(20000, 0.0);
    std::vector<double> row_sums(20000);
    std::vector<double> column(20000);
    matrix.multiply(ones, row_sums);
    for (const std::size_t i : {0U, 2857U, 2858U, 12288U, 19999U}) {
        unit[i] = 1.0;
        matrix.multiply(unit, column);
        unit[i] = 0.0;
        // By symmetry a column adds up to the sum of the row.
        CHECK(std::abs(dot(column, ones) - row_sums[i]) < 1e-12);
    }
}

void pieces_cover_the_vector_once() {
    for (int n_ranks = 1; n_ranks <= 12; ++n_ranks) {
        std::vector<int> n_elements(static_cast<std::size_t>(kind.n * kind.n / 97 + 1), 0);
        Index n_owned = 0;
        for (int rank = 0; rank < n_ranks; ++rank) {
            const Partition part = Partition::of(kind.n, n_ranks, rank);
            CHECK(part.n_grid_rows * part.n_grid_columns == n_ranks);
            CHECK(part.n_grid_rows <= part.n_grid_columns);
            n_owned += part.n_owned();
            for (std::size_t e = 0; e < n_elements.size(); ++e) {
                const Index place = static_cast<Index>(e) * 97;
                const bool has_it =
                    part.local_row(place / kind.n) >= 0 && part.local_column(place % kind.n) >= 0;
                if (place < kind.n * kind.n && has_it) ++n_elements[e];
            }
        }
        CHECK(n_owned == kind.n);
        bool each_once = true;
        for (std::size_t e = 0; e < n_elements.size(); ++e) {
            const bool exists = static_cast<Index>(e) * 97 < kind.n * kind.n;
            each_once = each_once && n_elements[e] == (exists ? 1 : 0);
        }
        CHECK(each_once && "every element of the matrix has one owner");
    }
}

}  // namespace

int main() {
    matrix_is_as_defined();
    matrix_is_symmetric();
    parallel_equals_serial();
    wide_matrices_have_blocks();
    pieces_cover_the_vector_once();
    return tests::result();
}
