// Collective operations in which all ranks send to all, or to their neighbours.
#include "footprints.hpp"

using heorot::usage::about;
using heorot::usage::Buffer;
using heorot::usage::Buffers;
using heorot::usage::for_each;
using heorot::usage::ledger;
using heorot::usage::parts;
using heorot::usage::size_of;

namespace {

/// One buffer for each rank, at offsets in bytes.
Buffers parts_by_bytes(const void* start, const int* counts, const int* offsets_bytes,
                       const MPI_Datatype* types, MPI_Comm group) {
    Buffers result;
    for (int i = 0; i < size_of(group); ++i) {
        result.push_back(
            {static_cast<const std::byte*>(start) + offsets_bytes[i], counts[i], types[i]});
    }
    return result;
}

/// Each rank's neighbours in a grid; for a grid, as many sources as targets.
int n_neighbours(MPI_Comm grid) {
    int n_dimensions = 0;
    PMPI_Cartdim_get(grid, &n_dimensions);
    return 2 * n_dimensions;
}

}  // namespace

extern "C" {

int MPI_Allgather(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                  MPI_Datatype in_type, MPI_Comm group) {
    ledger().agree(group, __func__, about(0, n_in, in_type));
    ledger().use({.read = {{out, n_out, out_type}}, .written = for_each(group, in, n_in, in_type)},
                 __func__);
    return PMPI_Allgather(out, n_out, out_type, in, n_in, in_type, group);
}
int MPI_Allgatherv(const void* out, int n_out, MPI_Datatype out_type, void* in, const int* counts,
                   const int* offsets, MPI_Datatype in_type, MPI_Comm group) {
    ledger().agree(group, __func__);
    ledger().use(
        {.read = {{out, n_out, out_type}}, .written = parts(in, counts, offsets, in_type, group)},
        __func__);
    return PMPI_Allgatherv(out, n_out, out_type, in, counts, offsets, in_type, group);
}
int MPI_Alltoall(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                 MPI_Datatype in_type, MPI_Comm group) {
    ledger().agree(group, __func__, about(0, n_in, in_type));
    ledger().use({.read = for_each(group, out, n_out, out_type),
                  .written = for_each(group, in, n_in, in_type)},
                 __func__);
    return PMPI_Alltoall(out, n_out, out_type, in, n_in, in_type, group);
}
int MPI_Alltoallv(const void* out, const int* out_counts, const int* out_offsets,
                  MPI_Datatype out_type, void* in, const int* in_counts, const int* in_offsets,
                  MPI_Datatype in_type, MPI_Comm group) {
    ledger().agree(group, __func__);
    ledger().use({.read = parts(out, out_counts, out_offsets, out_type, group),
                  .written = parts(in, in_counts, in_offsets, in_type, group)},
                 __func__);
    return PMPI_Alltoallv(out, out_counts, out_offsets, out_type, in, in_counts, in_offsets,
                          in_type, group);
}
int MPI_Alltoallw(const void* out, const int* out_counts, const int* out_offsets,
                  const MPI_Datatype* out_types, void* in, const int* in_counts,
                  const int* in_offsets, const MPI_Datatype* in_types, MPI_Comm group) {
    ledger().agree(group, __func__);
    ledger().use({.read = parts_by_bytes(out, out_counts, out_offsets, out_types, group),
                  .written = parts_by_bytes(in, in_counts, in_offsets, in_types, group)},
                 __func__);
    return PMPI_Alltoallw(out, out_counts, out_offsets, out_types, in, in_counts, in_offsets,
                          in_types, group);
}
int MPI_Neighbor_allgather(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                           MPI_Datatype in_type, MPI_Comm grid) {
    const Buffer all{in, static_cast<long>(n_in) * n_neighbours(grid), in_type};
    ledger().agree(grid, __func__, about(0, n_in, in_type));
    ledger().use({.read = {{out, n_out, out_type}}, .written = {all}}, __func__);
    return PMPI_Neighbor_allgather(out, n_out, out_type, in, n_in, in_type, grid);
}
int MPI_Neighbor_alltoall(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                          MPI_Datatype in_type, MPI_Comm grid) {
    const Buffer given{out, static_cast<long>(n_out) * n_neighbours(grid), out_type};
    const Buffer got{in, static_cast<long>(n_in) * n_neighbours(grid), in_type};
    ledger().agree(grid, __func__, about(0, n_in, in_type));
    ledger().use({.read = {given}, .written = {got}}, __func__);
    return PMPI_Neighbor_alltoall(out, n_out, out_type, in, n_in, in_type, grid);
}
}
