// The multigrid iteration: levels, V-cycles and the norm of the residual.
#pragma once

#include <vector>

#include "benchmarks/npb/mg/exchange.hpp"
#include "benchmarks/npb/mg/sweep.hpp"

namespace heorot::mg {

/// Solves A u = v on n^3 points of a periodic cube.
class Multigrid {
  public:
    /// `world` and `phases` must outlive this object. Precondition: can_split(). u and v are 0.
    Multigrid(Index n, const Stencil& smoother, const Communicator& world, Phases& phases,
              int n_threads);

    /// The ranks along x, y, z that have the least halo.
    const ProcessGrid& process_grid() const { return grid_; }
    /// The level of n^3 points: u and, as right-hand side, v.
    Level& finest() { return levels_.back(); }
    /// u = 0.
    void reset() { finest().u.clear(n_threads(finest())); }

    /// The root mean squares of the residual at first and at last.
    struct Norms {
        double first, last;
    };
    /// The residual of u and its norm, then n_cycles V-cycles each followed by the residual, and
    /// the norm of the last. v must be set at ghost points, too. **Collective.**
    Norms solve(int n_cycles);

  private:
    int n_threads(const Level& level) const;
    double norm2u3(double sum);
    double sweep(std::size_t k, const Tasks& tasks);
    void restrict_level(std::size_t k);
    void solve_coarsest();
    void solve_coarse_levels();
    void complete_rhs(std::size_t k);
    void complete_u(std::size_t k);

    Index n_;
    Stencil smoother_;
    const Communicator& world_;
    TimedPhases phases_;
    ProcessGrid grid_;
    std::vector<Level> levels_;  // coarsest first
    Exchange exchange_;
    std::vector<Workspace> spaces_;  // of the threads
};

}  // namespace heorot::mg
