// Transposing a distributed matrix: local partial transposes and one exchange among all ranks.
#include "benchmarks/messages/patterns/transposition.hpp"

#include <algorithm>
#include <cmath>

#include "benchmarks/messages/payload/elements.hpp"

namespace heorot::patterns {

namespace {

/// The least m >= n_ranks with m^2 >= n_ranks length.
std::size_t order_of(std::size_t n_ranks, std::size_t length) {
    const std::size_t n_elements = n_ranks * length;
    auto m = static_cast<std::size_t>(std::sqrt(static_cast<double>(n_elements)));
    while (m * m < n_elements) ++m;
    return std::max(m, n_ranks);
}

}  // namespace

Transposition::Transposition(const Setting& setting)
    : Pattern(setting.world),
      m_(order_of(size(), setting.length)),
      a_(rows(static_cast<std::size_t>(rank_)).n * m_),
      b_(a_.size()),
      out_(a_.size()),
      in_(a_.size()) {
    int displacement = 0;
    for (std::size_t rank = 0; rank < size(); ++rank) rows_.push_back(rows(rank));
    for (const Rows& theirs : rows_) {
        lengths_.push_back(narrow(mine().n * theirs.n));
        displacements_.push_back(displacement);
        displacement += lengths_.back();
    }
}

Transposition::Rows Transposition::rows(std::size_t rank) const {
    const std::size_t begin = m_ * rank / size();
    return {.begin = begin, .n = m_ * (rank + 1) / size() - begin};
}

Work Transposition::work() const {
    Work work;
    for (const Rows& each : rows_) {
        const std::size_t leaves = each.n * (m_ - each.n) * sizeof(double);  // as much enters
        work.bytes += leaves;
        work.port_bytes = std::max(work.port_bytes, leaves);
    }
    return work;
}

void Transposition::fill(std::int64_t round) {
    for (const auto* buffer : {&b_, &out_, &in_}) std::ranges::fill(buffer->all(), wiped);
    payload::fill(a_.all(), rank_, round);
}

void Transposition::stamp(std::int64_t body) {
    const double value = payload::stamp(rank_, body);
    double* const last_row = a_.data() + (mine().n - 1) * m_;
    for (const Rows& theirs : rows_) {
        a_.data()[theirs.begin] = value;
        last_row[theirs.begin + theirs.n - 1] = value;
    }
}

/// block(c, r) = A(r, c) for the columns c that `theirs` are.
void Transposition::pack(const Rows& theirs, double* block) const {
    constexpr std::size_t tile =
        16;  // two lines of a cache: what is read stays until it is used up
    const std::size_t n = mine().n;
    const double* const a = a_.data() + theirs.begin;
    for (std::size_t r0 = 0; r0 < n; r0 += tile) {
        for (std::size_t c0 = 0; c0 < theirs.n; c0 += tile) {
            const std::size_t c1 = std::min(c0 + tile, theirs.n);
            const std::size_t r1 = std::min(r0 + tile, n);
            for (std::size_t c = c0; c < c1; ++c) {
                for (std::size_t r = r0; r < r1; ++r) block[c * n + r] = a[r * m_ + c];
            }
        }
    }
}

/// B(r, c) = block(r, c) for the columns c that `theirs` are.
void Transposition::unpack(const Rows& theirs, const double* block) const {
    double* const b = b_.data() + theirs.begin;
    for (std::size_t r = 0; r < mine().n; ++r) {
        std::copy_n(block + r * theirs.n, theirs.n, b + r * m_);
    }
}

void Transposition::transfer() {
    for (std::size_t rank = 0; rank < size(); ++rank) {
        pack(rows_[rank], out_.data() + displacements_[rank]);
    }
    MPI_Alltoallv(out_.data(), lengths_.data(), displacements_.data(), MPI_DOUBLE, in_.data(),
                  lengths_.data(), displacements_.data(), MPI_DOUBLE, mpi_);
    for (std::size_t rank = 0; rank < size(); ++rank) {
        unpack(rows_[rank], in_.data() + displacements_[rank]);
    }
}

std::int64_t Transposition::n_wrong(std::int64_t round) const {
    // An element that is of no block is wrong too.
    auto wrong = static_cast<std::int64_t>(b_.size());
    for (const auto* buffer : {&a_, &b_, &out_, &in_}) {
        wrong += buffer->n_touched_behind(buffer->size());
    }
    for (std::size_t sender = 0; sender < size(); ++sender) {
        const Rows& theirs = rows_[sender];
        for (std::size_t r = 0; r < mine().n; ++r) {
            for (std::size_t c = 0; c < theirs.n; ++c) {
                // B(i, j) = A(j, i), which is row c of what the sender filled.
                const std::size_t number = c * m_ + mine().begin + r;
                const double wanted = payload::element(static_cast<std::int64_t>(number),
                                                       static_cast<int>(sender), round);
                wrong -= b_.data()[r * m_ + theirs.begin + c] == wanted ? 1 : 0;
            }
        }
    }
    return wrong;
}

std::int64_t Transposition::n_wrong_ends(std::int64_t body) const {
    const double* const last_row = b_.data() + (mine().n - 1) * m_;
    std::int64_t wrong = 0;
    for (std::size_t sender = 0; sender < size(); ++sender) {
        const Rows& theirs = rows_[sender];
        const double wanted = payload::stamp(static_cast<int>(sender), body);
        wrong += b_.data()[theirs.begin] == wanted ? 0 : 1;
        wrong += last_row[theirs.begin + theirs.n - 1] == wanted ? 0 : 1;
    }
    return wrong;
}

}  // namespace heorot::patterns
