// One-sided transfers: memory that the origin puts and gets.
#include "ledger.hpp"

using heorot::usage::ledger;

extern "C" {

int MPI_Put(const void* out, int n, MPI_Datatype type, int target, MPI_Aint where, int n_there,
            MPI_Datatype type_there, MPI_Win window) {
    ledger().use({.read = {{out, n, type}}}, __func__);
    return PMPI_Put(out, n, type, target, where, n_there, type_there, window);
}
int MPI_Get(void* in, int n, MPI_Datatype type, int target, MPI_Aint where, int n_there,
            MPI_Datatype type_there, MPI_Win window) {
    ledger().use({.written = {{in, n, type}}}, __func__);
    return PMPI_Get(in, n, type, target, where, n_there, type_there, window);
}
int MPI_Accumulate(const void* out, int n, MPI_Datatype type, int target, MPI_Aint where,
                   int n_there, MPI_Datatype type_there, MPI_Op op, MPI_Win window) {
    ledger().use({.read = {{out, n, type}}}, __func__);
    return PMPI_Accumulate(out, n, type, target, where, n_there, type_there, op, window);
}
int MPI_Get_accumulate(const void* out, int n, MPI_Datatype type, void* in, int n_in,
                       MPI_Datatype in_type, int target, MPI_Aint where, int n_there,
                       MPI_Datatype type_there, MPI_Op op, MPI_Win window) {
    ledger().use({.read = {{out, n, type}}, .written = {{in, n_in, in_type}}}, __func__);
    return PMPI_Get_accumulate(out, n, type, in, n_in, in_type, target, where, n_there, type_there,
                               op, window);
}
int MPI_Fetch_and_op(const void* out, void* in, MPI_Datatype type, int target, MPI_Aint where,
                     MPI_Op op, MPI_Win window) {
    ledger().use({.read = {{out, 1, type}}, .written = {{in, 1, type}}}, __func__);
    return PMPI_Fetch_and_op(out, in, type, target, where, op, window);
}
int MPI_Compare_and_swap(const void* out, const void* expected, void* in, MPI_Datatype type,
                         int target, MPI_Aint where, MPI_Win window) {
    ledger().use({.read = {{out, 1, type}, {expected, 1, type}}, .written = {{in, 1, type}}},
                 __func__);
    return PMPI_Compare_and_swap(out, expected, in, type, target, where, window);
}
}
