// Jacobi, symmetric Gauss-Seidel and incomplete factors.
#include "numerics/sparse/preconditioners.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heorot::sparse {

namespace {

constexpr double element_bytes = 12.0;

std::size_t to_size(Index n) {
    return static_cast<std::size_t>(n);
}

/// Where row i has its diagonal element; the end of the row if it has none.
std::size_t diagonal(const Csr& a, Index i) {
    const Place* const columns = a.columns.data();
    const Place* const end = columns + a.starts[to_size(i) + 1];
    return to_size(std::lower_bound(columns + a.starts[to_size(i)], end, static_cast<Place>(i)) -
                   columns);
}

/// values := L and D + U of the incomplete factors of the matrix they belong to.
void factorise(const Csr& a, std::span<double> values) {
    constexpr auto none = static_cast<Place>(-1);
    std::vector<Place> at(to_size(a.n_rows), none);  // of each column, its element in row i
    for (Index i = 0; i < a.n_rows; ++i) {
        const Place first = a.starts[to_size(i)];
        const Place last = a.starts[to_size(i) + 1];
        for (Place e = first; e < last; ++e) at[a.columns[e]] = e;
        for (Place e = first; std::cmp_less(a.columns[e], i); ++e) {
            const auto k = static_cast<Index>(a.columns[e]);
            const std::size_t pivot = diagonal(a, k);
            values[e] /= values[pivot];
            for (std::size_t u = pivot + 1; u < a.starts[to_size(k) + 1]; ++u) {
                const Place target = at[a.columns[u]];
                if (target != none) values[target] -= values[e] * values[u];
            }
        }
        for (Place e = first; e < last; ++e) at[a.columns[e]] = none;
    }
}

/// x(i) = b(i) - sum over the elements of row i of a x(column)
[[gnu::always_inline]] inline double eliminated(const Csr& a, Index i, double b, const double* x) {
    const Place* const starts = a.starts.data();
    const Place* const columns = a.columns.data();
    const double* const values = a.values.data();
    for (Place e = starts[i]; e < starts[i + 1]; ++e) b -= values[e] * x[columns[e]];
    return b;
}

}  // namespace

Jacobi::Jacobi(const Csr& a) : vectors_(a.n_rows), inverse_(vectors_.zeros()) {
    for (Index i = 0; i < a.n_rows; ++i) inverse_[to_size(i)] = 1.0 / a.values[diagonal(a, i)];
}

void Jacobi::apply(const double* r, double* z) const {
    const double* const inverse = inverse_.data();
    vectors_.each([=](Index first, Index last) {
#pragma omp simd
        for (Index i = first; i < last; ++i) z[i] = inverse[i] * r[i];
    });
}

Work Jacobi::work() const {
    const auto n = static_cast<double>(vectors_.size());
    return {.flops = n, .bytes = 24.0 * n};
}

Factors::Factors(const Csr& a, std::span<const Index> fronts, Kind kind, int n_threads)
    : inverse_(to_size(a.n_rows)) {
    make_stages(fronts);
    std::vector<double> values(a.values.begin(), a.values.end());
    if (kind == Kind::incomplete) {
        factorise(a, values);
    } else {
        for (Index i = 0; i < a.n_rows; ++i) {
            for (Place e = a.starts[to_size(i)]; std::cmp_less(a.columns[e], i); ++e) {
                values[e] /= a.values[diagonal(a, a.columns[e])];
            }
        }
    }
    const auto triangle = [&](bool is_lower) {
        return make_csr(
            a.n_rows,
            [&, is_lower](Index i, const auto& element) {
                for (Place e = a.starts[to_size(i)]; e < a.starts[to_size(i) + 1]; ++e) {
                    const auto column = static_cast<Index>(a.columns[e]);
                    if (is_lower ? column < i : column > i) element(column, values[e]);
                }
            },
            n_threads);
    };
    lower_ = triangle(true);
    upper_ = triangle(false);
    for (Index i = 0; i < a.n_rows; ++i) inverse_[to_size(i)] = 1.0 / values[diagonal(a, i)];
}

void Factors::make_stages(std::span<const Index> fronts) {
    constexpr Index narrow = 256;
    for (std::size_t f = 0; f + 1 < fronts.size(); ++f) {
        const Stage stage = {fronts[f], fronts[f + 1], fronts[f + 1] - fronts[f] > narrow};
        if (!stages_.empty() && !stage.is_shared && !stages_.back().is_shared) {
            stages_.back().last = stage.last;
        } else {
            stages_.push_back(stage);
        }
    }
}

[[gnu::always_inline]] inline void Factors::forwards(Index i, const double* r, double* z) const {
    z[i] = eliminated(lower_, i, r[i], z);
}

[[gnu::always_inline]] inline void Factors::backwards(Index i, double* z) const {
    z[i] = inverse_[to_size(i)] * eliminated(upper_, i, z[i], z);
}

// At the end of a shared loop, and of what one thread does, all threads meet.
void Factors::apply(const double* r, double* z) const {
#pragma omp parallel if (stages_.size() > 1)
    {
        for (auto stage = stages_.begin(); stage != stages_.end(); ++stage) {
            if (stage->is_shared) {
#pragma omp for schedule(static)
                for (Index i = stage->first; i < stage->last; ++i) forwards(i, r, z);
            } else {
#pragma omp single
                for (Index i = stage->first; i < stage->last; ++i) forwards(i, r, z);
            }
        }
        for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
            if (stage->is_shared) {
#pragma omp for schedule(static)
                for (Index i = stage->first; i < stage->last; ++i) backwards(i, z);
            } else {
#pragma omp single
                for (Index i = stage->last - 1; i >= stage->first; --i) backwards(i, z);
            }
        }
    }
}

double Factors::stored_bytes() const {
    return element_bytes * static_cast<double>(lower_.n_nonzeros() + upper_.n_nonzeros()) +
           (8.0 + 8.0) * static_cast<double>(lower_.n_rows);
}

Work Factors::work() const {
    const auto n = static_cast<double>(lower_.n_rows);
    const auto n_elements = static_cast<double>(lower_.n_nonzeros() + upper_.n_nonzeros());
    // r, z written, z read, D and z written again; where the rows of both triangles begin.
    return {.flops = 2.0 * n_elements + n, .bytes = element_bytes * n_elements + (40.0 + 8.0) * n};
}

}  // namespace heorot::sparse
