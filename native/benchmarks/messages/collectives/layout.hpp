// Input and expected output of a collective operation on every rank.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace heorot::collectives {

/// Where a rank stands: in the group, and on the periodic grid of all its ranks.
struct Place {
    int rank;
    int size;
    int root;
    std::array<int, 4> neighbors;  ///< before and behind along each of two directions
};

/// One operation of n doubles, as one rank sees it.
struct Problem {
    Place place;
    std::size_t n;
    bool is_uneven = false;    ///< whether the ranks' shares differ
    bool is_in_place = false;  ///< whether the input lies where the result will be
};

/// Elements that a rank must receive: number `first` on, as the ranks first_rank to last_rank
/// handed them in, summed over these ranks.
struct Piece {
    int first_rank;
    int last_rank;
    std::size_t first;
    std::size_t length;
};

/// One rank's part in an operation. Lengths are in elements.
struct Layout {
    std::vector<std::size_t> blocks = {};  ///< passed to the call, contiguous
    std::vector<std::size_t> firsts = {};  ///< numbers of their first elements
    std::vector<Piece> pieces = {};        ///< received, back to back
    std::size_t n_in = 0;                  ///< what the result may occupy
    bool is_in_place = false;
    std::size_t input_at = 0;  ///< where the input lies in the result, if in place
    // The least data between this rank and others, with any algorithm.
    double arriving = 0.0;
    double leaving = 0.0;

    std::size_t n_out() const;
    /// The number of the first element of a block; without `firsts` all are consecutive.
    std::size_t first_of(std::size_t block) const;
};

/// The share of rank `rank`: n, or if they are uneven, of two neighbours one has less, perhaps
/// nothing, and the other as much more, so that the sum remains n size.
std::size_t share(const Problem& problem, int rank);

Layout nothing(const Problem& problem);
Layout broadcast(const Problem& problem);
Layout gather(const Problem& problem);
Layout scatter(const Problem& problem);
Layout all_gather(const Problem& problem);
Layout all_to_all(const Problem& problem);
Layout reduce(const Problem& problem);
Layout all_reduce(const Problem& problem);
Layout scan(const Problem& problem);
Layout exclusive_scan(const Problem& problem);
Layout reduce_scatter(const Problem& problem);
Layout reduce_scatter_block(const Problem& problem);
Layout neighbor_all_gather(const Problem& problem);
Layout neighbor_all_to_all(const Problem& problem);

}  // namespace heorot::collectives
