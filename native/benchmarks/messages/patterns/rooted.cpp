// Broadcast, collect and reduction, with rank 0 as the root.
#include "benchmarks/messages/patterns/rooted.hpp"

#include <algorithm>

#include "benchmarks/messages/payload/elements.hpp"

namespace heorot::patterns {

Broadcast::Broadcast(const Setting& setting)
    : Letters(setting.world), message_(make_room(setting.length)) {
    const Letter letter{.elements = message_, .sender = root, .first = 0};
    incoming_ = {letter};
    if (rank_ == root) outgoing_ = {letter};
}

Work Broadcast::work() const {
    return {.bytes = (size() - 1) * message_.size_bytes(), .port_bytes = message_.size_bytes()};
}

void Broadcast::transfer() {
    MPI_Bcast(message_.data(), narrow(message_.size()), MPI_DOUBLE, root, mpi_);
}

Collect::Collect(const Setting& setting) : Letters(setting.world), out_(make_room(setting.length)) {
    outgoing_ = {{.elements = out_, .sender = rank_, .first = 0}};
    if (rank_ != root) return;
    const std::size_t n = setting.length;
    all_ = make_room(n * size());
    for (int sender = 0; sender < n_ranks_; ++sender) {
        const std::size_t begin = n * static_cast<std::size_t>(sender);
        incoming_.push_back({.elements = all_.subspan(begin, n), .sender = sender, .first = 0});
    }
}

Work Collect::work() const {
    const std::size_t bytes = (size() - 1) * out_.size_bytes();
    return {.bytes = bytes, .port_bytes = bytes};
}

void Collect::transfer() {
    MPI_Gather(out_.data(), narrow(out_.size()), MPI_DOUBLE, all_.data(), narrow(out_.size()),
               MPI_DOUBLE, root, mpi_);
}

Reduction::Reduction(const Setting& setting, Operation operation)
    : Pattern(setting.world),
      operation_(operation),
      mpi_operation_(operation == Operation::sum ? MPI_SUM : MPI_MAX),
      out_(setting.length),
      result_(rank_ == root ? setting.length : 0) {}

Work Reduction::work() const {
    const std::size_t bytes = out_.all().size_bytes();
    return {.bytes = (size() - 1) * bytes, .port_bytes = bytes};
}

void Reduction::fill(std::int64_t round) {
    std::ranges::fill(result_.all(), wiped);
    payload::fill(out_.all(), rank_, round);
}

void Reduction::stamp(std::int64_t body) {
    payload::put_ends(out_.all(), payload::stamp(rank_, body));
}

void Reduction::transfer() {
    MPI_Reduce(out_.data(), result_.data(), narrow(out_.size()), MPI_DOUBLE, mpi_operation_, root,
               mpi_);
}

double Reduction::expected(std::int64_t i, std::int64_t round) const {
    double value = payload::element(i, 0, round);
    for (int rank = 1; rank < n_ranks_; ++rank) {
        const double other = payload::element(i, rank, round);
        value = operation_ == Operation::sum ? value + other : std::max(value, other);
    }
    return value;
}

std::int64_t Reduction::n_wrong(std::int64_t round) const {
    std::int64_t wrong =
        out_.n_touched_behind(out_.size()) + result_.n_touched_behind(result_.size());
    std::int64_t i = 0;
    for (const double value : result_.all()) wrong += value == expected(i++, round) ? 0 : 1;
    return wrong;
}

std::int64_t Reduction::n_wrong_ends(std::int64_t body) const {
    const double wanted = operation_ == Operation::sum ? payload::sum_of_stamps(n_ranks_, body)
                                                       : payload::largest_stamp(n_ranks_, body);
    return payload::n_wrong_ends(result_.all(), wanted);
}

}  // namespace heorot::patterns
