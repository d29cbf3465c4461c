// Choice of victims and aggressors, and the signal by which a victim ends an aggressor's body.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "benchmarks/messages/congestion/load.hpp"
#include "harness/program.hpp"

namespace heorot::congestion {

/// Which ranks the victims are: taking turns with aggressors, the first ones, or any.
enum class Placement { interleaved, blocks, random };

/// Two victims and two aggressors at least.
struct Roles {
    std::vector<int> victims;  ///< ranks of the world, ascending
    std::vector<int> aggressors;
    bool is_victim;  ///< this rank
};

/// The same on all ranks: `share` of them are victims, rounded; 0 < share < 1, `world` has at least
/// four ranks.
Roles cast_roles(const Communicator& world, double share, Placement placement, std::int64_t seed);

/// At the end of each of its bodies a victim notifies the aggressors that belong to it.
class Signal {
  public:
    /// `world` must outlive this.
    Signal(const Communicator& world, const Roles& roles);

    /// A victim's body is over.
    void tell();
    /// Continues `load` until the victim's body is over.
    void await(Load& load);
    /// The same without a load.
    void await();

    /// Bodies whose end has been notified, by a victim, or received, by an aggressor.
    std::int64_t n_bodies() const { return n_bodies_; }
    /// Words that were not the number of the body.
    std::int64_t n_wrong() const { return n_wrong_; }
    /// Both are 0 again.
    void reset() { n_bodies_ = n_wrong_ = 0; }

  private:
    MPI_Request listen();
    void hear();

    const Communicator& world_;
    std::vector<int> listeners_;
    int victim_ = 0;
    std::int64_t word_ = 0;
    std::int64_t n_bodies_ = 0;
    std::int64_t n_wrong_ = 0;
};

}  // namespace heorot::congestion
