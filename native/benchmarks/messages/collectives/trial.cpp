// Filling, calling and verifying, once for all operations.
#include "benchmarks/messages/collectives/trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "benchmarks/messages/payload/elements.hpp"

namespace heorot::collectives {

namespace {

constexpr int tag = 23;
constexpr double not_received = -1.0;  // no element and no sum of elements
constexpr int most_late_ranks = 8;
constexpr int n_looks = 1000;  // how often who comes late to a barrier looks for messages

Problem problem_of(const Operation& operation, const Place& place, std::size_t n) {
    return {.place = place,
            .n = n,
            .is_uneven = operation.is_uneven,
            .is_in_place = operation.is_in_place};
}

/// Offsets of blocks that lie back to back, in units of `unit`.
std::vector<int> offsets(const std::vector<int>& lengths, int unit) {
    std::vector<int> starts;
    int start = 0;
    for (const int length : lengths) {
        starts.push_back(start);
        start += unit * length;
    }
    return starts;
}

/// The ends of a piece in a timed body: the sum of its ranks' stamps.
double stamps_of(const Piece& piece, std::int64_t body) {
    return payload::sum_of_stamps(piece.last_rank + 1, body) -
           payload::sum_of_stamps(piece.first_rank, body);
}

}  // namespace

Group::Group(const Program& program, int root) : all_(program.world().mpi()) {
    const int size = program.world().size();
    if (root < 0 || root >= size) {
        throw UsageError("there is no rank " + std::to_string(root) + " among " +
                             std::to_string(size) + " ranks to be the --root",
                         "--root 0");
    }
    std::array<int, 2> lengths{};
    const std::array<int, 2> is_periodic{1, 1};
    MPI_Dims_create(size, 2, lengths.data());
    MPI_Cart_create(all_, 2, lengths.data(), is_periodic.data(), 0, &grid_);
    place_ = {.rank = program.world().rank(), .size = size, .root = root, .neighbors = {}};
    MPI_Cart_shift(grid_, 0, 1, &place_.neighbors[0], &place_.neighbors[1]);
    MPI_Cart_shift(grid_, 1, 1, &place_.neighbors[2], &place_.neighbors[3]);
}

Group::~Group() {
    MPI_Comm_free(&grid_);
}

std::size_t buffer_bytes(const Operation& operation, const Place& place, std::size_t n) {
    const Layout layout = operation.layout(problem_of(operation, place, n));
    return sizeof(double) * std::max(layout.n_out(), layout.n_in);
}

Trial::Trial(Program& program, const Group& group, const Operation& operation, std::size_t n)
    : program_(program),
      operation_(operation),
      place_(group.place()),
      n_(n),
      layout_(operation.layout(problem_of(operation, place_, n))),
      out_(layout_.is_in_place ? 0 : layout_.n_out()),
      in_(layout_.n_in) {
    find_arguments(group);
    const Communicator& world = program.world();
    const std::array<double, 2> crossing = {world.sum(layout_.arriving),
                                            world.sum(layout_.leaving)};
    bytes_ = sizeof(double) * std::max(crossing[0], crossing[1]);
    port_bytes_ = sizeof(double) * world.maximum(std::max(layout_.arriving, layout_.leaving));
}

void Trial::find_arguments(const Group& group) {
    constexpr int element_bytes = sizeof(double);
    for (const std::size_t block : layout_.blocks) {
        out_lengths_.push_back(static_cast<int>(block));
    }
    for (const Piece& piece : layout_.pieces) {
        in_lengths_.push_back(static_cast<int>(piece.length));
    }
    out_offsets_ = offsets(out_lengths_, 1);
    out_offsets_bytes_ = offsets(out_lengths_, element_bytes);
    in_offsets_ = offsets(in_lengths_, 1);
    in_offsets_bytes_ = offsets(in_lengths_, element_bytes);
    types_.assign(static_cast<std::size_t>(place_.size), MPI_DOUBLE);
    arguments_ = {.out = layout_.is_in_place ? MPI_IN_PLACE : out_.data(),
                  .in = in_.data(),
                  .n = static_cast<int>(n_),
                  .root = place_.root,
                  .out_lengths = out_lengths_.data(),
                  .out_offsets = out_offsets_.data(),
                  .out_offsets_bytes = out_offsets_bytes_.data(),
                  .in_lengths = in_lengths_.data(),
                  .in_offsets = in_offsets_.data(),
                  .in_offsets_bytes = in_offsets_bytes_.data(),
                  .types = types_.data(),
                  .group = group.all(),
                  .grid = group.grid(),
                  .request = &request_};
}

Point Trial::point() const {
    if (operation_.is_barrier()) return {};
    return {{"bytes", static_cast<std::int64_t>(sizeof(double) * n_)}};
}

std::vector<Count> Trial::counts() const {
    if (operation_.is_barrier()) return {{"operations", 1}};
    return {{"operations", 1}, {"bytes", bytes_}, {"port_bytes", port_bytes_}};
}

/// Where this rank's own elements lie before the call.
std::span<double> Trial::input() const {
    if (!layout_.is_in_place) return out_.all();
    return in_.all().subspan(layout_.input_at, layout_.n_out());
}

void Trial::fill_input(int round) const {
    const auto mine = input();
    std::size_t start = 0;
    for (std::size_t block = 0; block < layout_.blocks.size(); ++block) {
        const std::size_t length = layout_.blocks[block];
        payload::fill(mine.subspan(start, length), place_.rank, round,
                      static_cast<std::int64_t>(layout_.first_of(block)));
        start += length;
    }
}

void Trial::call_and_wait() {
    call();
    if (operation_.is_started) wait();
}

std::int64_t Trial::n_wrong_of(const Piece& piece, std::span<const double> received,
                               int round) const {
    std::int64_t n_wrong = 0;
    for (std::size_t i = 0; i < piece.length; ++i) {
        const auto number = static_cast<std::int64_t>(piece.first + i);
        double expected = 0.0;
        for (int rank = piece.first_rank; rank <= piece.last_rank; ++rank) {
            expected += payload::element(number, rank, round);
        }
        n_wrong += received[i] == expected ? 0 : 1;
    }
    return n_wrong;
}

/// One untimed call whose every element is known; the number of elements that arrived wrong and of
/// bytes that were written behind them.
double Trial::n_wrong_elements(int round) {
    std::ranges::fill(in_.all(), not_received);
    in_.guard_behind(in_.size());
    fill_input(round);
    call_and_wait();
    std::int64_t n_wrong = in_.n_touched_behind(in_.size());
    std::size_t n_result = 0;
    for (const Piece& piece : layout_.pieces) n_result += piece.length;
    const auto result = in_.first(n_result);
    program_.corruptible(result);
    std::size_t start = 0;
    for (const Piece& piece : layout_.pieces) {
        n_wrong += n_wrong_of(piece, result.subspan(start, piece.length), round);
        start += piece.length;
    }
    return static_cast<double>(n_wrong);
}

/// Barriers to which one rank comes late: the others send it a message behind the barrier, of which
/// it must see nothing before it. The number of messages seen.
double Trial::n_early() {
    double n_seen = 0.0;
    for (int late = 0; late < std::min(place_.size, most_late_ranks); ++late) {
        for (int i = 0; place_.rank == late && i < n_looks; ++i) {
            int is_there = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, tag, arguments_.group, &is_there, MPI_STATUS_IGNORE);
            n_seen += is_there;
        }
        call_and_wait();
        if (place_.rank != late) {
            MPI_Send(nullptr, 0, MPI_BYTE, late, tag, arguments_.group);
            continue;
        }
        for (int i = 1; i < place_.size; ++i) {
            MPI_Recv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, tag, arguments_.group,
                     MPI_STATUS_IGNORE);
        }
    }
    return n_seen;
}

double Trial::before() {
    const double n_wrong = operation_.is_barrier() ? n_early() : n_wrong_elements(0);
    // Elements between the ends that are summed in place repeatedly remain 0.
    std::ranges::fill(in_.all(), 0.0);
    body_ = 0;
    n_wrong_ends_ = 0;
    return n_wrong;
}

/// Checks the results of the last timed body, and stamps the input of the next one.
void Trial::next_body() {
    if (body_ > 0) count_wrong_ends();
    ++body_;
    const auto mine = input();
    std::size_t start = 0;
    for (const std::size_t length : layout_.blocks) {
        payload::put_ends(mine.subspan(start, length), payload::stamp(place_.rank, body_));
        start += length;
    }
}

void Trial::count_wrong_ends() {
    std::size_t start = 0;
    for (const Piece& piece : layout_.pieces) {
        n_wrong_ends_ +=
            payload::n_wrong_ends(in_.all().subspan(start, piece.length), stamps_of(piece, body_));
        start += piece.length;
    }
}

void Trial::after(const Region& region, double n_wrong_before) {
    if (body_ > 0) count_wrong_ends();
    program_.check(region, "timed operations missing",
                   std::abs(static_cast<double>(region.n_bodies - body_)), 0.0);
    if (operation_.is_barrier()) {
        program_.check(region, "ranks that left a barrier before all had come",
                       n_wrong_before + n_early(), 0.0);
        return;
    }
    program_.check(region, "wrong ends of timed results", static_cast<double>(n_wrong_ends_), 0.0);
    program_.check(region, "wrong elements before and after the timed operations",
                   n_wrong_before + n_wrong_elements(1), 0.0);
}

}  // namespace heorot::collectives
