// Layout of the matrix, and its product with a vector.
#include "benchmarks/npb/cg/matrix.hpp"

#include <algorithm>
#include <cstring>

namespace heorot::cg {

namespace {

constexpr std::size_t wanted_columns = 6144;    // of a block: 48 KiB of the vector
constexpr std::size_t most_columns = 1 << 16;   // of a block: places have 16 bits
constexpr std::size_t least_segment = 16;       // elements, on average, worth a block of its own
constexpr std::size_t prefetch_distance = 256;  // elements that are asked for in advance

using Four [[gnu::vector_size(4 * sizeof(double))]] = double;

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

// Blocks that fit L1d, or almost, but not so many that segments become short: their average length
// follows from a few rows.
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
    measure_segments(part, rows, sum);
    fill_segments(part, rows, sum);
}

void Matrix::measure_segments(Part& part, const SparseRows& rows, RowSum& sum) const {
    part.lengths = Array<std::uint32_t>(n_blocks_ * part.n_rows);
    std::fill(part.lengths.begin(), part.lengths.end(), 0U);
    for (std::size_t row = 0; row < part.n_rows; ++row) {
        rows.add_row(static_cast<Index>(part.first_row + row), sum);
        for (const std::uint32_t column : sum.columns()) {
            ++part.lengths[column / block_columns_ * part.n_rows + row];
        }
        part.n_nonzeros += static_cast<Index>(sum.columns().size());
        sum.clear();
    }
    std::size_t n_groups = 0;
    for (std::uint32_t& length : part.lengths) {
        length = static_cast<std::uint32_t>(quotient_up(length, group_size));
        n_groups += length;
    }
    part.values = Array<double>(group_size * n_groups + prefetch_distance);
    part.places = Array<Places>(n_groups);
}

void Matrix::fill_segments(Part& part, const SparseRows& rows, RowSum& sum) const {
    std::fill_n(part.values.data(), part.values.size() - prefetch_distance, 0.0);
    std::fill(part.places.begin(), part.places.end(), Places{0});
    std::vector<std::size_t> starts(n_blocks_);  // of the next segment of each block
    std::size_t start = 0;
    for (std::size_t b = 0; b < n_blocks_; ++b) {
        starts[b] = start;
        for (std::size_t row = 0; row < part.n_rows; ++row) {
            start += group_size * part.lengths[b * part.n_rows + row];
        }
    }
    std::vector<std::size_t> next(n_blocks_);
    for (std::size_t row = 0; row < part.n_rows; ++row) {
        rows.add_row(static_cast<Index>(part.first_row + row), sum);
        next = starts;
        for (const std::uint32_t column : sum.columns()) {
            const std::size_t position = next[column / block_columns_]++;
            part.values[position] = sum.value(column);
            part.places[position / group_size] |= Places{column % block_columns_}
                                                  << (16U * (position % group_size));
        }
        sum.clear();
        for (std::size_t b = 0; b < n_blocks_; ++b) {
            starts[b] += group_size * part.lengths[b * part.n_rows + row];
        }
    }
}

void Matrix::multiply(std::span<const double> x, std::span<double> y) const {
    const std::size_t n_parts = parts_.size();
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < n_parts; ++p) {
        const Part& part = parts_[p];
        double* const y_part = y.data() + part.first_row;
        Rest rest = {part.lengths.data(), part.values.data(), part.places.data()};
        multiply_block<true>(rest, part.n_rows, x.data(), y_part);
        for (std::size_t b = 1; b < n_blocks_; ++b) {
            multiply_block<false>(rest, part.n_rows, x.data() + b * block_columns_, y_part);
        }
    }
}

// y(i) = y(i) + sum over the segment of row i of a x(column)
template <bool is_first>
void Matrix::multiply_block(Rest& rest, std::size_t n_rows, const double* x, double* y) {
    const double* value = rest.values;
    const Places* places = rest.places;
    for (std::size_t i = 0; i < n_rows; ++i) {
        Four sums = {};
        for (const Places* const end = places + rest.lengths[i]; places != end; ++places) {
            __builtin_prefetch(value + prefetch_distance);
            const Places p = *places;
            const Four x_p = {x[p & 0xffffU], x[(p >> 16U) & 0xffffU], x[(p >> 32U) & 0xffffU],
                              x[p >> 48U]};
            Four a;
            std::memcpy(&a, value, sizeof a);
            sums += a * x_p;
            value += group_size;
        }
        const double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        y[i] = is_first ? sum : y[i] + sum;
    }
    rest = {rest.lengths + n_rows, value, places};
}

}  // namespace heorot::cg
