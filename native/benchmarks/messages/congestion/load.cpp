// Lanes of messages among the aggressors.
#include "benchmarks/messages/congestion/load.hpp"

#include <algorithm>
#include <limits>

#include "benchmarks/messages/payload/elements.hpp"

namespace heorot::congestion {

namespace {

// The rounds of full verification are none of the numbers of timed messages.
constexpr std::int64_t first_round = std::int64_t{1} << 40U;

std::int64_t round_number(int round, int key) {
    return first_round + std::int64_t{1000003} * (round + 1) + key;
}

}  // namespace

Load::Load(const Communicator& aggressors, const Shape& shape)
    : aggressors_(&aggressors), shape_(shape) {
    const int n_ranks = aggressors.size();
    const int n_slots = shape.in_flight;
    if (shape.pattern == Pattern::all_to_all) {
        n_keys_ = n_slots;
        for (int slot = 0; slot < n_slots; ++slot) add_lane(slot, slot, nobody);
    } else {
        n_keys_ = (n_ranks - 1) * n_slots;
        for (int sender = 1; sender < n_ranks; ++sender) {
            if (aggressors.rank() != 0 && aggressors.rank() != sender) continue;
            for (int slot = 0; slot < n_slots; ++slot) {
                add_lane((sender - 1) * n_slots + slot, slot, sender);
            }
        }
    }
    limits_.assign(static_cast<std::size_t>(n_keys_), 0.0);
}

void Load::add_lane(int key, int tag, int sender) {
    const bool is_incast = sender != nobody;
    const bool sends = !is_incast || aggressors_->rank() == sender;
    const bool receives = !is_incast || aggressors_->rank() == 0;
    lanes_.push_back(Lane{.key = key,
                          .tag = tag,
                          .sender = sender,
                          .out = payload::Buffer<double>(sends ? shape_.n_elements : 0),
                          .in = payload::Buffer<double>(receives ? shape_.n_elements : 0)});
}

void Load::choose_peers(Lane& lane) const {
    const int rank = aggressors_->rank();
    const int n_ranks = aggressors_->size();
    if (lane.sender != nobody) {
        lane.to = rank == lane.sender ? 0 : nobody;
        lane.from = rank == 0 ? lane.sender : nobody;
        return;
    }
    // Message t of lane s goes to the rank 1 + (s + t lanes) mod (n - 1) further on.
    const std::int64_t step = lane.key + lane.n_begun * n_keys_;
    const int distance = 1 + static_cast<int>(step % (n_ranks - 1));
    lane.to = (rank + distance) % n_ranks;
    lane.from = (rank - distance + n_ranks) % n_ranks;
}

void Load::post(Lane& lane) {
    const int length = static_cast<int>(shape_.n_elements);
    if (lane.from != nobody) {
        MPI_Irecv(lane.in.data(), length, MPI_DOUBLE, lane.from, lane.tag, aggressors_->mpi(),
                  lane.requests.data());
    }
    if (lane.to != nobody) {
        MPI_Isend(lane.out.data(), length, MPI_DOUBLE, lane.to, lane.tag, aggressors_->mpi(),
                  &lane.requests[1]);
        ++n_sent_;
    }
    lane.is_under_way = true;
    ++lane.n_begun;
}

void Load::begin(Lane& lane) {
    choose_peers(lane);
    if (lane.to != nobody) {
        payload::put_ends(lane.out.all(),
                          payload::element(lane.key, aggressors_->rank(), lane.n_begun));
    }
    post(lane);
}

/// Checks the received message of this lane, number n_begun - 1.
void Load::verify(const Lane& lane) {
    if (lane.from == nobody) return;
    ++n_received_;
    n_wrong_ends_ += payload::n_wrong_ends(lane.in.all(),
                                           payload::element(lane.key, lane.from, lane.n_begun - 1));
}

bool Load::advance(Lane& lane) {
    int have_come = 0;
    MPI_Testall(2, lane.requests.data(), &have_come, MPI_STATUSES_IGNORE);
    if (have_come == 0) return false;
    lane.is_under_way = false;
    verify(lane);
    return true;
}

void Load::start() {
    std::ranges::fill(limits_, std::numeric_limits<double>::infinity());
    for (Lane& lane : lanes_) begin(lane);
}

bool Load::progress() {
    bool any = false;
    for (Lane& lane : lanes_) {
        if (lane.is_under_way) any = advance(lane) || any;
        const double limit = limits_[static_cast<std::size_t>(lane.key)];
        if (!lane.is_under_way && static_cast<double>(lane.n_begun) < limit) begin(lane);
    }
    return any;
}

void Load::drain() {
    if (aggressors_ == nullptr) return;
    std::ranges::fill(limits_, 0.0);
    for (const Lane& lane : lanes_) {
        limits_[static_cast<std::size_t>(lane.key)] = static_cast<double>(lane.n_begun);
    }
    aggressors_->maximum(limits_);
    const auto is_under_way = [](const Lane& lane) { return lane.is_under_way; };
    do progress();
    while (std::ranges::any_of(lanes_, is_under_way));
}

std::int64_t Load::n_wrong_elements(Program& program, int round) {
    if (aggressors_ == nullptr) return 0;
    const int n_others = aggressors_->size() - 1;
    const int n_steps = shape_.pattern == Pattern::incast ? 1 : (n_others + n_keys_ - 1) / n_keys_;
    std::int64_t n_wrong = 0;
    for (int step = 0; step < n_steps; ++step) {
        n_wrong += n_wrong_in_step(program, round * n_steps + step);
    }
    return n_wrong;
}

std::int64_t Load::n_wrong_in_step(Program& program, int round) {
    for (Lane& lane : lanes_) {
        choose_peers(lane);
        std::ranges::fill(lane.in.all(), -1.0);
        lane.in.guard_behind(lane.in.size());
        payload::fill(lane.out.all(), aggressors_->rank(), round_number(round, lane.key));
        post(lane);
    }
    std::int64_t n_wrong = 0;
    for (Lane& lane : lanes_) {
        MPI_Waitall(2, lane.requests.data(), MPI_STATUSES_IGNORE);
        lane.is_under_way = false;
        if (lane.from == nobody) continue;
        ++n_received_;
        program.corruptible(lane.in.all());
        n_wrong += lane.in.n_touched_behind(lane.in.size());
        n_wrong += payload::n_wrong(lane.in.all(), lane.from, round_number(round, lane.key));
    }
    return n_wrong;
}

}  // namespace heorot::congestion
