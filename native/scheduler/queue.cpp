// Merging the sequences of groups.
#include "scheduler/queue.hpp"

#include <cmath>
#include <utility>

namespace heorot::scheduler {

void Queue::insert(const Waiting& job) {
    const std::size_t number = ranking_.group_of(job);
    if (number >= groups_.size()) groups_.resize(number + 1);
    Group& group = groups_[number];
    if (!std::exchange(group.is_listed, true)) listed_.push_back(number);
    const Waiting* after = group.jobs.insert(job);
    if (after != nullptr) group.finest = std::min(group.finest, after->rank - job.rank);
    group.largest = std::max(group.largest, std::abs(job.rank));
    ++n_jobs_;
}

void Queue::renew(Time now) {
    if (!ranking_.is_dynamic()) return;
    heads_.clear();
    std::erase_if(listed_, [this](std::size_t number) {
        if (!groups_[number].jobs.empty()) return false;
        groups_[number] = {};
        return true;
    });
    for (const std::size_t number : listed_) {
        Group& group = groups_[number];
        if (ranking_.may_round(group.finest, group.largest)) {
            // Jobs whose ranks are the same when rounded go by their turn, as all equals do.
            ranking_.renew(group.jobs, now);
            group.factor = 0.0;
        } else {
            group.factor = ranking_.factor(number, now);
        }
        heads_.push_back({ranked(group.jobs.front(), group), number, {}});
    }
    std::make_heap(heads_.begin(), heads_.end(), std::greater<>());
}

void Queue::pop_front() {
    --n_jobs_;
    if (!ranking_.is_dynamic()) return groups_.front().jobs.pop_front();
    std::pop_heap(heads_.begin(), heads_.end(), std::greater<>());
    Head& head = heads_.back();
    Group& group = groups_[head.group];
    group.jobs.pop_front();
    if (group.jobs.empty()) return heads_.pop_back();
    head.job = ranked(group.jobs.front(), group);
    std::push_heap(heads_.begin(), heads_.end(), std::greater<>());
}

void Backlog::add(const Waiting& job) {
    const std::size_t group = ranking_.group_of(job);
    if (group >= groups_.size()) groups_.resize(group + 1);
    groups_[group].push(job);
    ++n_jobs_;
}

Waiting Backlog::take(Time now) {
    Waiting first;
    std::size_t from = groups_.size();
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        if (groups_[group].empty()) continue;
        const Waiting top = ranking_.renewed(groups_[group].top(), now);
        if (from < group && first < top) continue;
        first = top;
        from = group;
    }
    groups_[from].pop();
    --n_jobs_;
    return first;
}

}  // namespace heorot::scheduler
