// Where buffers begin and end, and memcheck's view of them.
#include "buffers.hpp"

#include <valgrind/memcheck.h>

namespace heorot::usage {

int size_of(MPI_Comm group) {
    int n_ranks = 0;
    PMPI_Comm_size(group, &n_ranks);
    return n_ranks;
}

namespace {

/// Whether the elements are contiguous.
bool is_dense(MPI_Datatype type) {
    int size = 0;
    MPI_Aint least = 0;
    MPI_Aint extent = 0;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &least, &extent);
    return least == 0 && extent == size;
}

/// The bytes that the buffer would send; memcheck follows each byte through the copy.
std::vector<std::byte> packed(const Buffer& buffer) {
    const auto n = static_cast<int>(buffer.n);
    int n_bytes = 0;
    PMPI_Pack_size(n, buffer.type, MPI_COMM_SELF, &n_bytes);
    std::vector<std::byte> bytes(static_cast<std::size_t>(n_bytes));
    int position = 0;
    PMPI_Pack(buffer.start, n, buffer.type, bytes.data(), n_bytes, &position, MPI_COMM_SELF);
    bytes.resize(static_cast<std::size_t>(position));
    return bytes;
}

void expect_defined(const void* start, std::size_t n_bytes) {
    (void)VALGRIND_CHECK_MEM_IS_DEFINED(start, n_bytes);
}

}  // namespace

Span span_of(const Buffer& buffer) {
    if (buffer.start == nullptr || buffer.start == MPI_IN_PLACE || buffer.n == 0) return {};
    MPI_Aint least = 0;
    MPI_Aint extent = 0;
    MPI_Aint true_least = 0;
    MPI_Aint true_extent = 0;
    PMPI_Type_get_extent(buffer.type, &least, &extent);
    PMPI_Type_get_true_extent(buffer.type, &true_least, &true_extent);
    const auto* const begin = static_cast<const std::byte*>(buffer.start) + true_least;
    return {begin, begin + (buffer.n - 1) * extent + true_extent};
}

std::vector<Buffer> parts(const void* start, const int* counts, const int* offsets,
                          MPI_Datatype type, MPI_Comm group) {
    std::vector<Buffer> result;
    // Only significant on a root, and absent with MPI_IN_PLACE.
    if (counts == nullptr || start == nullptr || start == MPI_IN_PLACE) return result;
    MPI_Aint least = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(type, &least, &extent);
    for (int i = 0; i < size_of(group); ++i) {
        const auto* const begin = static_cast<const std::byte*>(start) + offsets[i] * extent;
        result.push_back({begin, counts[i], type});
    }
    return result;
}

void expect_defined(const Buffer& buffer) {
    const Span span = span_of(buffer);
    if (RUNNING_ON_VALGRIND == 0 || span.begin == span.end) return;
    if (is_dense(buffer.type)) {
        expect_defined(span.begin, static_cast<std::size_t>(span.end - span.begin));
    } else {
        const std::vector<std::byte> bytes = packed(buffer);
        expect_defined(bytes.data(), bytes.size());
    }
}

void expect_addressable(const Buffer& buffer) {
    const Span span = span_of(buffer);
    const auto n_bytes = static_cast<std::size_t>(span.end - span.begin);
    (void)VALGRIND_CHECK_MEM_IS_ADDRESSABLE(span.begin, n_bytes);
}

}  // namespace heorot::usage
