// Messages between two ranks, whether blocking, nonblocking or persistent, and their requests.
#include "ledger.hpp"

using heorot::usage::Footprint;
using heorot::usage::ledger;
using heorot::usage::Lifetime;

namespace {

Footprint sends(const void* start, int n, MPI_Datatype type, int target) {
    if (target == MPI_PROC_NULL) return {};
    return {.read = {{start, n, type}}, .sends_to = target};
}

Footprint receives(const void* start, int n, MPI_Datatype type, int source) {
    if (source == MPI_PROC_NULL) return {};
    return {.written = {{start, n, type}}, .receives_from = source};
}

using Send = int(const void*, int, MPI_Datatype, int, int, MPI_Comm);

int send(Send* call, const void* start, int n, MPI_Datatype type, int target, int tag,
         MPI_Comm group, const char* by) {
    ledger().use(sends(start, n, type, target), by);
    return call(start, n, type, target, tag, group);
}

}  // namespace

extern "C" {

int MPI_Send(const void* start, int n, MPI_Datatype type, int target, int tag, MPI_Comm group) {
    return send(PMPI_Send, start, n, type, target, tag, group, __func__);
}
int MPI_Ssend(const void* start, int n, MPI_Datatype type, int target, int tag, MPI_Comm group) {
    return send(PMPI_Ssend, start, n, type, target, tag, group, __func__);
}
int MPI_Rsend(const void* start, int n, MPI_Datatype type, int target, int tag, MPI_Comm group) {
    return send(PMPI_Rsend, start, n, type, target, tag, group, __func__);
}
int MPI_Recv(void* start, int n, MPI_Datatype type, int source, int tag, MPI_Comm group,
             MPI_Status* status) {
    ledger().use(receives(start, n, type, source), __func__);
    return PMPI_Recv(start, n, type, source, tag, group, status);
}
int MPI_Sendrecv(const void* out, int n_out, MPI_Datatype out_type, int target, int out_tag,
                 void* in, int n_in, MPI_Datatype in_type, int source, int in_tag, MPI_Comm group,
                 MPI_Status* status) {
    Footprint both = sends(out, n_out, out_type, target);
    const Footprint receipt = receives(in, n_in, in_type, source);
    both.written = receipt.written;
    both.receives_from = receipt.receives_from;
    ledger().use(both, __func__);
    return PMPI_Sendrecv(out, n_out, out_type, target, out_tag, in, n_in, in_type, source, in_tag,
                         group, status);
}

int MPI_Isend(const void* start, int n, MPI_Datatype type, int target, int tag, MPI_Comm group,
              MPI_Request* request) {
    const Footprint footprint = sends(start, n, type, target);
    ledger().use(footprint, __func__);
    const int code = PMPI_Isend(start, n, type, target, tag, group, request);
    ledger().request_made(*request, footprint, __func__);
    return code;
}
int MPI_Irecv(void* start, int n, MPI_Datatype type, int source, int tag, MPI_Comm group,
              MPI_Request* request) {
    const Footprint footprint = receives(start, n, type, source);
    ledger().use(footprint, __func__);
    const int code = PMPI_Irecv(start, n, type, source, tag, group, request);
    ledger().request_made(*request, footprint, __func__);
    return code;
}

int MPI_Send_init(const void* start, int n, MPI_Datatype type, int target, int tag, MPI_Comm group,
                  MPI_Request* request) {
    const int code = PMPI_Send_init(start, n, type, target, tag, group, request);
    ledger().request_made(*request, sends(start, n, type, target), __func__, Lifetime::persistent);
    return code;
}
int MPI_Recv_init(void* start, int n, MPI_Datatype type, int source, int tag, MPI_Comm group,
                  MPI_Request* request) {
    const int code = PMPI_Recv_init(start, n, type, source, tag, group, request);
    ledger().request_made(*request, receives(start, n, type, source), __func__,
                          Lifetime::persistent);
    return code;
}
int MPI_Start(MPI_Request* request) {
    ledger().request_started(*request, __func__);
    return PMPI_Start(request);
}
int MPI_Startall(int n, MPI_Request* requests) {
    for (int i = 0; i < n; ++i) ledger().request_started(requests[i], __func__);
    return PMPI_Startall(n, requests);
}
int MPI_Request_free(MPI_Request* request) {
    ledger().request_freed(*request, __func__);
    return PMPI_Request_free(request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    const MPI_Request waited_for = *request;
    const int code = PMPI_Wait(request, status);
    ledger().request_completed(waited_for, __func__);
    return code;
}
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
    const std::vector<MPI_Request> waited_for(requests, requests + n);
    const int code = PMPI_Waitall(n, requests, statuses);
    for (const MPI_Request request : waited_for) ledger().request_completed(request, __func__);
    return code;
}
int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status) {
    const MPI_Request tested = *request;
    const int code = PMPI_Test(request, is_complete, status);
    if (*is_complete != 0) ledger().request_completed(tested, __func__);
    return code;
}
int MPI_Testall(int n, MPI_Request* requests, int* are_complete, MPI_Status* statuses) {
    const std::vector<MPI_Request> tested(requests, requests + n);
    const int code = PMPI_Testall(n, requests, are_complete, statuses);
    if (*are_complete == 0) return code;
    for (const MPI_Request request : tested) ledger().request_completed(request, __func__);
    return code;
}
}
