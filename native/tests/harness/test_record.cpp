// The record, byte for byte: test_record GOLDEN compares, test_record GOLDEN --write makes it anew.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include "harness/record/gathering.hpp"
#include "harness/record/record.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

RunFacts fixed_run() {
    RunFacts facts;
    facts.benchmark = "memory/stream";
    facts.options_json = JsonObject()
                             .add("n", std::size_t{1000})
                             .add("kernels", "all")
                             .add("precision", 0.01)
                             .add("corrupt", false)
                             .text();
    facts.ranks = 2;
    facts.threads = 3;
    facts.placement_json = {
        placement_json(0, {.host = "n1", .pid = 123, .cpus = {0, 1}, .numa = {0}}),
        placement_json(1, {.host = "n2", .pid = 456, .cpus = {64}, .numa = {}})};
    facts.compiler = "GNU 12.2.0";
    facts.flags = "-O3 -DTEXT=\"a b\"";
    facts.mpi_library = "Open MPI v5.0.11";
    facts.mpi_standard = "3.1";
    facts.clock = {"monotonic", 2e-8, 2.5e-8, true};
    facts.other_clocks = {{"tsc", 1e-8, 1.5e-8, true}, {"mpi", 1e-6, 3e-8, false}};
    facts.started = 1790000000.125;
    return facts;
}

Disturbance fixed_disturbance() {
    return {.involuntary_switches = 2,
            .steal_seconds = 0.01,
            .other_cpu_seconds = 0.125,
            .waited_seconds = 0.0625,
            .energy_joules = 12.5,
            .memory_bytes = 6.25e9,
            .window_seconds = 0.5,
            .sentinel_before = 1.0,
            .sentinel_after = 1.0625};
}

/// Resets facts that not every kernel reports.
void forget(Disturbance& seen) {
    seen.other_cpu_seconds.reset();
    seen.waited_seconds.reset();
    seen.energy_joules.reset();
    seen.memory_bytes.reset();
}

RegionFacts fixed_region() {
    RegionFacts facts{.region = "triad",
                      .point = {{"n", 1000}, {"share", 0.5}, {"access", "stride 3"}},
                      .counts = {{"bytes", 24000.0}, {"flops", 2000}},
                      .samples = {},
                      .synchronisation = "barrier",
                      .second_clock = "tsc",
                      .disturbance = fixed_disturbance(),
                      .phases = {{.name = "rest",
                                  .computation_seconds = {1e-5, 2e-5},
                                  .communication_seconds = {5e-6, 0.0},
                                  .messages = {1.0, 0.5},
                                  .bytes = {800.0, 0.0},
                                  .collectives = {0.0, 2.0}}},
                      .own = OwnFacts{.hosts = {},
                                      .lowest_seconds = {},
                                      .median_seconds = {2e-6, 2.25e-6},
                                      .highest_seconds = {},
                                      .slowest = {1, 3}}};
    facts.samples.seconds = {1.25e-4, 1.5e-4, 1e-4, 1.0 / 3.0};
    facts.samples.repetitions = 64;
    facts.samples.stopped = "precision";
    facts.samples.warmup_seconds = 0.001;
    facts.samples.elapsed_seconds = 0.34;
    facts.samples.elapsed_on_second_clock_seconds = 0.3400001;
    return facts;
}

EndFacts fixed_end() {
    EndFacts end;
    end.n_checks = 3;
    end.n_failed = 2;
    end.elapsed_seconds = 1.5;
    end.usage = {{1.0, 0.25, 1048576, 3}, {1.125, 0.5, 2097152, 4}};
    end.disturbance = fixed_disturbance();
    end.traffic = {{.interface = "ib0",
                    .n_nodes = 2,
                    .sent_bytes = 6000000000,
                    .received_bytes = 5999999000,
                    .least_bytes = 5999999400,
                    .most_bytes = 5999999600}};
    return end;
}

void write_fixed_record(const std::string& path) {
    Record record(path);
    record.run(fixed_run());
    record.note("instruction_width_bytes", 64);
    record.note("instructions", "AVX-512 \"wide\"");
    RegionFacts region = fixed_region();
    record.region(region);
    region.region = "sum";
    region.synchronisation = "window";
    region.samples.starts = StartFacts{
        .n_bodies = 256, .n_late = 3, .window_seconds = 4e-6, .clock_error_seconds = 2.5e-7};
    region.samples.local_seconds = {1.125e-4, 1.25e-4, 9e-5, 0.25};
    region.samples.mean_seconds = {1e-4, 1.125e-4, 9e-5, 0.125};
    record.region(region);
    region.samples.starts.reset();
    region.samples.local_seconds.clear();
    region.samples.mean_seconds.clear();
    region.region = "copy";
    region.point.clear();
    region.counts.clear();
    region.phases.clear();
    region.samples.elapsed_on_second_clock_seconds.reset();
    forget(region.disturbance);
    region.synchronisation = "none";
    region.samples.stopped = "budget";
    region.own = OwnFacts{.hosts = {"n1", "n2"},
                          .lowest_seconds = {1e-6, 1.5e-6},
                          .median_seconds = {2e-6, 2.25e-6},
                          .highest_seconds = {2.5e-6, 3e-6},
                          .slowest = {1, 3}};
    record.region(region);
    region.region = "alone";
    region.own.reset();
    record.region(region);

    const Region triad{"triad", {{"n", 1000}}, 640};
    record.check({"largest relative deviation", 1e-16, 1e-14, true, &triad});
    record.check({"sum", std::numeric_limits<double>::quiet_NaN(), 1e-14, false, nullptr});
    record.check({"norm", std::numeric_limits<double>::infinity(), 1e-14, false, nullptr});
    record.refused("needs exactly two ranks, has 1");
    record.end(fixed_end());
}

void check_own_facts() {
    std::vector<OwnTime> own(most_ranks_reported, {2e-3, 1});
    std::vector<std::string> hosts(most_ranks_reported, "n2");
    const OwnFacts few = own_facts(own, hosts);
    CHECK(few.hosts.empty() && few.lowest_seconds.empty());
    CHECK(few.median_seconds.size() == most_ranks_reported &&
          few.slowest.size() == most_ranks_reported);

    // One rank more, and the hosts take turns at the end.
    own.insert(own.end(), {{5e-3, 7}, {1e-3, 0}, {3e-3, 2}});
    hosts.insert(hosts.end(), {"n1", "n2", "n1"});
    const OwnFacts many = own_facts(own, hosts);
    CHECK((many.hosts == std::vector<std::string>{"n2", "n1"}));
    CHECK((many.lowest_seconds == std::vector<double>{1e-3, 3e-3}));
    CHECK((many.median_seconds == std::vector<double>{2e-3, 0.5 * (3e-3 + 5e-3)}));
    CHECK((many.highest_seconds == std::vector<double>{2e-3, 5e-3}));
    CHECK((many.slowest == std::vector<std::int64_t>{64, 9}));
}

void check_traffic_facts() {
    CHECK(traffic_facts({}).empty());
    const std::vector<std::vector<Carried>> nodes = {
        {{"eth0", 1, 2}, {"ib0", 100, 200}}, {}, {{"ib0", 30, 20}}, {{"ib0", 300, 100}}};
    const std::vector<TrafficFacts> facts = traffic_facts(nodes);
    CHECK(facts.size() == 2);
    CHECK(facts[0].interface == "ib0" && facts[0].n_nodes == 3);
    CHECK(facts[0].sent_bytes == 430 && facts[0].received_bytes == 320);
    CHECK(facts[0].least_bytes == 50 && facts[0].most_bytes == 400);
    CHECK(facts[1].interface == "eth0" && facts[1].n_nodes == 1);
    CHECK(facts[1].least_bytes == 3 && facts[1].most_bytes == 3);
}

/// Names that differ from node to node do not make the record long: the busiest stay.
void check_many_names() {
    std::vector<std::vector<Carried>> nodes;
    nodes.reserve(1000);
    for (int i = 0; i < 1000; ++i) nodes.push_back({{"veth" + std::to_string(i), i + 1, 0}});
    const std::vector<TrafficFacts> facts = traffic_facts(nodes);
    CHECK(facts.size() == most_interfaces_reported);
    CHECK(facts.front().interface == "veth999" && facts.back().sent_bytes == 985);
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const std::string golden = argv[1];
    if (argc > 2 && std::string_view(argv[2]) == "--write") {
        write_fixed_record(golden);
        return 0;
    }
    check_own_facts();
    check_traffic_facts();
    check_many_names();
    const std::string written = "test_record.jsonl";
    write_fixed_record(written);
    CHECK(!contents(golden).empty());
    CHECK(contents(written) == contents(golden));
    std::remove(written.c_str());

    CHECK(tests::throws<RecordError>([] { const Record nowhere("/no/such/folder/record"); }));
    CHECK(tests::throws<RecordError>([] { Record("/dev/full").note("full", 1); }));
    Record().note("no output", 1);
    return tests::result();
}
