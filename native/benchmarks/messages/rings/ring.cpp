// Rings in natural and random order, timed and verified.
#include "benchmarks/messages/rings/ring.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "benchmarks/messages/payload/elements.hpp"
#include "numerics/random.hpp"
#include "numerics/shuffle.hpp"

namespace heorot::rings {

namespace {

constexpr int first_tag = 31;   // each direction has its own
constexpr double wiped = -1.0;  // no element and no stamp is negative

/// The neighbours of the rank at `place` of a closed chain.
Neighbours beside(const std::vector<int>& order, std::size_t place) {
    const std::size_t n = order.size();
    return {.left = order[(place + n - 1) % n], .right = order[(place + 1) % n]};
}

}  // namespace

Neighbours natural_order(int rank, int n_ranks) {
    return {.left = (rank + n_ranks - 1) % n_ranks, .right = (rank + 1) % n_ranks};
}

std::vector<Neighbours> random_orders(int rank, int n_ranks, int n_orders, std::int64_t seed) {
    Random random(2 * (static_cast<std::uint64_t>(seed) % (Random::modulus / 2)) + 1);
    random.skip(64);  // seeds that are near each other begin with numbers that are
    std::vector<int> order(static_cast<std::size_t>(n_ranks));
    std::vector<Neighbours> all;
    for (int i = 0; i < n_orders; ++i) {
        std::iota(order.begin(), order.end(), 0);
        shuffle(std::span(order), [&](std::size_t n) {
            return static_cast<std::size_t>(random.next() * static_cast<double>(n));
        });
        const auto place = std::ranges::find(order, rank) - order.begin();
        all.push_back(beside(order, static_cast<std::size_t>(place)));
    }
    return all;
}

Ring::Ring(Program& program, std::size_t most)
    : program_(program),
      comm_(program.world().mpi()),
      rank_(program.world().rank()),
      n_ranks_(program.world().size()),
      out_{payload::Buffer<double>(most), payload::Buffer<double>(most)},
      in_{payload::Buffer<double>(most), payload::Buffer<double>(most)} {}

std::array<Ring::Lane, 2> Ring::lanes(const Neighbours& at, std::size_t n) const {
    return {Lane{.out = out_[0].first(n),
                 .in = in_[0].first(n),
                 .to = at.right,
                 .from = at.left,
                 .direction = 0},
            Lane{.out = out_[1].first(n),
                 .in = in_[1].first(n),
                 .to = at.left,
                 .from = at.right,
                 .direction = 1}};
}

void Ring::exchange(std::span<const Lane> used, Transfer transfer) const {
    const int n = static_cast<int>(used.front().out.size());
    if (transfer != Transfer::both_nonblocking) {
        for (const Lane& lane : used) {
            const int tag = first_tag + lane.direction;
            MPI_Sendrecv(lane.out.data(), n, MPI_DOUBLE, lane.to, tag, lane.in.data(), n,
                         MPI_DOUBLE, lane.from, tag, comm_, MPI_STATUS_IGNORE);
        }
        return;
    }
    std::array<MPI_Request, 4> requests{};
    MPI_Request* request = requests.data();
    for (const Lane& lane : used) {
        MPI_Irecv(lane.in.data(), n, MPI_DOUBLE, lane.from, first_tag + lane.direction, comm_,
                  request++);
    }
    for (const Lane& lane : used) {
        MPI_Isend(lane.out.data(), n, MPI_DOUBLE, lane.to, first_tag + lane.direction, comm_,
                  request++);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// One ring of a timed body: the ends of each message hold its sender, direction and number.
void Ring::timed_ring(const Neighbours& at, Transfer transfer, std::size_t n,
                      Ledger& ledger) const {
    const std::array<Lane, 2> both = lanes(at, n);
    const auto used = std::span(both).first(static_cast<std::size_t>(n_directions(transfer)));
    const auto stamp = [&](int rank, const Lane& lane) {
        return payload::stamp(rank + lane.direction * n_ranks_, ledger.ring);
    };
    for (const Lane& lane : used) payload::put_ends(lane.out, stamp(rank_, lane));
    exchange(used, transfer);
    for (const Lane& lane : used) {
        ledger.n_wrong_ends += payload::n_wrong_ends(lane.in, stamp(lane.from, lane));
        ++ledger.n_received;
    }
    ++ledger.ring;
}

/// One untimed ring whose every element is known; the number of elements that arrived wrong and
/// of bytes that were written behind them.
std::int64_t Ring::n_wrong_in_one(const Neighbours& at, Transfer transfer, std::size_t n) {
    const std::array<Lane, 2> both = lanes(at, n);
    const auto used = std::span(both).first(static_cast<std::size_t>(n_directions(transfer)));
    const std::int64_t round = 2 * round_++;
    for (const Lane& lane : used) {
        payload::fill(lane.out, rank_, round + lane.direction);
        std::ranges::fill(lane.in, wiped);
        in_[static_cast<std::size_t>(lane.direction)].guard_behind(n);
    }
    exchange(used, transfer);
    std::int64_t n_wrong = 0;
    for (const Lane& lane : used) {
        program_.corruptible(lane.in);
        n_wrong += payload::n_wrong(lane.in, lane.from, round + lane.direction);
        n_wrong += in_[static_cast<std::size_t>(lane.direction)].n_touched_behind(n);
        std::ranges::fill(lane.in, wiped);
    }
    return n_wrong;
}

double Ring::n_wrong(std::span<const Neighbours> orders, Transfer transfer, std::size_t n) {
    std::int64_t n_wrong = 0;
    for (const Neighbours& at : orders) n_wrong += n_wrong_in_one(at, transfer, n);
    return static_cast<double>(n_wrong);
}

void Ring::run(const Measurement& what, std::span<const Neighbours> orders, Transfer transfer,
               std::size_t n) {
    const double n_wrong_before = n_wrong(orders, transfer, n);
    Ledger ledger;
    const auto region = program_.measure(what, [&] {
        for (const Neighbours& at : orders) timed_ring(at, transfer, n, ledger);
    });
    const double n_wrong_after = n_wrong(orders, transfer, n);

    const auto n_expected = region.n_bodies * std::ssize(orders) * n_directions(transfer);
    program_.check(region, "timed messages missing",
                   std::abs(static_cast<double>(n_expected - ledger.n_received)), 0.0);
    program_.check(region, "wrong ends of timed messages", static_cast<double>(ledger.n_wrong_ends),
                   0.0);
    program_.check(region, "wrong elements before and after the timed messages",
                   n_wrong_before + n_wrong_after, 0.0);
}

}  // namespace heorot::rings
