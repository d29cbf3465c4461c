// Strict order, EASY, first fit and conservative backfilling over any plan.
#include "scheduler/planned.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "scheduler/availability/count_plan.hpp"
#include "scheduler/availability/node_plan.hpp"
#include "scheduler/queue.hpp"
#include "scheduler/refusals.hpp"

namespace heorot::scheduler {

namespace {

/// Planned start times of waiting jobs; outdated entries are skipped.
class Appointments {
  public:
    /// `starts` holds the current start time of every job in here.
    explicit Appointments(const std::vector<Time>& starts) : starts_(starts) {}

    void set(Index job, Time start, std::size_t n_waiting) {
        if (all_.size() > 2 * n_waiting + 64) drop_stale();
        all_.emplace_back(start, job);
        std::push_heap(all_.begin(), all_.end(), std::greater<>());
    }
    Time next() {
        while (!all_.empty() && is_stale(all_.front())) pop();
        return all_.empty() ? never : all_.front().first;
    }
    /// Precondition: there is a next one.
    void pop() {
        std::pop_heap(all_.begin(), all_.end(), std::greater<>());
        all_.pop_back();
    }

  private:
    using Appointment = std::pair<Time, Index>;

    bool is_stale(const Appointment& each) const {
        return starts_[static_cast<std::size_t>(each.second)] != each.first;
    }
    void drop_stale() {
        std::erase_if(all_, [this](const Appointment& each) { return is_stale(each); });
        std::make_heap(all_.begin(), all_.end(), std::greater<>());
    }

    const std::vector<Time>& starts_;
    std::vector<Appointment> all_;
};

/// Common to these schedulers: the queue, the plan, and the starts of jobs.
template <class Plan>
class Planned : public Scheduler {
  public:
    Planned(const std::vector<Job>& jobs, const Setting& setting)
        : jobs_(jobs), setting_(setting), plan_(jobs, setting), ranking_(jobs, setting) {
        starts_.assign(jobs.size(), never);
        for (const Block& block : setting.blocks) block_ends_.push_back(block.to);
        std::sort(block_ends_.begin(), block_ends_.end());
    }

    void arrive(Index job, Time now) override { arrived_.push_back(ranking_.arrived(job, now)); }

    void end(Index job, Time now) override {
        const auto i = static_cast<std::size_t>(job);
        is_early_ = is_early_ || now < starts_[i] + jobs_[i].estimate;
        plan_.release(job, starts_[i], now);
        ranking_.ended(job, now);
    }

  protected:
    void launch(Index job, Time now, const Start& start) {
        starts_[static_cast<std::size_t>(job)] = now;
        ranking_.started(job, now);
        start(job, plan_.nodes_of(job));
    }
    /// When a reservation lapses, jobs can start though none has ended.
    Time next_block_end(Time now) const {
        const auto next = std::upper_bound(block_ends_.begin(), block_ends_.end(), now);
        return next == block_ends_.end() ? never : *next;
    }

    const std::vector<Job>& jobs_;
    const Setting& setting_;
    Plan plan_;
    Ranking ranking_;
    std::vector<Waiting> arrived_;
    std::vector<Time> starts_;  ///< of jobs that run, or that have a reservation
    std::vector<Time> block_ends_;
    bool is_early_ = false;  ///< some job ended before its estimate, since a pass
};

/// One reservation at most: for the first of the queue.
///
/// Method  The first of the queue keeps its reservation from pass to pass. After arrivals alone a
///         pass looks at the new jobs only: a job that could not start before cannot start later,
///         as long as none ends and the reservation stays. In a pass nothing becomes free, so a job
///         that needs as much as a refused one, for as long, is skipped.
template <class Plan>
class Overtaking : public Planned<Plan> {
  public:
    Overtaking(const std::vector<Job>& jobs, const Setting& setting)
        : Planned<Plan>(jobs, setting), refusals_(jobs) {}

    Time next(Time now) override { return this->next_block_end(now); }

    void end(Index job, Time now) override {
        is_as_it_was_ = false;
        Planned<Plan>::end(job, now);
    }

    void pass(Time now, const Start& start) override {
        this->plan_.pass(now);
        refusals_.clear();
        if (is_as_it_was_ && now < next_look_ && !comes_first()) {
            look_at_arrived(now, start);
        } else {
            look_at_all(now, start);
        }
        next_look_ = this->next_block_end(now);
    }

  private:
    bool may_overtake() const {
        return !queue_.empty() && this->setting_.backfill != Backfill::none;
    }

    /// Whether the first of the queue may be another than it was.
    bool comes_first() const {
        return this->ranking_.is_dynamic() || queue_.empty() ||
               std::any_of(this->arrived_.begin(), this->arrived_.end(),
                           [this](const Waiting& job) { return job < queue_.front(); });
    }

    void look_at_all(Time now, const Start& start) {
        if (held_ != nobody) this->plan_.release(std::exchange(held_, nobody), shadow_, shadow_);
        for (const Waiting& job : std::exchange(this->arrived_, {})) queue_.insert(job);
        queue_.renew(now);
        while (!queue_.empty() && this->plan_.hold_now(queue_.front().job, now)) {
            const Index job = queue_.front().job;
            queue_.pop_front();
            this->launch(job, now, start);
        }
        is_as_it_was_ = true;
        if (!may_overtake()) return;
        const bool is_easy = this->setting_.backfill == Backfill::easy;
        const Index first = queue_.front().job;
        if (is_easy) shadow_ = this->plan_.hold(held_ = first, now);
        this->plan_.look(now);
        queue_.sift(
            [&](const Least& least) {
                return !this->plan_.may_fit(least.nodes, least.cores, least.estimate);
            },
            [&](const Waiting& job) {
                const bool takes = job.job != first && overtakes(job, now, start);
                return takes ? Verdict::take : Verdict::keep;
            });
    }

    void look_at_arrived(Time now, const Start& start) {
        std::sort(this->arrived_.begin(), this->arrived_.end());
        this->plan_.look(now);
        for (const Waiting& job : std::exchange(this->arrived_, {})) {
            if (!may_overtake() || !overtakes(job, now, start)) queue_.insert(job);
        }
    }

    bool overtakes(const Waiting& job, Time now, const Start& start) {
        if (!this->plan_.may_fit(job.nodes, job.cores, job.estimate)) return false;
        if (refusals_.knows(job, now)) return false;
        if (!this->plan_.hold_now(job.job, now)) {
            refusals_.add(job.job, this->plan_.level_of(job.estimate));
            return false;
        }
        this->launch(job.job, now, start);
        this->plan_.look(now);
        // The first may be given other nodes for later, now that these are taken.
        is_as_it_was_ = false;
        return true;
    }

    Queue queue_{this->ranking_};
    Refusals refusals_;          ///< in a pass
    Index held_ = nobody;        ///< the job with the reservation
    Time shadow_ = never;        ///< when it starts
    Time next_look_ = never;     ///< when more becomes free without the end of a job
    bool is_as_it_was_ = false;  ///< no job has started or ended since the last look at all
};

/// Reservations for all jobs, or for the number of the setting.
///
/// Method  A new job is given the earliest time at which it fits without moving a reservation.
///         When a job ends before its estimate the plan is compressed: once, in the order of the
///         queue, every job with a reservation is moved to the earliest time at which it fits
///         between all others at their times then; its own old time is always possible, so none
///         is ever delayed. A job that arrives when there are reservations enough waits without;
///         when a reserved one has started, the first of these in queue order gets a reservation.
/// Source  Mu'alem and Feitelson 2001, as above; the bound is bf_max_job_test of Slurm.
template <class Plan>
class Conservative : public Planned<Plan> {
  public:
    Conservative(const std::vector<Job>& jobs, const Setting& setting)
        : Planned<Plan>(jobs, setting), backlog_(this->ranking_) {}

    Time next(Time now) override {
        return std::min(appointments_.next(), this->next_block_end(now));
    }

    std::uint64_t n_searches() const override { return n_searches_; }

    void pass(Time now, const Start& start) override {
        this->plan_.pass(now);
        if (std::exchange(this->is_early_, false)) compress(now);
        for (const Waiting& job : std::exchange(this->arrived_, {})) {
            if (has_room()) {
                reserve(job, now);
            } else {
                backlog_.add(job);
            }
        }
        start_due(now, start);
        // A job may start with its reservation at once, which allows another one.
        for (; has_room() && !backlog_.empty(); start_due(now, start)) {
            reserve(backlog_.take(now), now);
        }
    }

  private:
    bool has_room() const { return std::cmp_less(queue_.size(), this->setting_.most_reservations); }

    void reserve(const Waiting& job, Time now) {
        ++n_searches_;
        queue_.insert(job);
        appoint(job.job, this->plan_.hold(job.job, now));
    }

    void appoint(Index job, Time time) {
        this->starts_[static_cast<std::size_t>(job)] = time;
        appointments_.set(job, time, queue_.size());
    }

    void compress(Time now) {
        this->ranking_.renew(queue_, now);
        n_searches_ += queue_.size();
        queue_.walk([&](const Least&, std::span<const Waiting> jobs) {
            for (const Waiting& job : jobs) {
                const Time old = this->starts_[static_cast<std::size_t>(job.job)];
                const Time better = this->plan_.advance(job.job, old, now);
                if (better < old) appoint(job.job, better);
            }
            return true;
        });
    }

    void start_due(Time now, const Start& start) {
        std::size_t n_due = 0;
        for (; appointments_.next() <= now; appointments_.pop()) ++n_due;
        if (n_due == 0) return;
        queue_.sift([&](const Least&) { return n_due == 0; },
                    [&](const Waiting& job) {
                        const auto i = static_cast<std::size_t>(job.job);
                        if (this->starts_[i] > now) return Verdict::keep;
                        --n_due;
                        this->launch(job.job, now, start);
                        return Verdict::take;
                    });
    }

    Sequence queue_;  ///< jobs with a reservation
    Appointments appointments_{this->starts_};
    Backlog backlog_;  ///< jobs without a reservation
    std::uint64_t n_searches_ = 0;
};

template <class Plan>
std::unique_ptr<Scheduler> make(const std::vector<Job>& jobs, const Setting& setting) {
    if (setting.backfill == Backfill::conservative) {
        return std::make_unique<Conservative<Plan>>(jobs, setting);
    }
    return std::make_unique<Overtaking<Plan>>(jobs, setting);
}

}  // namespace

std::unique_ptr<Scheduler> make_planned(const std::vector<Job>& jobs, const Setting& setting) {
    return make<CountPlan>(jobs, setting);
}

std::unique_ptr<Scheduler> make_placed(const std::vector<Job>& jobs, const Setting& setting) {
    return make<NodePlan>(jobs, setting);
}

}  // namespace heorot::scheduler
