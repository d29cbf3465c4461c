// When the nodes of running jobs will be free again, by their estimates.
#pragma once

#include <span>

#include "scheduler/blocked.hpp"
#include "scheduler/setting.hpp"

namespace heorot::scheduler {

/// Running jobs by the ends that are expected.
class Ends {
  public:
    /// The earliest time at which enough nodes are free, and how many more will be then.
    struct Shadow {
        Time time = never;
        std::int32_t extra_nodes = 0;
    };

    void add(Time expected_end, Index job, std::int32_t nodes) {
        ends_.insert({expected_end, job, nodes});
    }
    void remove(Time expected_end, Index job) { ends_.erase({expected_end, job, 0}); }

    /// For a job of `nodes`, more than the `free` ones; never, should the running ones not do.
    Shadow shadow(std::int32_t nodes, std::int32_t free) const;

  private:
    struct End {
        Time time = 0;
        Index job = nobody;
        std::int32_t nodes = 0;

        bool operator<(const End& other) const {
            return time != other.time ? time < other.time : job < other.job;
        }
    };
    struct Total {
        explicit Total(std::span<const End> ends) {
            for (const End& end : ends) nodes += end.nodes;
        }
        std::int32_t nodes = 0;
    };

    Blocked<End, Total> ends_;
};

}  // namespace heorot::scheduler
