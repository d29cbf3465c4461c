// Requests through io_uring: see ring.hpp.
#include "benchmarks/storage/posix/ring.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <utility>

#if __has_include(<linux/io_uring.h>) && defined(SYS_io_uring_setup)
#include <linux/io_uring.h>
#endif

namespace heorot::posix {

#if defined(IORING_FEAT_RW_CUR_POS)

namespace {

/// Memory shared with the kernel, released in the end.
class Shared {
  public:
    Shared(int ring, std::size_t bytes, off_t which)
        : bytes_(bytes),
          start_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring,
                      which)) {}
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    ~Shared() {
        if (is_there()) munmap(start_, bytes_);
    }
    bool is_there() const { return start_ != MAP_FAILED; }
    template <class T>
    T* at(std::size_t offset) const {
        return reinterpret_cast<T*>(static_cast<std::byte*>(start_) + offset);
    }

  private:
    std::size_t bytes_;
    void* start_;
};

/// Head or tail of a queue, which the other side moves: the kernel reads and writes it, too.
using Position = std::atomic_ref<std::uint32_t>;

std::size_t bytes_of_queues(const io_uring_params& facts) {
    return std::max(facts.sq_off.array + facts.sq_entries * sizeof(std::uint32_t),
                    facts.cq_off.cqes + facts.cq_entries * sizeof(io_uring_cqe));
}

}  // namespace

struct Ring::Queues {
    Queues(int number, const io_uring_params& given)
        : ring(number),
          facts(given),
          queues(number, bytes_of_queues(given), IORING_OFF_SQ_RING),
          requests(number, given.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES) {}
    Queues(const Queues&) = delete;
    Queues& operator=(const Queues&) = delete;
    ~Queues() { close(ring); }

    int ring;
    io_uring_params facts;
    Shared queues;
    Shared requests;
};

std::unique_ptr<Ring> Ring::make(unsigned depth) {
    io_uring_params facts{};
    const auto ring = static_cast<int>(syscall(SYS_io_uring_setup, depth, &facts));
    if (ring < 0) return nullptr;
    auto queues = std::make_unique<Queues>(ring, facts);
    // The first kernel with this has plain reads and writes, and both queues in one mapping.
    const bool has_all = (facts.features & IORING_FEAT_RW_CUR_POS) != 0 &&
                         (facts.features & IORING_FEAT_SINGLE_MMAP) != 0;
    if (!has_all || !queues->queues.is_there() || !queues->requests.is_there()) return nullptr;
    return std::unique_ptr<Ring>(new Ring(depth, std::move(queues)));
}

void Ring::enter(unsigned n_new, files::Trouble& trouble) {
    for (;;) {
        const long n = syscall(SYS_io_uring_enter, queues_->ring, n_new, 1, IORING_ENTER_GETEVENTS,
                               nullptr, 0);
        if (std::cmp_equal(n, n_new)) return;
        if (n >= 0) n_new -= static_cast<unsigned>(n);
        if (n < 0 && errno != EINTR && errno != EAGAIN && errno != EBUSY) {
            return trouble.keep("io_uring_enter", errno);
        }
    }
}

std::size_t Ring::take_completions(const Transfer& transfer, files::Trouble& trouble) {
    const auto& at = queues_->facts.cq_off;
    const Position head(*queues_->queues.at<std::uint32_t>(at.head));
    const Position tail(*queues_->queues.at<std::uint32_t>(at.tail));
    const std::uint32_t mask = *queues_->queues.at<std::uint32_t>(at.ring_mask);
    const auto* const completions = queues_->queues.at<io_uring_cqe>(at.cqes);
    std::uint32_t position = head.load(std::memory_order_relaxed);
    std::size_t n = 0;
    for (; position != tail.load(std::memory_order_acquire); ++position, ++n) {
        const io_uring_cqe& one = completions[position & mask];
        const char* const call = transfer.writes ? "write" : "read";
        if (one.res < 0) {
            trouble.keep(call, -one.res);
        } else if (one.res == 0) {
            trouble.keep_end(call);
        } else if (std::cmp_less(one.res, transfer.block)) {
            transfer.one(one.user_data, static_cast<std::size_t>(one.res), trouble);
        }
    }
    head.store(position, std::memory_order_release);
    return n;
}

void Ring::run(const Transfer& transfer, files::Trouble& trouble) {
    const auto& at = queues_->facts.sq_off;
    const Position tail(*queues_->queues.at<std::uint32_t>(at.tail));
    const std::uint32_t mask = *queues_->queues.at<std::uint32_t>(at.ring_mask);
    auto* const order = queues_->queues.at<std::uint32_t>(at.array);
    auto* const requests = queues_->requests.at<io_uring_sqe>(0);
    std::size_t next = 0;
    std::size_t n_in_flight = 0;
    std::uint32_t position = tail.load(std::memory_order_relaxed);
    // After a failure nothing new is asked for, but requests in flight still use the buffer.
    for (;;) {
        unsigned n_new = 0;
        while (!trouble.is_there() && next < transfer.offsets.size() &&
               n_in_flight + n_new < depth_) {
            io_uring_sqe& one = requests[position & mask];
            one = {};
            one.opcode = transfer.writes ? IORING_OP_WRITE : IORING_OP_READ;
            one.fd = transfer.file;
            one.addr = reinterpret_cast<std::uintptr_t>(transfer.part(next).data());
            one.len = static_cast<std::uint32_t>(transfer.block);
            one.off = transfer.offsets[next];
            one.user_data = next++;
            order[position & mask] = position & mask;
            ++position, ++n_new;
        }
        n_in_flight += n_new;
        if (n_in_flight == 0) return;
        tail.store(position, std::memory_order_release);
        files::Trouble refused;
        enter(n_new, refused);
        if (refused.is_there()) {
            trouble = refused;
            return;
        }
        n_in_flight -= take_completions(transfer, trouble);
    }
}

#else

struct Ring::Queues {};
std::unique_ptr<Ring> Ring::make(unsigned) {
    return nullptr;
}
void Ring::run(const Transfer&, files::Trouble&) {}

#endif

Ring::Ring(unsigned depth, std::unique_ptr<Queues> queues)
    : depth_(depth), queues_(std::move(queues)) {}
Ring::~Ring() = default;

}  // namespace heorot::posix
