// The collective operations of MPI as a table: name, layout and call.
#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <string_view>

#include "benchmarks/messages/collectives/layout.hpp"

namespace heorot::collectives {

/// Arguments of the calls [double]. Lengths and offsets are of blocks, one per rank.
struct Arguments {
    const void* out;  ///< or MPI_IN_PLACE
    void* in;
    int n;
    int root;
    const int* out_lengths;
    const int* out_offsets;
    const int* out_offsets_bytes;
    const int* in_lengths;
    const int* in_offsets;
    const int* in_offsets_bytes;
    const MPI_Datatype* types;  ///< MPI_DOUBLE for every rank
    MPI_Comm group;
    MPI_Comm grid;         ///< the same ranks as neighbours
    MPI_Request* request;  ///< of what is only started
};

/// One operation.
struct Operation {
    std::string_view name;
    Layout (*layout)(const Problem&);
    void (*call)(const Arguments&);
    bool is_uneven = false;
    bool is_in_place = false;
    bool is_started = false;  ///< whether it still has to be waited for

    bool is_barrier() const { return layout == nothing; }
};

/// All of them, in the order of the report.
std::span<const Operation> operations();
/// The names of those that block, or of all, as a list with commas.
std::string blocking_names();
std::string all_names();

}  // namespace heorot::collectives
