// Layout of the matrix, and its product with a vector.
#include "benchmarks/npb/cg/matrix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "numerics/lanes.hpp"

namespace heorot::cg {

namespace {

constexpr std::size_t wanted_columns = 3072;     // of a block: 24 KiB of the vector
constexpr std::size_t most_columns = 1 << 16;    // of a block: places have 16 bits
constexpr std::size_t least_segment = 8;         // elements, on average, worth a block of its own
constexpr std::size_t sorted_rows = 256;         // together; their part of y stays in L1d, too
constexpr std::size_t prefetch_distance = 1024;  // elements that are asked for in advance
constexpr std::size_t width = n_lanes;           // segments of a slice

// x at the places of all lanes. Four places come with one load: loads are what a core has least of.
[[gnu::always_inline]] inline Lanes gather(const double* x, const std::uint16_t* place) {
    static_assert(std::endian::native == std::endian::little, "the first place is the lowest");
    std::array<std::uint64_t, (n_lanes + 3) / 4> words = {};
    std::memcpy(words.data(), place, width * sizeof *place);
    return [&]<std::size_t... lane>(std::index_sequence<lane...>) __attribute__((always_inline)) {
        return Lanes{x[words[lane / 4] >> (lane % 4 * 16) & 0xffffU]...};
    }(std::make_index_sequence<width>());
}

constexpr std::size_t quotient_up(std::size_t a, std::size_t b) {
    return (a + b - 1) / b;
}

}  // namespace

Matrix::Matrix(const SparseRows& rows, int n_parts)
    : n_columns_(static_cast<std::size_t>(rows.partition().n_columns())),
      parts_(static_cast<std::size_t>(n_parts)) {
    choose_blocks(rows);
    const auto n_rows = static_cast<std::size_t>(rows.partition().n_rows());
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        Part& part = parts_[p];
        part.first_row = n_rows * p / parts_.size();
        part.n_rows = n_rows * (p + 1) / parts_.size() - part.first_row;
        make(part, rows);
    }
    for (const Part& part : parts_) n_nonzeros_ += part.n_nonzeros;
}

// Blocks that leave room in L1d for what passes through, but not so many that segments become
// short: their average length follows from a few rows.
void Matrix::choose_blocks(const SparseRows& rows) {
    const Index n_rows = rows.partition().n_rows();
    const Index step = std::max(n_rows / 64, Index{1});
    RowSum sum(rows.partition().n_columns());
    std::size_t n_elements = 0;
    std::size_t n_looked_at = 0;
    for (Index row = 0; row < n_rows; row += step, ++n_looked_at) {
        rows.add_row(row, sum);
        n_elements += sum.columns().size();
        sum.clear();
    }
    const std::size_t most_blocks = n_elements / (n_looked_at * least_segment) + 1;
    n_blocks_ = std::max(std::min(quotient_up(n_columns_, wanted_columns), most_blocks),
                         quotient_up(n_columns_, most_columns));
    block_columns_ = quotient_up(n_columns_, n_blocks_);
}

void Matrix::make(Part& part, const SparseRows& rows) const {
    RowSum sum(rows.partition().n_columns());
    std::vector<Segment> segments = measure_segments(part, rows, sum);
    make_slices(part, segments);
    fill_segments(part, rows, sum, segments);
}

std::vector<Matrix::Segment> Matrix::measure_segments(Part& part, const SparseRows& rows,
                                                      RowSum& sum) const {
    std::vector<Segment> segments(n_blocks_ * part.n_rows);
    for (std::size_t row = 0; row < part.n_rows; ++row) {
        rows.add_row(static_cast<Index>(part.first_row + row), sum);
        for (const std::uint32_t column : sum.columns()) {
            ++segments[column / block_columns_ * part.n_rows + row].length;
        }
        part.n_nonzeros += static_cast<Index>(sum.columns().size());
        sum.clear();
    }
    return segments;
}

// Puts the segments of a block into slices, the longest of a window of rows first. Lanes of the
// last slice that have no row repeat its last row, without elements.
void Matrix::make_slices(Part& part, std::vector<Segment>& segments) const {
    part.n_slices = quotient_up(part.n_rows, width);
    part.lengths = Array<std::uint32_t>(n_blocks_ * part.n_slices);
    part.rows = Array<std::uint32_t>(n_blocks_ * part.n_slices * width);
    std::vector<std::uint32_t> order(part.n_rows);
    std::size_t n_steps = 0;
    for (std::size_t b = 0; b < n_blocks_; ++b) {
        Segment* const of_block = segments.data() + b * part.n_rows;
        std::iota(order.begin(), order.end(), 0U);
        for (std::size_t first = 0; first < part.n_rows; first += sorted_rows) {
            const std::size_t n = std::min(sorted_rows, part.n_rows - first);
            std::stable_sort(order.data() + first, order.data() + first + n,
                             [=](std::uint32_t i, std::uint32_t j) {
                                 return of_block[i].length > of_block[j].length;
                             });
        }
        for (std::size_t slice = 0; slice < part.n_slices; ++slice) {
            std::uint32_t longest = 0;
            for (std::size_t lane = 0; lane < width; ++lane) {
                const std::size_t i = slice * width + lane;
                const std::uint32_t row = order[std::min(i, part.n_rows - 1)];
                part.rows[b * part.n_slices * width + i] = row;
                if (i >= part.n_rows) continue;
                of_block[row].start = n_steps * width + lane;
                longest = std::max(longest, of_block[row].length);
            }
            part.lengths[b * part.n_slices + slice] = longest;
            n_steps += longest;
        }
    }
    part.values = Array<double>(n_steps * width + prefetch_distance);
    part.places = Array<Place>(n_steps * width);
}

void Matrix::fill_segments(Part& part, const SparseRows& rows, RowSum& sum,
                           std::vector<Segment>& segments) const {
    std::fill_n(part.values.data(), part.places.size(), 0.0);
    std::fill(part.places.begin(), part.places.end(), Place{0});
    for (std::size_t row = 0; row < part.n_rows; ++row) {
        rows.add_row(static_cast<Index>(part.first_row + row), sum);
        for (const std::uint32_t column : sum.columns()) {
            std::size_t& next = segments[column / block_columns_ * part.n_rows + row].start;
            part.values[next] = sum.value(column);
            part.places[next] = static_cast<Place>(column % block_columns_);
            next += width;
        }
        sum.clear();
    }
}

void Matrix::multiply(std::span<const double> x, std::span<double> y) const {
    const std::size_t n_parts = parts_.size();
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < n_parts; ++p) {
        const Part& part = parts_[p];
        double* const y_part = y.data() + part.first_row;
        std::fill_n(y_part, part.n_rows, 0.0);
        Rest rest = {part.lengths.data(), part.rows.data(), part.values.data(), part.places.data()};
        for (std::size_t b = 0; b < n_blocks_; ++b) {
            multiply_block(rest, part.n_slices, x.data() + b * block_columns_, y_part);
        }
    }
}

// y(i) = y(i) + sum over the segment of row i of a x(column), a row in every lane
void Matrix::multiply_block(Rest& rest, std::size_t n_slices, const double* x, double* y) {
    const double* value = rest.values;
    const Place* place = rest.places;
    for (std::size_t slice = 0; slice < n_slices; ++slice) {
        Lanes sums = {};
        for (std::uint32_t left = rest.lengths[slice]; left != 0; --left) {
            __builtin_prefetch(value + prefetch_distance);
            sums += load(value) * gather(x, place);
            value += width;
            place += width;
        }
        const std::uint32_t* const row = rest.rows + slice * width;
        for (std::size_t lane = 0; lane < width; ++lane) y[row[lane]] += sums[lane];
    }
    rest = {rest.lengths + n_slices, rest.rows + n_slices * width, value, place};
}

}  // namespace heorot::cg
