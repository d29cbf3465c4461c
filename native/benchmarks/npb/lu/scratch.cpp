// Buffers of a sweep and the progress of its threads.
#include "benchmarks/npb/lu/scratch.hpp"

#include <algorithm>
#include <thread>

namespace heorot::lu {

Scratch::Scratch(const Layout& largest, int n_threads)
    : n_threads_(n_threads),
      n_planes_(largest.n_planes()),
      n_steps_(largest.n_steps()),
      first_column_(largest.first_column()),
      edge_length_(Edges::stride * (n_steps_ + n_lanes + 1)),
      plane_contributions_(static_cast<std::size_t>(n_steps_) *
                           static_cast<std::size_t>(largest.n_blocks())),
      edges_(static_cast<std::size_t>(edge_length_ * n_planes_ * n_threads)),
      no_edge_(static_cast<std::size_t>(edge_length_)),
      states_(3 * static_cast<std::size_t>(n_steps_) * static_cast<std::size_t>(n_threads)),
      progress_(static_cast<std::size_t>(n_threads) + 1) {
    std::ranges::fill(edges_, 0.0);
    std::ranges::fill(no_edge_, 0.0);
}

void Scratch::restart() {
    for (Progress& progress : progress_) progress.n_chunks.store(0, std::memory_order_relaxed);
}

void Scratch::wait_until_done(int thread, int n_chunks) {
    const std::atomic<int>& done = progress(thread);
    while (done.load(std::memory_order_acquire) < n_chunks) std::this_thread::yield();
}

}  // namespace heorot::lu
