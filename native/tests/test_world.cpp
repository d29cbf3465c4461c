// The ranks of a job: reductions, texts, messages, hosts; with any number of ranks.
#include <array>
#include <string>
#include <vector>

#include "harness/disturbance.hpp"
#include "harness/world.hpp"
#include "testing.hpp"

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
}

void check_texts(const World& world) {
    const auto rank = static_cast<std::size_t>(world.rank());
    const auto texts = world.gather(std::string(rank, 'x'));
    const auto numbers = world.gather(static_cast<double>(rank));
    const std::size_t n_wanted = rank == 0 ? static_cast<std::size_t>(world.size()) : 0;
    CHECK(texts.size() == n_wanted && numbers.size() == n_wanted);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CHECK(texts[i] == std::string(i, 'x'));
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
    check_observation(world);
    CHECK(!World::mpi_library().empty());
    CHECK(World::mpi_library().find('\n') == std::string::npos);
    world.barrier();
    world.finish();
    return testing::result();
}
