// The split into victims and aggressors, and their messages to each other.
#include "benchmarks/messages/congestion/roles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <thread>
#include <utility>

#include "benchmarks/messages/payload/elements.hpp"

namespace heorot::congestion {

namespace {

constexpr int tag = 23;

}  // namespace

Roles cast_roles(const Communicator& world, double share, Placement placement, std::int64_t seed) {
    const int n = world.size();
    const int n_victims = std::clamp(static_cast<int>(std::lround(share * n)), 2, n - 2);
    std::vector<std::pair<double, int>> places;  // the victims have the first ones
    for (int rank = 0; rank < n; ++rank) {
        const bool takes_turn = std::int64_t{rank} * n_victims % n < n_victims;
        const double place = placement == Placement::interleaved ? (takes_turn ? 0.0 : 1.0)
                             : placement == Placement::blocks    ? 0.0
                                                                 : payload::element(rank, 1, seed);
        places.emplace_back(place, rank);
    }
    std::ranges::sort(places);
    Roles roles{};
    for (const auto& [place, rank] : places) {
        auto& group = std::ssize(roles.victims) < n_victims ? roles.victims : roles.aggressors;
        group.push_back(rank);
    }
    std::ranges::sort(roles.victims);
    std::ranges::sort(roles.aggressors);
    roles.is_victim = std::ranges::binary_search(roles.victims, world.rank());
    return roles;
}

Signal::Signal(const Communicator& world, const Roles& roles) : world_(world) {
    const std::size_t n_victims = roles.victims.size();
    for (std::size_t i = 0; i < roles.aggressors.size(); ++i) {
        const int victim = roles.victims[i % n_victims];
        if (world.rank() == victim) listeners_.push_back(roles.aggressors[i]);
        if (world.rank() == roles.aggressors[i]) victim_ = victim;
    }
}

void Signal::tell() {
    const std::int64_t word = n_bodies_++;
    for (const int listener : listeners_) {
        MPI_Send(&word, 1, MPI_INT64_T, listener, tag, world_.mpi());
    }
}

MPI_Request Signal::listen() {
    MPI_Request request = MPI_REQUEST_NULL;
    word_ = -1;
    MPI_Irecv(&word_, 1, MPI_INT64_T, victim_, tag, world_.mpi(), &request);
    return request;
}

void Signal::hear() {
    n_wrong_ += word_ == n_bodies_ ? 0 : 1;
    ++n_bodies_;
}

void Signal::await(Load& load) {
    MPI_Request request = listen();
    int is_over = 0;
    while (is_over == 0) {
        // With fewer cores than processes, another process may need this one.
        if (!load.progress()) std::this_thread::yield();
        MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
    }
    hear();
}

void Signal::await() {
    MPI_Request request = listen();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hear();
}

}  // namespace heorot::congestion
