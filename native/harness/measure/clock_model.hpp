// How far one clock is from another: bounds of the offset at several instants become an offset
// that drifts, with the error it may have.
#pragma once

#include <vector>

namespace heorot {

/// Between which bounds the other clock was ahead of this one at an instant.
struct OffsetBounds {
    double at = 0.0;    ///< on this clock [s]
    double low = 0.0;   ///< other minus this [s]
    double high = 0.0;  ///< other minus this [s]
};

/// The other clock as seen from this one: other = this + offset, where the offset drifts at a
/// constant rate. The error is a bound, not an estimate: as long as the rate is constant, no line
/// through all bounds is further off.
/// Source: S. B. Moon, P. Skelly, D. Towsley, Estimation and Removal of Clock Skew from Network
/// Delay Measurements, IEEE INFOCOM 1999: lines that respect all bounds.
class ClockModel {
  public:
    /// Takes bounds at a later instant than all before. Where no constant rate fits all of them,
    /// the older half is forgotten.
    void add(const OffsetBounds& bounds);

    /// Other minus this at the instant `at` of this clock [s].
    double offset(double at) const { return offset_ + drift_ * (at - latest_); }
    /// Largest possible error of offset() [s].
    double error(double at) const;
    /// Seconds that the other clock gains in a second.
    double drift() const { return drift_; }
    /// Largest possible error of drift().
    double drift_error() const { return drift_error_; }

    /// The five numbers of which the model consists, for another rank with the same clock.
    struct State {
        double latest;
        double offset;
        double error;
        double drift;
        double drift_error;
    };
    State state() const { return {latest_, offset_, error_, drift_, drift_error_}; }
    void set(const State& state);

  private:
    bool fit();
    void thin();

    std::vector<OffsetBounds> bounds_;
    double latest_ = 0.0;
    double offset_ = 0.0;
    double error_ = 0.0;
    double drift_ = 0.0;
    double drift_error_ = 0.0;
};

}  // namespace heorot
