// The shadow time of the first job of the queue.
#include "scheduler/availability/ends.hpp"

namespace heorot::scheduler {

Ends::Shadow Ends::shadow(std::int32_t nodes, std::int32_t free) const {
    Shadow shadow;
    ends_.walk([&](const Total& total, std::span<const End> ends) {
        if (free + total.nodes < nodes) {
            free += total.nodes;
            return true;
        }
        for (const End& end : ends) {
            // All that end at the same moment are gone when the job starts.
            if (free >= nodes && end.time > shadow.time) return false;
            free += end.nodes;
            if (free >= nodes) shadow = {end.time, free - nodes};
        }
        return true;
    });
    return shadow;
}

}  // namespace heorot::scheduler
