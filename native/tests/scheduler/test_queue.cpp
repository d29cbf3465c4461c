// The queue of fair share, a merge of those of all users, against sorting all jobs anew each time.
#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "scheduler/queue.hpp"
#include "tests/scheduler/workloads.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::scheduler;

namespace {

/// Jobs by their rank now, of which each is found by looking at all.
class SlowQueue {
  public:
    explicit SlowQueue(Ranking& ranking) : ranking_(ranking) {}
    void insert(const Waiting& job) { jobs_.push_back(job); }
    void renew(Time now) {
        for (Waiting& each : jobs_) each = ranking_.renewed(each, now);
        std::sort(jobs_.begin(), jobs_.end());
    }
    std::vector<Waiting>& jobs() { return jobs_; }

  private:
    Ranking& ranking_;
    std::vector<Waiting> jobs_;
};

/// Both with the same jobs of a workload, of which some start at every moment.
class Pair {
  public:
    Pair(const std::vector<Job>& jobs, const Setting& setting) : ranking_(jobs, setting) {}

    void arrive(Index job, Time now) {
        const Waiting waiting = ranking_.arrived(job, now);
        fast_.insert(waiting);
        slow_.insert(waiting);
    }
    void pass(Time now, int n_fronts, std::int32_t free) {
        for (const Index job : std::exchange(running_, {})) ranking_.ended(job, now);
        fast_.renew(now);
        slow_.renew(now);
        for (; n_fronts > 0 && !fast_.empty(); --n_fronts) {
            CHECK(fast_.front().job == slow_.jobs().front().job);
            start(fast_.front(), now);
            fast_.pop_front();
            slow_.jobs().erase(slow_.jobs().begin());
        }
        CHECK(fast_.empty() == slow_.jobs().empty());
        if (!fast_.empty()) sift(now, free);
    }

  private:
    void sift(Time now, std::int32_t free) {
        std::vector<Index> started, expected;
        const std::int32_t all = free;
        fast_.sift([&](const Least& least) { return least.nodes > free; },
                   [&](const Waiting& job) {
                       if (job.nodes > free) return Verdict::keep;
                       free -= job.nodes;
                       started.push_back(job.job);
                       return Verdict::take;
                   });
        free = all;
        std::erase_if(slow_.jobs(), [&](const Waiting& job) {
            if (job.nodes > free) return false;
            free -= job.nodes;
            expected.push_back(job.job);
            start(job, now);
            return true;
        });
        CHECK(started == expected);
    }
    void start(const Waiting& job, Time now) {
        ranking_.started(job.job, now);
        // The others run to the end.
        if (job.job % 4 > 0) running_.push_back(job.job);
    }

    Ranking ranking_;
    std::vector<Index> running_;
    Queue fast_{ranking_};
    SlowQueue slow_{ranking_};
};

void check_order(std::uint64_t seed) {
    tests::Random random(seed);
    const std::vector<Job> jobs = tests::draw_jobs(random, {.n_jobs = 300});
    Setting setting;
    setting.order = seed % 5 == 0 ? Order::priority : Order::fair_share;
    setting.ageing = tests::draw(random, 0, 1) * 0.3e6;
    // In units of the priorities much, little, and so much that rounding makes some equal.
    setting.share_weight = std::array{5.0, 0.1, 1e16}[seed % 3];
    setting.half_life_seconds = tests::draw(random, 0, 1) * 20e-6;
    Pair pair(jobs, setting);
    const auto n_jobs = static_cast<Index>(jobs.size());
    Time now = 0;
    for (Index next = 0; next < n_jobs; now += 100) {
        for (int n = tests::draw(random, 0, 9); n > 0 && next < n_jobs; --n) {
            pair.arrive(next++, now);
        }
        pair.pass(now, tests::draw(random, 0, 2), tests::draw(random, 0, 9));
    }
    pair.pass(now, n_jobs, 0);
}

/// What is looked at for a few jobs that can start among many that cannot; counted, not timed.
void check_work() {
    constexpr Index n_jobs = 12'800;
    constexpr int n_users = 10;
    std::vector<Job> jobs(n_jobs, tests::job(0, 1, 1, 8));
    for (Index i = 0; i < n_jobs; ++i) {
        Job& job = jobs[static_cast<std::size_t>(i)];
        job.user = i % n_users;
        if (i % (n_jobs / 4) == 5) job.nodes = 2;
    }
    Setting setting;
    setting.order = Order::fair_share;
    setting.share_weight = 1.0;
    Ranking ranking(jobs, setting);
    Queue queue(ranking);
    for (Index i = 0; i < n_jobs; ++i) queue.insert(ranking.arrived(i, 0));
    queue.renew(0);
    int n_looks = 0, n_visits = 0;
    queue.sift(
        [&](const Least& least) {
            ++n_looks;
            return least.nodes > 4;
        },
        [&](const Waiting& job) {
            ++n_visits;
            CHECK(job.nodes == 2);
            return Verdict::take;
        });
    CHECK(n_visits == 4);
    // All blocks of each user, and what is in those where there is one that can.
    CHECK(n_looks <= n_jobs / 63 + n_users + 4 * 65);
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        check_order(seed);
        if (tests::n_failures > 0) {
            std::fprintf(stderr, "workload %d\n", static_cast<int>(seed));
            break;
        }
    }
    check_work();
    return tests::result();
}
