// The named parts of a timed body: how long each computes and communicates on every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/measure/clock.hpp"

namespace heorot {

/// A named part of a body; made by Phases::add.
class Phase {
  public:
    Phase() = default;

  private:
    friend class Phases;
    explicit Phase(std::size_t number) : number_(number) {}
    std::size_t number_ = 0;
};

/// Times and traffic of one phase on this rank.
struct PhaseTotals {
    std::string name;
    double computation_seconds = 0.0;    ///< outside communication calls [s]
    double communication_seconds = 0.0;  ///< inside them [s]
    std::int64_t messages = 0;           ///< sent from rank to rank
    std::int64_t bytes = 0;              ///< sent, in messages and into collectives [B]
    std::int64_t collectives = 0;        ///< taken part in
};

/// Divides the time of timed bodies among phases, without gaps or overlaps: at any moment one
/// phase runs, and an inner one pauses the outer. Time inside a Communicator's calls is set apart
/// by itself. Only the thread that made the object counts; calls from others do nothing, as do
/// calls outside timed bodies.
class Phases {
  public:
    /// Ends its phase, or its communication.
    class [[nodiscard]] Guard {
      public:
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;
        ~Guard() {
            if (phases_ != nullptr) phases_->go_on_with(previous_);
        }

      private:
        friend class Phases;
        Guard(Phases* phases, std::size_t previous) : phases_(phases), previous_(previous) {}
        Phases* phases_;
        std::size_t previous_;
    };

    explicit Phases(const Clock& clock);
    Phases(const Phases&) = delete;
    Phases& operator=(const Phases&) = delete;
    ~Phases() = default;

    /// A new phase; outside timed bodies.
    Phase add(std::string name);
    /// Begins a phase, which lasts as long as the returned guard.
    Guard enter(Phase phase) { return begin(2 * phase.number_); }

    /// Messages sent by a call of a Communicator.
    struct Traffic {
        std::int64_t messages = 0;
        std::int64_t bytes = 0;
        std::int64_t collectives = 0;
    };
    /// For a Communicator: counts a call, and sets its time apart within the phase that runs.
    /// Returns what end_call() needs.
    std::size_t begin_call(const Traffic& sent);
    void end_call(std::size_t interrupted);

    /// For the harness: begin and end of timed bodies, discarding earlier times; and the totals of
    /// all phases, first the one of time outside all others.
    void start();
    void stop();
    void reset();
    std::vector<PhaseTotals> totals() const;

  private:
    bool counts() const { return is_running_ && &this_thread_ == owner_; }
    // Phase p computes in state 2 p and communicates in state 2 p + 1.
    Guard begin(std::size_t state) {
        if (!counts()) return {nullptr, 0};
        const std::size_t previous = running_;
        go_on_with(state);
        return {this, previous};
    }
    void go_on_with(std::size_t state) {
        const std::int64_t now = clock_.ticks();
        ticks_[running_] += now - since_;
        since_ = now;
        running_ = state;
    }

    static constexpr std::size_t not_counted = static_cast<std::size_t>(-1);
    static thread_local char this_thread_;

    Clock clock_;
    const char* owner_;
    std::vector<std::string> names_;
    std::vector<std::int64_t> ticks_;  // by state
    std::vector<Traffic> traffic_;     // by phase
    bool is_running_ = false;
    std::size_t running_ = 0;
    std::int64_t since_ = 0;
};

}  // namespace heorot
