// The regions of a run: their measurement, rules and clocks, and their lines of the record.
#include <algorithm>
#include <array>
#include <memory>

#include "harness/program.hpp"
#include "harness/record/gathering.hpp"

namespace heorot {

Phases& Program::phases() {
    expects(running_ != nullptr, "start() comes before phases()");
    if (phases_ == nullptr) {
        phases_ = std::make_unique<Phases>(running_->clocks.main());
        world_.tell(phases_.get());
        alone_.tell(phases_.get());
    }
    return *phases_;
}

GlobalClock* Program::global_clock() {
    // Ranks that share a core cannot all wait for an instant, and copies do not wait at all.
    const bool is_wanted =
        settings_.start == "window" || (settings_.start == "auto" && world_.has_a_core_each());
    if (world_.size() == 1 || settings_.star || !is_wanted) return nullptr;
    if (running_->global_clock == nullptr) {
        running_->global_clock = std::make_unique<GlobalClock>(world_, running_->clocks.main());
    }
    return running_->global_clock.get();
}

void Program::share_budget() {
    expects(running_ != nullptr, "start() comes before share_budget()");
    shared_.emplace(settings_.rules.budget_seconds);
}

Samples Program::sample(const Timing& timing, TakeSamples take, void* body) {
    SamplingRules rules = settings_.rules;
    if (shared_) rules.budget_seconds = shared_->next();
    Samples samples = Sampler(world_, timing, rules, take, body).run(running_->clocks.second());
    if (shared_) {
        // All ranks go by the first one's clock.
        double used_seconds = samples.warmup_seconds + samples.elapsed_seconds;
        world_.broadcast(std::span(&used_seconds, 1));
        shared_->spend(used_seconds);
    }
    return samples;
}

Region Program::measure_erased(const Measurement& what, TakeSamples take, void* body) {
    expects(running_ != nullptr, "start() comes before measure()");
    const Clocks& clocks = running_->clocks;
    std::unique_ptr<Starts> starts;
    if (what.each) {
        const StartRules rules{.global = global_clock(),
                               .insists = settings_.start == "window",
                               .counts_here = what.counts_here};
        starts = std::make_unique<Starts>(world_, clocks.main(), clocks.facts(), rules);
    }
    const Timing timing{.clock = clocks.main(),
                        .synchronisation = *running_->synchronisation,
                        .handicap = settings_.handicap,
                        .phases = phases_.get(),
                        .prepare = what.prepare,
                        .warm_up = what.warm_up,
                        .starts = starts.get(),
                        .counts_here = what.counts_here};
    const Clock* second = clocks.second();

    const Observer::Window window = running_->observer.open();
    RegionFacts facts{.region = what.region,
                      .point = what.point,
                      .counts = counts_of_all_copies(what.counts),
                      .samples = sample(timing, take, body),
                      .synchronisation = std::string(running_->synchronisation->name()),
                      .second_clock = second != nullptr ? std::string(second->name()) : "",
                      .disturbance = {},
                      .phases = {},
                      .own = {}};
    if (starts != nullptr && world_.size() > 1) facts.synchronisation = starts->name();
    facts.disturbance = running_->observer.close(window);
    if (phases_ != nullptr) {
        const auto n_bodies = static_cast<double>(facts.samples.seconds.size()) *
                              static_cast<double>(facts.samples.repetitions);
        facts.phases = gather_phases(*phases_, world_, n_bodies);
    }
    return write_region(what, facts);
}

Region Program::record_once(const Measurement& what, double seconds) {
    expects(running_ != nullptr, "start() comes before record_once()");
    const Observer::Window window = running_->observer.open();
    Samples samples;
    samples.seconds = {world_.maximum(seconds)};
    samples.n_bodies = 1;
    samples.stopped = "ceiling";
    samples.elapsed_seconds = samples.seconds.front();
    if (world_.size() > 1)
        samples.own =
            OwnTime{.median_seconds = seconds, .slowest = seconds >= samples.seconds[0] ? 1 : 0};
    RegionFacts facts{.region = what.region,
                      .point = what.point,
                      .counts = counts_of_all_copies(what.counts),
                      .samples = std::move(samples),
                      .synchronisation = "none",
                      .second_clock = "",
                      .disturbance = running_->observer.close(window),
                      .phases = {},
                      .own = {}};
    return write_region(what, facts);
}

Region Program::write_region(const Measurement& what, RegionFacts& facts) {
    ++n_regions_;
    const Samples& samples = facts.samples;
    facts.own = gather_own(samples.own, world_, hosts_);
    record_.region(facts);
    std::array<double, 1> best = {
        *std::min_element(samples.seconds.begin(), samples.seconds.end()) /
        static_cast<double>(samples.repetitions)};
    world_.broadcast(std::span<double>(best));
    return {what.region, what.point, samples.n_bodies, best[0]};
}

std::vector<Count> Program::counts_of_all_copies(std::vector<Count> counts) const {
    const double n_copies = settings_.star ? world_.size() : 1.0;
    for (Count& count : counts) count.value *= n_copies;
    return counts;
}

}  // namespace heorot
