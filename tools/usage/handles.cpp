// Communicators, groups, datatypes and windows: each that is created has to be freed.
#include <cstdlib>

#include "ledger.hpp"

using heorot::usage::key_of;
using heorot::usage::ledger;

namespace {

template <class Handle>
int made(int code, const char* kind, const Handle* handle, Handle none, const char* by) {
    if (code == MPI_SUCCESS && *handle != none) ledger().made(kind, key_of(*handle), by);
    return code;
}

// In some libraries all handles are of one type, so names distinguish these.
int communicator(int code, const MPI_Comm* group, const char* by) {
    return made(code, "communicator", group, MPI_COMM_NULL, by);
}

int group(int code, const MPI_Group* ranks, const char* by) {
    const bool is_own = *ranks != MPI_GROUP_EMPTY;
    return is_own ? made(code, "group", ranks, MPI_GROUP_NULL, by) : code;
}

int datatype(int code, const MPI_Datatype* type, const char* by) {
    return made(code, "datatype", type, MPI_DATATYPE_NULL, by);
}

int window(int code, const MPI_Win* memory, const char* by) {
    return made(code, "window", memory, MPI_WIN_NULL, by);
}

}  // namespace

extern "C" {

int MPI_Comm_dup(MPI_Comm old, MPI_Comm* copy) {
    return communicator(PMPI_Comm_dup(old, copy), copy, __func__);
}
int MPI_Comm_split(MPI_Comm old, int colour, int key, MPI_Comm* part) {
    return communicator(PMPI_Comm_split(old, colour, key, part), part, __func__);
}
int MPI_Comm_split_type(MPI_Comm old, int kind, int key, MPI_Info hints, MPI_Comm* part) {
    return communicator(PMPI_Comm_split_type(old, kind, key, hints, part), part, __func__);
}
int MPI_Cart_create(MPI_Comm old, int n_dimensions, const int* lengths, const int* is_periodic,
                    int may_reorder, MPI_Comm* grid) {
    return communicator(
        PMPI_Cart_create(old, n_dimensions, lengths, is_periodic, may_reorder, grid), grid,
        __func__);
}
int MPI_Comm_free(MPI_Comm* part) {
    ledger().agree(*part, __func__);
    ledger().freed("communicator", key_of(*part), __func__);
    return PMPI_Comm_free(part);
}

int MPI_Comm_group(MPI_Comm all, MPI_Group* ranks) {
    return group(PMPI_Comm_group(all, ranks), ranks, __func__);
}
int MPI_Group_incl(MPI_Group all, int n, const int* members, MPI_Group* ranks) {
    return group(PMPI_Group_incl(all, n, members, ranks), ranks, __func__);
}
int MPI_Group_excl(MPI_Group all, int n, const int* members, MPI_Group* ranks) {
    return group(PMPI_Group_excl(all, n, members, ranks), ranks, __func__);
}
int MPI_Group_free(MPI_Group* ranks) {
    if (*ranks != MPI_GROUP_EMPTY) ledger().freed("group", key_of(*ranks), __func__);
    return PMPI_Group_free(ranks);
}

int MPI_Type_contiguous(int n, MPI_Datatype old, MPI_Datatype* type) {
    return datatype(PMPI_Type_contiguous(n, old, type), type, __func__);
}
int MPI_Type_vector(int n, int length, int stride, MPI_Datatype old, MPI_Datatype* type) {
    return datatype(PMPI_Type_vector(n, length, stride, old, type), type, __func__);
}
int MPI_Type_create_indexed_block(int n, int length, const int* offsets, MPI_Datatype old,
                                  MPI_Datatype* type) {
    return datatype(PMPI_Type_create_indexed_block(n, length, offsets, old, type), type, __func__);
}
int MPI_Type_create_struct(int n, const int* lengths, const MPI_Aint* offsets,
                           const MPI_Datatype* old, MPI_Datatype* type) {
    return datatype(PMPI_Type_create_struct(n, lengths, offsets, old, type), type, __func__);
}
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint least, MPI_Aint extent, MPI_Datatype* type) {
    return datatype(PMPI_Type_create_resized(old, least, extent, type), type, __func__);
}
int MPI_Type_free(MPI_Datatype* type) {
    ledger().freed("datatype", key_of(*type), __func__);
    return PMPI_Type_free(type);
}

int MPI_Win_create(void* start, MPI_Aint n_bytes, int unit, MPI_Info hints, MPI_Comm all,
                   MPI_Win* memory) {
    ledger().use({.written = {{start, n_bytes, MPI_BYTE}}}, __func__);
    return window(PMPI_Win_create(start, n_bytes, unit, hints, all, memory), memory, __func__);
}
int MPI_Win_allocate(MPI_Aint n_bytes, int unit, MPI_Info hints, MPI_Comm all, void* start,
                     MPI_Win* memory) {
    return window(PMPI_Win_allocate(n_bytes, unit, hints, all, start, memory), memory, __func__);
}
int MPI_Win_free(MPI_Win* memory) {
    ledger().freed("window", key_of(*memory), __func__);
    return PMPI_Win_free(memory);
}

// A process may exit with an error only after all ranks have left, or its launcher would report
// more.
int MPI_Finalize() {
    constexpr int exit_code = 99;
    const int n_problems = ledger().close();
    const int code = PMPI_Finalize();
    if (n_problems > 0) std::_Exit(exit_code);
    return code;
}
}
