// Collective operations with a root, and reductions: all ranks have to be in the same one.
#include "footprints.hpp"

using heorot::usage::about;
using heorot::usage::broadcast;
using heorot::usage::Buffers;
using heorot::usage::for_each;
using heorot::usage::ledger;
using heorot::usage::parts;
using heorot::usage::rank_in;
using heorot::usage::reduction;
using heorot::usage::size_of;

extern "C" {

int MPI_Barrier(MPI_Comm group) {
    ledger().agree(group, __func__);
    return PMPI_Barrier(group);
}
int MPI_Bcast(void* start, int n, MPI_Datatype type, int root, MPI_Comm group) {
    ledger().agree(group, __func__, about(root, n, type));
    ledger().use(broadcast(start, n, type, root, group), __func__);
    return PMPI_Bcast(start, n, type, root, group);
}
int MPI_Reduce(const void* out, void* in, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm group) {
    ledger().agree(group, __func__, about(root, n, type));
    ledger().use(reduction(out, in, n, type, rank_in(group) == root), __func__);
    return PMPI_Reduce(out, in, n, type, op, root, group);
}
int MPI_Allreduce(const void* out, void* in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm group) {
    ledger().agree(group, __func__, about(0, n, type));
    ledger().use(reduction(out, in, n, type, true), __func__);
    return PMPI_Allreduce(out, in, n, type, op, group);
}
int MPI_Scan(const void* out, void* in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm group) {
    ledger().agree(group, __func__, about(0, n, type));
    ledger().use(reduction(out, in, n, type, true), __func__);
    return PMPI_Scan(out, in, n, type, op, group);
}
int MPI_Exscan(const void* out, void* in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm group) {
    ledger().agree(group, __func__, about(0, n, type));
    ledger().use(reduction(out, in, n, type, rank_in(group) != 0), __func__);
    return PMPI_Exscan(out, in, n, type, op, group);
}
int MPI_Reduce_scatter_block(const void* out, void* in, int n, MPI_Datatype type, MPI_Op op,
                             MPI_Comm group) {
    ledger().agree(group, __func__, about(0, n, type));
    ledger().use({.read = for_each(group, out, n, type), .written = {{in, n, type}}}, __func__);
    return PMPI_Reduce_scatter_block(out, in, n, type, op, group);
}
int MPI_Reduce_scatter(const void* out, void* in, const int* counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm group) {
    long n = 0;
    for (int i = 0; i < size_of(group); ++i) n += counts[i];
    ledger().agree(group, __func__, about(0, static_cast<int>(n), type));
    ledger().use({.read = {{out, n, type}}, .written = {{in, counts[rank_in(group)], type}}},
                 __func__);
    return PMPI_Reduce_scatter(out, in, counts, type, op, group);
}

int MPI_Gather(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
               MPI_Datatype in_type, int root, MPI_Comm group) {
    const bool gets = rank_in(group) == root;
    ledger().agree(group, __func__, about(root, n_out, out_type));
    ledger().use(
        {.read = {{out, n_out, out_type}}, .written = for_each(group, in, n_in, in_type, gets)},
        __func__);
    return PMPI_Gather(out, n_out, out_type, in, n_in, in_type, root, group);
}
int MPI_Gatherv(const void* out, int n_out, MPI_Datatype out_type, void* in, const int* counts,
                const int* offsets, MPI_Datatype in_type, int root, MPI_Comm group) {
    const bool gets = rank_in(group) == root;
    ledger().agree(group, __func__, root);
    ledger().use({.read = {{out, n_out, out_type}},
                  .written = gets ? parts(in, counts, offsets, in_type, group) : Buffers{}},
                 __func__);
    return PMPI_Gatherv(out, n_out, out_type, in, counts, offsets, in_type, root, group);
}
int MPI_Scatter(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                MPI_Datatype in_type, int root, MPI_Comm group) {
    const bool gives = rank_in(group) == root;
    ledger().agree(group, __func__, about(root, n_in, in_type));
    ledger().use(
        {.read = for_each(group, out, n_out, out_type, gives), .written = {{in, n_in, in_type}}},
        __func__);
    return PMPI_Scatter(out, n_out, out_type, in, n_in, in_type, root, group);
}
int MPI_Scatterv(const void* out, const int* counts, const int* offsets, MPI_Datatype out_type,
                 void* in, int n_in, MPI_Datatype in_type, int root, MPI_Comm group) {
    const bool gives = rank_in(group) == root;
    ledger().agree(group, __func__, root);
    ledger().use({.read = gives ? parts(out, counts, offsets, out_type, group) : Buffers{},
                  .written = {{in, n_in, in_type}}},
                 __func__);
    return PMPI_Scatterv(out, counts, offsets, out_type, in, n_in, in_type, root, group);
}
}
