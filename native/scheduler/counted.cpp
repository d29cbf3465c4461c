// Passes over the queue by numbers of nodes.
#include "scheduler/counted.hpp"

#include <utility>

namespace heorot::scheduler {

Counted::Counted(const std::vector<Job>& jobs, const Setting& setting)
    : jobs_(jobs), backfill_(setting.backfill), free_(setting.n_nodes), ranking_(jobs, setting) {
    if (backfill_ == Backfill::easy) expected_end_.assign(jobs.size(), 0);
}

void Counted::arrive(Index job, Time now) {
    arrived_.push_back(ranking_.arrived(job, now));
}

void Counted::end(Index job, Time now) {
    const auto i = static_cast<std::size_t>(job);
    free_ += jobs_[i].nodes;
    if (backfill_ == Backfill::easy) ends_.remove(expected_end_[i], job);
    ranking_.ended(job, now);
    has_ended_ = true;
}

void Counted::pass(Time now, const Start& start) {
    if (!has_ended_ && arrived_.size() == 1 && look_at_one(now, start)) return;
    for (const Waiting& job : arrived_) queue_.insert(job);
    arrived_.clear();
    has_ended_ = false;
    queue_.renew(now);
    look_at_all(now, start);
}

void Counted::launch(const Waiting& job, Time now, const Start& start) {
    free_ -= job.nodes;
    if (backfill_ == Backfill::easy) {
        expected_end_[static_cast<std::size_t>(job.job)] = now + job.estimate;
        ends_.add(now + job.estimate, job.job, job.nodes);
    }
    ranking_.started(job.job, now);
    start(job.job, {});
}

void Counted::overtake(const Waiting& job, Time now, const Start& start) {
    if (now + job.estimate > shadow_.time) shadow_.extra_nodes -= job.nodes;
    launch(job, now, start);
}

void Counted::look_at_all(Time now, const Start& start) {
    while (!queue_.empty() && queue_.front().nodes <= free_) {
        const Waiting job = queue_.front();
        queue_.pop_front();
        launch(job, now, start);
    }
    shadow_ = {};
    if (queue_.empty() || free_ == 0 || backfill_ == Backfill::none) return;
    if (backfill_ == Backfill::easy) shadow_ = ends_.shadow(queue_.front().nodes, free_);
    queue_.sift(
        [&](const Least& least) {
            return least.nodes > free_ ||
                   (now + least.estimate > shadow_.time && least.nodes > shadow_.extra_nodes);
        },
        [&](const Waiting& job) {
            if (!may_overtake(job, now)) return Verdict::keep;
            overtake(job, now, start);
            return Verdict::take;
        });
}

bool Counted::look_at_one(Time now, const Start& start) {
    const Waiting job = arrived_.front();
    if (ranking_.is_dynamic() || queue_.empty() || job < queue_.front()) return false;
    arrived_.clear();
    if (backfill_ == Backfill::none || !may_overtake(job, now)) {
        queue_.insert(job);
        return true;
    }
    overtake(job, now, start);
    return true;
}

}  // namespace heorot::scheduler
