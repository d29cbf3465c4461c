// Phases: adding, starting and reading them; code that runs inside a timed body is in the header.
#include "harness/measure/phases.hpp"

#include <algorithm>
#include <utility>

#include "harness/record/check.hpp"

namespace heorot {

thread_local char Phases::this_thread_ = 0;

Phases::Phases(const Clock& clock) : clock_(clock), owner_(&this_thread_) {
    add("rest");
}

Phase Phases::add(std::string name) {
    expects(!is_running_, "phases are added outside timed bodies");
    names_.push_back(std::move(name));
    ticks_.resize(2 * names_.size());
    traffic_.resize(names_.size());
    return Phase(names_.size() - 1);
}

std::size_t Phases::begin_call(const Traffic& sent) {
    if (!counts()) return not_counted;
    Traffic& traffic = traffic_[running_ / 2];
    traffic.messages += sent.messages;
    traffic.bytes += sent.bytes;
    traffic.collectives += sent.collectives;
    const std::size_t interrupted = running_;
    go_on_with(running_ | 1U);
    return interrupted;
}

void Phases::end_call(std::size_t interrupted) {
    if (interrupted != not_counted) go_on_with(interrupted);
}

void Phases::start() {
    is_running_ = true;
    running_ = 0;
    since_ = clock_.ticks();
}

void Phases::stop() {
    go_on_with(0);
    is_running_ = false;
}

void Phases::reset() {
    std::fill(ticks_.begin(), ticks_.end(), 0);
    std::fill(traffic_.begin(), traffic_.end(), Traffic{});
}

std::vector<PhaseTotals> Phases::totals() const {
    std::vector<PhaseTotals> all;
    all.reserve(names_.size());
    for (std::size_t p = 0; p < names_.size(); ++p) {
        all.push_back({.name = names_[p],
                       .computation_seconds = clock_.seconds(ticks_[2 * p]),
                       .communication_seconds = clock_.seconds(ticks_[2 * p + 1]),
                       .messages = traffic_[p].messages,
                       .bytes = traffic_[p].bytes,
                       .collectives = traffic_[p].collectives});
    }
    return all;
}

}  // namespace heorot
