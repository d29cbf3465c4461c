// Workspace of a sweep: buffers between lines and planes, and the progress of each thread.
#pragma once

#include <atomic>
#include <vector>

#include "benchmarks/npb/lu/field.hpp"
#include "benchmarks/npb/lu/residual.hpp"

namespace heorot::lu {

/// Contributions of a row to the next one: five values at every column of every plane. A view.
class Edges {
  public:
    /// Doubles per column: five, and padding.
    static constexpr std::ptrdiff_t stride = 8;

    Edges(double* first, std::ptrdiff_t length, int first_column)
        : first_(first), length_(length), first_column_(first_column) {}

    double* at(int i, int k) const { return step(k) + stride * (n_lanes + i - first_column_); }
    /// Where a sweep counts from in a plane: the first stored column is n_lanes columns on.
    double* step(int k) const { return first_ + length_ * k; }

  private:
    double* first_;
    std::ptrdiff_t length_;  // of a plane
    int first_column_;
};

/// Solvers used one after the other may share it: it is made for the largest of them.
class Scratch {
  public:
    Scratch(const Layout& largest, int n_threads);

    int n_threads() const { return n_threads_; }

    /// Contributions of a block to the next plane, one cell per step.
    Cell* plane_contributions(int block) {
        return plane_contributions_.data() + std::ptrdiff_t{n_steps_} * block;
    }
    /// Contributions of a thread's last row to the next row.
    Edges edges(int thread) {
        return {edges_.data() + edge_length_ * n_planes_ * thread, edge_length_, first_column_};
    }
    /// Contributions of a row without any, in any plane.
    Edges no_edges() { return {no_edge_.data(), 0, first_column_}; }
    /// States along a line of a thread's current block in one of three successive planes; step 0.
    FlowState* states(int thread, int k) {
        return states_.data() + (std::ptrdiff_t{3} * thread + k % 3) * n_steps_;
    }

    /// Resets the progress of all threads, before a sweep and outside parallel regions.
    void restart();
    /// Publishes the number of chunks of planes of the sweep that a thread has done.
    void has_done(int thread, int n_chunks) { progress(thread).store(n_chunks, release); }
    /// Waits until it has.
    void wait_until_done(int thread, int n_chunks);
    /// The same for chunks that the main thread has received.
    void has_received(int n_chunks) { progress(n_threads_).store(n_chunks, release); }
    void wait_until_received(int n_chunks) { wait_until_done(n_threads_, n_chunks); }

  private:
    static constexpr auto release = std::memory_order_release;
    struct alignas(64) Progress {
        std::atomic<int> n_chunks = 0;
    };
    std::atomic<int>& progress(int thread) {
        return progress_[static_cast<std::size_t>(thread)].n_chunks;
    }

    int n_threads_, n_planes_, n_steps_, first_column_;
    std::ptrdiff_t edge_length_;
    Array<Cell> plane_contributions_;
    Array<double> edges_, no_edge_;
    Array<FlowState> states_;
    std::vector<Progress> progress_;  // of the threads; last, of messages
};

}  // namespace heorot::lu
