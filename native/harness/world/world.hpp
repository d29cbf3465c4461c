// All ranks of this job, the hosts they share, and the MPI library that joins them.
#pragma once

#include <cstdint>
#include <string>

#include "harness/world/communicator.hpp"

namespace heorot {

/// The threads that may communicate: the only one of a rank, the main one of several, or all of
/// them at once. Higher levels cost the library time: with a second thread, Open MPI 4.1 needs half
/// as long again for a message of 8 bytes.
enum class Callers { only_thread, main_thread, all_threads };

/// Resident memory of this process [B], 0 if the kernel does not report it.
std::int64_t resident_bytes();

/// Time and memory of this rank for joining the job.
struct Joining {
    double init_seconds = 0.0;               ///< MPI_Init_thread [s]
    double first_barrier_seconds = 0.0;      ///< the barrier that follows it [s]
    std::int64_t resident_bytes_before = 0;  ///< memory of this process before both [B]
    std::int64_t resident_bytes_after = 0;   ///< and after [B]
};

/// All ranks of the job; a build without MPI has one. Before start() this is rank 0 of 1.
class World : public Communicator {
  public:
    /// Joins the job, unless this process has done so before: MPI_Init_thread at the level SINGLE,
    /// FUNNELED or, if it is to be had, MULTIPLE. **Collective.**
    void start(Callers callers = Callers::main_thread);
    /// Releases the communicators of start(); only finish() and leave() may follow. **Collective.**
    void finish();
    /// Leaves the job for good, if this process has joined it. **Collective.**
    static void leave();

    bool is_started() const { return is_started_; }
    /// The threads that may communicate, as granted by the library.
    Callers callers() const { return callers_; }
    const Joining& joining() const { return joining_; }

    /// The ranks of this host.
    const Communicator& host() const { return host_; }
    /// Whether every host allows its ranks as many CPUs as there are ranks: none has to wait for
    /// another to leave its core. **Collective.**
    bool has_a_core_each() const;
    /// Whether these two ranks share a host; both are below size(). **Collective.**
    bool are_on_one_host(int first, int second) const;
    /// Whether this rank is the first of its host.
    bool leads_host() const { return host_.rank() == 0; }
    /// Sum over the ranks of this host, on every one of them. **Collective.**
    double sum_on_host(double value) const { return host_.sum(value); }

    /// Name and version of the MPI library by itself, in one line; "none" without MPI.
    static std::string mpi_library();
    /// The version of the MPI standard the library claims, "none" without MPI.
    static std::string mpi_standard();
    /// Whether wall_time() can be asked.
    static bool has_wall_time();
    /// MPI_Wtime [s]; 0 without MPI.
    static double wall_time();
    /// The rank in the launcher's environment, else 0: decides which process prints before
    /// start().
    static int announced_rank();
    /// The number of ranks in the launcher's environment, else 0.
    static int announced_size();
    /// Ends all ranks at once with this exit code, from any one of them.
    [[noreturn]] static void abort(int code);

  private:
    Communicator host_;
    bool is_started_ = false;
    Callers callers_ = Callers::main_thread;
    Joining joining_;
};

}  // namespace heorot
