// One operation at one size: its buffers, its verification, its measurement.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/messages/collectives/operations.hpp"
#include "benchmarks/messages/payload/buffer.hpp"
#include "harness/program.hpp"

namespace heorot::collectives {

/// The ranks that take part, and the same ranks on a periodic grid of two directions.
class Group {
  public:
    /// **Collective.** Throws UsageError if there is no rank `root`.
    Group(const Program& program, int root);
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    ~Group();

    const Place& place() const { return place_; }
    MPI_Comm all() const { return all_; }
    MPI_Comm grid() const { return grid_; }

  private:
    MPI_Comm all_;
    MPI_Comm grid_ = MPI_COMM_NULL;
    Place place_{};
};

/// Bytes of the larger of this rank's two buffers.
std::size_t buffer_bytes(const Operation& operation, const Place& place, std::size_t n);

class Trial {
  public:
    /// n doubles of every rank. **Collective.**
    Trial(Program& program, const Group& group, const Operation& operation, std::size_t n);
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;
    ~Trial() = default;

    void call() const { operation_.call(arguments_); }
    void wait() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
    /// Lets the library progress the operation that was started.
    void progress() {
        int is_done = 0;
        MPI_Test(&request_, &is_done, MPI_STATUS_IGNORE);
    }

    Point point() const;

    /// Measures `body`, which calls and waits, and verifies it before, while and afterwards.
    /// **Collective.**
    template <class Body>
    Region run(const std::string& region, Body&& body) {
        const double n_wrong_before = before();
        const Region measured = program_.measure({.region = region,
                                                  .point = point(),
                                                  .counts = counts(),
                                                  .prepare = [this] { next_body(); },
                                                  .each = true},
                                                 body);
        after(measured, n_wrong_before);
        return measured;
    }

  private:
    void find_arguments(const Group& group);
    std::vector<Count> counts() const;
    std::span<double> input() const;
    void fill_input(int round) const;
    double before();
    void next_body();
    void count_wrong_ends();
    void after(const Region& region, double n_wrong_before);
    double n_wrong_elements(int round);
    std::int64_t n_wrong_of(const Piece& piece, std::span<const double> received, int round) const;
    void call_and_wait();
    double n_early();

    Program& program_;
    const Operation& operation_;
    Place place_;
    std::size_t n_;
    Layout layout_;
    payload::Buffer<double> out_;
    payload::Buffer<double> in_;
    std::vector<int> out_lengths_, out_offsets_, out_offsets_bytes_;
    std::vector<int> in_lengths_, in_offsets_, in_offsets_bytes_;
    std::vector<MPI_Datatype> types_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    Arguments arguments_{};
    double bytes_ = 0.0;
    double port_bytes_ = 0.0;
    std::int64_t body_ = 0;  // the number of the one that runs, from 1 on
    std::int64_t n_wrong_ends_ = 0;
};

}  // namespace heorot::collectives
