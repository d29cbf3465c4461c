// Buffers of collective operations, as the standard describes them.
#include "footprints.hpp"

namespace heorot::usage {

int rank_in(MPI_Comm group) {
    int rank = 0;
    PMPI_Comm_rank(group, &rank);
    return rank;
}

long about(int root, int n, MPI_Datatype type) {
    constexpr long most_ranks = 1L << 20;
    int element_bytes = 0;
    PMPI_Type_size(type, &element_bytes);
    return static_cast<long>(n) * element_bytes * most_ranks + root;
}

Buffers for_each(MPI_Comm group, const void* start, int n, MPI_Datatype type, bool is_used) {
    if (!is_used) return {};
    return {{start, static_cast<long>(n) * size_of(group), type}};
}

Footprint broadcast(const void* start, int n, MPI_Datatype type, int root, MPI_Comm group) {
    const Buffers buffer{{start, n, type}};
    if (rank_in(group) == root) return {.read = buffer};
    return {.written = buffer};
}

Footprint reduction(const void* out, const void* in, int n, MPI_Datatype type, bool receives) {
    const Buffers result{{in, n, type}};
    if (out == MPI_IN_PLACE) return {.read = result, .written = result};
    return {.read = {{out, n, type}}, .written = receives ? result : Buffers{}};
}

}  // namespace heorot::usage
