// The layouts of the collective operations, from their definitions in the standard.
#include "benchmarks/messages/collectives/layout.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace heorot::collectives {

namespace {

std::size_t index(int rank) {
    return static_cast<std::size_t>(rank);
}

std::vector<std::size_t> shares(const Problem& problem) {
    std::vector<std::size_t> lengths;
    lengths.reserve(index(problem.place.size));
    for (int rank = 0; rank < problem.place.size; ++rank) lengths.push_back(share(problem, rank));
    return lengths;
}

/// Where block `rank` starts.
std::size_t start_of(const std::vector<std::size_t>& blocks, int rank) {
    return std::accumulate(blocks.begin(), blocks.begin() + rank, std::size_t{0});
}

/// The blocks that rank `from` sends to each: shares, turned so that no two ranks send alike.
std::vector<std::size_t> blocks_from(const Problem& problem, int from) {
    const int size = problem.place.size;
    std::vector<std::size_t> blocks;
    blocks.reserve(index(size));
    for (int to = 0; to < size; ++to) blocks.push_back(share(problem, (to - from + size) % size));
    return blocks;
}

/// Everyone's share, one behind the other.
std::vector<Piece> everyones(const Problem& problem) {
    std::vector<Piece> pieces;
    pieces.reserve(index(problem.place.size));
    for (int from = 0; from < problem.place.size; ++from) {
        pieces.push_back({from, from, 0, share(problem, from)});
    }
    return pieces;
}

bool is_root(const Problem& problem) {
    return problem.place.rank == problem.place.root;
}

double others(const Problem& problem) {
    return problem.place.size - 1;
}

/// Sums over the ranks up to `last_rank`, if there are any.
Layout sums(const Problem& problem, int last_rank) {
    Layout layout{.blocks = {problem.n}, .n_in = problem.n};
    if (last_rank >= 0) layout.pieces = {{0, last_rank, 0, problem.n}};
    return layout;
}

Layout chain(const Problem& problem, int last_rank) {
    Layout layout = sums(problem, last_rank);
    const auto n = static_cast<double>(problem.n);
    layout.arriving = problem.place.rank > 0 ? n : 0.0;
    layout.leaving = problem.place.rank + 1 < problem.place.size ? n : 0.0;
    return layout;
}

/// Block `rank` of the sum of everyone's blocks.
Layout scattered_sum(const Problem& problem, std::vector<std::size_t> blocks) {
    const int rank = problem.place.rank;
    const std::size_t mine = blocks[index(rank)];
    Layout layout{.blocks = std::move(blocks), .n_in = mine};
    layout.pieces = {{0, problem.place.size - 1, start_of(layout.blocks, rank), mine}};
    layout.leaving = static_cast<double>(layout.n_out() - mine);
    layout.arriving = problem.place.size > 1 ? static_cast<double>(mine) : 0.0;
    if (problem.is_in_place) {
        layout.is_in_place = true;
        layout.n_in = layout.n_out();
    }
    return layout;
}

}  // namespace

std::size_t Layout::n_out() const {
    return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0});
}

std::size_t Layout::first_of(std::size_t block) const {
    if (!firsts.empty()) return firsts[block];
    return start_of(blocks, static_cast<int>(block));
}

std::size_t share(const Problem& problem, int rank) {
    const int partner = rank % 2 == 0 ? rank + 1 : rank - 1;
    if (!problem.is_uneven || partner >= problem.place.size) return problem.n;
    const std::size_t smaller = rank / 2 % 2 == 0 ? problem.n / 2 : 0;
    return rank < partner ? smaller : 2 * problem.n - smaller;
}

Layout nothing(const Problem&) {
    return {};
}

Layout broadcast(const Problem& problem) {
    const int root = problem.place.root;
    Layout layout{.pieces = {{root, root, 0, problem.n}}, .n_in = problem.n, .is_in_place = true};
    if (is_root(problem)) layout.blocks = {problem.n};
    const auto n = static_cast<double>(problem.n);
    layout.arriving = is_root(problem) ? 0.0 : n;
    layout.leaving = is_root(problem) ? std::min(1.0, others(problem)) * n : 0.0;
    return layout;
}

Layout gather(const Problem& problem) {
    const std::size_t mine = share(problem, problem.place.rank);
    Layout layout{.blocks = {mine}};
    if (!is_root(problem)) {
        layout.leaving = static_cast<double>(mine);
        return layout;
    }
    layout.pieces = everyones(problem);
    layout.n_in = problem.n * index(problem.place.size);
    layout.arriving = static_cast<double>(layout.n_in - mine);
    layout.is_in_place = problem.is_in_place;
    layout.input_at = start_of(shares(problem), problem.place.rank);
    return layout;
}

Layout scatter(const Problem& problem) {
    const auto blocks = shares(problem);
    const int rank = problem.place.rank;
    const int root = problem.place.root;
    const std::size_t mine = blocks[index(rank)];
    Layout layout{.pieces = {{root, root, start_of(blocks, rank), mine}}, .n_in = mine};
    if (is_root(problem)) {
        layout.blocks = blocks;
        layout.leaving = static_cast<double>(layout.n_out() - mine);
    } else {
        layout.arriving = static_cast<double>(mine);
    }
    return layout;
}

Layout all_gather(const Problem& problem) {
    const std::size_t mine = share(problem, problem.place.rank);
    Layout layout{.blocks = {mine},
                  .pieces = everyones(problem),
                  .n_in = problem.n * index(problem.place.size),
                  .is_in_place = problem.is_in_place,
                  .input_at = start_of(shares(problem), problem.place.rank)};
    layout.arriving = static_cast<double>(layout.n_in - mine);
    layout.leaving = std::min(1.0, others(problem)) * static_cast<double>(mine);
    return layout;
}

Layout all_to_all(const Problem& problem) {
    const int rank = problem.place.rank;
    Layout layout{.blocks = blocks_from(problem, rank), .is_in_place = problem.is_in_place};
    for (int from = 0; from < problem.place.size; ++from) {
        const auto blocks = blocks_from(problem, from);
        layout.pieces.push_back({from, from, start_of(blocks, rank), blocks[index(rank)]});
    }
    layout.n_in = layout.n_out();
    layout.arriving = static_cast<double>(layout.n_out() - layout.blocks[index(rank)]);
    layout.leaving = layout.arriving;
    return layout;
}

Layout reduce(const Problem& problem) {
    Layout layout = sums(problem, is_root(problem) ? problem.place.size - 1 : -1);
    const auto n = static_cast<double>(problem.n);
    if (!is_root(problem)) layout.n_in = 0;
    layout.leaving = is_root(problem) ? 0.0 : n;
    layout.arriving = is_root(problem) ? std::min(1.0, others(problem)) * n : 0.0;
    return layout;
}

Layout all_reduce(const Problem& problem) {
    Layout layout = sums(problem, problem.place.size - 1);
    layout.is_in_place = problem.is_in_place;
    // Each vector but one is added to another, and the sum comes back as often: spread evenly.
    layout.arriving = 2.0 * others(problem) / problem.place.size * static_cast<double>(problem.n);
    layout.leaving = layout.arriving;
    return layout;
}

Layout scan(const Problem& problem) {
    return chain(problem, problem.place.rank);
}

Layout exclusive_scan(const Problem& problem) {
    return chain(problem, problem.place.rank - 1);
}

Layout reduce_scatter(const Problem& problem) {
    const std::size_t size = index(problem.place.size);
    std::vector<std::size_t> blocks(size, problem.n / size);
    for (std::size_t i = 0; i < problem.n % size; ++i) ++blocks[i];
    return scattered_sum(problem, std::move(blocks));
}

Layout reduce_scatter_block(const Problem& problem) {
    return scattered_sum(problem, std::vector(index(problem.place.size), problem.n));
}

Layout neighbor_all_gather(const Problem& problem) {
    Layout layout{.blocks = {problem.n}, .n_in = 4 * problem.n};
    std::set<int> distinct;
    for (const int from : problem.place.neighbors) {
        layout.pieces.push_back({from, from, 0, problem.n});
        if (from != problem.place.rank) distinct.insert(from);
    }
    const auto n = static_cast<double>(problem.n);
    layout.arriving = static_cast<double>(distinct.size()) * n;
    layout.leaving = distinct.empty() ? 0.0 : n;
    return layout;
}

// MPI 3.1 leaves open which of several blocks between the same two ranks comes first, as there are
// on a side of one or two ranks: therefore these have the same elements.
Layout neighbor_all_to_all(const Problem& problem) {
    const auto& neighbors = problem.place.neighbors;
    Layout layout{.blocks = std::vector(neighbors.size(), problem.n),
                  .n_in = neighbors.size() * problem.n};
    for (const int peer : neighbors) {
        std::size_t to = neighbors.size();    // the first side where it stands
        std::size_t from = neighbors.size();  // the first side where it has this rank
        for (std::size_t side = 0; side < neighbors.size(); ++side) {
            if (neighbors[side] != peer) continue;
            to = std::min(to, side);
            from = std::min(from, side ^ 1U);
        }
        layout.firsts.push_back(to * problem.n);
        layout.pieces.push_back({peer, peer, from * problem.n, problem.n});
        if (peer != problem.place.rank) layout.arriving += static_cast<double>(problem.n);
    }
    layout.leaving = layout.arriving;
    return layout;
}

}  // namespace heorot::collectives
