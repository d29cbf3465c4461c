// A sweep through tiles: every rank solves one slab of tiles after the other, there and back.
//
// Checked against the grid in one piece in tests/npb/flow/test_sp_step.cpp:
// tiles_go_the_way_of_the_whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "benchmarks/npb/flow/field.hpp"
#include "benchmarks/npb/sp/step.hpp"
#include "benchmarks/npb/sp/sweep.hpp"
#include "harness/array.hpp"
#include "harness/world/communicator.hpp"
#include "numerics/tiles.hpp"

namespace heorot::sp {

/// The parts that the lines of all tiles are divided into, on all ranks alike: each has the same
/// layers of every tile. They are so large that every thread has a layer; beyond that so small that
/// there are several and the rows kept between elimination and substitution stay in the cache.
struct Parts {
    /// `n_threads` is the same on all ranks.
    Parts(const Multipartition& partition, int layer_direction, int n_threads);

    int n_layers;  // of a part; the last one may have less
    int n;
};

/// A part on its way through the slabs: its rows, of all tiles, and its messages.
struct UnderWay {
    Array<Row> rows;
    // Two per group of lines.
    Array<Row> rows_in;
    Array<Row> rows_out;
    Array<State> solutions_in;
    Array<State> solutions_out;
    Request coming;
    Request going;

    /// Allocates n_rows rows and n_groups groups of lines.
    void fit(Index n_rows, Index n_groups);
};

/// Parts in flight at a time: one computes while the messages of the other one travel.
constexpr int n_under_way = 2;
/// Their memory, which serves all directions.
using PipelineBuffers = std::array<UnderWay, n_under_way>;

/// The sweep in direction D over all tiles of a rank, where lines cross several of them. On the way
/// up a tile's lines are eliminated, and the last two eliminated rows of each go to the next
/// tile's owner; on the way down its first two solutions go back. In every stage each rank has a
/// slab of tiles to work on.
template <int D>
class Pipeline {
  public:
    /// Fields in the order of partition.tiles(). All must outlive the pipeline.
    Pipeline(const Multipartition& partition, std::span<flow::Field> u, std::span<flow::Field> r,
             const flow::Coefficients& c, const Parts& parts, PipelineBuffers& buffers,
             LineBuffers& lines);

    /// Solves all lines of n_under_way parts, `first` and those behind it, if there are any. Before
    /// a part of tile t is eliminated, prepare(t, layers) is called. **Collective** over the ranks
    /// of the partition.
    template <class Prepare>
    void run(int first, const Communicator& communicator, const Prepare& prepare);

  private:
    static constexpr int up_tag = 2 * D;
    static constexpr int down_tag = 2 * D + 1;

    struct Tile {
        Sweep<D> sweep;
        Index first_row;  // of its groups, within a part
    };
    /// The groups of a part in one tile.
    struct Range {
        Index begin;
        Index end;
        Index crossing;  // their first row, or solution, in the messages
    };

    const Tile& tile(int t) const { return tiles_[static_cast<std::size_t>(t)]; }
    UnderWay& under_way(int part) { return buffers_[static_cast<std::size_t>(part % n_under_way)]; }
    Layers layers(int t, int part) const {
        const Index n = tile(t).sweep.n_layers();
        return {std::min<Index>(n, Index{part} * parts_.n_layers),
                std::min<Index>(n, Index{part + 1} * parts_.n_layers)};
    }
    Range range(int t, int part, Index crossing) const;
    /// Rows, or solutions, of a part that cross the faces of the tiles in a slab.
    std::size_t n_crossing(int slab, int part) const;
    /// Calls work(tile, groups) for the tiles of a slab when its input was received, and the buffer
    /// for its output is free.
    template <class Work>
    void when_ready(int slab, int part, const Communicator& communicator, const Work& work);
    void send_up(int slab, int part, const Communicator& communicator);
    void send_down(int slab, int part, const Communicator& communicator);
    /// A group of lines; `entry` are the two rows before it.
    static void eliminate(const Sweep<D>& sweep, Index group, const Row* entry, Row* line);
    void eliminate_tile(const Tile& tile, const Range& range, UnderWay& part);
    void turn_tile(const Tile& tile, const Range& range, UnderWay& part);
    void substitute_tile(const Tile& tile, const Range& range, UnderWay& part);

    template <class T>
    static std::span<double> doubles(Array<T>& message, std::size_t n_items) {
        return {reinterpret_cast<double*>(message.data()), n_items * sizeof(T) / sizeof(double)};
    }

    const Multipartition& partition_;
    Parts parts_;
    PipelineBuffers& buffers_;
    LineBuffers& lines_;
    std::vector<Tile> tiles_;
};

template <int D>
Pipeline<D>::Pipeline(const Multipartition& partition, std::span<flow::Field> u,
                      std::span<flow::Field> r, const flow::Coefficients& c, const Parts& parts,
                      PipelineBuffers& buffers, LineBuffers& lines)
    : partition_(partition), parts_(parts), buffers_(buffers), lines_(lines) {
    Index n_rows = 0;
    Index n_groups = 0;
    for (std::size_t t = 0; t < u.size(); ++t) {
        tiles_.push_back({Sweep<D>(u[t], r[t], c), n_rows});
        const Sweep<D>& sweep = tiles_.back().sweep;
        const Index most = parts.n_layers * sweep.groups_per_layer();
        if (!sweep.walls().behind) n_rows += most * rows_of_line(sweep.n());
        n_groups += most;
    }
    if (partition.n_slabs(D) == 1) return;
    for (auto& part : buffers) part.fit(n_rows, n_groups);
}

template <int D>
auto Pipeline<D>::range(int t, int part, Index crossing) const -> Range {
    const Layers of_tile = layers(t, part);
    const Index n_groups = tile(t).sweep.groups_per_layer();
    return {of_tile.begin * n_groups, of_tile.end * n_groups, crossing};
}

template <int D>
std::size_t Pipeline<D>::n_crossing(int slab, int part) const {
    Index n = 0;
    for (const int t : partition_.slab(D, slab)) {
        const Range groups = range(t, part, n);
        n += 2 * (groups.end - groups.begin);
    }
    return static_cast<std::size_t>(n);
}

template <int D>
template <class Prepare>
void Pipeline<D>::run(int first, const Communicator& communicator, const Prepare& prepare) {
    const int end = std::min(first + n_under_way, parts_.n);
    const int last = partition_.n_slabs(D) - 1;
    for (int slab = 0; slab <= last; ++slab) {
        for (int part = first; part < end; ++part) {
            for (const int t : partition_.slab(D, slab)) prepare(t, layers(t, part));
            when_ready(slab, part, communicator, [&](const Tile& tile, const Range& range) {
                if (slab < last) eliminate_tile(tile, range, under_way(part));
                if (slab == last) turn_tile(tile, range, under_way(part));
            });
            if (slab < last) send_up(slab, part, communicator);
            if (slab == last) send_down(slab, part, communicator);
        }
    }
    for (int slab = last - 1; slab >= 0; --slab) {
        for (int part = first; part < end; ++part) {
            when_ready(slab, part, communicator, [&](const Tile& tile, const Range& range) {
                substitute_tile(tile, range, under_way(part));
            });
            if (slab > 0) send_down(slab, part, communicator);
        }
    }
}

template <int D>
template <class Work>
void Pipeline<D>::when_ready(int slab, int part, const Communicator& communicator,
                             const Work& work) {
    communicator.wait(under_way(part).coming);
    communicator.wait(under_way(part).going);
    Index crossing = 0;
    for (const int t : partition_.slab(D, slab)) {
        const Range groups = range(t, part, crossing);
        work(tile(t), groups);
        crossing += 2 * (groups.end - groups.begin);
    }
}

// Received values are for this rank's tiles in the next slab, which may have other sizes.
template <int D>
void Pipeline<D>::send_up(int slab, int part, const Communicator& communicator) {
    UnderWay& mine = under_way(part);
    const auto out = doubles(mine.rows_out, n_crossing(slab, part));
    mine.coming = communicator.start_receive(doubles(mine.rows_in, n_crossing(slab + 1, part)),
                                             partition_.neighbour(D, Side::lower), up_tag);
    mine.going = communicator.start_send(std::span<const double>(out),
                                         partition_.neighbour(D, Side::upper), up_tag);
}

template <int D>
void Pipeline<D>::send_down(int slab, int part, const Communicator& communicator) {
    UnderWay& mine = under_way(part);
    const auto out = doubles(mine.solutions_out, n_crossing(slab, part));
    mine.coming = communicator.start_receive(doubles(mine.solutions_in, n_crossing(slab - 1, part)),
                                             partition_.neighbour(D, Side::upper), down_tag);
    mine.going = communicator.start_send(std::span<const double>(out),
                                         partition_.neighbour(D, Side::lower), down_tag);
}

template <int D>
void Pipeline<D>::eliminate(const Sweep<D>& sweep, Index group, const Row* entry, Row* line) {
    sweep.load_group(group, line);
    const Terms before = line[-1].terms();
    if (sweep.walls().before) {
        line[-2] = line[-1] = Row{};
    } else {
        std::copy_n(entry, 2, line - 2);
    }
    sweep.eliminate_group(line, before);
}

template <int D>
void Pipeline<D>::eliminate_tile(const Tile& tile, const Range& range, UnderWay& part) {
    const Sweep<D>& sweep = tile.sweep;
    Row* const rows = part.rows.data() + tile.first_row + 2;
#pragma omp parallel for schedule(static) num_threads(lines_.n_threads())
    for (Index group = range.begin; group < range.end; ++group) {
        const Index number = group - range.begin;
        Row* const line = rows + number * rows_of_line(sweep.n());
        const Index crossing = range.crossing + 2 * number;
        eliminate(sweep, group, part.rows_in.data() + crossing, line);
        std::copy_n(line + sweep.n() - 2, 2, part.rows_out.data() + crossing);
    }
}

// In the last slab the way back begins at once, so that no rows are kept.
template <int D>
void Pipeline<D>::turn_tile(const Tile& tile, const Range& range, UnderWay& part) {
    const Sweep<D>& sweep = tile.sweep;
#pragma omp parallel for schedule(static) num_threads(lines_.n_threads())
    for (Index group = range.begin; group < range.end; ++group) {
        Row* const line = lines_.mine();
        const Index crossing = range.crossing + 2 * (group - range.begin);
        eliminate(sweep, group, part.rows_in.data() + crossing, line);
        sweep.substitute_group(line, {});
        State* const exit = part.solutions_out.data() + crossing;
        exit[0] = line[0].f;
        exit[1] = line[1].f;
        sweep.store_group(group, line);
    }
}

template <int D>
void Pipeline<D>::substitute_tile(const Tile& tile, const Range& range, UnderWay& part) {
    const Sweep<D>& sweep = tile.sweep;
    Row* const rows = part.rows.data() + tile.first_row + 2;
#pragma omp parallel for schedule(static) num_threads(lines_.n_threads())
    for (Index group = range.begin; group < range.end; ++group) {
        const Index number = group - range.begin;
        Row* const line = rows + number * rows_of_line(sweep.n());
        const Index crossing = range.crossing + 2 * number;
        const State* const entry = part.solutions_in.data() + crossing;
        sweep.substitute_group(line, {entry[0], entry[1]});
        if (!sweep.walls().before) {
            State* const exit = part.solutions_out.data() + crossing;
            exit[0] = line[0].f;
            exit[1] = line[1].f;
        }
        sweep.store_group(group, line);
    }
}

}  // namespace heorot::sp
