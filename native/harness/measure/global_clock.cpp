// Learning the clock of rank 0.
#include "harness/measure/global_clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

namespace heorot {

namespace {

constexpr int n_round_trips = 20;
constexpr int tag = 29;
// Of a look, between the two clocks while it lasts.
constexpr double drift_of_a_look = 1e-3;
// A look may take this share of the time.
constexpr double share_for_looks = 0.05;
constexpr int first_looks = 3;
constexpr std::chrono::milliseconds between_first_looks{10};

}  // namespace

GlobalClock::GlobalClock(const World& world, const Clock& clock) : world_(world), clock_(clock) {
    const Communicator& host = world.host();
    n_hosts_ = static_cast<int>(world.sum(std::int64_t{world.leads_host() ? 1 : 0}));
    leaders_ = world.split(world.leads_host() ? 0 : 1, world.rank());
    origin_ = clock_.ticks();
    shares_host_clock_ = host.size() == 1;
    if (clock_.kind() == Clock::Kind::monotonic) {
        // Ranks on the same kernel share its clock: no rank can be off.
        host.broadcast(std::span(&origin_, 1));
        look_inside_host();
        const bool agrees = std::abs(model_.offset(looked_at_)) <= model_.error(looked_at_);
        shares_host_clock_ = host.minimum(agrees ? 1.0 : 0.0) > 0.0;
    }
    model_ = ClockModel();
    for (int i = 0; i < first_looks && !is_common(); ++i) {
        if (i > 0) std::this_thread::sleep_for(between_first_looks);
        look();
    }
}

std::int64_t GlobalClock::ticks_at(double global_seconds) const {
    // The drift is small: one step of the inversion is exact to its square.
    double own = global_seconds - model_.offset(own_seconds(clock_.ticks()));
    own = global_seconds - model_.offset(own);
    return origin_ + clock_.ticks_in(own);
}

double GlobalClock::error_seconds() const {
    return model_.error(own_seconds(clock_.ticks()));
}

void GlobalClock::refresh() {
    if (is_common()) return;
    double is_due = 0.0;
    if (world_.rank() == 0) {
        const double age = own_seconds(clock_.ticks()) - looked_at_;
        is_due = age * share_for_looks > look_seconds_ ? 1.0 : 0.0;
    }
    world_.broadcast(std::span(&is_due, 1));
    if (is_due > 0.0) look();
}

void GlobalClock::look() {
    const std::int64_t start = clock_.ticks();
    if (world_.leads_host()) look_at_hosts();
    if (shares_host_clock_) {
        const ClockModel::State state = model_.state();
        std::array<double, 5> numbers = {state.latest, state.offset, state.error, state.drift,
                                         state.drift_error};
        world_.host().broadcast(std::span<double>(numbers));
        model_.set({numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]});
    } else {
        look_inside_host();
    }
    world_.barrier();
    const std::int64_t stop = clock_.ticks();
    looked_at_ = own_seconds(stop);
    look_seconds_ = clock_.seconds(stop - start);
}

void GlobalClock::look_at_hosts() {
    // Along a binary tree from rank 0: ranks that know the time pass it on at half the distance.
    const int me = leaders_.rank();
    int distance = 1;
    while (distance < leaders_.size()) distance *= 2;
    for (; distance > 0; distance /= 2) {
        if (me % (2 * distance) == 0 && me + distance < leaders_.size()) {
            answer(leaders_, me + distance);
        } else if (me % (2 * distance) == distance) {
            model_.add(ask(leaders_, me - distance));
        }
    }
}

void GlobalClock::look_inside_host() {
    const Communicator& host = world_.host();
    if (host.rank() == 0) {
        for (int client = 1; client < host.size(); ++client) answer(host, client);
    } else {
        model_.add(ask(host, 0));
    }
    looked_at_ = own_seconds(clock_.ticks());
}

OffsetBounds GlobalClock::ask(const Communicator& among, int server) const {
    double low = std::numeric_limits<double>::lowest();
    double high = std::numeric_limits<double>::max();
    std::array<double, 2> answered{};  // global time and its error
    const double begin = own_seconds(clock_.ticks());
    double received = begin;
    for (int i = 0; i < n_round_trips; ++i) {
        const double asked = own_seconds(clock_.ticks());
        among.send(std::span<const double>(&asked, 1), server, tag);
        among.receive(std::span<double>(answered), server, tag);
        received = own_seconds(clock_.ticks());
        // Bounds that contradict the ones before, as the clocks drift apart, are met halfway.
        low = std::max(low, answered[0] - received);
        high = std::min(high, answered[0] - asked);
    }
    const double slack = drift_of_a_look * (received - begin) + answered[1];
    if (low > high) std::swap(low, high);
    return {.at = 0.5 * (begin + received), .low = low - slack, .high = high + slack};
}

void GlobalClock::answer(const Communicator& among, int client) const {
    double asked = 0.0;
    for (int i = 0; i < n_round_trips; ++i) {
        among.receive(std::span<double>(&asked, 1), client, tag);
        const double own = own_seconds(clock_.ticks());
        const std::array<double, 2> reply = {own + model_.offset(own), model_.error(own)};
        among.send(std::span<const double>(reply), client, tag);
    }
}

}  // namespace heorot
