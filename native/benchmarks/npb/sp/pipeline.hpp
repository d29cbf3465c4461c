// A sweep through tiles: every rank solves one slab of tiles after the other, there and back.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "benchmarks/npb/sp/sweep.hpp"
#include "harness/array.hpp"
#include "harness/communicator.hpp"
#include "numerics/flow/field.hpp"
#include "numerics/tiles.hpp"

namespace heorot::sp {

/// The sweep in direction D over all tiles of a rank, where lines cross several of them. On the way
/// up a tile's lines are eliminated, and the last two eliminated rows of each go to the next
/// tile's owner; on the way down its first two solutions go back. In every stage each rank has a
/// slab of tiles to work on.
template <int D>
class Pipeline {
  public:
    /// Fields in the order of partition.tiles(). All must outlive the pipeline.
    Pipeline(const Multipartition& partition, std::span<flow::Field> u, std::span<flow::Field> r,
             const flow::Coefficients& c);

    /// Rows that run() needs.
    std::size_t n_rows() const { return n_rows_; }
    /// `rows` is scratch. **Collective** over the ranks of the partition.
    void run(std::span<Row> rows, const Communicator& communicator);

  private:
    static constexpr int up_tag = 2 * D;
    static constexpr int down_tag = 2 * D + 1;

    struct Tile {
        Sweep<D> sweep;
        std::size_t first_row;    // of all its groups
        std::size_t first_group;  // within its slab
    };

    std::size_t n_groups(int stage) const {
        const Tile& last = tiles_[static_cast<std::size_t>(partition_.slab(D, stage).back())];
        return last.first_group + static_cast<std::size_t>(last.sweep.n_groups());
    }
    void eliminate_tile(const Tile& tile, Row* rows, bool is_first, bool is_last);
    void substitute_tile(const Tile& tile, Row* rows, bool is_first, bool is_last);

    template <class T>
    static std::span<double> doubles(Array<T>& message, std::size_t n_items) {
        return {reinterpret_cast<double*>(message.data()), n_items * sizeof(T) / sizeof(double)};
    }

    const Multipartition& partition_;
    std::vector<Tile> tiles_;
    std::size_t n_rows_ = 0;
    // Two per group of lines.
    Array<Row> rows_in_;
    Array<Row> rows_out_;
    Array<State> solutions_in_;
    Array<State> solutions_out_;
};

template <int D>
Pipeline<D>::Pipeline(const Multipartition& partition, std::span<flow::Field> u,
                      std::span<flow::Field> r, const flow::Coefficients& c)
    : partition_(partition) {
    for (std::size_t t = 0; t < u.size(); ++t) {
        tiles_.push_back({Sweep<D>(u[t], r[t], c), n_rows_, 0});
        const Sweep<D>& sweep = tiles_.back().sweep;
        n_rows_ += static_cast<std::size_t>(sweep.n_groups() * rows_of_line(sweep.n()));
    }
    std::size_t largest = 0;
    for (int stage = 0; stage < partition.n_slabs(D); ++stage) {
        std::size_t n = 0;
        for (const int t : partition.slab(D, stage)) {
            Tile& tile = tiles_[static_cast<std::size_t>(t)];
            tile.first_group = n;
            n += static_cast<std::size_t>(tile.sweep.n_groups());
        }
        largest = std::max(largest, n);
    }
    rows_in_ = Array<Row>(2 * largest);
    rows_out_ = Array<Row>(2 * largest);
    solutions_in_ = Array<State>(2 * largest);
    solutions_out_ = Array<State>(2 * largest);
}

template <int D>
void Pipeline<D>::run(std::span<Row> rows, const Communicator& communicator) {
    const int upper = partition_.neighbour(D, Side::upper);
    const int lower = partition_.neighbour(D, Side::lower);
    const int last = partition_.n_slabs(D) - 1;
    Request sent;
    for (int stage = 0; stage <= last; ++stage) {
        const std::size_t n = 2 * n_groups(stage);
        if (stage > 0) communicator.receive(doubles(rows_in_, n), lower, up_tag);
        communicator.wait(sent);
        for (const int t : partition_.slab(D, stage)) {
            const Tile& tile = tiles_[static_cast<std::size_t>(t)];
            eliminate_tile(tile, rows.data() + tile.first_row, stage == 0, stage == last);
        }
        if (stage < last) {
            sent = communicator.start_send(std::span<const double>(doubles(rows_out_, n)), upper,
                                           up_tag);
        }
    }
    for (int stage = last; stage >= 0; --stage) {
        const std::size_t n = 2 * n_groups(stage);
        if (stage < last) communicator.receive(doubles(solutions_in_, n), upper, down_tag);
        communicator.wait(sent);
        for (const int t : partition_.slab(D, stage)) {
            const Tile& tile = tiles_[static_cast<std::size_t>(t)];
            substitute_tile(tile, rows.data() + tile.first_row, stage == 0, stage == last);
        }
        if (stage > 0) {
            sent = communicator.start_send(std::span<const double>(doubles(solutions_out_, n)),
                                           lower, down_tag);
        }
    }
    communicator.wait(sent);
}

template <int D>
void Pipeline<D>::eliminate_tile(const Tile& tile, Row* rows, bool is_first, bool is_last) {
    const Sweep<D>& sweep = tile.sweep;
    const Index n = sweep.n();
    const Index n_groups = sweep.n_groups();
#pragma omp parallel for schedule(static)
    for (Index group = 0; group < n_groups; ++group) {
        Row* const line = rows + group * rows_of_line(n) + 2;
        const std::size_t message = 2 * (tile.first_group + static_cast<std::size_t>(group));
        sweep.load_group(group, line);
        const Terms before = line[-1].terms();
        if (is_first) {
            line[-2] = line[-1] = Row{};
        } else {
            std::copy_n(&rows_in_[message], 2, line - 2);
        }
        sweep.eliminate_group(line, before);
        if (!is_last) std::copy_n(line + n - 2, 2, &rows_out_[message]);
    }
}

template <int D>
void Pipeline<D>::substitute_tile(const Tile& tile, Row* rows, bool is_first, bool is_last) {
    const Sweep<D>& sweep = tile.sweep;
    const Index n = sweep.n();
    const Index n_groups = sweep.n_groups();
#pragma omp parallel for schedule(static)
    for (Index group = 0; group < n_groups; ++group) {
        Row* const line = rows + group * rows_of_line(n) + 2;
        const std::size_t message = 2 * (tile.first_group + static_cast<std::size_t>(group));
        line[n].f = is_last ? State{} : solutions_in_[message];
        line[n + 1].f = is_last ? State{} : solutions_in_[message + 1];
        substitute(line, n);
        if (!is_first) {
            solutions_out_[message] = line[0].f;
            solutions_out_[message + 1] = line[1].f;
        }
        sweep.store_group(group, line);
    }
}

}  // namespace heorot::sp
