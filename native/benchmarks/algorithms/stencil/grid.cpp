// Grids and the field on them: see grid.hpp.
#include "benchmarks/algorithms/stencil/grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/record/check.hpp"

namespace heorot::stencil {

namespace {

constexpr Index odd(Index n) {
    return n | 1;
}

/// How many half waves fit between the boundaries: an odd number, of about six points each.
Index n_half_waves(Index n) {
    return odd(n / 6);
}

/// sin(pi m i / (n + 1)) for i from 0 to n + 1, the phase reduced in integers.
std::vector<double> wave(Index n) {
    const Index m = n_half_waves(n);
    std::vector<double> values(static_cast<std::size_t>(n + 2));
    for (Index i = 1; i <= n; ++i) {
        const auto phase = static_cast<double>(m * i % (2 * (n + 1)));
        values[static_cast<std::size_t>(i)] =
            std::sin(std::numbers::pi * phase / static_cast<double>(n + 1));
    }
    return values;
}

double cosine(Index n) {
    return std::cos(std::numbers::pi * static_cast<double>(n_half_waves(n)) /
                    static_cast<double>(n + 1));
}

}  // namespace

Shape Shape::within(std::size_t bytes) {
    constexpr Index narrowest = 2 * Layout::line + 5;
    const double n_each = static_cast<double>(bytes) / (2 * sizeof(double));
    // 16 q + 5 points fill a row of 16 q + 8 doubles but for one.
    const auto wide = static_cast<Index>(1.3 * std::cbrt(n_each));
    const Index nx = std::max(narrowest, (wide - 5) / 16 * 16 + 5);
    const double n_rows = n_each / static_cast<double>(nx + 3) - 1.0;
    const auto deep = static_cast<Index>(std::sqrt(n_rows / 1.25));
    const Index nz = std::max<Index>(1, odd(deep - 3));
    const auto high = static_cast<Index>(n_rows / static_cast<double>(nz + 2));
    const Index ny = std::max<Index>(1, odd(high - 3));
    return {nx, ny, ny == nz && nz > 1 ? nz - 2 : nz};
}

double Shape::n_points() const {
    return static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz);
}

Range part_of(Range whole, Index part, Index n) {
    return {whole.first + whole.size() * part / n, whole.first + whole.size() * (part + 1) / n};
}

Range slab(const Shape& shape, Index thread, Index n_threads) {
    return part_of({1, shape.nz + 1}, thread, n_threads);
}

Layout::Layout(const Shape& of)
    : shape(of),
      pitch(line * odd((of.nx + 2 + line - 1) / line)),
      n_rows(odd(of.ny + 2)),
      n_planes(of.nz + 2) {}

Field::Field(const Shape& shape)
    : shape_(shape),
      x_(wave(shape.nx)),
      y_(wave(shape.ny)),
      z_(wave(shape.nz)),
      cosines_{cosine(shape.nx), cosine(shape.ny), cosine(shape.nz)} {}

/// What row `number` of an array holds, counted from the first of the first plane.
void Field::expect_row(std::span<double> row, const Layout& layout, Index number,
                       double amplitude) const {
    const Index k = number / layout.n_rows;
    const Index j = number % layout.n_rows;
    std::ranges::fill(row, 0.0);
    if (j > shape_.ny + 1) return;
    const double y = static_cast<double>(j) / static_cast<double>(shape_.ny + 1);
    const double z = static_cast<double>(k) / static_cast<double>(shape_.nz + 1);
    const double base = 1.0 + y / 4.0 + z / 8.0;
    const double of_row = y_[static_cast<std::size_t>(j)] * z_[static_cast<std::size_t>(k)];
    const double per_point = 0.5 / static_cast<double>(shape_.nx + 1);
    for (Index i = 0; i <= shape_.nx + 1; ++i) {
        const auto at = static_cast<std::size_t>(i);
        row[at] = base + static_cast<double>(i) * per_point + amplitude * (of_row * x_[at]);
    }
}

void Field::fill(std::span<double> array, const Layout& layout, Index n_threads) const {
    std::ranges::fill(array.first(Layout::lead), 0.0);
    std::ranges::fill(array.last(Layout::trail), 0.0);
#pragma omp parallel for schedule(static)
    for (Index thread = 0; thread < n_threads; ++thread) {
        Range planes = slab(shape_, thread, n_threads);
        if (thread == 0) planes.first = 0;
        if (thread == n_threads - 1) planes.last = layout.n_planes;
        for (Index row = planes.first * layout.n_rows; row < planes.last * layout.n_rows; ++row) {
            const auto first = static_cast<std::size_t>(layout.row(row, 0));
            expect_row(array.subspan(first, static_cast<std::size_t>(layout.pitch)), layout, row,
                       1.0);
        }
    }
}

double Field::largest_deviation(std::span<const double> array, const Layout& layout,
                                double amplitude) const {
    double largest = 0.0;
    for (const auto part : {array.first(Layout::lead), array.last(Layout::trail)}) {
        for (const double value : part) largest = larger(largest, std::abs(value));
    }
#pragma omp declare reduction(larger:double : omp_out = larger(omp_out, omp_in)) \
    initializer(omp_priv = 0.0)
#pragma omp parallel for schedule(static) reduction(larger : largest)
    for (Index row = 0; row < layout.n_rows * layout.n_planes; ++row) {
        std::vector<double> expected(static_cast<std::size_t>(layout.pitch));
        expect_row(expected, layout, row, amplitude);
        const double* const values = array.data() + layout.row(row, 0);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            largest = larger(largest, std::abs(values[i] - expected[i]));
        }
    }
    return largest;
}

}  // namespace heorot::stencil
