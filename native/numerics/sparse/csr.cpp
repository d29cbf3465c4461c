// Products of compressed sparse rows with vectors.
#include "numerics/sparse/csr.hpp"

#include <algorithm>
#include <cstring>

namespace heorot::sparse {

namespace {

constexpr Place group = 4;
// Not wider: rows are short, and most processors have registers of this width.
using Four = double __attribute__((vector_size(group * sizeof(double))));

// y(i) = sum over the elements of row i of a x(column), four at a time
void multiply_rows(const Csr& a, Index first, Index last, const double* x, double* y) {
    const Place* const starts = a.starts.data();
    const double* value = a.values.data() + starts[first];
    const Place* column = a.columns.data() + starts[first];
    for (Index i = first; i < last; ++i) {
        Place left = starts[i + 1] - starts[i];
        Four sums = {};
        for (; left >= group; left -= group, value += group, column += group) {
            prefetch<group>(value, column);
            Four a_k;
            std::memcpy(&a_k, value, sizeof a_k);
            sums += a_k * Four{x[column[0]], x[column[1]], x[column[2]], x[column[3]]};
        }
        double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        for (; left > 0; --left) sum += *value++ * x[*column++];
        y[i] = sum;
    }
}

}  // namespace

std::vector<Index> equal_parts(const Place* starts, Index n, int n_parts) {
    std::vector<Index> parts = {0};
    const auto n_elements = static_cast<std::uint64_t>(starts[n]);
    for (int part = 1; part < n_parts; ++part) {
        const auto before = static_cast<Place>(n_elements * static_cast<std::uint64_t>(part) /
                                               static_cast<std::uint64_t>(n_parts));
        parts.push_back(std::lower_bound(starts, starts + n, before) - starts);
    }
    parts.push_back(n);
    return parts;
}

void Csr::multiply(const double* x, double* y) const {
    const auto n_parts = static_cast<int>(parts.size()) - 1;
#pragma omp parallel for schedule(static) if (n_nonzeros() >= worth_sharing)
    for (int part = 0; part < n_parts; ++part) {
        const auto p = static_cast<std::size_t>(part);
        multiply_rows(*this, parts[p], parts[p + 1], x, y);
    }
}

}  // namespace heorot::sparse
