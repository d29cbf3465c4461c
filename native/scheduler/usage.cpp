// Decay of usage, in closed form between two events.
#include "scheduler/usage.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heorot::scheduler {

Usage::Usage(const std::vector<Job>& jobs, double half_life_seconds)
    : decay_(half_life_seconds > 0.0 ? std::numbers::ln2 / half_life_seconds : 0.0) {
    double total = 0.0;
    for (const Job& job : jobs) {
        const auto user = static_cast<std::size_t>(job.user);
        if (user >= shares_.size()) shares_.resize(user + 1, 0.0);
        if (shares_[user] == 0.0) total += job.share;
        if (shares_[user] == 0.0) shares_[user] = job.share;
    }
    for (double& share : shares_) share /= total;
    accounts_.resize(shares_.size());
}

double Usage::factor(std::int32_t user, Time now) {
    const auto own = static_cast<std::size_t>(user);
    bring_up(accounts_[own], now);
    bring_up(all_, now);
    if (!(all_.node_seconds > 0.0)) return 1.0;
    return std::exp2(-accounts_[own].node_seconds / all_.node_seconds / shares_[own]);
}

void Usage::add(const Job& job, Time now, std::int32_t nodes) {
    Account& account = accounts_[static_cast<std::size_t>(job.user)];
    for (Account* each : {&account, &all_}) {
        bring_up(*each, now);
        each->nodes += nodes;
    }
}

void Usage::bring_up(Account& account, Time now) {
    const Time span = now - account.last;
    if (span == 0) return;
    if (span != span_) {
        span_ = span;
        const double seconds = static_cast<double>(span) / static_cast<double>(second);
        kept_ = std::exp(-decay_ * seconds);
        gained_seconds_ = decay_ > 0.0 ? -std::expm1(-decay_ * seconds) / decay_ : seconds;
    }
    account.node_seconds =
        account.node_seconds * kept_ + static_cast<double>(account.nodes) * gained_seconds_;
    account.last = now;
}

}  // namespace heorot::scheduler
