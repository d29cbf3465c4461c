// Collectives and groups of ranks, with MPI and without.
#include "harness/world/communicator.hpp"

#include <limits>
#include <numeric>
#include <utility>

#include "harness/measure/phases.hpp"

namespace heorot {

void Communicator::Call::begin(int messages, std::size_t bytes, int collectives) {
    interrupted_ = phases_->begin_call({.messages = messages,
                                        .bytes = static_cast<std::int64_t>(bytes),
                                        .collectives = collectives});
}

void Communicator::Call::end() {
    phases_->end_call(interrupted_);
}

double Communicator::maximum(double value) const {
    maximum(std::span(&value, 1));
    return value;
}
double Communicator::minimum(double value) const {
    minimum(std::span(&value, 1));
    return value;
}
double Communicator::sum(double value) const {
    sum(std::span(&value, 1));
    return value;
}
std::int64_t Communicator::sum(std::int64_t value) const {
    sum(std::span(&value, 1));
    return value;
}

void Communicator::wait(Request& request) const {
    wait(std::span(&request, 1));
}

#if HEOROT_WITH_MPI

namespace {

bool is_running() {
    int is_started = 0;
    int is_over = 0;
    MPI_Initialized(&is_started);
    MPI_Finalized(&is_over);
    return is_started != 0 && is_over == 0;
}

}  // namespace

Communicator::Communicator(MPI_Comm group, bool is_owned) : group_(group), is_owned_(is_owned) {
    MPI_Comm_rank(group, &rank_);
    MPI_Comm_size(group, &size_);
}

Communicator::~Communicator() {
    if (is_owned_ && is_running()) MPI_Comm_free(&group_);
}

void Communicator::swap(Communicator& other) noexcept {
    std::swap(group_, other.group_);
    std::swap(is_owned_, other.is_owned_);
    std::swap(phases_, other.phases_);
    std::swap(rank_, other.rank_);
    std::swap(size_, other.size_);
}

Communicator Communicator::split(int color, int key) const {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(group_, color, key, &part);
    Communicator made(part, true);
    made.tell(phases_);
    return made;
}

void Communicator::barrier() const {
    if (size_ == 1) return;
    const Call call = collective_call(0);
    MPI_Barrier(group_);
}

template <class T>
void Communicator::reduce(std::span<T> values, MPI_Op operation) const {
    if (size_ == 1) return;
    const Call call = collective_call(values.size_bytes());
    MPI_Allreduce(MPI_IN_PLACE, values.data(), narrow(values.size()), datatype<T>(), operation,
                  group_);
}

void Communicator::maximum(std::span<double> values) const {
    reduce(values, MPI_MAX);
}
void Communicator::minimum(std::span<double> values) const {
    reduce(values, MPI_MIN);
}
void Communicator::sum(std::span<double> values) const {
    reduce(values, MPI_SUM);
}
void Communicator::sum(std::span<std::int64_t> values) const {
    reduce(values, MPI_SUM);
}

std::vector<double> Communicator::gather(double value) const {
    std::vector<double> all(rank_ == 0 ? static_cast<std::size_t>(size_) : 0);
    const Call call = collective_call(sizeof value);
    MPI_Gather(&value, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, group_);
    return all;
}

std::vector<std::string> Communicator::gather(const std::string& text) const {
    const auto n_ranks = static_cast<std::size_t>(rank_ == 0 ? size_ : 0);
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(n_ranks);
    const Call call = collective_call(text.size());
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, group_);
    std::vector<int> starts(n_ranks);
    std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
    std::string all(static_cast<std::size_t>(n_ranks == 0 ? 0 : starts.back() + lengths.back()),
                    ' ');
    MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR,
                0, group_);
    std::vector<std::string> texts;
    texts.reserve(n_ranks);
    for (std::size_t i = 0; i < n_ranks; ++i) {
        texts.push_back(
            all.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
}

void Communicator::wait(std::span<Request> requests) const {
    const Call call = wait_call();
    for (Request& request : requests) MPI_Wait(&request.handle_, MPI_STATUS_IGNORE);
}

void Communicator::exchange_blocks(const std::byte* out, std::span<const std::int64_t> out_lengths,
                                   std::byte* in, std::span<const std::int64_t> in_lengths,
                                   MPI_Datatype type, std::size_t element_bytes) const {
    // Message by message, because the library's own call takes offsets of 31 bits only.
    constexpr int tag = 0x7a2a;
    const auto n_ranks = static_cast<std::size_t>(size_);
    std::vector<MPI_Request> requests;
    requests.reserve(2 * n_ranks);
    std::vector<std::size_t> out_starts(n_ranks);
    std::size_t in_start = 0;
    std::size_t out_start = 0;
    const auto me = static_cast<std::size_t>(rank_);
    std::size_t my_in_start = 0;
    for (std::size_t r = 0; r < n_ranks; ++r) {
        const auto length = static_cast<std::size_t>(in_lengths[r]);
        if (r == me) {
            my_in_start = in_start;
        } else if (length > 0) {
            MPI_Irecv(in + in_start * element_bytes, narrow(length), type, static_cast<int>(r), tag,
                      group_, &requests.emplace_back());
        }
        in_start += length;
        out_starts[r] = out_start;
        out_start += static_cast<std::size_t>(out_lengths[r]);
    }
    // Everyone begins with the next rank, so that not all send to the same one at first.
    for (std::size_t step = 1; step < n_ranks; ++step) {
        const std::size_t r = (me + step) % n_ranks;
        const auto length = static_cast<std::size_t>(out_lengths[r]);
        if (length == 0) continue;
        MPI_Isend(out + out_starts[r] * element_bytes, narrow(length), type, static_cast<int>(r),
                  tag, group_, &requests.emplace_back());
    }
    std::copy_n(out + out_starts[me] * element_bytes,
                static_cast<std::size_t>(out_lengths[me]) * element_bytes,
                in + my_in_start * element_bytes);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

#else

Communicator::~Communicator() = default;

void Communicator::swap(Communicator& other) noexcept {
    std::swap(phases_, other.phases_);
}
Communicator Communicator::split(int, int) const {
    return {};
}
void Communicator::barrier() const {}
void Communicator::maximum(std::span<double>) const {}
void Communicator::minimum(std::span<double>) const {}
void Communicator::sum(std::span<double>) const {}
void Communicator::sum(std::span<std::int64_t>) const {}
void Communicator::wait(std::span<Request>) const {}
std::vector<double> Communicator::gather(double value) const {
    return {value};
}
std::vector<std::string> Communicator::gather(const std::string& text) const {
    return {text};
}

#endif

}  // namespace heorot
