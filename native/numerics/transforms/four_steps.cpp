// The transform of a long line as those of the columns and of the rows of a matrix.
//
// With j = n_2 j_1 + j_2 and k = k_1 + n_1 k_2: X_{k_1 + n_1 k_2} = sum_{j_2} w_{n_2}^(j_2 k_2)
// w_n^(j_2 k_1) sum_{j_1} w_{n_1}^(j_1 k_1) x_{n_2 j_1 + j_2}. w adjacent columns are transformed
// at a time, each in a lane; turned and transposed they go to where they are adjacent numbers of
// rows, of which again w are transformed at a time. Memory is read and written twice.
//
// If w does not divide n_1 or n_2, the last of the lines at a time begin earlier, and some are done
// twice.
//
// Source: D. H. Bailey, FFTs in external or hierarchical memory, J. Supercomputing 4 (1990).
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/record/check.hpp"
#include "numerics/transforms/method.hpp"
#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

namespace {

template <int w>
class FourSteps : public Method {
  public:
    FourSteps(Index n_1, Index n_2) : n_1_(n_1), n_2_(n_2), columns_(n_1), rows_(n_2) {
        expects(n_1 >= w && n_2 >= w, "there is a row and a column for every lane");
        std::vector<double> roots;
        std::vector<double> of_groups;
        for (Index k = 0; has_steps() && k < n_1; ++k) add_roots(0, k, roots);
        for (Index group = 0; group < n_groups<w>(n_2); ++group) {
            const Index first = first_of<w>(group, n_2);
            for (Index k = 0; k < n_1; ++k) {
                const Root root = root_of_unity(first * k, n_1 * n_2);
                if (has_steps()) of_groups.insert(of_groups.end(), {root.re, root.im});
                if (!has_steps() && k > 0) add_roots(first, k, roots);
            }
        }
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            of_one_pass_[direction == Direction::inverse] = {
                Kernels<w>::columns(static_cast<int>(n_1), direction),
                Kernels<w>::rows(static_cast<int>(n_2), direction)};
        }
        roots_ = aligned(roots);
        of_groups_ = aligned(of_groups);
    }

    void transform(const double* from, double* to, Direction direction,
                   double* scratch) const override {
        if (direction == Direction::forward) {
            transform_to<Direction::forward>(from, to, scratch);
        } else {
            transform_to<Direction::inverse>(from, to, scratch);
        }
    }
    std::size_t scratch_length() const override {
        return static_cast<std::size_t>(block_of<w> *
                                        (2 * std::max(n_1_, n_2_) + n_groups<w>(n_1_) * n_2_));
    }
    double flops() const override {
        const auto n_1 = static_cast<double>(n_1_);
        const auto n_2 = static_cast<double>(n_2_);
        const double turns = has_steps() ? 12.0 * n_1 * n_2 : 6.0 * (n_1 - 1.0) * n_2;
        return n_2 * columns_.flops() + n_1 * rows_.flops() + turns;
    }

  private:
    /// Whether columns have several passes, and steps of their own turn and transpose them.
    bool has_steps() const { return columns_.list().size() > 1; }

    /// A block of exp(-2 pi i j_2 k / n) for the columns j_2 from the `first` on.
    void add_roots(Index first, Index k, std::vector<double>& roots) const {
        add_block<w>(roots, [&](Index l) { return root_of_unity((first + l) * k, n_1_ * n_2_); });
    }

    template <Direction direction>
    void transform_to(const double* from, double* to, double* scratch) const {
        double* const rows = scratch + 2 * std::max(n_1_, n_2_) * block_of<w>;
        if (has_steps()) {
            transform_columns<direction>(from, rows, scratch);
        } else {
            of_one_pass_[direction == Direction::inverse].columns(from, n_2_, roots_.data(), rows);
        }
        if (rows_.list().size() == 1) {
            of_one_pass_[direction == Direction::inverse].rows(rows, n_1_, to);
            return;
        }
        for (Index h = 0; h < n_groups<w>(n_1_); ++h) {
            const ToLines<w, direction> results = {to + 2 * first_of<w>(h, n_1_), 2 * n_1_};
            transform_rows({rows + h * n_2_ * block_of<w>}, results, scratch);
        }
    }

    /// In several passes; the first one stores where it loads from.
    template <class Results>
    void transform_rows(Blocks<w> rows, const Results& results, double* scratch) const {
        Blocks<w> other = {scratch};
        const Passes::Pass* pass = rows_.list().data();
        const Passes::Pass* const last = pass + rows_.list().size() - 1;
        Kernels<w>::first(*pass, n_2_, rows, rows);
        for (++pass; pass != last; ++pass, std::swap(rows, other)) {
            Kernels<w>::next(*pass, n_2_, rows, other);
        }
        Kernels<w>::next(*last, n_2_, rows, results);
    }

    template <Direction direction>
    void transform_columns(const double* from, double* rows, double* scratch) const {
        for (Index group = 0; group < n_groups<w>(n_2_); ++group) {
            const Index first = first_of<w>(group, n_2_);
            const FromLines<w, direction> lines = {from + 2 * first, 2 * n_2_};
            const Blocks<w> columns = transform_to_blocks<w>(columns_, lines, scratch);
            const double* const roots = of_groups_.data() + 2 * group * n_1_;
            for (Index h = 0; h < n_groups<w>(n_1_); ++h) {
                turn_and_transpose(columns, roots, first_of<w>(h, n_1_),
                                   rows + (h * n_2_ + first) * block_of<w>);
            }
        }
    }

    /// Numbers k, ..., k + w - 1 of w columns, to w blocks of adjacent numbers of rows.
    [[gnu::always_inline]] void turn_and_transpose(const Blocks<w>& columns, const double* roots,
                                                   Index k, double* to) const {
        transpose_to<w>(
            [&](auto i) __attribute__((always_inline)) {
                const Numbers<w> lanes = load_block<w>(roots_.data() + (k + i) * block_of<w>);
                const double* const group = roots + 2 * (k + i);
                const Numbers<w> root = times(lanes, group[0], group[1]);
                return times(columns.load(k + i), root.re, root.im);
            },
            to);
    }

    Index n_1_;
    Index n_2_;
    Passes columns_;
    Passes rows_;
    struct OfOnePass {
        ColumnsOfOnePass* columns;
        RowsOfOnePass* rows;
    };
    std::array<OfOnePass, 2> of_one_pass_;  // of both directions; null if there are more
    // exp(-2 pi i j_2 k_1 / n): if columns have one pass, blocks for each group and k_1 > 0. Else
    // they are products: of the lane's part, a block for each k_1, and of that of the first of the
    // columns, for each group and k_1.
    Array<double> roots_;
    Array<double> of_groups_;
};

/// None where the build has no vectors of w numbers: there is no code for them.
template <int w>
std::unique_ptr<const Method> by_vectors(Index n_1, Index n_2) {
    if constexpr (w <= n_lanes) return std::make_unique<FourSteps<w>>(n_1, n_2);
    return nullptr;
}

}  // namespace

std::unique_ptr<const Method> in_four_steps(Index n_1, Index n_2, int w) {
    if (w == 8) return by_vectors<8>(n_1, n_2);
    return w == 4 ? by_vectors<4>(n_1, n_2) : by_vectors<2>(n_1, n_2);
}

}  // namespace heorot::transforms
