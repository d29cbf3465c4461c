// How the ranks are lined up: before a sample, or before every body of it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "harness/measure/clock.hpp"
#include "harness/measure/global_clock.hpp"
#include "harness/world/world.hpp"

namespace heorot {

/// Synchronisation of the ranks before a timed body.
class Synchronisation {
  public:
    virtual ~Synchronisation() = default;
    virtual std::string_view name() const = 0;
    virtual void line_up() = 0;
};
/// A barrier, or nothing to do for one rank alone. `world` must outlive the result.
std::unique_ptr<Synchronisation> make_synchronisation(const World& world);

/// Begin and end of timed bodies on this rank's clock [tick].
struct Stretch {
    std::int64_t start;
    std::int64_t stop;
    std::int64_t ticks() const { return stop - start; }
};

/// How the bodies of a region were started that are lined up one by one.
struct StartFacts {
    std::int64_t n_bodies = 0;         ///< timed
    std::int64_t n_late = 0;           ///< of which some rank came too late for the start
    double window_seconds = 0.0;       ///< from one start to the next, in the end [s]
    double clock_error_seconds = 0.0;  ///< largest bound of the error of any rank's clock [s]
};

/// How the ranks are lined up before every body.
struct StartRules {
    GlobalClock* global = nullptr;  ///< of all ranks; without one by barriers
    bool insists = false;           ///< on windows, also where barriers are better
    bool counts_here = true;        ///< whether the times of this rank count
};

/// The window's length: longer after it was too short, and shorter again, within bounds.
class Patience {
  public:
    /// `seconds` at first and at least [s].
    void open(double seconds) { seconds_ = shortest_seconds_ = seconds; }
    void adapt(bool was_enough);
    double seconds() const { return seconds_; }

  private:
    double seconds_ = 0.0;
    double shortest_seconds_ = 0.0;
};

/// Lines up the ranks before every single body and takes the time of a body from the first start
/// to the last end. At first by barriers; after open(), if the ranks have a global clock, by
/// windows: all start at an instant agreed upon before, without a message. A body for
/// whose start a rank comes late is left out, and windows grow while that happens often.
/// Source: S. Hunold, A. Carpen-Amarie, Reproducible MPI Benchmarking is Still Not as Easy as You
/// Think, IEEE TPDS 27 (2016): windows and their errors.
class Starts final : public Synchronisation {
  public:
    /// The arguments must outlive this.
    Starts(const World& world, const Clock& clock, const ClockFacts& clock_facts,
           const StartRules& rules);

    /// "window" or "barrier".
    std::string_view name() const override { return is_open_ ? "window" : "barrier"; }
    /// Switches to windows, if there is a global clock and a sample by barriers has given their
    /// length; discards all samples so far. Barriers remain for bodies so long that it does not
    /// matter when ranks leave one: after a wait of a quarter of such a body, memory is slower than
    /// at work.
    void open();
    /// Whether the last sample had few late bodies: until then windows are too short to count.
    bool is_settled() const;
    /// Returns to barriers if windows did not converge: on a busy machine ranks are late for them.
    void give_up_if_late();
    /// Discards all samples so far.
    void clear();

    /// Begins a sample of n_bodies bodies. **Collective.**
    void begin(std::int64_t n_bodies);
    void line_up() override;
    void keep(const Stretch& body) { bodies_[n_kept_++] = body; }
    /// Ends the sample and returns its length [s]: the same on all ranks with windows, this rank's
    /// own with barriers. Bodies that were omitted count like the mean of the others.
    /// **Collective.**
    double finish();

    /// This rank's own time of each sample since the last call [s].
    std::span<const double> own_seconds() const { return own_seconds_; }
    void forget_own() { own_seconds_.clear(); }
    /// **Collective.**
    StartFacts facts() const;

  private:
    void wait_for_start();
    /// Of the sample, from first start to last end [s]. Then reports_ knows the late bodies.
    double seconds_of_all();
    /// Of the sample on this rank, from each own start to its own end [s].
    double seconds_of_rank() const;
    void adapt(std::int64_t n_late);

    const World& world_;
    const Clock& clock_;
    double overhead_seconds_;
    StartRules rules_;
    bool is_open_ = false;
    double late_share_ = 1.0;  // of the last sample

    std::vector<Stretch> bodies_;  // of the sample
    std::vector<double> reports_;  // of the sample, exchanged among all ranks
    std::vector<char> was_late_;   // of the sample: this rank
    std::size_t n_kept_ = 0;
    std::int64_t sample_start_ = 0;  // own clock [tick]
    double first_start_ = 0.0;       // global time [s]
    Patience window_;                // from one start to the next
    Patience lead_;                  // from agreeing on the first start to it
    double seconds_between_starts_ = 0.0;
    double body_seconds_ = 0.0;  // mean of the last sample on this rank

    std::vector<double> own_seconds_;
    StartFacts facts_;
};

}  // namespace heorot
