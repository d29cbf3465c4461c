// Ghost layers of all tiles of a rank, filled from the adjacent tiles of its six neighbours.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "benchmarks/npb/flow/field.hpp"
#include "harness/array.hpp"
#include "harness/world/communicator.hpp"
#include "numerics/tiles.hpp"

namespace heorot::flow {

/// One message per neighbour and exchange, for any number of tiles. It has the two outermost layers
/// of points of every tile, without edges and corners of the ghost layers, which the operator does
/// not need. On one rank it does nothing. Checked against the neighbours' points in
/// tests/npb/flow/test_flow_exchange.cpp: ghosts_are_the_neighbours_points.
class GhostExchange {
  public:
    explicit GhostExchange(const Multipartition& partition);

    /// Packs and starts all messages. Tiles in the order of partition.tiles(); their points must
    /// not change before finish(). **Collective** over the ranks of the partition.
    void start(std::span<const Field> fields, const Communicator& communicator);
    /// Waits for them and fills the ghost layers. **Collective.**
    void finish(std::span<Field> fields, const Communicator& communicator);

  private:
    struct Message {
        int d;
        Side side;               // of this rank's tiles, where it is sent and where it arrives
        std::vector<int> tiles;  // that have a neighbour there
        Array<double> outgoing;
        Array<double> incoming;
    };

    const Multipartition& partition_;
    std::vector<Message> messages_;
    std::vector<Request> requests_;
};

}  // namespace heorot::flow
