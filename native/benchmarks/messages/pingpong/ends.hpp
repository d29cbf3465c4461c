// The two ends of a ping-pong, and the other ranks, which only watch.
#pragma once

#include "harness/program.hpp"

namespace heorot::pingpong {

inline constexpr int tag = 17;

/// As one rank sees them; `mine` is 0 or 1 for the ends and anything else for idle ranks.
struct Ends {
    const Communicator& world;
    int mine;
    int peer;  ///< rank of the other end

    /// Between rank `first`, which begins, and rank `second`.
    Ends(const Communicator& group, int first, int second)
        : world(group),
          mine(group.rank() == first ? 0 : (group.rank() == second ? 1 : 2)),
          peer(mine == 0 ? second : first) {}
    bool plays() const { return mine < 2; }
};

}  // namespace heorot::pingpong
