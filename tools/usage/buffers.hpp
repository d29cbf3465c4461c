// Memory that an MPI call reads or writes, and its state in memcheck.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace heorot::usage {

/// Memory that a call reads from or writes to, as described to MPI.
struct Buffer {
    const void* start;
    long n;
    MPI_Datatype type;
};

/// From its first byte to the end of its last one; gaps inside count as used.
struct Span {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;

    bool overlaps(const Span& other) const { return begin < other.end && other.begin < end; }
};

/// Empty for MPI_IN_PLACE, for no elements, and for no address.
Span span_of(const Buffer& buffer);

int size_of(MPI_Comm group);

/// One buffer for each rank of `group`, `counts[i]` elements at `offsets[i]` extents of the type.
std::vector<Buffer> parts(const void* start, const int* counts, const int* offsets,
                          MPI_Datatype type, MPI_Comm group);

/// Lets memcheck, if this process runs under it, report bytes to send that were never written.
void expect_defined(const Buffer& buffer);
/// Lets memcheck report bytes to receive that are not this process's.
void expect_addressable(const Buffer& buffer);

}  // namespace heorot::usage
