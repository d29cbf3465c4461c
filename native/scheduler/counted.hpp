// The fast scheduler for equal nodes that jobs have to themselves: only their number matters.
#pragma once

#include <vector>

#include "scheduler/availability/ends.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/queue.hpp"

namespace heorot::scheduler {

/// Strict order, EASY and first fit.
///
/// Method  The first of the queue starts when there are nodes for it. With EASY, if there are not,
///         its shadow time is when, by the estimates of the running jobs, there will be; another
///         job may start now if it ends by then, or if it takes only nodes that are left over then.
///         After arrivals alone a pass looks at the new job only: a job that could not start before
///         cannot start later, as long as none ends.
/// Source  D. A. Lifka, The ANL/IBM SP scheduling system, JSSPP 1995; A. W. Mu'alem and
///         D. G. Feitelson, Utilization, predictability, workloads, and user runtime estimates in
///         scheduling the IBM SP2 with backfilling, IEEE TPDS 12(6), 2001.
class Counted : public Scheduler {
  public:
    Counted(const std::vector<Job>& jobs, const Setting& setting);

    void arrive(Index job, Time now) override;
    void end(Index job, Time now) override;
    void pass(Time now, const Start& start) override;

  private:
    bool may_overtake(const Waiting& job, Time now) const {
        return job.nodes <= free_ &&
               (now + job.estimate <= shadow_.time || job.nodes <= shadow_.extra_nodes);
    }
    void launch(const Waiting& job, Time now, const Start& start);
    void overtake(const Waiting& job, Time now, const Start& start);
    void look_at_all(Time now, const Start& start);
    bool look_at_one(Time now, const Start& start);

    const std::vector<Job>& jobs_;
    Backfill backfill_;
    std::int32_t free_;
    Ranking ranking_;
    Queue queue_{ranking_};
    Ends ends_;
    Ends::Shadow shadow_;           ///< of the first of the queue, if it waits
    std::vector<Waiting> arrived_;  ///< and not yet in the queue
    bool has_ended_ = false;        ///< some job, since the last look
    std::vector<Time> expected_end_;
};

}  // namespace heorot::scheduler
