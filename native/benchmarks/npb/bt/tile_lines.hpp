// All lines of one tile in one direction: sorted into groups, shared by threads, solved.
//
// Checked point by point, by A x = r, in tests/npb/flow/test_bt.cpp: lines_are_solved.
#pragma once

#include <cstddef>
#include <vector>

#include "benchmarks/npb/bt/lines.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "harness/array.hpp"

namespace heorot::bt {

/// Memory for the lines that threads are working on. It keeps nothing between calls: one is enough
/// for all zones or tiles that are solved one after the other by the same team of threads.
class Workspace {
  public:
    /// For lines of up to `longest` points and teams of up to `n_threads`.
    Workspace(int longest, int n_threads);

    struct OfThread {
        double* c_prime;  // of one group
        double* u;        // of one group of lines along x, transposed
        double* r;
        Index component;  // distance of components in u and r
    };
    /// Of the calling thread of the innermost team.
    OfThread of_this_thread();

  private:
    std::vector<Array<double>> of_threads_;
    Index component_;
};

/// How the lines of a box along a direction form groups, one line to a lane: neighbours in x, or,
/// for lines along x, in y.
struct Groups {
    Groups(const Box& box, int direction);
    int n_cells;      // interior points of a line
    int n_inner;      // groups along x (or y)
    int outer_begin;  // local indices of the third direction
    int n_outer;
    int n() const { return n_inner * n_outer; }
};

/// The groups begin <= g < end.
struct Range {
    int begin, end;
    int size() const { return end - begin; }
};

/// Values that cross the faces of a tile, and those that stay in it, for a range of groups back to
/// back. Null at walls. On the way up, `lower` was received and `upper` is to be sent, with
/// doubles_per_exit per group; on the way down vice versa, with doubles_per_vector.
struct Faces {
    double* lower;
    double* upper;
    double* c_prime;  // n_cells doubles_per_block per group
};

/// Eliminates lines of a tile upwards: r becomes r'. Threads share the groups.
void eliminate_tile(const LineOperator& op, int direction, Range range, const flow::Field& u,
                    flow::Field& r, const Faces& faces, Workspace& workspace);
/// Substitutes back, downwards: r' becomes the solution.
void substitute_tile(const LineOperator& op, int direction, Range range, const flow::Field& u,
                     flow::Field& r, const Faces& faces, Workspace& workspace);
/// Both, for all lines of a tile (or zone) with walls at both ends; C' stays in the cache.
void solve(const LineOperator& op, int direction, const flow::Field& u, flow::Field& r,
           Workspace& workspace);

}  // namespace heorot::bt
