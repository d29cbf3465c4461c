// algorithms/sparse_matrix_vector: how fast is SpMV in CSR and SELL-C-sigma?
//
// Method    SpMV, y = A x in double precision with 32-bit column indices, in two formats:
//             csr: compressed sparse rows (CSR), the fastest of those tried: four elements of a row
//               at a time, rows of one length together, or element by element; prefetch or none.
//               The record has the choice
//             sell: SELL-C-sigma, C twice the vector lanes; rows are sorted by length in windows of
//               sigma where that saves a tenth of the storage
//           of four matrices:
//             laplace2d: the 5-point Laplacian of a square grid
//             laplace3d: the 27-point Laplacian of a cube
//             powerlaw: random columns; a fraction 4 / L of the rows has L elements or more, up to
//               1024
//             banded: 32 random elements per row within 1024 of the diagonal
//           Working sets grow geometrically. Threads share the matrix, balanced by elements; each
//           rank has its own matrix. Small matrices stay in a cache between bodies. Assembly is not
//           timed.
// Counts    flops = 2 nnz; bytes = minimum traffic of a product: 12 nnz, 16 n for x and y, and 4 n
//           for the row pointers of csr or the permutation of sell (if sorted; and 4 n / C for its
//           chunks). Padding of sell, repeated reads of x and write-allocate are not counted.
// Comparable  Yes: with other products of matrices of these kinds and sizes in double precision
//           with 32-bit columns. The effective bandwidth is that of M. Kreutzer et al. without
//           alpha.
// Verified  x and A are small multiples of 2^-10, so that products and sums are free of rounding:
//           every y(i) equals, to the last bit, the matrix-free evaluation of the grid equation, or
//           the sum of a random row in reverse order. y holds -1e300 before a region.
// Source    M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop, A unified sparse matrix
//           data format for efficient general sparse matrix-vector multiplication on modern
//           processors with wide SIMD units, SIAM J. Sci. Comput. 36 (2014); Y. Saad, Iterative
//           Methods for Sparse Linear Systems, 2nd ed. (2003), section 3.4.
// Example   heorot run algorithms/sparse_matrix_vector --set matrices=laplace3d --set
//           max-bytes=256M
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/sparse/csr.hpp"
#include "numerics/sparse/grids.hpp"
#include "numerics/sparse/random_rows.hpp"
#include "numerics/sparse/sell.hpp"

namespace {

using heorot::sparse::Csr;
using heorot::sparse::Grid;
using heorot::sparse::Index;
using heorot::sparse::RowWay;
using heorot::sparse::Sell;

constexpr std::string_view known_matrices = "laplace2d,laplace3d,powerlaw,banded";
constexpr std::string_view known_formats = "csr,sell";
constexpr double row_bytes = 20.0;
constexpr double element_bytes = 12.0;
constexpr double held_per_byte = 2.7;  // both formats, one of which is filled up, and vectors

/// How the products of a kind of matrix are measured, one size after the other.
class Products {
  public:
    Products(heorot::Program& program, std::string formats, Index sigma)
        : program_(program), formats_(std::move(formats)), sigma_(sigma) {}

    /// expected(x, i) is element i of the product of the matrix that `rows` defines.
    template <class Rows, class Expected>
    void measure(const std::string& matrix, Index n, const Rows& rows, const Expected& expected);

  private:
    /// Of the ways of CSR; notes it.
    RowWay fastest_way(Csr& a);
    template <class Matrix, class Expected>
    void measure_format(const std::string& format, const Matrix& a, const Expected& expected);

    heorot::Program& program_;
    std::string formats_;
    Index sigma_;
    heorot::Point point_;
    double flops_ = 0.0;
    bool is_first_ = true;
    heorot::Array<double> x_, y_;
};

template <class Rows, class Expected>
void Products::measure(const std::string& matrix, Index n, const Rows& rows,
                       const Expected& expected) {
    Csr a = heorot::sparse::make_csr(n, rows, program_.n_threads());
    x_ = heorot::Array<double>(static_cast<std::size_t>(n));
    y_ = heorot::Array<double>(static_cast<std::size_t>(n));
    double* const x = x_.data();
    double* const y = y_.data();
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) {
        x[i] = heorot::sparse::exact_value(i);
        y[i] = heorot::no_result;
    }
    flops_ = 2.0 * static_cast<double>(a.n_nonzeros());
    point_ = {{"matrix", matrix},
              {"rows", n},
              {"nonzeros", a.n_nonzeros()},
              {"working_set_bytes", static_cast<std::size_t>(a.bytes_of_product())}};
    if (heorot::lists(formats_, "csr")) {
        a.way = fastest_way(a);
        measure_format("csr", a, expected);
    }
    if (heorot::lists(formats_, "sell")) {
        const Sell sell(a, sigma_);
        if (is_first_) program_.note("fill of sell, " + matrix, sell.fill());
        measure_format("sell", sell, expected);
    }
    is_first_ = false;
}

RowWay Products::fastest_way(Csr& a) {
    RowWay best;
    double least = HUGE_VAL;
    for (const RowWay& way : heorot::sparse::row_ways) {
        a.way = way;
        const double seconds = program_.trial([&] { a.multiply(x_.data(), y_.data()); });
        if (seconds < least) {
            least = seconds;
            best = way;
        }
    }
    program_.note("csr, " + std::to_string(a.n_rows) + " rows, " + std::to_string(a.n_nonzeros()) +
                      " elements",
                  std::string(best.in_runs ? "rows of one length together" : "element by element") +
                      (best.fetches ? ", prefetch" : ""));
    return best;
}

template <class Matrix, class Expected>
void Products::measure_format(const std::string& format, const Matrix& a,
                              const Expected& expected) {
    std::fill(y_.begin(), y_.end(), heorot::no_result);
    const double* const x = x_.data();
    double* const y = y_.data();
    const double n_ranks = program_.world().size();
    const auto region = program_.measure(
        {.region = format,
         .point = point_,
         .counts = {{"flops", flops_ * n_ranks}, {"bytes", a.bytes_of_product() * n_ranks}}},
        [&] { a.multiply(x, y); });
    program_.corruptible(y_.span());
    double n_wrong = 0.0;
    const auto n = static_cast<Index>(y_.size());
#pragma omp parallel for schedule(static) reduction(+ : n_wrong)
    for (Index i = 0; i < n; ++i) n_wrong += y[i] == expected(x, i) ? 0.0 : 1.0;
    program_.check(region, "elements that are wrong", n_wrong, 0.0);
}

/// The equation of a grid at point number i.
template <class Equation>
auto without_matrix(const Equation& equation) {
    return [equation](const double* x, Index row) {
        const Grid& grid = equation.grid;
        const Index i = row % grid.nx;
        return equation.without_matrix(x, i, row / grid.nx % grid.ny, row / (grid.nx * grid.ny));
    };
}

/// The row of a random matrix.
template <class Rows>
auto by_row(const Rows& rows) {
    return [rows](const double* x, Index i) { return rows.row(i).times(x); };
}

/// A matrix whose products touch about so many bytes.
void measure_matrix(Products& products, const std::string& matrix, double bytes) {
    const auto rows_of = [&](double length) {
        return std::max(Index{1}, static_cast<Index>(bytes / (element_bytes * length + row_bytes)));
    };
    if (matrix == "laplace2d") {
        const Index n = rows_of(5.0);
        const auto side = static_cast<Index>(std::sqrt(static_cast<double>(n)));
        const heorot::sparse::FivePoint equation{{side, n / side}};
        products.measure(matrix, equation.grid.size(), equation, without_matrix(equation));
    } else if (matrix == "laplace3d") {
        const Index n = rows_of(27.0);
        const auto side = static_cast<Index>(std::cbrt(static_cast<double>(n)));
        const heorot::sparse::TwentySevenPoint equation{{side, side, n / (side * side)}};
        products.measure(matrix, equation.grid.size(), equation, without_matrix(equation));
    } else if (matrix == "powerlaw") {
        using Rows = heorot::sparse::PowerLawRows;
        constexpr auto shortest = static_cast<double>(Rows::shortest);
        constexpr auto longest = static_cast<double>(Rows::longest);
        const double mean = shortest * (1.0 + std::log(longest / shortest));
        const Rows rows{rows_of(mean)};
        products.measure(matrix, rows.n, rows, by_row(rows));
    } else {
        using Rows = heorot::sparse::BandedRows;
        const Rows rows{rows_of(static_cast<double>(Rows::row_length))};
        products.measure(matrix, rows.n, rows, by_row(rows));
    }
}

/// Range of working sets [B], the factor between them, and the number of rows that are sorted.
struct Sizes {
    std::size_t min_bytes, max_bytes;
    double growth;
    std::size_t sigma;
};

/// Throws UsageError.
void verify(const Sizes& sizes) {
    if (sizes.min_bytes < 4096 || sizes.max_bytes < sizes.min_bytes) {
        throw heorot::UsageError("--min-bytes must be 4096 at least, --max-bytes no less than that",
                                 "leave them out for 16k and 64M");
    }
    if (sizes.growth < 1.1 || sizes.sigma == 0 || sizes.sigma > (std::size_t{1} << 30U)) {
        throw heorot::UsageError("--growth is a factor from 1.1 on, --sigma 1 to 1G",
                                 "leave them out for 4 and 16k");
    }
    // Where a row begins has 32 bits.
    constexpr double spare = 1.4;
    if (static_cast<double>(sizes.max_bytes) * spare >
        element_bytes * heorot::sparse::most_elements) {
        throw heorot::UsageError("--max-bytes is at most 32G", "leave it out for 64M");
    }
}

void sparse_matrix_vector(heorot::Program& program) {
    // 1. Options
    const auto matrices = program.items("matrices", known_matrices, "matrices");
    const auto formats = program.items("formats", known_formats, "how they are stored");
    const auto min_bytes = program.option<std::size_t>("min-bytes", std::size_t{16} << 10U,
                                                       "smallest working set of a rank");
    const auto max_bytes = program.option<std::size_t>("max-bytes", std::size_t{64} << 20U,
                                                       "largest working set of a rank");
    const auto growth =
        program.option<double>("growth", 4.0, "by which working sets grow, from the largest down");
    const auto sigma = program.option<std::size_t>("sigma", std::size_t{16} << 10U,
                                                   "rows that sell sorts among each other");
    const auto stored = heorot::ranks() * program.amount("max-bytes");
    program.takes("memory_bytes", held_per_byte * stored + 4.0 * heorot::mebibyte);
    program.takes("working_set_bytes", stored);
    const auto growths = heorot::octaves(heorot::larger(program.amount("growth"), 1.1));
    const heorot::Sizes parts{1.0, program.amount("max-bytes") / program.amount("min-bytes"),
                              1.0 / growths};
    const auto ways = program.n_of("matrices") * program.n_of("formats");
    program.takes("points", ways * heorot::n_of(parts));
    program.takes("bytes", ways * sum_over(parts, [&](const auto& part) { return stored / part; }));
    program.start();
    verify({min_bytes, max_bytes, growth, sigma});
    program.require_room();
    program.note("chunk_rows", Sell::chunk_rows);

    // 2. Problem, 3. measure, 4. verify: one matrix after the other
    for (const std::string& matrix : heorot::split_list(matrices)) {
        Products products(program, formats, static_cast<Index>(sigma));
        auto bytes = static_cast<double>(max_bytes);
        while (bytes >= static_cast<double>(min_bytes)) {
            measure_matrix(products, matrix, bytes);
            bytes /= growth;
        }
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/sparse_matrix_vector", sparse_matrix_vector);
}
