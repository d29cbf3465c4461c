// Random sparse matrices by their definition: the value of an element follows from its position.
//
// Rows are made in any order, by any thread, and alike everywhere. Values are multiples of 2^-10
// below 1: products with vectors of such numbers are exact in any order of summation.
#pragma once

#include <algorithm>
#include <cstdint>

#include "numerics/generators/words.hpp"
#include "numerics/sparse/csr.hpp"

namespace heorot::sparse {

/// 64 bits that look random, of each number others: word `number` of SplitMix64.
constexpr std::uint64_t scrambled(std::uint64_t number) {
    return generators::mixed((number + 1) * generators::golden_step);
}

/// Element i of a vector: a multiple of 2^-10 in [1, 2).
constexpr double exact_value(Index i) {
    const auto bits = scrambled(static_cast<std::uint64_t>(i) ^ 0x5851f42d4c957f2dU) >> 54U;
    return 1.0 + static_cast<double>(bits) / 1024.0;
}

/// Rows whose `length` elements stand one in each of as many equal pieces of the columns from
/// `first` to last - 1: so they are all different, and in order.
struct Spread {
    Index row;
    Index first;
    Index last;
    Index length;

    std::uint64_t random(Index k) const {
        return scrambled((static_cast<std::uint64_t>(row) << 24U) ^ static_cast<std::uint64_t>(k));
    }
    Index column(Index k) const {
        const Index width = last - first;
        const Index begin = width * k / length;
        const Index end = width * (k + 1) / length;
        return first + begin + static_cast<Index>(random(k) >> 32U) % (end - begin);
    }
    double value(Index k) const {
        return static_cast<double>(static_cast<Index>(random(k) & 2047U) - 1024) / 1024.0;
    }

    template <class Element>
    void visit(const Element& element) const {
        for (Index k = 0; k < length; ++k) element(column(k), value(k));
    }
    /// The row times u.
    double times(const double* u) const {
        double sum = 0.0;
        for (Index k = length - 1; k >= 0; --k) sum += value(k) * u[column(k)];
        return sum;
    }
};

/// Square; of all rows the part that has L elements or more is `shortest` / L, up to `longest`:
/// lengths follow a power law with exponent 2, as degrees do in many networks. Columns are
/// anywhere. Source: M. E. J. Newman, Power laws, Pareto distributions and Zipf's law, Contemporary
/// Physics 46 (2005).
struct PowerLawRows {
    static constexpr Index shortest = 4;
    static constexpr Index longest = 1024;
    Index n;

    Spread row(Index i) const {
        // (0, 1]
        const double u =
            (static_cast<double>(scrambled(~static_cast<std::uint64_t>(i)) >> 12U) + 1) * 0x1p-52;
        const auto wanted = static_cast<double>(shortest) / u;
        const auto length = static_cast<Index>(std::min(wanted, static_cast<double>(longest)));
        return {i, 0, n, std::min(length, n)};
    }
    template <class Element>
    void operator()(Index i, const Element& element) const {
        row(i).visit(element);
    }
};

/// Square; rows of `row_length` elements no farther than `half_width` from the diagonal, fewer
/// columns at both ends.
struct BandedRows {
    static constexpr Index row_length = 32;
    static constexpr Index half_width = 1024;
    Index n;

    Spread row(Index i) const {
        const Index first = std::max(Index{0}, i - half_width);
        const Index last = std::min(n, i + half_width + 1);
        return {i, first, last, std::min(row_length, last - first)};
    }
    template <class Element>
    void operator()(Index i, const Element& element) const {
        row(i).visit(element);
    }
};

}  // namespace heorot::sparse
