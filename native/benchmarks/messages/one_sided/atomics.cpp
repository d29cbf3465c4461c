// Counters that grow by one in every body, so that the returned value identifies the body.
#include "benchmarks/messages/one_sided/atomics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "benchmarks/messages/payload/elements.hpp"

namespace heorot::one_sided {

namespace {

constexpr int target = Window::target;

/// Adds `increment` to the counter at `where` and returns its old value.
std::int64_t add(const Window& window, Epoch epoch, MPI_Aint where, std::int64_t increment) {
    std::int64_t before = -1;
    window.open(epoch, End::origin);
    MPI_Fetch_and_op(&increment, &before, MPI_INT64_T, target, where, MPI_SUM, window.mpi());
    window.close(epoch, End::origin);
    return before;
}

/// Sets the counter at `where` to `wanted` if it is `expected`, and returns its old value.
std::int64_t swap(const Window& window, Epoch epoch, MPI_Aint where, std::int64_t expected,
                  std::int64_t wanted) {
    std::int64_t before = -1;
    window.open(epoch, End::origin);
    MPI_Compare_and_swap(&wanted, &expected, &before, MPI_INT64_T, target, where, window.mpi());
    window.close(epoch, End::origin);
    return before;
}

/// `step` is one atomic operation that counts on from the number it is given, and returns what it
/// found. **Collective** over the job.
template <class Step>
void count_up(Program& program, const Communicator& ends, bool plays, Epoch epoch, Memory memory,
              const std::string& name, const Step& step) {
    const Window window(ends, plays ? sizeof(std::int64_t) : 0, memory);
    const bool is_target = plays && window.is_target();
    const auto reset = [](std::span<std::int64_t> counter) { return counter.front() = 0; };
    if (plays) {
        window.at_target<std::int64_t>(reset);
        window.begin(epoch);
    }
    std::int64_t body = 0;
    std::int64_t n_wrong = 0;
    const auto region = program.measure(
        {.region = name,
         .point = {{"epoch", name_of(epoch)}, {"bytes", std::int64_t{sizeof(std::int64_t)}}},
         .counts = {{"operations", 1}}},
        [&] {
            if (plays && !is_target) n_wrong += step(window, body) == body ? 0 : 1;
            ++body;
        });
    if (plays) window.end(epoch);
    program.corruptible(is_target ? window.memory<std::int64_t>() : std::span<std::int64_t>{});
    const std::int64_t counted =
        is_target ? window.at_target<std::int64_t>([](auto counter) { return counter.front(); })
                  : body;
    program.check(region, "bodies whose number did not come back", static_cast<double>(n_wrong),
                  0.0);
    program.check(region, "bodies that are not counted, or twice",
                  static_cast<double>(std::abs(counted - region.n_bodies)), 0.0);
}

/// The sums of all ranks, in the memory of the target.
constexpr std::size_t n_elements = 5;
using Elements = std::array<double, n_elements>;
constexpr std::int64_t n_times = 7;

/// One rank's share of it.
void add_often(const Window& window, Atomic operation, Epoch epoch, int rank) {
    Elements elements{};
    payload::fill(elements, rank, 0);
    for (std::int64_t i = 0; i < n_times; ++i) {
        if (operation == Atomic::fetch_and_op) {
            add(window, epoch, 0, rank + 1);
        } else if (operation == Atomic::accumulate) {
            window.open(epoch, End::origin);
            MPI_Accumulate(elements.data(), n_elements, MPI_DOUBLE, target, 0, n_elements,
                           MPI_DOUBLE, MPI_SUM, window.mpi());
            window.close(epoch, End::origin);
        } else {
            // A rank that comes too late expects the value found next.
            std::int64_t expected = 0;
            for (std::int64_t found = -1; found != expected;) {
                if (found >= 0) expected = found;
                found = swap(window, epoch, 0, expected, expected + 1);
            }
        }
    }
}

/// The number of wrong elements after the operations of all ranks.
std::int64_t n_wrong_sums(const Window& window, Atomic operation, std::int64_t n_ranks) {
    if (operation != Atomic::accumulate) {
        const std::int64_t sum =
            operation == Atomic::fetch_and_op ? n_ranks * (n_ranks + 1) / 2 : n_ranks;
        return window.memory<std::int64_t>().front() == n_times * sum ? 0 : 1;
    }
    std::int64_t n_wrong = 0;
    std::int64_t i = 0;
    for (const double value : window.memory<double>()) {
        double sum = 0.0;
        for (int rank = 0; rank < n_ranks; ++rank) sum += payload::element(i, rank, 0);
        n_wrong += value == static_cast<double>(n_times) * sum ? 0 : 1;
        ++i;
    }
    return n_wrong;
}

}  // namespace

void fetch_and_op(Program& program, const Communicator& ends, bool plays, Epoch epoch,
                  Memory memory) {
    count_up(program, ends, plays, epoch, memory, "fetch_and_op",
             [epoch](const Window& window, std::int64_t) { return add(window, epoch, 0, 1); });
}

void compare_and_swap(Program& program, const Communicator& ends, bool plays, Epoch epoch,
                      Memory memory) {
    count_up(program, ends, plays, epoch, memory, "compare_and_swap",
             [epoch](const Window& window, std::int64_t number) {
                 return swap(window, epoch, 0, number, number + 1);
             });
}

void verify_concurrent(Program& program, Atomic operation, Epoch epoch, Memory memory) {
    const Communicator& world = program.world();
    const Window window(world, sizeof(Elements), memory);
    window.at_target<std::byte>([](std::span<std::byte> all) {
        std::ranges::fill(all, std::byte{0});
        return 0;
    });
    window.begin(epoch);
    add_often(window, operation, epoch, world.rank());
    window.end(epoch);
    const std::int64_t n_wrong = window.at_target<std::byte>(
        [&](auto) { return n_wrong_sums(window, operation, world.size()); });
    constexpr std::array<const char*, 3> names = {"accumulate", "fetch_and_op", "compare_and_swap"};
    program.check(std::string("wrong sums of all ranks at once, ") +
                      names[static_cast<std::size_t>(operation)] + ", " + name_of(epoch),
                  static_cast<double>(n_wrong), 0.0);
}

}  // namespace heorot::one_sided
