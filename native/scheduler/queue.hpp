// The queue: waiting jobs in the order of their priority.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <ranges>
#include <vector>

#include "scheduler/ranking.hpp"

namespace heorot::scheduler {

/// Waiting jobs in queue order, of which any may start.
///
/// Method  Time changes only what the ranks of a user's jobs have in common, so each user has a
///         sequence of its own, which is sorted once; the order of all is a merge of these.
class Queue {
  public:
    explicit Queue(Ranking& ranking) : ranking_(ranking) {}

    bool empty() const { return n_jobs_ == 0; }
    /// Jobs are inserted in the order of their arrival numbers, Waiting::turn.
    void insert(const Waiting& job);
    /// Updates the order to `now`. With dynamic priorities the functions below are valid only after
    /// this, until the next insert() or sift().
    void renew(Time now);
    /// Precondition: not empty.
    const Waiting& front() const {
        return ranking_.is_dynamic() ? heads_.front().job : groups_.front().jobs.front();
    }
    void pop_front();
    /// Visits jobs in queue order and removes those for which `visit` is true. Jobs are skipped
    /// where `passes_over(least)` is true of the least request of one or several of them; a job
    /// skipped once must be skipped until the sift ends. Precondition: not empty.
    template <class PassesOver, class Visit>
    void sift(const PassesOver& passes_over, const Visit& visit);

  private:
    struct Group {
        Sequence jobs;
        double factor = 0.0;   ///< of ranks, at the last renewal
        double largest = 0.0;  ///< amount of a rank
        /// The least advantage by which a job precedes an earlier one.
        double finest = std::numeric_limits<double>::infinity();
        bool is_listed = false;
    };
    /// The first job of a group, or the first one that is not passed over.
    struct Head {
        Waiting job;  ///< with its rank now
        std::size_t group = 0;
        Sequence::Cursor at;

        bool operator>(const Head& other) const { return job > other.job; }
    };

    Waiting ranked(Waiting job, const Group& group) const {
        job.rank = ranking_.rank(job.rank, group.factor);
        return job;
    }

    Ranking& ranking_;
    std::size_t n_jobs_ = 0;
    std::vector<Group> groups_;
    std::vector<std::size_t> listed_;  ///< groups that have jobs, and some that had
    std::vector<Head> heads_;          ///< of all groups that have jobs, as a heap
    std::vector<Head> open_, taken_;   ///< of a sift
};

template <class PassesOver, class Visit>
void Queue::sift(const PassesOver& passes_over, const Visit& visit) {
    if (!ranking_.is_dynamic()) {
        groups_.front().jobs.sift(passes_over, visit);
        n_jobs_ = groups_.front().jobs.size();
        return;
    }
    open_.clear();
    taken_.clear();
    // Puts a head at the next job of its group, if there is one.
    const auto advance = [&](Head& head) {
        const Group& group = groups_[head.group];
        const Waiting* job = group.jobs.seek(head.at, passes_over);
        if (job != nullptr) head.job = ranked(*job, group);
        return job != nullptr;
    };
    for (const std::size_t group : listed_) {
        open_.push_back({{}, group, {}});
        if (!advance(open_.back())) open_.pop_back();
    }
    std::make_heap(open_.begin(), open_.end(), std::greater<>());
    while (!open_.empty()) {
        std::pop_heap(open_.begin(), open_.end(), std::greater<>());
        Head& next = open_.back();
        if (visit(next.job) == Verdict::take) taken_.push_back(next);
        ++next.at.entry;
        if (advance(next)) {
            std::push_heap(open_.begin(), open_.end(), std::greater<>());
        } else {
            open_.pop_back();
        }
    }
    n_jobs_ -= taken_.size();
    // The last first: the others of its group stay where they are.
    for (const auto& head : std::views::reverse(taken_)) {
        groups_[head.group].jobs.erase_at(head.at);
    }
}

/// Waiting jobs of which only the first is ever needed, however their order changes.
class Backlog {
  public:
    explicit Backlog(Ranking& ranking) : ranking_(ranking) {}

    bool empty() const { return n_jobs_ == 0; }
    void add(const Waiting& job);
    /// Removes the first in the order as of `now`. Precondition: not empty.
    Waiting take(Time now);

  private:
    Ranking& ranking_;
    std::size_t n_jobs_ = 0;
    std::vector<std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>> groups_;
};

}  // namespace heorot::scheduler
