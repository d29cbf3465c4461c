// Particular nodes for jobs.
#include "scheduler/places.hpp"

#include <queue>
#include <utility>

namespace heorot::scheduler {

namespace {

/// The free nodes, and those that become free.
class Pool {
  public:
    explicit Pool(std::int32_t n_nodes) {
        for (std::int32_t node = 0; node < n_nodes; ++node) free_.push(node);
    }

    /// The lowest `n` nodes that are free at `from`, kept until `to`, in ascending order.
    std::span<const std::int32_t> take(std::int32_t n, Time from, Time to) {
        for (; !taken_.empty() && taken_.top().first <= from; taken_.pop()) {
            free_.push(taken_.top().second);
        }
        nodes_.clear();
        for (; n > 0; --n) {
            nodes_.push_back(free_.top());
            taken_.emplace(to, free_.top());
            free_.pop();
        }
        return nodes_;
    }

  private:
    using Taken = std::pair<Time, std::int32_t>;

    std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> free_;
    std::priority_queue<Taken, std::vector<Taken>, std::greater<>> taken_;
    std::vector<std::int32_t> nodes_;
};

}  // namespace

void PlaceLog::add(Index job, std::span<const std::int32_t> nodes) {
    jobs_.push_back(job);
    begins_.push_back(intervals_.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i > 0 && nodes[i] == nodes[i - 1] + 1) {
            ++intervals_.back().n;
        } else {
            intervals_.push_back({nodes[i], 1});
        }
    }
}

void PlaceLog::sort(Outcome& outcome, std::size_t n_jobs) const {
    const auto end_of = [this](std::size_t i) {
        return i + 1 < begins_.size() ? begins_[i + 1] : intervals_.size();
    };
    outcome.offsets.assign(n_jobs + 1, 0);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
        outcome.offsets[static_cast<std::size_t>(jobs_[i]) + 1] = end_of(i) - begins_[i];
    }
    for (std::size_t i = 0; i < n_jobs; ++i) outcome.offsets[i + 1] += outcome.offsets[i];
    outcome.intervals.resize(intervals_.size());
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
        const std::uint64_t to = outcome.offsets[static_cast<std::size_t>(jobs_[i])];
        for (std::size_t k = begins_[i]; k < end_of(i); ++k) {
            outcome.intervals[to + k - begins_[i]] = intervals_[k];
        }
    }
}

void assign_places(const std::vector<Job>& jobs, const Setting& setting, Outcome& outcome) {
    Pool pool(setting.n_nodes);
    PlaceLog log;
    auto block = setting.blocks.begin();
    for (const Index index : outcome.order) {
        const auto i = static_cast<std::size_t>(index);
        const Time start = outcome.start[i];
        for (; block != setting.blocks.end() && block->from <= start; ++block) {
            pool.take(block->nodes, block->from, block->to);
        }
        log.add(index, pool.take(jobs[i].nodes, start, start + jobs[i].run));
    }
    log.sort(outcome, jobs.size());
}

}  // namespace heorot::scheduler
