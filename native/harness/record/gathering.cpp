// Gathering per rank, and summing up per host where there are many ranks.
#include "harness/record/gathering.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

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

/// A line for each interface; their names have no spaces.
std::string text_of(std::span<const Carried> interfaces) {
    std::ostringstream text;
    for (const Carried& one : interfaces) {
        text << one.interface << ' ' << one.sent_bytes << ' ' << one.received_bytes << '\n';
    }
    return text.str();
}

std::vector<Carried> parse_interfaces(const std::string& text) {
    std::vector<Carried> interfaces;
    std::istringstream lines(text);
    for (Carried one; lines >> one.interface >> one.sent_bytes >> one.received_bytes;) {
        interfaces.push_back(one);
    }
    return interfaces;
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
    return own.size() <= most_ranks_reported ? by_rank(own) : by_host(own, hosts);
}

std::optional<std::vector<TrafficFacts>> gather_traffic(std::span<const Carried> before,
                                                        const World& world) {
    const bool speaks = world.leads_host();
    if (world.sum(std::int64_t{speaks ? 1 : 0}) == 1) return std::nullopt;
    const auto carried =
        speaks ? carried_between(before, carried_so_far()) : std::vector<Carried>();
    const std::vector<std::string> texts = world.gather(text_of(carried));
    if (world.rank() != 0) return std::nullopt;
    std::vector<std::vector<Carried>> nodes;
    nodes.reserve(texts.size());
    for (const std::string& text : texts) nodes.push_back(parse_interfaces(text));
    return traffic_facts(nodes);
}

std::vector<TrafficFacts> traffic_facts(std::span<const std::vector<Carried>> nodes) {
    std::map<std::string, TrafficFacts> by_name;
    for (const std::vector<Carried>& node : nodes) {
        for (const Carried& one : node) {
            const std::int64_t bytes = one.sent_bytes + one.received_bytes;
            TrafficFacts& sum = by_name[one.interface];
            sum.interface = one.interface;
            sum.least_bytes = sum.n_nodes == 0 ? bytes : std::min(sum.least_bytes, bytes);
            sum.most_bytes = std::max(sum.most_bytes, bytes);
            sum.sent_bytes += one.sent_bytes;
            sum.received_bytes += one.received_bytes;
            ++sum.n_nodes;
        }
    }
    std::vector<TrafficFacts> all;
    all.reserve(by_name.size());
    for (auto& [name, facts] : by_name) all.push_back(std::move(facts));
    std::stable_sort(all.begin(), all.end(), [](const TrafficFacts& a, const TrafficFacts& b) {
        return a.sent_bytes + a.received_bytes > b.sent_bytes + b.received_bytes;
    });
    if (all.size() > most_interfaces_reported) all.resize(most_interfaces_reported);
    return all;
}

}  // namespace heorot
