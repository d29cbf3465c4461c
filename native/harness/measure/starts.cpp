// Starts bodies at common instants, and takes the times of all ranks together.
#include "harness/measure/starts.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "harness/record/check.hpp"

namespace heorot {

namespace {

// A window is somewhat longer than the time between two starts by barriers.
constexpr double margin = 1.25;
constexpr double growth = 1.5;
constexpr double decay = 0.97;
// The longest windows: a multiple of the first ones, and the time of interrupts by the kernel [s].
constexpr double longest_growth = 4.0;
constexpr double longest_growth_seconds = 0.25e-3;
// Above this share of late bodies windows grow.
constexpr double acceptable_late = 0.02;
// Bodies longer than a barrier by this factor need no window: ranks leave a barrier within its
// duration.
constexpr double long_body = 100.0;
// Above this one they are given up if growing does not help.
constexpr double hopeless_late = 0.05;
constexpr std::size_t n_reports = 3;  // of a body: its end, minus its start, whether it was late

class Alone final : public Synchronisation {
  public:
    std::string_view name() const override { return "none"; }
    void line_up() override {}
};

class Barrier final : public Synchronisation {
  public:
    explicit Barrier(const World& world) : world_(world) {}
    std::string_view name() const override { return "barrier"; }
    void line_up() override { world_.barrier(); }

  private:
    const World& world_;
};

}  // namespace

std::unique_ptr<Synchronisation> make_synchronisation(const World& world) {
    if (world.size() == 1) return std::make_unique<Alone>();
    return std::make_unique<Barrier>(world);
}

Starts::Starts(const World& world, const Clock& clock, const ClockFacts& clock_facts,
               const StartRules& rules)
    : world_(world),
      clock_(clock),
      overhead_seconds_(clock_facts.overhead_seconds),
      rules_(rules) {}

void Patience::adapt(bool was_enough) {
    const double longest = longest_growth * shortest_seconds_ + longest_growth_seconds;
    seconds_ = was_enough ? std::max(decay * seconds_, shortest_seconds_)
                          : std::min(growth * seconds_, longest);
}

void Starts::open() {
    clear();
    const double between = world_.maximum(seconds_between_starts_);
    if (rules_.global == nullptr || between <= 0.0) return;
    const double body = world_.maximum(body_seconds_);
    if (!rules_.insists && body > long_body * (between - body)) return;
    window_.open(margin * between);
    lead_.open(margin * between);
    is_open_ = true;
    late_share_ = 1.0;
}

bool Starts::is_settled() const {
    return !is_open_ || late_share_ <= acceptable_late;
}

void Starts::give_up_if_late() {
    if (!rules_.insists && late_share_ > hopeless_late) is_open_ = false;
}

void Starts::clear() {
    own_seconds_.clear();
    facts_ = {};
}

void Starts::begin(std::int64_t n_bodies) {
    const auto n = static_cast<std::size_t>(n_bodies);
    bodies_.resize(n);
    reports_.resize(n_reports * n);
    was_late_.assign(n, 0);
    n_kept_ = 0;
    if (is_open_) {
        rules_.global->refresh();
        first_start_ = rules_.global->now() + lead_.seconds();
        world_.broadcast(std::span(&first_start_, 1));
    }
    sample_start_ = clock_.ticks();
}

void Starts::line_up() {
    if (is_open_) {
        wait_for_start();
    } else {
        world_.barrier();
    }
}

void Starts::wait_for_start() {
    const double start = first_start_ + static_cast<double>(n_kept_) * window_.seconds();
    const std::int64_t target = rules_.global->ticks_at(start);
    std::int64_t now = clock_.ticks();
    was_late_[n_kept_] = now > target ? 1 : 0;
    while (now < target) now = clock_.ticks();
}

double Starts::finish() {
    const auto n = static_cast<double>(n_kept_);
    seconds_between_starts_ = clock_.seconds(clock_.ticks() - sample_start_) / n;
    facts_.n_bodies += static_cast<std::int64_t>(n_kept_);
    const double of_all = is_open_ ? seconds_of_all() : 0.0;
    const double own = seconds_of_rank();
    body_seconds_ = own / n;
    own_seconds_.push_back(rules_.counts_here ? own : 0.0);
    return is_open_ ? of_all : own_seconds_.back();
}

double Starts::seconds_of_rank() const {
    double punctual = 0.0;
    double all = 0.0;
    double n_punctual = 0.0;
    for (std::size_t i = 0; i < n_kept_; ++i) {
        const double seconds = clock_.seconds(bodies_[i].ticks()) - overhead_seconds_;
        const bool is_late = is_open_ && reports_[n_reports * i + 2] > 0.0;
        all += seconds;
        if (is_late) continue;
        punctual += seconds;
        n_punctual += 1.0;
    }
    const auto n = static_cast<double>(n_kept_);
    return std::max(n_punctual > 0.0 ? punctual * n / n_punctual : all, overhead_seconds_);
}

double Starts::seconds_of_all() {
    constexpr double never = std::numeric_limits<double>::lowest();
    for (std::size_t i = 0; i < n_kept_; ++i) {
        const std::span<double> report = std::span(reports_).subspan(n_reports * i, n_reports);
        report[0] = rules_.counts_here ? rules_.global->at(bodies_[i].stop) - first_start_ : never;
        report[1] = rules_.counts_here ? first_start_ - rules_.global->at(bodies_[i].start) : never;
        report[2] = was_late_[i];
    }
    world_.maximum(reports_);
    double punctual = 0.0;
    double all = 0.0;
    std::int64_t n_late = 0;
    for (std::size_t i = 0; i < n_kept_; ++i) {
        const std::span<const double> report =
            std::span(reports_).subspan(n_reports * i, n_reports);
        // Reading the clock takes time, which is not the body's.
        const double seconds = report[0] + report[1] - overhead_seconds_;
        const bool is_late = report[2] > 0.0;
        all += seconds;
        if (is_late) ++n_late;
        if (!is_late) punctual += seconds;
    }
    const bool first_was_late = reports_[2] > 0.0;
    lead_.adapt(!first_was_late);
    adapt(n_late);
    const auto n = static_cast<double>(n_kept_);
    const double n_punctual = n - static_cast<double>(n_late);
    return std::max(n_punctual > 0.0 ? punctual * n / n_punctual : all, overhead_seconds_);
}

void Starts::adapt(std::int64_t n_late) {
    facts_.n_late += n_late;
    facts_.clock_error_seconds =
        std::max(facts_.clock_error_seconds,
                 rules_.global->is_common() ? 0.0 : rules_.global->error_seconds());
    late_share_ = static_cast<double>(n_late) / static_cast<double>(n_kept_);
    window_.adapt(is_settled());
}

StartFacts Starts::facts() const {
    StartFacts facts = facts_;
    facts.window_seconds = is_open_ ? window_.seconds() : 0.0;
    facts.clock_error_seconds = world_.maximum(facts.clock_error_seconds);
    return facts;
}

}  // namespace heorot
