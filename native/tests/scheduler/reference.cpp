// Strict order, EASY, first fit and conservative backfilling as lists that are searched from end to
// end.
#include "tests/scheduler/reference.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "scheduler/usage.hpp"

namespace heorot::tests {

namespace {

using scheduler::Backfill;
using scheduler::Job;
using scheduler::never;
using scheduler::Order;
using scheduler::Setting;
using scheduler::Time;

/// A job's nodes from `begin` until `end`, actual or estimated.
struct Span {
    std::size_t job;
    Time begin, end;
};

class Machine {
  public:
    Machine(const std::vector<Job>& jobs, const Setting& setting)
        : jobs_(jobs),
          setting_(setting),
          n_nodes_(setting.n_nodes),
          usage_(jobs, setting.half_life_seconds) {
        slow_.start.assign(jobs.size(), never);
        slow_.promised.assign(jobs.size(), never);
        came_.assign(jobs.size(), never);
        left_.assign(jobs.size(), never);
        turns_.assign(jobs.size(), 0);
    }

    Slow to_the_end() {
        for (Time now = next(0); now != never; now = next(now)) {
            const bool some_early = end_jobs(now);
            std::vector<std::size_t> newcomers;
            for (std::size_t i = 0; i < jobs_.size(); ++i) {
                if (came_[i] != never || arrival(i) > now) continue;
                came_[i] = now;
                turns_[i] = n_came_++;
                if (jobs_[i].nodes > n_nodes_) {
                    left_[i] = now;
                } else {
                    newcomers.push_back(i);
                }
            }
            if (setting_.backfill == Backfill::conservative) {
                plan(now, newcomers, some_early);
            } else {
                queue_.insert(queue_.end(), newcomers.begin(), newcomers.end());
                overtake(now);
            }
        }
        return slow_;
    }

  private:
    Time arrival(std::size_t i) const {
        const Job& job = jobs_[i];
        if (job.preceding < 0) return job.submit;
        const Time left = left_[static_cast<std::size_t>(job.preceding)];
        return left == never ? never : std::max(job.submit, left + job.think);
    }

    /// When something happens next, be it now.
    Time next(Time now) const {
        Time first = never;
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            if (came_[i] == never) first = std::min(first, std::max(now, arrival(i)));
            const bool runs = slow_.start[i] != never && left_[i] == never;
            if (runs) first = std::min(first, slow_.start[i] + jobs_[i].run);
        }
        for (const Span& span : reserved_) first = std::min(first, span.begin);
        return first;
    }

    /// Whether any ended before its estimate.
    bool end_jobs(Time now) {
        bool some_early = false;
        for (std::size_t k = 0; k < running_.size();) {
            const std::size_t i = running_[k].job;
            if (running_[k].begin + jobs_[i].run > now) {
                ++k;
                continue;
            }
            some_early = some_early || running_[k].end > now;
            left_[i] = now;
            usage_.ended(jobs_[i], now);
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
        }
        return some_early;
    }

    int free_nodes() const {
        int n = n_nodes_;
        for (const Span& span : running_) n -= jobs_[span.job].nodes;
        return n;
    }

    void start(std::size_t i, Time now) {
        slow_.start[i] = now;
        usage_.started(jobs_[i], now);
        running_.push_back({i, now, now + jobs_[i].estimate});
    }

    /// When the first of the queue will be able to start, and nodes that it leaves over then.
    std::pair<Time, int> shadow() const {
        std::vector<Time> ends;
        ends.reserve(running_.size());
        for (const Span& span : running_) ends.push_back(span.end);
        std::sort(ends.begin(), ends.end());
        for (const Time end : ends) {
            int n = free_nodes();
            for (const Span& span : running_) n += span.end <= end ? jobs_[span.job].nodes : 0;
            if (n >= jobs_[queue_.front()].nodes) return {end, n - jobs_[queue_.front()].nodes};
        }
        return {never, 0};
    }

    /// Puts who waits into the order that holds now.
    void sort_queue(Time now) {
        std::vector<std::pair<std::pair<double, std::size_t>, std::size_t>> turns;
        turns.reserve(queue_.size());
        for (const std::size_t i : queue_) turns.emplace_back(turn(i, now), i);
        std::sort(turns.begin(), turns.end());
        std::transform(turns.begin(), turns.end(), queue_.begin(),
                       [](const auto& each) { return each.second; });
    }

    void overtake(Time now) {
        sort_queue(now);
        while (!queue_.empty() && jobs_[queue_.front()].nodes <= free_nodes()) {
            start(queue_.front(), now);
            queue_.erase(queue_.begin());
        }
        if (setting_.backfill == Backfill::none || queue_.empty()) return;
        const bool is_easy = setting_.backfill == Backfill::easy;
        for (std::size_t k = 1; k < queue_.size();) {
            // Asked anew each time: those that have started since are among the running.
            const auto [time, extra_nodes] = shadow();
            const std::size_t i = queue_[k];
            const bool fits = jobs_[i].nodes <= free_nodes();
            const bool delays = now + jobs_[i].estimate > time && jobs_[i].nodes > extra_nodes;
            if (fits && !(is_easy && delays)) {
                start(i, now);
                queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(k));
            } else {
                ++k;
            }
        }
    }

    int used_at(Time time) const {
        int n = 0;
        for (const auto* spans : {&running_, &reserved_}) {
            for (const Span& span : *spans) {
                if (span.begin <= time && time < span.end) n += jobs_[span.job].nodes;
            }
        }
        return n;
    }

    bool fits(std::size_t i, Time begin) const {
        const Time end = begin + jobs_[i].estimate;
        const auto is_full = [&](Time time) { return used_at(time) + jobs_[i].nodes > n_nodes_; };
        if (is_full(begin)) return false;
        return std::none_of(reserved_.begin(), reserved_.end(), [&](const Span& span) {
            return begin < span.begin && span.begin < end && is_full(span.begin);
        });
    }

    /// A job fits first either now or at the end of another job.
    Time earliest(std::size_t i, Time now) const {
        Time first = fits(i, now) ? now : never;
        for (const auto* spans : {&running_, &reserved_}) {
            for (const Span& span : *spans) {
                if (span.end > now && span.end < first && fits(i, span.end)) first = span.end;
            }
        }
        return first;
    }

    /// What is lower of a job whose turn is earlier.
    std::pair<double, std::size_t> turn(std::size_t i, Time now) {
        const Job& job = jobs_[i];
        double rank = 0.0;
        if (setting_.order == Order::shortest) rank = static_cast<double>(job.estimate);
        if (setting_.order == Order::longest) rank = -static_cast<double>(job.estimate);
        if (setting_.order == Order::smallest) rank = job.nodes;
        if (setting_.order == Order::largest) rank = -job.nodes;
        if (setting_.order == Order::priority || setting_.order == Order::fair_share) {
            rank = setting_.ageing * static_cast<double>(came_[i]) / 1e6 -
                   static_cast<double>(job.priority);
        }
        if (setting_.order == Order::fair_share) {
            rank -= setting_.share_weight * usage_.factor(job.user, now);
        }
        return {rank, turns_[i]};
    }

    void plan(Time now, const std::vector<std::size_t>& newcomers, bool some_early) {
        if (some_early) compress(now);
        for (const std::size_t i : newcomers) {
            if (has_room()) {
                reserve(i, now);
            } else {
                queue_.push_back(i);
            }
        }
        start_due(now);
        while (has_room() && !queue_.empty()) {
            const auto is_earlier = [&](std::size_t a, std::size_t b) {
                return turn(a, now) < turn(b, now);
            };
            const auto next = std::min_element(queue_.begin(), queue_.end(), is_earlier);
            reserve(*next, now);
            queue_.erase(next);
            start_due(now);
        }
    }

    bool has_room() const { return std::cmp_less(reserved_.size(), setting_.most_reservations); }

    void reserve(std::size_t i, Time now) {
        const Time begin = earliest(i, now);
        slow_.promised[i] = begin;
        reserved_.push_back({i, begin, begin + jobs_[i].estimate});
    }

    void start_due(Time now) {
        for (const Span& span : reserved_) {
            if (span.begin == now) start(span.job, now);
        }
        std::erase_if(reserved_, [now](const Span& span) { return span.begin == now; });
    }

    void compress(Time now) {
        std::sort(reserved_.begin(), reserved_.end(), [&](const Span& a, const Span& b) {
            return turn(a.job, now) < turn(b.job, now);
        });
        for (Span& span : reserved_) {
            const Span old = span;
            span.begin = span.end = -1;  // occupies nothing
            const Time better = earliest(old.job, now);
            slow_.has_delayed = slow_.has_delayed || better > old.begin;
            span = {old.job, better, better + jobs_[old.job].estimate};
        }
    }

    const std::vector<Job>& jobs_;
    const Setting& setting_;
    int n_nodes_;
    scheduler::Usage usage_;
    Slow slow_;
    std::vector<Time> came_;
    std::vector<Time> left_;
    std::vector<std::size_t> turns_;
    std::size_t n_came_ = 0;
    std::vector<std::size_t> queue_;  ///< who waits without a reservation
    std::vector<Span> running_, reserved_;
};

}  // namespace

Slow schedule_slowly(const std::vector<Job>& jobs, const Setting& setting) {
    return Machine(jobs, setting).to_the_end();
}

}  // namespace heorot::tests
