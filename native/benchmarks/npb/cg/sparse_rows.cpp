// Making the random sparse vectors and the rows of their outer products.
#include "benchmarks/npb/cg/sparse_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "numerics/random.hpp"

namespace heorot::cg {

namespace {

constexpr double rcond = 0.1;
constexpr std::uint64_t seed = 314159265;

/// The sparse vectors one after the other.
class RandomVectors {
  public:
    explicit RandomVectors(const MatrixKind& kind)
        : n_(kind.n),
          n_random_(static_cast<std::size_t>(kind.nonzer)),
          n_places_(static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(kind.n)))),
          random_(seed) {
        random_.next();  // the benchmark does not use the first one
    }

    /// Makes x_k for the next k.
    void advance(Index k) {
        places_.clear();
        values_.clear();
        while (places_.size() < n_random_) {
            const double value = next();
            const auto place = static_cast<Index>(n_places_ * next());
            if (place < n_ && find(place) == places_.end()) append(place, value);
        }
        if (const auto diagonal = find(k); diagonal != places_.end()) {
            values_[static_cast<std::size_t>(diagonal - places_.begin())] = 0.5;
        } else {
            append(k, 0.5);
        }
    }
    std::span<const Index> places() const { return places_; }
    std::span<const double> values() const { return values_; }

  private:
    double next() {
        if (next_ == stock_.size()) {
            random_.fill(stock_);
            next_ = 0;
        }
        return stock_[next_++];
    }
    std::vector<Index>::iterator find(Index place) {
        return std::find(places_.begin(), places_.end(), place);
    }
    void append(Index place, double value) {
        places_.push_back(place);
        values_.push_back(value);
    }

    Index n_;
    std::size_t n_random_;
    double n_places_;  // the least power of two that is not below n; places from n on are rejected
    Random random_;
    std::array<double, 1024> stock_;
    std::size_t next_ = stock_.size();
    std::vector<Index> places_;
    std::vector<double> values_;
};

}  // namespace

SparseRows::SparseRows(const MatrixKind& kind, const Partition& partition)
    : partition_(partition), diagonal_(rcond - kind.shift) {
    const double ratio = std::pow(rcond, 1.0 / static_cast<double>(kind.n));
    double scale = 1.0;  // w^k
    RandomVectors vectors(kind);
    vector_starts_.push_back(0);
    for (Index k = 0; k < kind.n; ++k, scale *= ratio) {
        vectors.advance(k);
        for (std::size_t i = 0; i < vectors.places().size(); ++i) {
            const Index place = vectors.places()[i];
            const double value = vectors.values()[i];
            if (const Index column = partition.local_column(place); column >= 0) {
                columns_.push_back(static_cast<std::uint32_t>(column));
                scaled_.push_back(scale * value);
            }
            if (const Index row = partition.local_row(place); row >= 0) {
                rows_.push_back(static_cast<std::uint32_t>(row));
                vectors_.push_back(static_cast<std::uint32_t>(k));
                values_.push_back(value);
            }
        }
        vector_starts_.push_back(columns_.size());
    }
    sort_by_row();
}

// A counting sort, which leaves the vectors of a row in order.
void SparseRows::sort_by_row() {
    row_starts_.assign(static_cast<std::size_t>(partition_.n_rows()) + 1, 0);
    for (const std::uint32_t row : rows_) ++row_starts_[row + 1];
    for (std::size_t row = 1; row < row_starts_.size(); ++row) {
        row_starts_[row] += row_starts_[row - 1];
    }
    std::vector<std::size_t> next(row_starts_.begin(), row_starts_.end() - 1);
    std::vector<std::uint32_t> vectors(rows_.size());
    std::vector<double> values(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::size_t position = next[rows_[i]]++;
        vectors[position] = vectors_[i];
        values[position] = values_[i];
    }
    vectors_ = std::move(vectors);
    values_ = std::move(values);
    rows_ = {};
}

// a(row, column) = sum_k x_k(row) w^k x_k(column), and the diagonal
void SparseRows::add_row(Index local_row, RowSum& sum) const {
    const auto row = static_cast<std::size_t>(local_row);
    for (std::size_t i = row_starts_[row]; i < row_starts_[row + 1]; ++i) {
        const std::size_t k = vectors_[i];
        for (std::size_t j = vector_starts_[k]; j < vector_starts_[k + 1]; ++j) {
            sum.add(columns_[j], values_[i] * scaled_[j]);
        }
    }
    const Index whole = partition_.whole_row(local_row);
    if (whole >= partition_.n) return;
    const Index column = partition_.local_column(whole);
    if (column >= 0) sum.add(static_cast<std::uint32_t>(column), diagonal_);
}

}  // namespace heorot::cg
