// The record of a run: JSON lines in SI base units, flushed one by one, written by rank 0.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/measure/clock.hpp"
#include "harness/measure/disturbance.hpp"
#include "harness/measure/measure.hpp"
#include "harness/record/json.hpp"
#include "harness/world/placement.hpp"

namespace heorot {

/// Version of the line format.
inline constexpr int record_schema = 1;

/// First line: program, options, place and build.
struct RunFacts {
    std::string benchmark;
    std::string options_json;
    int ranks = 1;
    int threads = 1;
    std::vector<std::string> placement_json;  ///< one object per rank
    std::string compiler;
    std::string flags;
    std::string mpi_library;
    std::string mpi_standard;
    ClockFacts clock;
    std::vector<ClockFacts> other_clocks;
    double started = 0.0;  ///< seconds since 1970
};

/// One phase of a region: means per body, one number per rank.
struct PhaseFacts {
    std::string name;
    std::vector<double> computation_seconds;
    std::vector<double> communication_seconds;
    std::vector<double> messages;
    std::vector<double> bytes;
    std::vector<double> collectives;
};

/// What the ranks themselves took for a body, and in how many samples they were the slowest: one
/// number per rank or, where hosts are named, per host.
struct OwnFacts {
    std::vector<std::string> hosts;       ///< empty: a number per rank
    std::vector<double> lowest_seconds;   ///< of a host's ranks, by their medians
    std::vector<double> median_seconds;   ///< over the samples; of a host: of its ranks' medians
    std::vector<double> highest_seconds;  ///< of a host's ranks, by their medians
    std::vector<std::int64_t> slowest;    ///< of a host: sum over its ranks
};

/// One measured region.
struct RegionFacts {
    std::string region;
    Point point;
    std::vector<Count> counts;
    Samples samples;
    std::string synchronisation;
    std::string second_clock;  ///< name, if there is one
    Disturbance disturbance;
    std::vector<PhaseFacts> phases;
    std::optional<OwnFacts> own = {};  ///< if there are several ranks
};

/// One verification.
struct CheckFacts {
    std::string name;
    double value = 0.0;
    double tolerance = 0.0;
    bool passed = false;
    const Region* region = nullptr;  ///< null: the whole program
};

/// Traffic of a network interface while the program ran, summed up over the nodes of the job.
struct TrafficFacts {
    std::string interface;
    std::int64_t n_nodes = 0;  ///< on which it carried anything
    std::int64_t sent_bytes = 0;
    std::int64_t received_bytes = 0;
    std::int64_t least_bytes = 0;  ///< sent and received on any of these nodes
    std::int64_t most_bytes = 0;   ///< the same of the busiest
};

/// Last line.
struct EndFacts {
    std::int64_t n_checks = 0;
    std::int64_t n_failed = 0;
    bool ended_well = true;  ///< of a program without checks, by its exit code
    double elapsed_seconds = 0.0;
    std::vector<Usage> usage;  ///< one per rank
    Disturbance disturbance;
    std::optional<std::vector<TrafficFacts>> traffic = {};  ///< if there are several nodes
};

/// The record could not be written: exit 2.
class RecordError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Writes the lines. Every function throws RecordError if the line did not arrive in the file.
class Record {
  public:
    /// A record without output, for every rank but the first.
    Record() = default;
    /// Opens `path` anew, or standard output if it is empty.
    explicit Record(const std::string& path);
    Record(Record&& other) noexcept;
    Record& operator=(Record&& other) noexcept;
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;
    ~Record();

    void run(const RunFacts& facts);
    void note(std::string_view name, const Scalar& value);
    void region(const RegionFacts& facts);
    void check(const CheckFacts& facts);
    void refused(std::string_view reason);
    void end(const EndFacts& facts);

  private:
    void write(const JsonObject& line);

    std::string path_;
    std::FILE* file_ = nullptr;
};

/// Where a process runs: {"rank":..,"host":..,"pid":..,"cpus":[..],"numa":[..]}.
std::string placement_json(int rank, const Placement& placement);

}  // namespace heorot
