// The files of the simulator: a workload with its setting, and its outcome.
//
// Numbers are little-endian and packed as they are written here.
//
//   workload  "HEOROTJ2", n_jobs u64, then i32: nodes, cores per node, ports per node, most
//             reservations; u32: order, backfill, allocation, whether places are wanted, n_blocks,
//             0; f64: ageing [1/s], weight of shares, half-life [s]; then n_blocks of Block and
//             n_jobs of Job (setting.hpp)
//   outcome   "HEOROTO1", n_jobs u64, n_intervals u64, then i64 each: all submissions, all starts
//             [us], 2^63 - 1 for never; if places were wanted: u64 n_jobs + 1 offsets, n_intervals
//             of i32 first node and i32 number of nodes
#pragma once

#include <stdexcept>
#include <string>

#include "scheduler/engine.hpp"

namespace heorot::scheduler {

/// A file that cannot be read, written or parsed; what() has the reason.
class FileError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A workload and its machine.
struct Workload {
    Setting setting;
    std::vector<Job> jobs;
};

/// Throws FileError.
Workload read_workload(const std::string& path);

/// Throws FileError.
void write_outcome(const Outcome& outcome, const std::string& path);

}  // namespace heorot::scheduler
