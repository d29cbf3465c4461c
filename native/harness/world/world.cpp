// Joining and leaving the job, and facts from its MPI library, with MPI and without.
#include "harness/world/world.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <numeric>
#include <thread>
#include <vector>

#include "harness/world/placement.hpp"

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

std::int64_t resident_bytes() {
    std::ifstream status("/proc/self/statm");
    std::int64_t n_pages_in_all = 0;
    std::int64_t n_pages = 0;
    status >> n_pages_in_all >> n_pages;
    return n_pages * sysconf(_SC_PAGESIZE);
}

int World::announced_rank() {
    return announced(
        {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "FLUX_TASK_RANK"}, 0);
}

int World::announced_size() {
    // Not SLURM_NTASKS, which is also set in a batch script outside any launcher.
    return announced({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "FLUX_JOB_SIZE"}, 0);
}

bool World::has_a_core_each() const {
    // A number for each CPU: whether any rank of the host may run there.
    constexpr std::size_t most_cpus = 4096;
    std::vector<double> is_allowed(most_cpus, 0.0);
    for (const std::int64_t cpu : placement_of_this_process().cpus) {
        if (cpu < std::ssize(is_allowed)) is_allowed[static_cast<std::size_t>(cpu)] = 1.0;
    }
    host_.maximum(std::span(is_allowed));
    const double n_cpus = std::accumulate(is_allowed.begin(), is_allowed.end(), 0.0);
    return minimum(n_cpus - host_.size()) >= 0.0;
}

bool World::are_on_one_host(int first, int second) const {
    const double n_first = sum_on_host(rank() == first ? 1.0 : 0.0);
    return sum(rank() == second ? n_first : 0.0) > 0.0;
}

#if HEOROT_WITH_MPI

namespace {

/// The ranks that share this rank's memory.
MPI_Comm ranks_of_this_host() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    return host;
}

int level_of(Callers callers) {
    switch (callers) {
        case Callers::only_thread:
            return MPI_THREAD_SINGLE;
        case Callers::main_thread:
            return MPI_THREAD_FUNNELED;
        case Callers::all_threads:
            break;
    }
    return MPI_THREAD_MULTIPLE;
}

double seconds_so_far() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

bool is_in_a_job() {
    int has_joined = 0;
    int has_left = 0;
    MPI_Initialized(&has_joined);
    MPI_Finalized(&has_left);
    return has_joined != 0 && has_left == 0;
}

/// Joins the job at this level, and returns the costs.
Joining join(int level) {
    Joining joining;
    joining.resident_bytes_before = resident_bytes();
    const double start = seconds_so_far();
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, level, &provided);
    const double joined = seconds_so_far();
    MPI_Barrier(MPI_COMM_WORLD);
    joining.init_seconds = joined - start;
    joining.first_barrier_seconds = seconds_so_far() - joined;
    joining.resident_bytes_after = resident_bytes();
    return joining;
}

}  // namespace

void World::start(Callers callers) {
    const int wanted = level_of(callers);
    static const Joining first = join(wanted);
    joining_ = first;
    int provided = 0;
    MPI_Query_thread(&provided);
    expects(provided >= std::min<int>(wanted, MPI_THREAD_FUNNELED),
            "the MPI library lets the main thread communicate");
    callers_ = provided >= wanted ? callers : Callers::main_thread;
    Communicator::operator=(Communicator(MPI_COMM_WORLD, false));
    host_ = Communicator(ranks_of_this_host(), true);
    is_started_ = true;
}

void World::finish() {
    is_started_ = false;
    host_ = Communicator();
}

void World::leave() {
    if (is_in_a_job()) MPI_Finalize();
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
    if (is_in_a_job()) {
        // Launchers drop output that they have not yet passed on, and other ranks may still be
        // writing errors.
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    std::_Exit(code);
}

#else

void World::start(Callers) {
    is_started_ = true;
}
void World::finish() {
    is_started_ = false;
}
void World::leave() {}
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
