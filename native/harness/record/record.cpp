// Writing the record's lines; docs/records.md describes them.
#include "harness/record/record.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace heorot {

namespace {

JsonObject line_of(std::string_view type) {
    JsonObject line;
    line.add("type", type);
    return line;
}

JsonObject clock_json(const ClockFacts& clock) {
    JsonObject json;
    json.add("name", clock.name)
        .add("resolution_seconds", clock.resolution_seconds)
        .add("overhead_seconds", clock.overhead_seconds)
        .add("monotonic", clock.monotonic);
    return json;
}

std::string point_json(const Point& point) {
    JsonObject json;
    for (const Coordinate& coordinate : point) json.add(coordinate.name, coordinate.value);
    return json.text();
}

std::string disturbance_json(const Disturbance& seen) {
    return JsonObject()
        .add("involuntary_switches", seen.involuntary_switches)
        .add("steal_seconds", seen.steal_seconds)
        .add_json("other_cpu_seconds",
                  seen.other_cpu_seconds ? json_number(*seen.other_cpu_seconds) : "null")
        .add_json("waited_seconds",
                  seen.waited_seconds ? json_number(*seen.waited_seconds) : "null")
        .add_json("energy_joules", seen.energy_joules ? json_number(*seen.energy_joules) : "null")
        .add_json("memory_bytes", seen.memory_bytes ? json_number(*seen.memory_bytes) : "null")
        .add("window_seconds", seen.window_seconds)
        .add("sentinel_before", seen.sentinel_before)
        .add("sentinel_after", seen.sentinel_after)
        .text();
}

std::string phases_json(const std::vector<PhaseFacts>& phases) {
    if (phases.empty()) return "null";
    std::vector<std::string> objects;
    objects.reserve(phases.size());
    for (const PhaseFacts& phase : phases) {
        objects.push_back(
            JsonObject()
                .add("name", phase.name)
                .add_json("computation_seconds", json_array(phase.computation_seconds))
                .add_json("communication_seconds", json_array(phase.communication_seconds))
                .add_json("messages", json_array(phase.messages))
                .add_json("bytes", json_array(phase.bytes))
                .add_json("collectives", json_array(phase.collectives))
                .text());
    }
    return json_array(objects);
}

std::string starts_json(const Samples& samples) {
    if (!samples.starts || samples.local_seconds.empty()) return "null";
    const StartFacts& starts = *samples.starts;
    return JsonObject()
        .add("bodies", starts.n_bodies)
        .add("late", starts.n_late)
        .add("window_seconds", starts.window_seconds)
        .add("clock_error_seconds", starts.clock_error_seconds)
        .add_json("local_seconds", json_array(samples.local_seconds))
        .add_json("mean_seconds", json_array(samples.mean_seconds))
        .text();
}

std::string own_json(const std::optional<OwnFacts>& own) {
    if (!own) return "null";
    JsonObject json;
    if (own->hosts.empty()) {
        json.add("by", "rank").add_json("median_seconds", json_array(own->median_seconds));
    } else {
        std::vector<std::string> hosts;
        hosts.reserve(own->hosts.size());
        for (const std::string& host : own->hosts) hosts.push_back(json_text(host));
        json.add("by", "host")
            .add_json("hosts", json_array(hosts))
            .add_json("lowest_seconds", json_array(own->lowest_seconds))
            .add_json("median_seconds", json_array(own->median_seconds))
            .add_json("highest_seconds", json_array(own->highest_seconds));
    }
    return json.add_json("slowest", json_array(own->slowest)).text();
}

std::string traffic_json(const std::optional<std::vector<TrafficFacts>>& traffic) {
    if (!traffic) return "null";
    std::vector<std::string> objects;
    objects.reserve(traffic->size());
    for (const TrafficFacts& one : *traffic) {
        objects.push_back(JsonObject()
                              .add("interface", one.interface)
                              .add("nodes", one.n_nodes)
                              .add("sent_bytes", one.sent_bytes)
                              .add("received_bytes", one.received_bytes)
                              .add("least_bytes", one.least_bytes)
                              .add("most_bytes", one.most_bytes)
                              .text());
    }
    return json_array(objects);
}

template <class Field>
std::string per_rank_json(const std::vector<Usage>& usage, Field Usage::* field) {
    std::vector<Field> values;
    values.reserve(usage.size());
    for (const Usage& rank : usage) values.push_back(rank.*field);
    return json_array(std::span<const Field>(values));
}

}  // namespace

std::string placement_json(int rank, const Placement& placement) {
    return JsonObject()
        .add("rank", rank)
        .add("host", placement.host)
        .add("pid", placement.pid)
        .add_json("cpus", json_array(placement.cpus))
        .add_json("numa", json_array(placement.numa))
        .text();
}

Record::Record(const std::string& path) : path_(path) {
    file_ = path.empty() ? stdout : std::fopen(path.c_str(), "we");
    if (file_ == nullptr) {
        throw RecordError("cannot open the record '" + path + "': " + std::strerror(errno));
    }
}

Record::Record(Record&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, nullptr)) {}

Record& Record::operator=(Record&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
}

Record::~Record() {
    // Every line was flushed and checked; closing can lose no data.
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void Record::write(const JsonObject& line) {
    if (file_ == nullptr) return;
    const std::string text = line.text() + "\n";
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file_) == text.size();
    if (std::fflush(file_) == 0 && is_written) return;
    throw RecordError("cannot write the record '" + (path_.empty() ? "standard output" : path_) +
                      "': " + std::strerror(errno));
}

void Record::run(const RunFacts& facts) {
    std::vector<std::string> others;
    others.reserve(facts.other_clocks.size());
    for (const ClockFacts& clock : facts.other_clocks) others.push_back(clock_json(clock).text());
    write(line_of("run")
              .add("schema", record_schema)
              .add("benchmark", facts.benchmark)
              .add_json("options", facts.options_json)
              .add("ranks", facts.ranks)
              .add("threads", facts.threads)
              .add_json("placement", json_array(facts.placement_json))
              .add("compiler", facts.compiler)
              .add("flags", facts.flags)
              .add("mpi_library", facts.mpi_library)
              .add("mpi_standard", facts.mpi_standard)
              .add_json("clock",
                        clock_json(facts.clock).add_json("others", json_array(others)).text())
              .add("started", facts.started));
}

void Record::note(std::string_view name, const Scalar& value) {
    write(line_of("note").add("name", name).add("value", value));
}

void Record::region(const RegionFacts& facts) {
    JsonObject counts;
    for (const Count& count : facts.counts) counts.add(count.name, count.value);
    const auto& second_seconds = facts.samples.elapsed_on_second_clock_seconds;
    std::string second = "null";
    if (second_seconds) {
        second = JsonObject()
                     .add("name", facts.second_clock)
                     .add("elapsed_seconds", *second_seconds)
                     .text();
    }
    write(line_of("region")
              .add("name", facts.region)
              .add_json("point", point_json(facts.point))
              .add_json("seconds", json_array(facts.samples.seconds))
              .add("repetitions", facts.samples.repetitions)
              .add_json("counts", counts.text())
              .add("synchronisation", facts.synchronisation)
              .add("stopped", facts.samples.stopped)
              .add("warmup_seconds", facts.samples.warmup_seconds)
              .add("elapsed_seconds", facts.samples.elapsed_seconds)
              .add_json("second_clock", second)
              .add_json("disturbance", disturbance_json(facts.disturbance))
              .add_json("phases", phases_json(facts.phases))
              .add_json("own", own_json(facts.own))
              .add_json("starts", starts_json(facts.samples)));
}

void Record::check(const CheckFacts& facts) {
    const bool whole = facts.region == nullptr;
    write(line_of("check")
              .add("name", facts.name)
              .add("value", facts.value)
              .add("tolerance", facts.tolerance)
              .add("passed", facts.passed)
              .add_json("region", whole ? "null" : json_text(facts.region->name))
              .add_json("point", whole ? "null" : point_json(facts.region->point)));
}

void Record::refused(std::string_view reason) {
    write(line_of("refused").add("reason", reason));
}

void Record::end(const EndFacts& facts) {
    write(line_of("end")
              .add("passed", facts.ended_well && facts.n_failed == 0)
              .add("checks", facts.n_checks)
              .add("failed", facts.n_failed)
              .add("elapsed_seconds", facts.elapsed_seconds)
              .add_json("user_seconds", per_rank_json(facts.usage, &Usage::user_seconds))
              .add_json("system_seconds", per_rank_json(facts.usage, &Usage::system_seconds))
              .add_json("peak_memory_bytes", per_rank_json(facts.usage, &Usage::peak_memory_bytes))
              .add_json("involuntary_switches",
                        per_rank_json(facts.usage, &Usage::involuntary_switches))
              .add_json("disturbance", disturbance_json(facts.disturbance))
              .add_json("traffic", traffic_json(facts.traffic)));
}

}  // namespace heorot
