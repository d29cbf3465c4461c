// Transposing a square matrix whose rows are distributed over the ranks.
#pragma once

#include "benchmarks/messages/patterns/pattern.hpp"

namespace heorot::patterns {

/// B = A^T for m x m matrices of which each rank has some rows, as evenly as possible. A block of A
/// that another rank needs is transposed on its way into the buffer from which one MPI_Alltoallv
/// sends it; the rows of the blocks that arrive are then copied to their columns of B. Derived
/// datatypes could replace both copies, but then the library's handling of them would be measured.
class Transposition final : public Pattern {
  public:
    /// m is the least for which each rank has `setting.length` elements or more, and a row.
    explicit Transposition(const Setting& setting);
    Work work() const override;
    void fill(std::int64_t round) override;
    void stamp(std::int64_t body) override;
    void transfer() override;
    std::int64_t n_wrong(std::int64_t round) const override;
    std::int64_t n_wrong_ends(std::int64_t body) const override;
    std::span<double> received() override { return b_.all(); }

  private:
    struct Rows {
        std::size_t begin;
        std::size_t n;
    };

    Rows rows(std::size_t rank) const;
    const Rows& mine() const { return rows_[static_cast<std::size_t>(rank_)]; }
    void pack(const Rows& theirs, double* block) const;
    void unpack(const Rows& theirs, const double* block) const;

    std::size_t m_;
    std::vector<Rows> rows_;    // of every rank
    std::vector<int> lengths_;  // of the block to or from every rank, the same both ways
    std::vector<int> displacements_;
    payload::Buffer<double> a_;
    payload::Buffer<double> b_;
    payload::Buffer<double> out_;
    payload::Buffer<double> in_;
};

}  // namespace heorot::patterns
