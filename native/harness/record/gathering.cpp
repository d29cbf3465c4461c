// Gathering per rank, and summing up per host where there are many ranks.
#include "harness/record/gathering.hpp"

#include <algorithm>

namespace heorot {

namespace {

OwnFacts by_rank(std::span<const OwnTime> own) {
    OwnFacts facts;
    for (const OwnTime& rank : own) {
        facts.median_seconds.push_back(rank.median_seconds);
        facts.slowest.push_back(rank.slowest);
    }
    return facts;
}

/// Hosts in the order of their first ranks.
OwnFacts by_host(std::span<const OwnTime> own, std::span<const std::string> hosts) {
    OwnFacts facts;
    std::vector<std::vector<double>> medians;
    for (std::size_t rank = 0; rank < own.size(); ++rank) {
        const auto known = std::find(facts.hosts.begin(), facts.hosts.end(), hosts[rank]);
        const auto place = static_cast<std::size_t>(known - facts.hosts.begin());
        if (known == facts.hosts.end()) {
            facts.hosts.push_back(hosts[rank]);
            facts.slowest.push_back(0);
            medians.emplace_back();
        }
        medians[place].push_back(own[rank].median_seconds);
        facts.slowest[place] += own[rank].slowest;
    }
    for (std::vector<double>& of_host : medians) {
        facts.lowest_seconds.push_back(*std::min_element(of_host.begin(), of_host.end()));
        facts.highest_seconds.push_back(*std::max_element(of_host.begin(), of_host.end()));
        facts.median_seconds.push_back(median_of(of_host));
    }
    return facts;
}

}  // namespace

std::vector<Usage> gather_usage(const World& world) {
    const Usage own = usage_so_far();
    const auto user = world.gather(own.user_seconds);
    const auto system = world.gather(own.system_seconds);
    const auto memory = world.gather(static_cast<double>(own.peak_memory_bytes));
    const auto switches = world.gather(static_cast<double>(own.involuntary_switches));
    std::vector<Usage> all;
    all.reserve(user.size());
    for (std::size_t i = 0; i < user.size(); ++i) {
        all.push_back({user[i], system[i], static_cast<std::int64_t>(memory[i]),
                       static_cast<std::int64_t>(switches[i])});
    }
    return all;
}

std::vector<PhaseFacts> gather_phases(const Phases& phases, const World& world, double n_bodies) {
    std::vector<PhaseFacts> all;
    for (const PhaseTotals& own : phases.totals()) {
        const auto per_body = [&](auto total) {
            return world.gather(static_cast<double>(total) / n_bodies);
        };
        all.push_back({.name = own.name,
                       .computation_seconds = per_body(own.computation_seconds),
                       .communication_seconds = per_body(own.communication_seconds),
                       .messages = per_body(own.messages),
                       .bytes = per_body(own.bytes),
                       .collectives = per_body(own.collectives)});
    }
    return all;
}

std::optional<OwnFacts> gather_own(const std::optional<OwnTime>& own, const World& world,
                                   std::span<const std::string> hosts) {
    if (!own) return std::nullopt;
    const auto medians = world.gather(own->median_seconds);
    const auto slowest = world.gather(static_cast<double>(own->slowest));
    if (world.rank() != 0) return std::nullopt;
    std::vector<OwnTime> all;
    all.reserve(medians.size());
    for (std::size_t rank = 0; rank < medians.size(); ++rank) {
        all.push_back({medians[rank], static_cast<std::int64_t>(slowest[rank])});
    }
    return own_facts(all, hosts);
}

OwnFacts own_facts(std::span<const OwnTime> own, std::span<const std::string> hosts) {
    return own.size() <= most_ranks_told ? by_rank(own) : by_host(own, hosts);
}

}  // namespace heorot
