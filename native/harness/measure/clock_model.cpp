// Offset and drift of a clock within bounds.
#include "harness/measure/clock_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heorot {

namespace {

// Two quartz clocks differ by less than 2e-4, and daemons that correct them add 5e-4 at most.
constexpr double largest_drift = 1e-3;
// The rate of a quartz follows its temperature: older observations do not count [s].
constexpr double longest_memory = 60.0;
constexpr std::size_t most_bounds = 64;

}  // namespace

double ClockModel::error(double at) const {
    return error_ + drift_error_ * std::abs(at - latest_);
}

void ClockModel::set(const State& state) {
    latest_ = state.latest;
    offset_ = state.offset;
    error_ = state.error;
    drift_ = state.drift;
    drift_error_ = state.drift_error;
}

void ClockModel::add(const OffsetBounds& bounds) {
    bounds_.push_back(bounds);
    thin();
    while (!fit()) {
        bounds_.erase(bounds_.begin(), bounds_.begin() + std::ssize(bounds_) / 2);
    }
}

void ClockModel::thin() {
    const double oldest = bounds_.back().at - longest_memory;
    std::erase_if(bounds_, [&](const OffsetBounds& each) { return each.at < oldest; });
    if (bounds_.size() <= most_bounds) return;
    // Drops every second one of the older half, which keeps the span.
    std::vector<OffsetBounds> kept;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
        if (i >= most_bounds / 2 || i % 2 == 0) kept.push_back(bounds_[i]);
    }
    bounds_ = std::move(kept);
}

bool ClockModel::fit() {
    // The flattest and the steepest line that pass between the bounds of every two instants.
    double flattest = -largest_drift;
    double steepest = largest_drift;
    for (std::size_t j = 1; j < bounds_.size(); ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            const double span = bounds_[j].at - bounds_[i].at;
            flattest = std::max(flattest, (bounds_[j].low - bounds_[i].high) / span);
            steepest = std::min(steepest, (bounds_[j].high - bounds_[i].low) / span);
        }
    }
    if (flattest > steepest) return false;
    latest_ = bounds_.back().at;
    double low = bounds_.back().low;
    double high = bounds_.back().high;
    for (const OffsetBounds& each : bounds_) {
        low = std::max(low, each.low + flattest * (latest_ - each.at));
        high = std::min(high, each.high + steepest * (latest_ - each.at));
    }
    if (low > high) return false;
    offset_ = 0.5 * (low + high);
    error_ = 0.5 * (high - low);
    drift_ = 0.5 * (flattest + steepest);
    drift_error_ = 0.5 * (steepest - flattest);
    return true;
}

}  // namespace heorot
