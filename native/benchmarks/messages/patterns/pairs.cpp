// The ping-pong, contiguous and strided, and halves that exchange.
#include "benchmarks/messages/patterns/pairs.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "benchmarks/messages/payload/elements.hpp"
#include "numerics/shuffle.hpp"

namespace heorot::patterns {

namespace {

/// The number of the first rank of the upper half.
int upper_half(int n_ranks) {
    return n_ranks - n_ranks / 2;
}

/// The upper half in its own order.
std::vector<int> upper_ranks(int n_ranks) {
    std::vector<int> upper(static_cast<std::size_t>(n_ranks / 2));
    std::iota(upper.begin(), upper.end(), upper_half(n_ranks));
    return upper;
}

/// Rank i of the lower half with upper[i].
Pairing pair_halves(const Communicator& world, const std::vector<int>& upper) {
    Pairing pairing{.n_pairs = upper.size()};
    for (std::size_t i = 0; i < upper.size(); ++i) {
        const int lower_rank = static_cast<int>(i);
        if (world.rank() == lower_rank) pairing.partner = upper[i];
        if (world.rank() == upper[i]) pairing.partner = lower_rank;
    }
    pairing.leads = world.rank() < pairing.partner;
    return pairing;
}

}  // namespace

Pairing single_pair(const Communicator& world) {
    Pairing pairing = regular_pairs(world);
    if (std::min(world.rank(), pairing.partner) != 0) pairing.partner = MPI_PROC_NULL;
    pairing.n_pairs = 1;
    return pairing;
}

Pairing regular_pairs(const Communicator& world) {
    return pair_halves(world, upper_ranks(world.size()));
}

Pairing random_pairs(const Communicator& world, std::uint64_t seed) {
    std::vector<int> upper = upper_ranks(world.size());
    std::mt19937_64 random(seed);  // its numbers are the same everywhere
    shuffle(std::span(upper), [&](std::size_t n) { return random() % n; });
    return pair_halves(world, upper);
}

Pairs::Pairs(const Setting& setting, const Pairing& pairing, Directions directions)
    : Letters(setting.world),
      pairing_(pairing),
      directions_(directions),
      message_bytes_(setting.length * sizeof(double)) {
    if (pairing_.rests()) return;
    out_ = make_room(setting.length);
    in_ = make_room(setting.length);
    outgoing_ = {{.elements = out_, .sender = rank_, .first = 0}};
    incoming_ = {{.elements = in_, .sender = pairing_.partner, .first = 0}};
}

Work Pairs::work() const {
    const bool both = directions_ == Directions::both_at_once;
    return {.bytes = 2 * pairing_.n_pairs * message_bytes_,
            .port_bytes = (both ? 1 : 2) * message_bytes_};
}

void Pairs::transfer() {
    if (pairing_.rests()) return;
    const int n_out = narrow(out_.size());
    const int n_in = narrow(in_.size());
    const int peer = pairing_.partner;
    if (directions_ == Directions::both_at_once) {
        MPI_Sendrecv(out_.data(), n_out, MPI_DOUBLE, peer, tag, in_.data(), n_in, MPI_DOUBLE, peer,
                     tag, mpi_, MPI_STATUS_IGNORE);
        return;
    }
    if (pairing_.leads) MPI_Send(out_.data(), n_out, MPI_DOUBLE, peer, tag, mpi_);
    MPI_Recv(in_.data(), n_in, MPI_DOUBLE, peer, tag, mpi_, MPI_STATUS_IGNORE);
    if (!pairing_.leads) MPI_Send(out_.data(), n_out, MPI_DOUBLE, peer, tag, mpi_);
}

Strided::Strided(const Setting& setting)
    : Pattern(setting.world),
      pairing_(single_pair(setting.world)),
      length_(setting.length),
      stride_(setting.stride),
      out_(pairing_.rests() ? 0 : (length_ - 1) * stride_ + 1),
      in_(out_.size()) {
    MPI_Type_vector(narrow(length_), 1, narrow(stride_), MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
}

Strided::~Strided() {
    MPI_Type_free(&type_);
}

Work Strided::work() const {
    const std::size_t bytes = 2 * length_ * sizeof(double);
    return {.bytes = bytes, .port_bytes = bytes};
}

void Strided::fill(std::int64_t round) {
    std::ranges::fill(in_.all(), wiped);
    std::ranges::fill(out_.all(), wiped);
    std::int64_t i = 0;
    for (std::size_t at = 0; at < out_.size(); at += stride_) {
        out_.data()[at] = payload::element(i++, rank_, round);
    }
}

void Strided::stamp(std::int64_t body) {
    payload::put_ends(out_.all(), payload::stamp(rank_, body));
}

void Strided::transfer() {
    if (pairing_.rests()) return;
    const int peer = pairing_.partner;
    if (pairing_.leads) MPI_Send(out_.data(), 1, type_, peer, tag, mpi_);
    MPI_Recv(in_.data(), 1, type_, peer, tag, mpi_, MPI_STATUS_IGNORE);
    if (!pairing_.leads) MPI_Send(out_.data(), 1, type_, peer, tag, mpi_);
}

std::int64_t Strided::n_wrong(std::int64_t round) const {
    std::int64_t wrong = in_.n_touched_behind(in_.size());
    std::int64_t i = 0;
    for (std::size_t at = 0; at < in_.size(); ++at) {
        // The gaps between elements must be unchanged.
        const bool is_sent = at % stride_ == 0;
        const double wanted = is_sent ? payload::element(i++, pairing_.partner, round) : wiped;
        wrong += in_.data()[at] == wanted ? 0 : 1;
    }
    return wrong;
}

std::int64_t Strided::n_wrong_ends(std::int64_t body) const {
    return payload::n_wrong_ends(in_.all(), payload::stamp(pairing_.partner, body));
}

}  // namespace heorot::patterns
