// A rank's own times of the samples of a region, before the maximum over ranks is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heorot {

/// One rank's own times of a region, from the synchronised start to its own end. They include waits
/// for others inside the body.
struct OwnTime {
    double median_seconds = 0.0;  ///< of one body, over the samples
    std::int64_t slowest = 0;     ///< number of samples in which no rank took longer
};

/// Keeps a rank's own lengths of samples, separate from the maxima over ranks.
class OwnSamples {
  public:
    /// Allocates all memory, for the largest number of samples.
    explicit OwnSamples(std::size_t samples_max) { seconds_.reserve(samples_max); }

    /// Adds a batch as this rank has timed it [s].
    void keep(std::span<const double> batch) {
        seconds_.insert(seconds_.end(), batch.begin(), batch.end());
    }
    void clear() { seconds_.clear(); }
    /// Sums up what was kept, one sample or more, and forgets its order. `longest` has the length
    /// of each sample on the slowest rank [s], each of `repetitions` bodies.
    OwnTime summarise(std::span<const double> longest, std::int64_t repetitions);

  private:
    std::vector<double> seconds_;
};

/// Middle value of one or more numbers, or the mean of the two in the middle; changes their order.
double median_of(std::span<double> values);

}  // namespace heorot
