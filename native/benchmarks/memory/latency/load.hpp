// Threads that read memory as fast as they can while the first one does something else.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/array.hpp"
#include "harness/world/threads.hpp"

namespace heorot::latency {

/// An array of ones for each thread that reads, and what it has read of it.
class Load {
  public:
    /// Links of a body while others read: it takes far longer than the start of the readers.
    static constexpr std::int64_t n_links = 32720;

    /// The arrays of n_streams threads, n_bytes together but for what is no whole block, each some
    /// blocks at least and first touched by the thread that will read it.
    Load(int n_streams, std::size_t n_bytes);

    /// What all threads together go over [byte].
    std::size_t n_bytes() const;

    /// Calls `first` once in the first thread; the others read until it is done.
    template <class First>
    void beside(First&& first) {
        std::atomic<bool> is_done{false};
#pragma omp parallel num_threads(1 + n_streams())
        {
            const int thread = thread_number();
            if (thread == 0) {
                first();
                is_done.store(true, std::memory_order_relaxed);
            } else {
                while (!is_done.load(std::memory_order_relaxed)) read_block(thread);
            }
        }
    }
    /// Has every thread read bytes_per_body(); until they have, the first calls `first`.
    template <class First>
    void stream(First&& first) {
        std::atomic<int> n_reading{n_streams()};
#pragma omp parallel num_threads(1 + n_streams())
        {
            const int thread = thread_number();
            if (thread == 0) {
                while (n_reading.load(std::memory_order_relaxed) > 0) first();
            } else {
                for (std::int64_t i = 0; i < n_blocks_per_body; ++i) read_block(thread);
                n_reading.fetch_sub(1, std::memory_order_relaxed);
            }
        }
    }
    static constexpr std::int64_t bytes_per_body() {
        return n_blocks_per_body * block * static_cast<std::int64_t>(sizeof(double));
    }

    /// Forgets what was read.
    void forget();
    /// The largest relative deviation of what a thread has summed up in n_bodies bodies.
    double deviation(std::int64_t n_bodies) const;

  private:
    static constexpr std::int64_t block = 4096;  // doubles
    static constexpr std::int64_t n_blocks_per_body = 256;

    struct alignas(128) Reader {  // two lines: some processors fetch them in pairs
        Array<double> ones;
        std::int64_t next = 0;  // where the next block begins
        double sum = 0.0;
    };

    int n_streams() const { return static_cast<int>(readers_.size()); }
    void read_block(int thread);

    std::vector<Reader> readers_;  // of the threads from the second on
};

}  // namespace heorot::latency
