// Memory that collective operations read and write on this rank.
#pragma once

#include <mpi.h>

#include "ledger.hpp"

namespace heorot::usage {

int rank_in(MPI_Comm group);

/// Arguments that must be equal on all ranks: the root and the bytes.
long about(int root, int n, MPI_Datatype type);

/// `n` elements for each rank of the group, if it is used at all.
Buffers for_each(MPI_Comm group, const void* start, int n, MPI_Datatype type, bool is_used = true);

Footprint broadcast(const void* start, int n, MPI_Datatype type, int root, MPI_Comm group);
/// With MPI_IN_PLACE the receive buffer holds this rank's contribution.
Footprint reduction(const void* out, const void* in, int n, MPI_Datatype type, bool receives);

}  // namespace heorot::usage
