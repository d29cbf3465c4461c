// The victims' sum and their ring.
#include "benchmarks/messages/congestion/victims.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "benchmarks/messages/payload/elements.hpp"
#include "numerics/shuffle.hpp"

namespace heorot::congestion {

namespace {

constexpr int onward = 1;
constexpr int backward = 2;
// Behind either message there is room for a guard.
constexpr std::size_t n_between = payload::guard_bytes / sizeof(double);

/// The ranks in the order of a ring, the same everywhere.
std::vector<int> random_order(int n_ranks, std::int64_t seed) {
    std::vector<int> order(static_cast<std::size_t>(n_ranks));
    std::iota(order.begin(), order.end(), 0);
    shuffle(std::span(order), [seed](std::size_t n) {
        const double drawn = payload::element(static_cast<std::int64_t>(n) - 1, 0, seed);
        return static_cast<std::size_t>(drawn) % n;
    });
    return order;
}

}  // namespace

Victims::Victims(const Communicator& victims, std::size_t n_largest, std::int64_t seed)
    : victims_(&victims),
      out_(2 * (n_largest + n_between)),
      in_(2 * (n_largest + n_between)),
      n_largest_(n_largest) {
    const std::vector<int> order = random_order(victims.size(), seed);
    const auto here = std::ranges::find(order, victims.rank()) - order.begin();
    const auto n = std::ssize(order);
    next_ = order[static_cast<std::size_t>((here + 1) % n)];
    last_ = order[static_cast<std::size_t>((here + n - 1) % n)];
}

void Victims::sum() {
    const double mine = payload::stamp(victims_->rank(), n_done_);
    double all = 0.0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, victims_->mpi());
    n_wrong_ += all == payload::sum_of_stamps(victims_->size(), n_done_) ? 0 : 1;
    ++n_done_;
}

std::int64_t Victims::n_wrong_sums(Program& program, std::int64_t round) {
    if (victims_ == nullptr) return 0;
    std::array<double, 2> all = {-1.0, -1.0};  // the second is behind what is received
    const double mine = payload::element(0, victims_->rank(), round);
    MPI_Allreduce(&mine, all.data(), 1, MPI_DOUBLE, MPI_SUM, victims_->mpi());
    program.corruptible(all[0]);
    double expected = 0.0;
    for (int rank = 0; rank < victims_->size(); ++rank) {
        expected += payload::element(0, rank, round);
    }
    return (all[0] == expected ? 0 : 1) + (all[1] == -1.0 ? 0 : 1);
}

Victims::Messages Victims::messages(std::size_t n) const {
    const std::size_t second = n_largest_ + n_between;
    return {.to_next = out_.first(n),
            .to_last = out_.all().subspan(second, n),
            .from_last = in_.first(n),
            .from_next = in_.all().subspan(second, n)};
}

void Victims::pass(const Messages& through) const {
    const int n = static_cast<int>(through.to_next.size());
    const MPI_Comm ring = victims_->mpi();
    std::array<MPI_Request, 4> requests{};
    MPI_Irecv(through.from_last.data(), n, MPI_DOUBLE, last_, onward, ring, requests.data());
    MPI_Irecv(through.from_next.data(), n, MPI_DOUBLE, next_, backward, ring, &requests[1]);
    MPI_Isend(through.to_next.data(), n, MPI_DOUBLE, next_, onward, ring, &requests[2]);
    MPI_Isend(through.to_last.data(), n, MPI_DOUBLE, last_, backward, ring, &requests[3]);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
}

void Victims::exchange(std::size_t n) {
    const Messages through = messages(n);
    const int n_ranks = victims_->size();
    payload::put_ends(through.to_next, payload::stamp(victims_->rank(), n_done_));
    payload::put_ends(through.to_last, payload::stamp(n_ranks + victims_->rank(), n_done_));
    pass(through);
    n_wrong_ += payload::n_wrong_ends(through.from_last, payload::stamp(last_, n_done_)) +
                payload::n_wrong_ends(through.from_next, payload::stamp(n_ranks + next_, n_done_));
    ++n_done_;
}

std::int64_t Victims::n_wrong_elements(Program& program, std::size_t n, std::int64_t round) {
    if (victims_ == nullptr) return 0;
    const Messages through = messages(n);
    const int n_ranks = victims_->size();
    constexpr double untouched = -1.0;
    std::ranges::fill(in_.all(), untouched);
    payload::fill(through.to_next, victims_->rank(), round);
    payload::fill(through.to_last, n_ranks + victims_->rank(), round);
    pass(through);
    program.corruptible(through.from_last);
    const auto n_left = std::ranges::count(in_.all(), untouched);
    const auto n_behind = std::ssize(in_.all()) - 2 * static_cast<std::int64_t>(n);
    return payload::n_wrong(through.from_last, last_, round) +
           payload::n_wrong(through.from_next, n_ranks + next_, round) +
           std::abs(n_left - n_behind);
}

}  // namespace heorot::congestion
