// Nonblocking collectives: how much computation overlaps with them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "benchmarks/messages/collectives/trial.hpp"
#include "harness/program.hpp"

namespace heorot::collectives {

/// Additions, each of which waits for the one before: they need a core, and no memory.
class Additions {
  public:
    /// Measures the time of an addition. **Collective.**
    explicit Additions(Program& program);

    void run(std::int64_t n) {
        double sum = sum_;
        for (std::int64_t i = 0; i < n; ++i) {
            sum += 1.0;
            keep(sum);
        }
        sum_ = sum;
    }
    /// The number of additions that need this time [s], at least one.
    std::int64_t lasting(double seconds) const;
    /// Checks that since the last time `per_body` of them were done in each body. **Collective.**
    void verify(Program& program, const Region& region, std::int64_t per_body);

  private:
    double sum_ = 0.0;
    double seconds_each_ = 0.0;
};

/// Measures a started operation alone, computation as long alone, and both together, with and
/// without occasions for progress. **Collective.**
void measure_overlap(Program& program, const Group& group, const Operation& operation,
                     std::size_t n, Additions& additions);

}  // namespace heorot::collectives
