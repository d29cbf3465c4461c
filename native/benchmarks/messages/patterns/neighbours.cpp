// Nearest neighbours on a torus, one direction after the other or all at once.
#include "benchmarks/messages/patterns/neighbours.hpp"

namespace heorot::patterns {

Torus::Torus(int n_ranks, int n_dimensions) : n_dimensions_(n_dimensions) {
    MPI_Dims_create(n_ranks, n_dimensions, extents_.data());
}

std::string Torus::text() const {
    std::string text = std::to_string(extent(0));
    for (int d = 1; d < n_dimensions_; ++d) text.append("x").append(std::to_string(extent(d)));
    return text;
}

Neighbours::Neighbours(const Setting& setting, const Torus& torus, Directions directions)
    : Letters(setting.world), directions_(directions) {
    constexpr std::array<int, most_dimensions> periodic{1, 1, 1};
    // The ranks stay where the layout has put them.
    MPI_Cart_create(mpi_, torus.n_dimensions(), torus.extents(), periodic.data(), 0, &torus_);
    for (int d = 0; d < torus.n_dimensions(); ++d) {
        if (torus.extent(d) == 1) continue;
        for (const int by : {1, -1}) add_step(d, by, setting.length);
    }
}

Neighbours::~Neighbours() {
    MPI_Comm_free(&torus_);
}

void Neighbours::add_step(int dimension, int by, std::size_t length) {
    Step step{.to = 0, .from = 0, .out = make_room(length), .in = make_room(length)};
    MPI_Cart_shift(torus_, dimension, by, &step.from, &step.to);
    // The elements are numbered on from direction to direction, so that these differ.
    const auto first = static_cast<std::int64_t>(steps_.size() * length);
    outgoing_.push_back({.elements = step.out, .sender = rank_, .first = first});
    incoming_.push_back({.elements = step.in, .sender = step.from, .first = first});
    steps_.push_back(step);
}

Work Neighbours::work() const {
    std::size_t bytes = 0;
    for (const Step& step : steps_) bytes += step.out.size_bytes();
    return {.bytes = size() * bytes, .port_bytes = bytes};
}

void Neighbours::transfer() {
    if (directions_ == Directions::both_at_once) {
        both_at_once();
    } else {
        one_after_the_other();
    }
}

void Neighbours::one_after_the_other() const {
    for (const Step& step : steps_) {
        MPI_Sendrecv(step.out.data(), narrow(step.out.size()), MPI_DOUBLE, step.to, tag,
                     step.in.data(), narrow(step.in.size()), MPI_DOUBLE, step.from, tag, torus_,
                     MPI_STATUS_IGNORE);
    }
}

void Neighbours::both_at_once() const {
    // Two neighbours may be the same rank: their messages differ in the number of the step.
    std::array<MPI_Request, std::size_t{4} * most_dimensions> requests{};
    int n_requests = 0;
    const auto next = [&] { return &requests[static_cast<std::size_t>(n_requests++)]; };
    int number = tag;
    for (const Step& step : steps_) {
        MPI_Irecv(step.in.data(), narrow(step.in.size()), MPI_DOUBLE, step.from, number++, torus_,
                  next());
    }
    number = tag;
    for (const Step& step : steps_) {
        MPI_Isend(step.out.data(), narrow(step.out.size()), MPI_DOUBLE, step.to, number++, torus_,
                  next());
    }
    MPI_Waitall(n_requests, requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace heorot::patterns
