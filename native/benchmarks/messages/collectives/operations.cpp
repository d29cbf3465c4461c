// The calls of the collective operations.
#include "benchmarks/messages/collectives/operations.hpp"

#include <algorithm>
#include <array>

namespace heorot::collectives {

namespace {

using A = Arguments;

constexpr std::array blocking = {
    Operation{"barrier", nothing, [](const A& a) { MPI_Barrier(a.group); }},
    Operation{"bcast", broadcast,
              [](const A& a) { MPI_Bcast(a.in, a.n, MPI_DOUBLE, a.root, a.group); }},
    Operation{"gather", gather,
              [](const A& a) {
                  MPI_Gather(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.root, a.group);
              }},
    Operation{.name = "gatherv",
              .layout = gather,
              .call =
                  [](const A& a) {
                      MPI_Gatherv(a.out, a.out_lengths[0], MPI_DOUBLE, a.in, a.in_lengths,
                                  a.in_offsets, MPI_DOUBLE, a.root, a.group);
                  },
              .is_uneven = true},
    Operation{"scatter", scatter,
              [](const A& a) {
                  MPI_Scatter(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.root, a.group);
              }},
    Operation{.name = "scatterv",
              .layout = scatter,
              .call =
                  [](const A& a) {
                      MPI_Scatterv(a.out, a.out_lengths, a.out_offsets, MPI_DOUBLE, a.in,
                                   a.in_lengths[0], MPI_DOUBLE, a.root, a.group);
                  },
              .is_uneven = true},
    Operation{
        "allgather", all_gather,
        [](const A& a) { MPI_Allgather(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.group); }},
    Operation{.name = "allgatherv",
              .layout = all_gather,
              .call =
                  [](const A& a) {
                      MPI_Allgatherv(a.out, a.out_lengths[0], MPI_DOUBLE, a.in, a.in_lengths,
                                     a.in_offsets, MPI_DOUBLE, a.group);
                  },
              .is_uneven = true},
    Operation{
        "alltoall", all_to_all,
        [](const A& a) { MPI_Alltoall(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.group); }},
    Operation{.name = "alltoallv",
              .layout = all_to_all,
              .call =
                  [](const A& a) {
                      MPI_Alltoallv(a.out, a.out_lengths, a.out_offsets, MPI_DOUBLE, a.in,
                                    a.in_lengths, a.in_offsets, MPI_DOUBLE, a.group);
                  },
              .is_uneven = true},
    Operation{.name = "alltoallw",
              .layout = all_to_all,
              .call =
                  [](const A& a) {
                      MPI_Alltoallw(a.out, a.out_lengths, a.out_offsets_bytes, a.types, a.in,
                                    a.in_lengths, a.in_offsets_bytes, a.types, a.group);
                  },
              .is_uneven = true},
    Operation{
        "reduce", reduce,
        [](const A& a) { MPI_Reduce(a.out, a.in, a.n, MPI_DOUBLE, MPI_SUM, a.root, a.group); }},
    Operation{"allreduce", all_reduce,
              [](const A& a) { MPI_Allreduce(a.out, a.in, a.n, MPI_DOUBLE, MPI_SUM, a.group); }},
    Operation{"reduce_scatter", reduce_scatter,
              [](const A& a) {
                  MPI_Reduce_scatter(a.out, a.in, a.out_lengths, MPI_DOUBLE, MPI_SUM, a.group);
              }},
    Operation{"reduce_scatter_block", reduce_scatter_block,
              [](const A& a) {
                  MPI_Reduce_scatter_block(a.out, a.in, a.n, MPI_DOUBLE, MPI_SUM, a.group);
              }},
    Operation{"scan", scan,
              [](const A& a) { MPI_Scan(a.out, a.in, a.n, MPI_DOUBLE, MPI_SUM, a.group); }},
    Operation{"exscan", exclusive_scan,
              [](const A& a) { MPI_Exscan(a.out, a.in, a.n, MPI_DOUBLE, MPI_SUM, a.group); }},
    Operation{"neighbor_allgather", neighbor_all_gather,
              [](const A& a) {
                  MPI_Neighbor_allgather(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.grid);
              }},
    Operation{"neighbor_alltoall", neighbor_all_to_all,
              [](const A& a) {
                  MPI_Neighbor_alltoall(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.grid);
              }},
};

constexpr std::array started = {
    Operation{"ibarrier", nothing, [](const A& a) { MPI_Ibarrier(a.group, a.request); }},
    Operation{"ibcast", broadcast,
              [](const A& a) { MPI_Ibcast(a.in, a.n, MPI_DOUBLE, a.root, a.group, a.request); }},
    Operation{"igather", gather,
              [](const A& a) {
                  MPI_Igather(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.root, a.group,
                              a.request);
              }},
    Operation{"iscatter", scatter,
              [](const A& a) {
                  MPI_Iscatter(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.root, a.group,
                               a.request);
              }},
    Operation{"iallgather", all_gather,
              [](const A& a) {
                  MPI_Iallgather(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.group, a.request);
              }},
    Operation{"ialltoall", all_to_all,
              [](const A& a) {
                  MPI_Ialltoall(a.out, a.n, MPI_DOUBLE, a.in, a.n, MPI_DOUBLE, a.group, a.request);
              }},
    Operation{"ireduce", reduce,
              [](const A& a) {
                  MPI_Ireduce(a.out, a.in, a.n, MPI_DOUBLE, MPI_SUM, a.root, a.group, a.request);
              }},
    Operation{"iallreduce", all_reduce,
              [](const A& a) {
                  MPI_Iallreduce(a.out, a.in, a.n, MPI_DOUBLE, MPI_SUM, a.group, a.request);
              }},
};

/// The operations above whose input may lie where the result will be.
constexpr std::array in_place = {"gather_in_place", "allgather_in_place", "alltoall_in_place",
                                 "allreduce_in_place", "reduce_scatter_block_in_place"};
constexpr std::string_view in_place_suffix = "_in_place";

std::vector<Operation> make_operations() {
    std::vector<Operation> all(blocking.begin(), blocking.end());
    for (const std::string_view name : in_place) {
        const auto plain = name.substr(0, name.size() - in_place_suffix.size());
        Operation operation = *std::ranges::find(blocking, plain, &Operation::name);
        operation.name = name;
        operation.is_in_place = true;
        all.push_back(operation);
    }
    for (Operation operation : started) {
        operation.is_started = true;
        all.push_back(operation);
    }
    return all;
}

std::string names(bool with_started) {
    std::string list;
    for (const Operation& operation : operations()) {
        if (operation.is_started && !with_started) continue;
        list.append(list.empty() ? "" : ",").append(operation.name);
    }
    return list;
}

}  // namespace

std::span<const Operation> operations() {
    static const std::vector<Operation> all = make_operations();
    return all;
}

std::string blocking_names() {
    return names(false);
}

std::string all_names() {
    return names(true);
}

}  // namespace heorot::collectives
