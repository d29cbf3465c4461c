// The ranks of this job, with MPI and without.
#include "harness/world.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <thread>

namespace heorot {

namespace {

/// The first of these environment variables that is set, or `fallback`.
int announced(std::initializer_list<const char*> names, int fallback) {
    for (const char* name : names) {
        const char* text = std::getenv(name);
        if (text == nullptr) continue;
        int number = fallback;
        std::from_chars(text, text + std::strlen(text), number);
        return number;
    }
    return fallback;
}

}  // namespace

int World::announced_rank() {
    return announced(
        {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "FLUX_TASK_RANK"}, 0);
}

int World::announced_size() {
    // Not SLURM_NTASKS, which is also set in a batch script outside any launcher.
    return announced({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE"}, 0);
}

#if HEOROT_WITH_MPI

namespace {

template <class T>
T reduced(T value, MPI_Datatype type, MPI_Op operation, MPI_Comm ranks = MPI_COMM_WORLD) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, operation, ranks);
    return value;
}

template <class T>
void reduce(std::span<T> values, MPI_Datatype type, MPI_Op operation) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, operation,
                  MPI_COMM_WORLD);
}

}  // namespace

void World::start() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    expects(provided >= MPI_THREAD_FUNNELED, "the MPI library lets the main thread communicate");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host_);
    MPI_Comm_rank(host_, &host_rank_);
    started_ = true;
}

void World::finish() {
    if (!started_) return;
    started_ = false;
    MPI_Comm_free(&host_);
    MPI_Finalize();
}

void World::barrier() const {
    MPI_Barrier(MPI_COMM_WORLD);
}
double World::maximum(double value) const {
    return reduced(value, MPI_DOUBLE, MPI_MAX);
}
void World::maximum(std::span<double> values) const {
    reduce(values, MPI_DOUBLE, MPI_MAX);
}
double World::minimum(double value) const {
    return reduced(value, MPI_DOUBLE, MPI_MIN);
}
void World::minimum(std::span<double> values) const {
    reduce(values, MPI_DOUBLE, MPI_MIN);
}
double World::sum(double value) const {
    return reduced(value, MPI_DOUBLE, MPI_SUM);
}
std::int64_t World::sum(std::int64_t value) const {
    return reduced(value, MPI_INT64_T, MPI_SUM);
}
void World::sum(std::span<double> values) const {
    reduce(values, MPI_DOUBLE, MPI_SUM);
}
void World::sum(std::span<std::int64_t> values) const {
    reduce(values, MPI_INT64_T, MPI_SUM);
}

double World::sum_on_host(double value) const {
    return reduced(value, MPI_DOUBLE, MPI_SUM, host_);
}

std::vector<double> World::gather(double value) const {
    std::vector<double> all(rank_ == 0 ? static_cast<std::size_t>(size_) : 0);
    MPI_Gather(&value, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return all;
}

std::vector<std::string> World::gather(const std::string& text) const {
    const auto n_ranks = static_cast<std::size_t>(rank_ == 0 ? size_ : 0);
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(n_ranks);
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::vector<int> starts(n_ranks);
    int n_characters = 0;
    for (std::size_t i = 0; i < n_ranks; ++i) {
        starts[i] = n_characters;
        n_characters += lengths[i];
    }
    std::string all(static_cast<std::size_t>(n_characters), ' ');
    MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR,
                0, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    texts.reserve(n_ranks);
    for (std::size_t i = 0; i < n_ranks; ++i) {
        texts.push_back(
            all.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
}

std::string World::mpi_library() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string name(text.data());
    name = name.substr(0, name.find('\n'));
    std::replace(name.begin(), name.end(), '\t', ' ');
    return name;
}

std::string World::mpi_standard() {
    int version = 0;
    int subversion = 0;
    MPI_Get_version(&version, &subversion);
    return std::to_string(version) + "." + std::to_string(subversion);
}

bool World::has_wall_time() {
    return true;
}
double World::wall_time() {
    return MPI_Wtime();
}

void World::abort(int code) {
    int is_started = 0;
    int is_over = 0;
    MPI_Initialized(&is_started);
    MPI_Finalized(&is_over);
    if (is_started != 0 && is_over == 0) {
        // Launchers drop what they have not yet passed on of stdout and stderr, and other ranks
        // may still be explaining themselves.
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    std::_Exit(code);
}

#else

void World::start() {
    started_ = true;
}
void World::finish() {
    started_ = false;
}
void World::barrier() const {}
double World::maximum(double value) const {
    return value;
}
void World::maximum(std::span<double>) const {}
double World::minimum(double value) const {
    return value;
}
void World::minimum(std::span<double>) const {}
double World::sum(double value) const {
    return value;
}
std::int64_t World::sum(std::int64_t value) const {
    return value;
}
void World::sum(std::span<double>) const {}
void World::sum(std::span<std::int64_t>) const {}
double World::sum_on_host(double value) const {
    return value;
}
std::vector<double> World::gather(double value) const {
    return {value};
}
std::vector<std::string> World::gather(const std::string& text) const {
    return {text};
}
std::string World::mpi_library() {
    return "none";
}
std::string World::mpi_standard() {
    return "none";
}
bool World::has_wall_time() {
    return false;
}
double World::wall_time() {
    return 0.0;
}
void World::abort(int code) {
    std::_Exit(code);
}

#endif

}  // namespace heorot
