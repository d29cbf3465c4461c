// Ranks of jobs: the criterion of each order as a number, lowest for the first job.
#include "scheduler/ranking.hpp"

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

void Ranking::renew(Sequence& jobs, Time now) {
    if (!usage_) return;
    std::vector<Waiting> all;
    all.reserve(jobs.size());
    jobs.walk([&](const Least&, std::span<const Waiting> some) {
        all.insert(all.end(), some.begin(), some.end());
        return true;
    });
    for (Waiting& each : all) each = renewed(each, now);
    std::sort(all.begin(), all.end());
    jobs.clear();
    for (const Waiting& each : all) jobs.insert(each);
}

Waiting Ranking::renewed(Waiting job, Time now) {
    if (usage_) job.rank = rank(fixed_ranks_[job.turn], factor(group_of(job), now));
    return job;
}

std::size_t Ranking::group_of(const Waiting& job) const {
    return usage_ ? static_cast<std::size_t>(jobs_[static_cast<std::size_t>(job.job)].user) : 0;
}

double Ranking::factor(std::size_t group, Time now) {
    return usage_ ? usage_->factor(static_cast<std::int32_t>(group), now) : 0.0;
}

double Ranking::rank(double first, double factor) const {
    return first - setting_.share_weight * factor;
}

bool Ranking::may_round(double difference, double largest) const {
    // Factors are at most 1; both ranks are off by half a unit in the last place at most.
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    return !(difference > 2.0 * epsilon * (largest + setting_.share_weight));
}

}  // namespace heorot::scheduler
