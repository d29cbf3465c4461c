// Memory that other ranks reach by themselves, and the epochs in which they may.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "benchmarks/messages/payload/buffer.hpp"
#include "harness/program.hpp"

namespace heorot::one_sided {

/// How an origin's operations begin and end (MPI 3.1, section 11.5). In fence and pscw the target
/// takes part; in lock and flush it does not.
enum class Epoch { fence, pscw, lock, flush };
inline constexpr std::array<std::string_view, 4> epoch_names = {"fence", "pscw", "lock", "flush"};
inline std::string name_of(Epoch epoch) {
    return std::string(epoch_names[static_cast<std::size_t>(epoch)]);
}
/// Whether the target knows when an epoch is over.
inline bool has_target_calls(Epoch epoch) {
    return epoch == Epoch::fence || epoch == Epoch::pscw;
}

/// The two ends of an operation.
enum class End { origin, target };

/// Where the memory of a window comes from: MPI_Win_allocate or MPI_Win_create.
enum class Memory { allocate, create };

/// Memory of rank 0 of a group, the target, with a guard behind it. The other ranks are origins.
class Window {
  public:
    static constexpr int target = 0;

    /// `bytes` is the same on all ranks; 0 makes no window: Open MPI 4.1 may give those of two
    /// groups on a host the same file. **Collective** over `group`, which must outlive it.
    Window(const Communicator& group, std::size_t bytes, Memory memory);
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    /// **Collective.**
    ~Window();

    MPI_Win mpi() const { return window_; }
    bool is_target() const { return group_.rank() == target; }

    /// A series of epochs of one kind is about to start, or has ended for all. **Collective.**
    void begin(Epoch epoch) const;
    void end(Epoch epoch) const;

    /// One epoch at one end: operations of the origin between these two calls are complete after
    /// the second. In lock and flush the target may be an origin, too.
    void open(Epoch epoch, End end) const {
        if (epoch == Epoch::pscw) {
            if (end == End::target) {
                MPI_Win_post(others_, 0, window_);
            } else {
                MPI_Win_start(others_, 0, window_);
            }
        } else if (epoch == Epoch::lock && end == End::origin) {
            MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window_);
        }
    }
    void close(Epoch epoch, End end) const {
        if (epoch == Epoch::fence) {
            MPI_Win_fence(0, window_);
        } else if (epoch == Epoch::pscw) {
            if (end == End::target) {
                MPI_Win_wait(window_);
            } else {
                MPI_Win_complete(window_);
            }
        } else if (end == End::origin) {
            if (epoch == Epoch::lock) {
                MPI_Win_unlock(target, window_);
            } else {
                MPI_Win_flush(target, window_);
            }
        }
    }

    /// Calls `use` on the target, with the memory, while no other rank may access it: outside of
    /// begin() and end(). Returns the result of `use`, 0 on origins.
    template <class T, class Use>
    std::int64_t at_target(const Use& use) const {
        if (!is_target()) return 0;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window_);
        const std::int64_t result = use(memory<T>());
        MPI_Win_unlock(target, window_);
        return result;
    }
    /// The memory, on the target; nothing on origins.
    template <class T>
    std::span<T> memory() const {
        return {reinterpret_cast<T*>(start_), bytes_ / sizeof(T)};
    }
    /// Marks the bytes behind the first n of the memory, which may be used later, with the guard;
    /// for use inside at_target().
    void guard_behind(std::size_t n) const { std::ranges::fill(behind(n), payload::guard); }
    /// The number of these bytes that were overwritten since.
    std::int64_t n_touched_behind(std::size_t n) const {
        return std::ssize(behind(n)) - std::ranges::count(behind(n), payload::guard);
    }

  private:
    std::span<std::byte> behind(std::size_t n) const { return {start_ + n, payload::guard_bytes}; }

    const Communicator& group_;
    std::size_t bytes_;
    std::optional<payload::Buffer<std::byte>> own_;  // on the target, of Memory::create
    std::byte* start_ = nullptr;                     // on the target
    MPI_Win window_ = MPI_WIN_NULL;
    MPI_Group others_ = MPI_GROUP_NULL;  // on the target all origins, on them the target
};

}  // namespace heorot::one_sided
