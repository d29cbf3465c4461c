// The ranks of a job: reductions, texts, messages, hosts; with any number of ranks.
#include <array>
#include <string>
#include <vector>

#include "harness/measure/disturbance.hpp"
#include "harness/measure/phases.hpp"
#include "harness/measure/traffic.hpp"
#include "harness/record/gathering.hpp"
#include "harness/world/world.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

void check_reductions(const World& world) {
    const double rank = world.rank();
    const double last = world.size() - 1;
    CHECK(world.maximum(rank) == last);
    CHECK(world.minimum(rank) == 0.0);
    CHECK(world.sum(rank) == 0.5 * last * (last + 1.0));
    CHECK(world.sum(std::int64_t{1}) == world.size());
    std::vector<double> pair = {rank, -rank};
    world.maximum(pair);
    CHECK(pair[0] == last && pair[1] == 0.0);
    pair = {rank, -rank};
    world.minimum(pair);
    CHECK(pair[0] == 0.0 && pair[1] == -last);
    pair = {1.0, 2.0};
    world.sum(std::span<double>(pair));
    CHECK(pair[1] == 2.0 * world.size());
    std::vector<std::int64_t> whole = {1, std::int64_t{1} << 40U};
    world.sum(std::span<std::int64_t>(whole));
    CHECK(whole[1] == (std::int64_t{1} << 40U) * world.size());
    // All ranks of this test share a host.
    CHECK(world.sum_on_host(1.0) == world.size());
    CHECK(world.leads_host() == (world.rank() == 0));
    CHECK(world.are_on_one_host(0, world.size() - 1));
}

void check_texts(const World& world) {
    const auto rank = static_cast<std::size_t>(world.rank());
    const auto text_of = [](std::size_t r) { return std::string(r, static_cast<char>('a' + r)); };
    const auto texts = world.gather(text_of(rank));
    const auto numbers = world.gather(static_cast<double>(rank));
    const std::size_t n_wanted = rank == 0 ? static_cast<std::size_t>(world.size()) : 0;
    CHECK(texts.size() == n_wanted && numbers.size() == n_wanted);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CHECK(texts[i] == text_of(i));
        CHECK(numbers[i] == static_cast<double>(i));
    }
    std::array<std::int32_t, 3> shared = {world.rank(), world.rank(), 7};
    world.broadcast(std::span<std::int32_t>(shared));
    CHECK(shared[0] == 0 && shared[1] == 0 && shared[2] == 7);
}

template <Transferable T>
void check_messages(const World& world) {
    // Around the ring: rank r sends r to r + 1.
    if (world.size() < 2) return;
    const int to = (world.rank() + 1) % world.size();
    const int from = (world.rank() + world.size() - 1) % world.size();
    const std::vector<T> sent(5, static_cast<T>(world.rank()));
    std::vector<T> received(5);
    if (world.rank() == 0) {
        world.send(std::span<const T>(sent), to, 11);
        world.receive(std::span<T>(received), from, 11);
    } else {
        world.receive(std::span<T>(received), from, 11);
        world.send(std::span<const T>(sent), to, 11);
    }
    for (const T element : received) CHECK(element == static_cast<T>(from));
}

/// Rank r sends the number 100 r + s to rank s, in blocks of equal and of different lengths.
void check_all_to_all(const Communicator& group) {
    const auto n = static_cast<std::size_t>(group.size());
    std::vector<std::int32_t> out;
    std::vector<std::int32_t> uneven;
    std::vector<std::int64_t> out_lengths;
    std::vector<std::int64_t> in_lengths;
    for (int s = 0; s < group.size(); ++s) {
        const std::int32_t word = 100 * group.rank() + s;
        out.insert(out.end(), 2, word);
        out_lengths.push_back((group.rank() + s) % 3);  // none, too
        in_lengths.push_back((group.rank() + s) % 3);
        uneven.insert(uneven.end(), static_cast<std::size_t>(out_lengths.back()), word);
    }
    std::vector<std::int32_t> in(2 * n, -1);
    group.all_to_all(std::span<const std::int32_t>(out), std::span(in));
    std::vector<std::int32_t> uneven_in(uneven.size(), -1);
    group.all_to_all(std::span<const std::int32_t>(uneven), std::span(out_lengths),
                     std::span(uneven_in), std::span(in_lengths));
    std::size_t at = 0;
    for (int r = 0; r < group.size(); ++r) {
        const std::int32_t word = 100 * r + group.rank();
        const auto block = static_cast<std::size_t>(r);
        CHECK(in[2 * block] == word && in[2 * block + 1] == word);
        for (std::int64_t i = 0; i < in_lengths[block]; ++i) CHECK(uneven_in[at++] == word);
    }
    const std::array<double, 2> mine = {1.0 * group.rank(), 0.5};
    std::vector<double> all(2 * n);
    group.all_gather(std::span<const double>(mine), std::span(all));
    for (std::size_t r = 0; r < n; ++r) {
        CHECK(all[2 * r] == static_cast<double>(r) && all[2 * r + 1] == 0.5);
    }
}

void check_split(const World& world) {
    // Even ranks and odd ones, the last rank first.
    const int color = world.rank() % 2;
    const Communicator half = world.split(color, -world.rank());
    CHECK(half.size() == (world.size() + 1 - color) / 2);
    CHECK(half.rank() == half.size() - 1 - world.rank() / 2);
    CHECK(half.sum(std::int64_t{1}) == half.size());
    check_all_to_all(half);
    const Communicator alone;
    CHECK(alone.size() == 1 && alone.sum(2.0) == 2.0 && alone.gather(3.0).size() == 1);
    check_all_to_all(alone);
}

void check_started_messages(const World& world) {
    // Everyone to everyone else at once.
    const auto n = static_cast<std::size_t>(world.size());
    const std::int64_t word = std::int64_t{7} * world.rank();
    std::vector<std::int64_t> received(n, -1);
    std::vector<Request> requests(2 * n);
    for (int r = 0; r < world.size(); ++r) {
        const auto i = static_cast<std::size_t>(r);
        if (r == world.rank()) continue;
        requests[i] = world.start_receive(std::span(&received[i], 1), r, 5);
        requests[n + i] = world.start_send(std::span(&word, 1), r, 5);
    }
    world.wait(requests);
    for (int r = 0; r < world.size(); ++r) {
        if (r != world.rank()) CHECK(received[static_cast<std::size_t>(r)] == std::int64_t{7} * r);
    }
}

/// A call's time and bytes belong to the phase that runs, in groups too.
void check_phases(World& world) {
    const Clock clock(Clock::Kind::monotonic);
    Phases phases(clock);
    const Phase part = phases.add("part");
    world.tell(&phases);
    const Communicator group = world.split(0, world.rank());
    phases.start();
    {
        const auto timed = phases.enter(part);
        group.barrier();
        check_messages<double>(world);
    }
    phases.stop();
    world.tell(nullptr);
    const PhaseTotals totals = phases.totals()[1];
    const bool talks = world.size() > 1;
    CHECK(totals.messages == (talks ? 1 : 0) && totals.bytes == (talks ? 40 : 0));
    CHECK(totals.collectives == (talks ? 1 : 0));
    CHECK((totals.communication_seconds > 0.0) == talks);
}

void check_observation(const World& world) {
    const Clock clock(Clock::Kind::monotonic);
    Observer observer(world, clock);
    const Observer::Window window = observer.open();
    while (clock.now() < window.start_seconds + 0.25) {
    }
    const Disturbance seen = observer.close(window);
    CHECK(seen.other_cpu_seconds.has_value());
    CHECK(world.minimum(seen.sentinel_after) == world.maximum(seen.sentinel_after));
    CHECK(seen.sentinel_after >= 1.0);
    // All ranks of this test share a host: nothing passes between hosts.
    CHECK(!gather_traffic(carried_so_far(), world).has_value());
}

}  // namespace

int main() {
    World world;
    CHECK(!world.is_started() && world.size() == 1);
    world.start();
    CHECK(world.is_started());
    CHECK(world.size() == 1 || World::announced_rank() == world.rank());
    check_reductions(world);
    check_texts(world);
    check_messages<std::byte>(world);
    check_messages<std::int32_t>(world);
    check_messages<std::int64_t>(world);
    check_messages<std::uint64_t>(world);
    check_messages<float>(world);
    check_messages<double>(world);
    check_all_to_all(world);
    check_split(world);
    check_started_messages(world);
    check_phases(world);
    check_observation(world);
    CHECK(!World::mpi_library().empty());
    CHECK(World::mpi_library().find('\n') == std::string::npos);
    CHECK(resident_bytes() > 0);
    world.barrier();
    world.finish();
    World::leave();
    return tests::result();
}
