// Ranks: what each order goes by, as a number that is low for whom it puts first.
#include "scheduler/queue.hpp"

#include "scheduler/availability/shape.hpp"

namespace heorot::scheduler {

Ranking::Ranking(const std::vector<Job>& jobs, const Setting& setting)
    : jobs_(jobs), setting_(setting) {
    if (setting.order == Order::fair_share) usage_.emplace(jobs, setting.half_life_seconds);
}

Waiting Ranking::arrived(Index job, Time now) {
    const Job& own = jobs_[static_cast<std::size_t>(job)];
    const double rank = fixed_rank(own, now);
    if (is_dynamic()) fixed_ranks_.push_back(rank);
    const std::int32_t cores = shape_of(own, setting_).rest.cores;
    return {rank, n_arrived_++, job, own.nodes, cores, own.estimate};
}

double Ranking::fixed_rank(const Job& job, Time now) const {
    switch (setting_.order) {
        case Order::arrival:
            break;
        case Order::shortest:
            return static_cast<double>(job.estimate);
        case Order::longest:
            return -static_cast<double>(job.estimate);
        case Order::smallest:
            return job.nodes;
        case Order::largest:
            return -static_cast<double>(job.nodes);
        case Order::priority:
        case Order::fair_share:
            // All age alike, so the order of two does not change: priority + ageing (t - arrival).
            return setting_.ageing * static_cast<double>(now) / static_cast<double>(second) -
                   static_cast<double>(job.priority);
    }
    return 0.0;
}

void Ranking::started(Index job, Time now) {
    if (usage_) usage_->started(jobs_[static_cast<std::size_t>(job)], now);
}

void Ranking::ended(Index job, Time now) {
    if (usage_) usage_->ended(jobs_[static_cast<std::size_t>(job)], now);
}

void Ranking::renew(Queue& queue, Time now) {
    if (!usage_) return;
    std::vector<Waiting> all;
    all.reserve(queue.size());
    queue.walk([&](const Least&, std::span<const Waiting> jobs) {
        all.insert(all.end(), jobs.begin(), jobs.end());
        return true;
    });
    for (Waiting& each : all) each = renewed(each, now);
    std::sort(all.begin(), all.end());
    queue.clear();
    for (const Waiting& each : all) queue.insert(each);
}

Waiting Ranking::renewed(Waiting job, Time now) {
    if (!usage_) return job;
    const std::int32_t user = jobs_[static_cast<std::size_t>(job.job)].user;
    job.rank = fixed_ranks_[job.turn] - setting_.share_weight * usage_->factor(user, now);
    return job;
}

std::size_t Ranking::group_of(const Waiting& job) const {
    return usage_ ? static_cast<std::size_t>(jobs_[static_cast<std::size_t>(job.job)].user) : 0;
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
