// All ranks of this job, the hosts they share, and the MPI library that joins them.
#pragma once

#include <string>

#include "harness/world/communicator.hpp"

namespace heorot {

/// All ranks of the job; a build without MPI has one. Before start() this is rank 0 of 1.
class World : public Communicator {
  public:
    /// Joins the job (MPI_Init_thread, level FUNNELED). **Collective.**
    void start();
    /// Leaves the job; only finish() may follow. **Collective.**
    void finish();

    bool is_started() const { return is_started_; }

    /// Whether this rank is the first of its host.
    bool leads_host() const { return host_.rank() == 0; }
    /// Sum over the ranks of this host, on every one of them. **Collective.**
    double sum_on_host(double value) const { return host_.sum(value); }

    /// What the MPI library calls itself, in one line; "none" without MPI.
    static std::string mpi_library();
    /// The version of the MPI standard the library claims, "none" without MPI.
    static std::string mpi_standard();
    /// Whether wall_time() can be asked.
    static bool has_wall_time();
    /// MPI_Wtime [s]; 0 without MPI.
    static double wall_time();
    /// The rank that the launcher's environment announces, 0 if it says nothing: who prints
    /// before start().
    static int announced_rank();
    /// The number of ranks that the launcher's environment announces, 0 if it says nothing.
    static int announced_size();
    /// Ends all ranks at once with this exit code, from any one of them.
    [[noreturn]] static void abort(int code);

  private:
    Communicator host_;
    bool is_started_ = false;
};

}  // namespace heorot
