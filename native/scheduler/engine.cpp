// The loop over events.
#include "scheduler/engine.hpp"

#include <algorithm>
#include <memory>
#include <queue>
#include <utility>

#include "scheduler/counted.hpp"
#include "scheduler/places.hpp"
#include "scheduler/planned.hpp"

namespace heorot::scheduler {

namespace {

/// Something about a job at a time; the earliest first, of one time in the order of the workload.
struct Event {
    Time time = 0;
    Index job = nobody;

    bool operator>(const Event& other) const {
        return time != other.time ? time > other.time : job > other.job;
    }
};
using Events = std::priority_queue<Event, std::vector<Event>, std::greater<>>;

/// Jobs in order of arrival, by the clock or after the end of another job.
class Arrivals {
  public:
    explicit Arrivals(const std::vector<Job>& jobs) : jobs_(jobs) {
        const bool any = std::any_of(jobs.begin(), jobs.end(),
                                     [](const Job& job) { return job.preceding != nobody; });
        if (any) link();
        skip();
    }

    Time next() const {
        const Time by_clock = next_ < size() ? jobs_[at(next_)].submit : never;
        return released_.empty() ? by_clock : std::min(by_clock, released_.top().time);
    }

    /// Precondition: next() is `now`.
    Index take(Time now) {
        const bool by_clock = next_ < size() && jobs_[at(next_)].submit <= now;
        const bool by_release = !released_.empty() && released_.top().time <= now;
        if (by_clock && (!by_release || next_ < released_.top().job)) {
            const Index job = next_++;
            skip();
            return job;
        }
        const Index job = released_.top().job;
        released_.pop();
        return job;
    }

    /// Schedules the arrivals of jobs that waited for this one.
    void ended(Index job, Time now) {
        if (first_follower_.empty()) return;
        for (Index next = first_follower_[at(job)]; next != nobody;
             next = next_follower_[at(next)]) {
            const Job& follower = jobs_[at(next)];
            released_.push({std::max(follower.submit, now + follower.think), next});
        }
    }

  private:
    static std::size_t at(Index job) { return static_cast<std::size_t>(job); }
    Index size() const { return static_cast<Index>(jobs_.size()); }

    void link() {
        first_follower_.assign(jobs_.size(), nobody);
        next_follower_.assign(jobs_.size(), nobody);
        for (Index job = 0; job < size(); ++job) {
            const Index before = jobs_[at(job)].preceding;
            if (before != nobody) {
                next_follower_[at(job)] = std::exchange(first_follower_[at(before)], job);
            }
        }
    }

    void skip() {
        while (next_ < size() && jobs_[at(next_)].preceding != nobody) ++next_;
    }

    const std::vector<Job>& jobs_;
    Index next_ = 0;
    std::vector<Index> first_follower_, next_follower_;
    Events released_;
};

std::unique_ptr<Scheduler> make_scheduler(const std::vector<Job>& jobs, const Setting& setting) {
    const bool by_count = setting.allocation == Allocation::exclusive;
    if (!by_count) return make_placed(jobs, setting);
    if (setting.backfill == Backfill::conservative || !setting.blocks.empty()) {
        return make_planned(jobs, setting);
    }
    return std::make_unique<Counted>(jobs, setting);
}

/// A simulation on its way.
class Run {
  public:
    Run(const std::vector<Job>& jobs, const Setting& setting)
        : jobs_(jobs),
          setting_(setting),
          arrivals_(jobs),
          scheduler_(make_scheduler(jobs, setting)) {
        outcome_.submit.assign(jobs.size(), never);
        outcome_.start.assign(jobs.size(), never);
        outcome_.order.reserve(jobs.size());
    }

    Outcome to_the_end(const Progress& progress) {
        constexpr std::size_t often = 1 << 14;
        std::size_t n_reported = 0;
        for (Time now = 0; (now = next(now)) != never;) {
            report_ends(now);
            report_arrivals(now);
            scheduler_->pass(now, start_at(now));
            if (n_ended_ >= n_reported + often) progress(n_reported = n_ended_);
        }
        if (log_.is_wanted()) log_.sort(outcome_, jobs_.size());
        if (setting_.wants_places && !log_.is_wanted()) assign_places(jobs_, setting_, outcome_);
        outcome_.n_searches = scheduler_->n_searches();
        return std::move(outcome_);
    }

  private:
    static std::size_t at(Index job) { return static_cast<std::size_t>(job); }

    Time next(Time now) const {
        const Time end = ends_.empty() ? never : ends_.top().time;
        return std::min({end, arrivals_.next(), scheduler_->next(now)});
    }

    void report_ends(Time now) {
        while (!ends_.empty() && ends_.top().time <= now) {
            const Index job = ends_.top().job;
            ends_.pop();
            scheduler_->end(job, now);
            leave(job, now);
        }
    }

    void report_arrivals(Time now) {
        while (arrivals_.next() <= now) {
            const Index job = arrivals_.take(now);
            outcome_.submit[at(job)] = now;
            if (can_ever_run(jobs_[at(job)], setting_)) {
                scheduler_->arrive(job, now);
            } else {
                leave(job, now);
            }
        }
    }

    void leave(Index job, Time now) {
        ++n_ended_;
        arrivals_.ended(job, now);
    }

    Start start_at(Time now) {
        return [this, now](Index job, std::span<const std::int32_t> nodes) {
            outcome_.start[at(job)] = now;
            outcome_.order.push_back(job);
            ends_.push({now + jobs_[at(job)].run, job});
            if (setting_.wants_places && !nodes.empty()) log_.add(job, nodes);
        };
    }

    const std::vector<Job>& jobs_;
    const Setting& setting_;
    Arrivals arrivals_;
    std::unique_ptr<Scheduler> scheduler_;
    Events ends_;
    Outcome outcome_;
    PlaceLog log_;
    std::size_t n_ended_ = 0;
};

}  // namespace

Outcome simulate(const std::vector<Job>& jobs, const Setting& setting, const Progress& progress) {
    return Run(jobs, setting).to_the_end(progress);
}

}  // namespace heorot::scheduler
