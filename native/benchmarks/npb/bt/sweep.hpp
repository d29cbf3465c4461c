// Lines across tiles: elimination slab by slab upwards, substitution downwards.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "benchmarks/npb/bt/tile_lines.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "harness/array.hpp"
#include "harness/world/communicator.hpp"
#include "numerics/tiles.hpp"

namespace heorot::bt {

/// The sweeps of a rank in all directions. The lines are solved in parts, one after the other, so
/// that the blocks kept between elimination and substitution stay in the cache; two parts are
/// in flight at a time, and one computes while the other's messages travel. Checked against the
/// grid in one piece in tests/npb/flow/test_bt.cpp: tiles_go_the_way_of_the_whole.
class Sweep {
  public:
    /// `partition` and `world` must outlive it.
    Sweep(const Multipartition& partition, const Communicator& world);

    /// Solves the systems of all lines in `direction`: rhs becomes the solution. Fields in the
    /// order of the partition's tiles. **Collective.**
    void solve(const LineOperator& op, int direction, std::span<const flow::Field> u,
               std::span<flow::Field> rhs, Workspace& workspace);

    /// Into how many parts the lines are divided, on all ranks alike.
    static int n_parts(const Extent& grid, int n_ranks);

  private:
    /// A part in flight: values from the last slab, values for the next one, and C'.
    struct UnderWay {
        Array<double> entries;
        Array<double> exits;
        Array<double> c_prime;
        Request coming;
        Request going;
    };
    /// One direction of travel.
    struct Pass {
        const LineOperator& op;
        int direction;
        Side towards;
        std::span<const flow::Field> u;
        std::span<flow::Field> rhs;
        Workspace& workspace;
        Index doubles_per_crossing() const;  // of a group
    };

    void run(const Pass& pass, int first_part);
    void compute(const Pass& pass, int s, int part, UnderWay& under_way);
    void pass_on(const Pass& pass, int s, int part, UnderWay& under_way) const;
    Groups groups(int direction, int tile) const;
    Range range(int direction, int tile, int part) const;
    Index n_groups(int direction, int s, int part) const;
    void allocate();

    const Multipartition& partition_;
    const Communicator& world_;
    int n_parts_;
    std::array<std::vector<Index>, 3> c_prime_starts_;  // by direction and tile
    std::vector<UnderWay> under_way_;
};

}  // namespace heorot::bt
