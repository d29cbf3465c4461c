// Refuses senseless settings before the simulation.
#include "scheduler/setting.hpp"

#include <algorithm>
#include <cmath>

namespace heorot::scheduler {

namespace {

/// Sums of times stay far from the end of the range: 2^53 us are 285 years.
constexpr Time latest = Time{1} << 53;

bool in_range(Time time) {
    return time >= 0 && time <= latest;
}

std::string complaint_about(const Job& job, Index own) {
    if (!in_range(job.submit) || !in_range(job.run) || !in_range(job.think)) {
        return "a time is negative or too large";
    }
    if (!in_range(job.estimate) || job.estimate < std::max(job.run, Time{1})) {
        return "its estimate is below its run time";
    }
    if (job.preceding < nobody || job.preceding >= own) return "it follows a later job";
    if (job.nodes < 1 || job.cores < job.nodes) return "it has less than a core on each node";
    if (job.user < 0) return "its user has a negative number";
    if (!std::isfinite(job.priority)) return "its priority is no number";
    if (!(job.share > 0.0F) || !std::isfinite(job.share)) return "its share is not above 0";
    return "";
}

std::string complaint_about(const Setting& setting) {
    if (setting.n_nodes < 1 || setting.cores_per_node < 1) return "there are no nodes or no cores";
    // Plans of particular nodes hold 16 bits of each.
    constexpr std::int32_t most = std::numeric_limits<std::int16_t>::max();
    if (std::max(setting.cores_per_node, setting.ports_per_node) > most) {
        return "a node has more than 32767 cores or ports";
    }
    if (setting.most_reservations < 1) return "no job may have a reservation";
    if (setting.ports_per_node < 0) return "there are fewer ports than none";
    for (const double number : {setting.ageing, setting.share_weight, setting.half_life_seconds}) {
        if (!std::isfinite(number) || number < 0.0) return "a weight is negative";
    }
    Time last = 0;
    for (const Block& block : setting.blocks) {
        if (!in_range(block.from) || !in_range(block.to) || block.to <= block.from) {
            return "a reservation ends before it begins";
        }
        if (block.from < last) return "reservations are not in the order of time";
        if (block.nodes < 1) return "a reservation has no nodes";
        last = block.from;
    }
    return "";
}

}  // namespace

std::string complaint_about(const Setting& setting, const std::vector<Job>& jobs) {
    if (const std::string words = complaint_about(setting); !words.empty()) return words;
    Time last = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        std::string words = complaint_about(jobs[i], static_cast<Index>(i));
        if (words.empty() && jobs[i].submit < last) words = "it was submitted before the one above";
        if (!words.empty()) return "job " + std::to_string(i) + ": " + words;
        last = jobs[i].submit;
    }
    return "";
}

bool can_ever_run(const Job& job, const Setting& setting) {
    const std::int32_t most_cores = (job.cores + job.nodes - 1) / job.nodes;
    return job.nodes <= setting.n_nodes && most_cores <= setting.cores_per_node;
}

}  // namespace heorot::scheduler
