// Messages of the multigrid: ghost points from the 26 neighbours, whole levels from everybody.
#pragma once

#include <array>
#include <span>

#include "benchmarks/npb/mg/field.hpp"
#include "harness/world/communicator.hpp"

namespace heorot::mg {

/// Exchanges ghost points with the neighbours, and collects levels that all ranks own.
class Exchange {
  public:
    /// `finest` are this rank's axes of the level with the longest messages. `world` must outlive
    /// this object.
    Exchange(const Communicator& world, const ProcessGrid& grid, const Axes& finest);

    /// Fills the ghost points up to `depth` <= ghost_depth from the neighbours, periodically. First
    /// along x, then y, then z: each direction includes the ghost points received before, so that
    /// edges and corners need no messages of their own. **Collective.**
    void fill_ghosts(Field& field, Index depth);
    /// Fills the ghost points along x of a level that this rank owns as a whole, for a finer one
    /// that is split.
    static void fill_padding(Field& field, Index depth);
    /// Every rank has computed those points of `field` that lie on its part `fine` of the next
    /// finer level; all get all. **Collective.**
    void gather_level(Field& field, const Axes& fine);

  private:
    void exchange_columns(Field& field, Index depth);
    void exchange_rows(Field& field, Index depth);
    void exchange_planes(Field& field, Index depth);
    // Sends `down` to the lower neighbour and `up` to the upper one, and receives theirs.
    void swap(const Axis& axis, std::span<const double> down, std::span<const double> up,
              std::span<double> from_below, std::span<double> from_above) const;
    std::span<double> buffer(std::size_t number, Index n) {
        return buffers_[number].span().first(static_cast<std::size_t>(n));
    }

    const Communicator& world_;
    std::array<Array<double>, 4> buffers_;  // to and from both sides
};

}  // namespace heorot::mg
