// Making windows, and the calls around a series of epochs.
#include "benchmarks/messages/one_sided/window.hpp"

namespace heorot::one_sided {

Window::Window(const Communicator& group, std::size_t bytes, Memory memory)
    : group_(group), bytes_(bytes) {
    if (bytes == 0) return;
    const std::size_t taken = is_target() ? bytes + payload::guard_bytes : 0;
    const auto length = static_cast<MPI_Aint>(taken);
    if (memory == Memory::allocate) {
        MPI_Win_allocate(length, 1, MPI_INFO_NULL, group.mpi(), static_cast<void*>(&start_),
                         &window_);
    } else {
        if (is_target()) start_ = own_.emplace(taken).data();
        MPI_Win_create(start_, length, 1, MPI_INFO_NULL, group.mpi(), &window_);
    }
    if (!is_target()) bytes_ = 0;

    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(group.mpi(), &all);
    const std::array<int, 1> first = {target};
    if (is_target()) {
        MPI_Group_excl(all, 1, first.data(), &others_);
    } else {
        MPI_Group_incl(all, 1, first.data(), &others_);
    }
    MPI_Group_free(&all);
}

Window::~Window() {
    if (window_ == MPI_WIN_NULL) return;
    if (others_ != MPI_GROUP_EMPTY) MPI_Group_free(&others_);
    MPI_Win_free(&window_);
}

void Window::begin(Epoch epoch) const {
    group_.barrier();
    if (epoch == Epoch::fence) MPI_Win_fence(MPI_MODE_NOPRECEDE, window_);
    if (epoch == Epoch::flush) MPI_Win_lock_all(0, window_);
}

void Window::end(Epoch epoch) const {
    if (epoch == Epoch::fence) MPI_Win_fence(MPI_MODE_NOSUCCEED, window_);
    if (epoch == Epoch::flush) MPI_Win_unlock_all(window_);
    group_.barrier();
}

}  // namespace heorot::one_sided
