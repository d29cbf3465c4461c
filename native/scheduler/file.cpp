// Reads and writes the files, without a second copy of their contents.
#include "scheduler/file.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace heorot::scheduler {

namespace {

static_assert(std::endian::native == std::endian::little, "the files are read as they are");

constexpr std::string_view jobs_mark = "HEOROTJ2";
constexpr std::string_view outcome_mark = "HEOROTO1";

struct Head {
    std::array<char, 8> mark{};
    std::uint64_t n_jobs = 0;
    std::int32_t n_nodes = 0, cores_per_node = 0, ports_per_node = 0, most_reservations = 0;
    std::uint32_t order = 0, backfill = 0, allocation = 0, wants_places = 0, n_blocks = 0,
                  unused = 0;
    double ageing = 0.0, share_weight = 0.0, half_life_seconds = 0.0;
};
static_assert(sizeof(Head) == 80);

template <class T>
void read_into(std::ifstream& file, T* to, std::size_t n) {
    file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(n * sizeof(T)));
}

template <class T>
void write_from(std::ofstream& file, const T* from, std::size_t n) {
    file.write(reinterpret_cast<const char*>(from), static_cast<std::streamsize>(n * sizeof(T)));
}

template <class Kind>
Kind kind_of(std::uint32_t number, Kind last, const std::string& path) {
    if (number > static_cast<std::uint32_t>(last)) {
        throw FileError(path + " has a setting of an unknown kind");
    }
    return static_cast<Kind>(number);
}

Setting setting_of(const Head& head, const std::string& path) {
    Setting setting;
    setting.n_nodes = head.n_nodes;
    setting.cores_per_node = head.cores_per_node;
    setting.ports_per_node = head.ports_per_node;
    setting.most_reservations = head.most_reservations;
    setting.order = kind_of(head.order, Order::fair_share, path);
    setting.backfill = kind_of(head.backfill, Backfill::first_fit, path);
    setting.allocation = kind_of(head.allocation, Allocation::contiguous, path);
    setting.ageing = head.ageing;
    setting.share_weight = head.share_weight;
    setting.half_life_seconds = head.half_life_seconds;
    setting.wants_places = head.wants_places != 0;
    return setting;
}

}  // namespace

Workload read_workload(const std::string& path) {
    std::error_code problem;
    const auto n_bytes = std::filesystem::file_size(path, problem);
    if (problem) throw FileError("cannot read " + path + ": " + problem.message());
    std::ifstream file(path, std::ios::binary);
    Head head;
    read_into(file, &head, 1);
    if (!file || std::string_view(head.mark.data(), head.mark.size()) != jobs_mark) {
        throw FileError(path + " is no workload");
    }
    constexpr std::uint64_t most_jobs = std::uint64_t{1} << 31U;
    const std::uint64_t wanted =
        sizeof(Head) + head.n_blocks * sizeof(Block) + head.n_jobs % most_jobs * sizeof(Job);
    if (head.n_jobs >= most_jobs || n_bytes != wanted) {
        throw FileError(path + " does not have the length that its head states");
    }
    Workload workload{setting_of(head, path), std::vector<Job>(head.n_jobs)};
    workload.setting.blocks.resize(head.n_blocks);
    read_into(file, workload.setting.blocks.data(), head.n_blocks);
    read_into(file, workload.jobs.data(), workload.jobs.size());
    if (!file) throw FileError("cannot read " + path);
    return workload;
}

void write_outcome(const Outcome& outcome, const std::string& path) {
    std::ofstream file(path, std::ios::binary);
    file << outcome_mark;
    const std::array<std::uint64_t, 2> counts = {outcome.start.size(), outcome.intervals.size()};
    write_from(file, counts.data(), counts.size());
    write_from(file, outcome.submit.data(), outcome.submit.size());
    write_from(file, outcome.start.data(), outcome.start.size());
    write_from(file, outcome.offsets.data(), outcome.offsets.size());
    write_from(file, outcome.intervals.data(), outcome.intervals.size());
    file.flush();
    if (!file) throw FileError("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace heorot::scheduler
