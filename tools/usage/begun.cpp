// Collective operations that are started and completed later: their buffers stay in use meanwhile.
#include "footprints.hpp"

using heorot::usage::broadcast;
using heorot::usage::Footprint;
using heorot::usage::for_each;
using heorot::usage::ledger;
using heorot::usage::rank_in;
using heorot::usage::reduction;

namespace {

/// Starts an operation by `call()`, which sets `request`.
template <class Call>
int begin(const Footprint& footprint, const MPI_Request* request, const char* by, Call&& call) {
    ledger().use(footprint, by);
    const int code = call();
    ledger().request_made(*request, footprint, by);
    return code;
}

}  // namespace

extern "C" {

int MPI_Ibarrier(MPI_Comm group, MPI_Request* request) {
    return begin({}, request, __func__, [&] { return PMPI_Ibarrier(group, request); });
}
int MPI_Ibcast(void* start, int n, MPI_Datatype type, int root, MPI_Comm group,
               MPI_Request* request) {
    return begin(broadcast(start, n, type, root, group), request, __func__,
                 [&] { return PMPI_Ibcast(start, n, type, root, group, request); });
}
int MPI_Ireduce(const void* out, void* in, int n, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm group, MPI_Request* request) {
    return begin(reduction(out, in, n, type, rank_in(group) == root), request, __func__,
                 [&] { return PMPI_Ireduce(out, in, n, type, op, root, group, request); });
}
int MPI_Iallreduce(const void* out, void* in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm group,
                   MPI_Request* request) {
    return begin(reduction(out, in, n, type, true), request, __func__,
                 [&] { return PMPI_Iallreduce(out, in, n, type, op, group, request); });
}
int MPI_Igather(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                MPI_Datatype in_type, int root, MPI_Comm group, MPI_Request* request) {
    const bool gets = rank_in(group) == root;
    const Footprint footprint{.read = {{out, n_out, out_type}},
                              .written = for_each(group, in, n_in, in_type, gets)};
    return begin(footprint, request, __func__, [&] {
        return PMPI_Igather(out, n_out, out_type, in, n_in, in_type, root, group, request);
    });
}
int MPI_Iscatter(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                 MPI_Datatype in_type, int root, MPI_Comm group, MPI_Request* request) {
    const bool gives = rank_in(group) == root;
    const Footprint footprint{.read = for_each(group, out, n_out, out_type, gives),
                              .written = {{in, n_in, in_type}}};
    return begin(footprint, request, __func__, [&] {
        return PMPI_Iscatter(out, n_out, out_type, in, n_in, in_type, root, group, request);
    });
}
int MPI_Iallgather(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                   MPI_Datatype in_type, MPI_Comm group, MPI_Request* request) {
    const Footprint footprint{.read = {{out, n_out, out_type}},
                              .written = for_each(group, in, n_in, in_type)};
    return begin(footprint, request, __func__, [&] {
        return PMPI_Iallgather(out, n_out, out_type, in, n_in, in_type, group, request);
    });
}
int MPI_Ialltoall(const void* out, int n_out, MPI_Datatype out_type, void* in, int n_in,
                  MPI_Datatype in_type, MPI_Comm group, MPI_Request* request) {
    const Footprint footprint{.read = for_each(group, out, n_out, out_type),
                              .written = for_each(group, in, n_in, in_type)};
    return begin(footprint, request, __func__, [&] {
        return PMPI_Ialltoall(out, n_out, out_type, in, n_in, in_type, group, request);
    });
}
}
