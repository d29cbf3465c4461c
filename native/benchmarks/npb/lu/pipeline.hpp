// One thread's place in a sweep: its waits for others, and the main thread's messages.
#pragma once

#include <algorithm>

#include "benchmarks/npb/lu/pencils.hpp"
#include "benchmarks/npb/lu/scratch.hpp"
#include "harness/world/threads.hpp"

namespace heorot::lu {

/// A sweep passes through chunks of planes; the threads of a team, each with some rows, follow each
/// other through them, upwards from thread 0 on or back to it, and so do ranks. The main thread
/// receives the values for all threads before its own work, and sends the results of the last one.
/// Checked against one thread on one rank in tests/npb/flow/test_lu_parallel.cpp:
/// threads_change_nothing, ranks_change_nothing.
class Pipeline {
  public:
    /// In a parallel region. `neighbours` may be null. `n_chunks` of the whole sweep.
    Pipeline(Scratch& scratch, Neighbours* neighbours, bool upwards, int n_chunks)
        : scratch_(scratch),
          neighbours_(neighbours),
          thread_(thread_number()),
          n_threads_(n_threads_in_team()),
          n_chunks_(n_chunks),
          previous_(thread_ + (upwards ? -1 : 1)),
          is_first_(previous_ < 0 || previous_ >= n_threads_),
          is_last_(thread_ == (upwards ? n_threads_ - 1 : 0)),
          has_row_before_(neighbours != nullptr && neighbours->has_row(upwards ? -1 : 1)),
          n_before_main_(upwards ? 0 : n_threads_ - 1),
          n_after_main_(upwards ? n_threads_ - 1 : 0) {}

    /// Waits until the messages of other ranks for the chunk have arrived.
    void start_chunk() {
        if (neighbours_ == nullptr) return;
        // Threads that are before this one in the sweep need theirs earlier.
        const int n_wanted = std::min(chunk_ + n_before_main_ + 1, n_chunks_);
        while (thread_ == 0 && n_received_ < n_wanted) {
            neighbours_->receive(static_cast<std::size_t>(n_received_));
            scratch_.has_received(++n_received_);
        }
        scratch_.wait_until_received(chunk_ + 1);
    }
    void unpack(Field& v, Range rows) const {
        if (neighbours_ != nullptr) neighbours_->unpack(v, rows, chunk_number());
    }
    /// Before the first block of a chunk.
    void wait_for_row_before() const {
        if (!is_first_) {
            scratch_.wait_until_done(previous_, chunk_ + 1);
        } else if (has_row_before_) {
            neighbours_->unpack(scratch_.edges(thread_), chunk_number());
        }
    }
    /// Contributions of the row before a block; `is_first`: before the first block of this thread.
    Edges row_before(bool is_first) const {
        if (!is_first || (is_first_ && has_row_before_)) return scratch_.edges(thread_);
        return is_first_ ? scratch_.no_edges() : scratch_.edges(previous_);
    }
    void pack(Field& v, Range rows) const {
        if (neighbours_ != nullptr) neighbours_->pack(v, rows, chunk_number());
    }
    void finish_chunk() {
        if (neighbours_ != nullptr && is_last_) {
            neighbours_->pack(scratch_.edges(thread_), chunk_number());
        }
        scratch_.has_done(thread_, ++chunk_);
        send(chunk_ - n_after_main_);
    }
    /// After the last chunk.
    void finish() { send(n_chunks_); }

  private:
    std::size_t chunk_number() const { return static_cast<std::size_t>(chunk_); }
    /// Sends the first n chunks as soon as the last thread is done with them.
    void send(int n) {
        while (neighbours_ != nullptr && thread_ == 0 && n_sent_ < n) {
            scratch_.wait_until_done(n_after_main_, n_sent_ + 1);
            neighbours_->send(static_cast<std::size_t>(n_sent_++));
        }
    }

    Scratch& scratch_;
    Neighbours* neighbours_;
    int thread_, n_threads_, n_chunks_;
    int previous_;
    bool is_first_, is_last_;           // of the threads in the sweep
    bool has_row_before_;               // from another rank
    int n_before_main_, n_after_main_;  // threads
    int chunk_ = 0;
    int n_received_ = 0;
    int n_sent_ = 0;
};

}  // namespace heorot::lu
