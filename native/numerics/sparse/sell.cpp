// Making SELL-C-sigma of compressed rows, and its products with vectors.
#include "numerics/sparse/sell.hpp"

#include <algorithm>
#include <numeric>

namespace heorot::sparse {

namespace {

constexpr Index n_registers = Sell::chunk_rows / n_lanes;

std::size_t to_size(Index n) {
    return static_cast<std::size_t>(n);
}

Place length(const Csr& a, Place row) {
    return a.starts[row + std::size_t{1}] - a.starts[row];
}

}  // namespace

Sell::Sell(const Csr& a, Index sigma)
    : n_rows_(a.n_rows),
      n_nonzeros_(a.n_nonzeros()),
      n_chunks_((a.n_rows + chunk_rows - 1) / chunk_rows),
      order_(to_size(n_chunks_ * chunk_rows)),
      starts_(to_size(n_chunks_) + 1) {
    sort_rows(a, (sigma + chunk_rows - 1) / chunk_rows * chunk_rows);
    starts_[0] = 0;
    for (Index chunk = 0; chunk < n_chunks_; ++chunk) {
        Place width = 0;
        for (Index place = chunk * chunk_rows; place < (chunk + 1) * chunk_rows; ++place) {
            const Place row = order_[to_size(place)];
            if (has(row)) width = std::max(width, length(a, row));
        }
        starts_[to_size(chunk) + 1] = starts_[to_size(chunk)] + width;
    }
    const std::size_t n_stored = to_size(starts_[to_size(n_chunks_)] * chunk_rows);
    columns_ = Array<Place>(n_stored);
    values_ = Array<double>(n_stored);
    const auto n_parts = static_cast<int>(a.parts.size()) - 1;
    parts_ = equal_parts(starts_.data(), n_chunks_, n_parts);
#pragma omp parallel for schedule(static)
    for (int part = 0; part < n_parts; ++part) {
        const auto p = static_cast<std::size_t>(part);
        for (Index chunk = parts_[p]; chunk < parts_[p + 1]; ++chunk) fill_chunk(a, chunk);
    }
}

void Sell::sort_rows(const Csr& a, Index sigma) {
    std::iota(order_.begin(), order_.end(), Place{0});
    std::fill(order_.begin() + n_rows_, order_.end(), static_cast<Place>(n_rows_));
    for (Index first = 0; first < n_rows_; first += sigma) {
        Place* const window = order_.data() + first;
        // Regular matrices have few rows that differ: to leave these where they are costs little
        // room, and no order has to be kept.
        Index stored = 0;
        Index n_elements = 0;
        const Index n = std::min(sigma, n_rows_ - first);
        for (Index i = 0; i < n; i += chunk_rows) {
            Place width = 0;
            for (Index j = i; j < std::min(i + chunk_rows, n); ++j) {
                width = std::max(width, length(a, window[j]));
                n_elements += length(a, window[j]);
            }
            stored += width * chunk_rows;
        }
        constexpr double worth_sorting = 1.1;
        if (static_cast<double>(stored) < worth_sorting * static_cast<double>(n_elements)) continue;
        std::sort(window, window + n, [&](Place i, Place j) {
            const Place length_i = length(a, i);
            const Place length_j = length(a, j);
            return length_i != length_j ? length_i > length_j : i < j;
        });
        in_order_ = in_order_ && std::is_sorted(window, window + n);
    }
}

void Sell::fill_chunk(const Csr& a, Index chunk) {
    const Place first = starts_[to_size(chunk)];
    const Place width = starts_[to_size(chunk) + 1] - first;
    for (Index lane = 0; lane < chunk_rows; ++lane) {
        const Place row = order_[to_size(chunk * chunk_rows + lane)];
        const Place filled = has(row) ? length(a, row) : 0;
        // Padding reads an element that the row reads anyway.
        const Place spare = filled > 0 ? a.columns[a.starts[row]] : 0;
        for (Place k = 0; k < width; ++k) {
            const std::size_t at = to_size((first + k) * chunk_rows + lane);
            const bool is_element = k < filled;
            columns_[at] = is_element ? a.columns[a.starts[row] + k] : spare;
            values_[at] = is_element ? a.values[a.starts[row] + k] : 0.0;
        }
    }
}

double Sell::bytes_of_product() const {
    const auto n = static_cast<double>(n_rows_);
    return 12.0 * static_cast<double>(n_nonzeros_) + (in_order_ ? 16.0 : 20.0) * n +
           4.0 * static_cast<double>(n_chunks_);
}

double Sell::fill() const {
    const auto n_stored = static_cast<double>(values_.size());
    return n_nonzeros_ > 0 ? n_stored / static_cast<double>(n_nonzeros_) : 1.0;
}

// y(row of lane) = sum over the columns of the chunk of a x(column)
[[gnu::always_inline]] inline void Sell::multiply_chunk(Index chunk, const double* x,
                                                        double* y) const {
    const Place first = starts_[to_size(chunk)];
    const Place last = starts_[to_size(chunk) + 1];
    const double* value = values_.data() + to_size(first * chunk_rows);
    const Place* column = columns_.data() + to_size(first * chunk_rows);
    Lanes sums[n_registers] = {};  // NOLINT: registers
    for (Place k = first; k < last; ++k, value += chunk_rows, column += chunk_rows) {
        prefetch<chunk_rows>(value, column);
#pragma GCC unroll 8
        for (Index r = 0; r < n_registers; ++r) {
            Lanes x_k;
#pragma GCC unroll 8
            for (int lane = 0; lane < n_lanes; ++lane) x_k[lane] = x[column[r * n_lanes + lane]];
            sums[r] += load(value + r * n_lanes) * x_k;
        }
    }
    const Index place = chunk * chunk_rows;
    if (in_order_ && place + chunk_rows <= n_rows_) {
        for (Index r = 0; r < n_registers; ++r) store(y + place + r * n_lanes, sums[r]);
        return;
    }
    const Place* const rows = order_.data() + place;
    const Index n = std::min(chunk_rows, n_rows_ - place);
    for (Index lane = 0; lane < n; ++lane) y[rows[lane]] = sums[lane / n_lanes][lane % n_lanes];
}

void Sell::multiply(const double* x, double* y) const {
    const auto n_parts = static_cast<int>(parts_.size()) - 1;
    if (n_parts == 1 || n_nonzeros_ < worth_sharing) {
        for (Index chunk = 0; chunk < parts_.back(); ++chunk) multiply_chunk(chunk, x, y);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int part = 0; part < n_parts; ++part) {
        const auto p = static_cast<std::size_t>(part);
        for (Index chunk = parts_[p]; chunk < parts_[p + 1]; ++chunk) multiply_chunk(chunk, x, y);
    }
}

}  // namespace heorot::sparse
