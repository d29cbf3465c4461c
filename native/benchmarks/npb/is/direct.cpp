// Ranking keys of one rank: see direct.hpp.
#include "benchmarks/npb/is/direct.hpp"

namespace heorot::is {

DirectRanking::DirectRanking(const KeySpace& space, int n_parts, Phases& phases)
    : phases_(phases),
      counting_(phases.add("counting")),
      counters_(static_cast<std::size_t>(space.n_values), n_parts) {
    table_.end = space.n_values;
    table_.n_keys = space.n_keys;
    table_.within = Array<std::uint32_t>(static_cast<std::size_t>(space.n_values));
}

void DirectRanking::rank(std::span<const Key> keys) {
    const auto timed = phases_.enter(counting_);
    counters_.clear(table_.within.span(), 0);
    counters_.count(keys);
    counters_.add_up();
}

}  // namespace heorot::is
