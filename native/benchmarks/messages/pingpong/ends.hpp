// The two ends of a ping-pong, and the ranks between them that only watch.
#pragma once

#include <mpi.h>

#include "harness/program.hpp"

namespace heorot::pingpong {

inline constexpr int tag = 17;

/// As one rank sees them; `mine` is 0 or 1 for the ends and anything else for idle ranks.
struct Ends {
    const Communicator& world;
    int mine;
    int peer;  ///< rank of the other end

    /// Rank 0 plays with rank `partner`.
    Ends(const Communicator& group, int partner)
        : world(group),
          mine(group.rank() == 0 ? 0 : (group.rank() == partner ? 1 : 2)),
          peer(group.rank() == 0 ? partner : 0) {}
    bool plays() const { return mine < 2; }
    MPI_Comm group() const { return world.mpi(); }
};

}  // namespace heorot::pingpong
