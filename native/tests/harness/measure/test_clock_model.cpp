// The model of another clock: what is true lies within the error it states, always.
#include <cmath>
#include <cstdint>

#include "harness/measure/clock_model.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

constexpr double offset = 50e-6;  // at the instant 0 [s]
constexpr double drift = 20e-6;

double truth(double at, double rate = drift) {
    return offset + rate * at;
}

/// Numbers in [0, 1): Numerical Recipes' "quick and dirty" generator is good enough.
class Chance {
  public:
    explicit Chance(std::uint32_t seed) : state_(seed) {}
    double next() {
        state_ = 1664525U * state_ + 1013904223U;
        return static_cast<double>(state_ >> 8U) / 16777216.0;
    }

  private:
    std::uint32_t state_;
};

/// Bounds that hold the truth anywhere between them.
OffsetBounds look(double at, double width, Chance& chance, double rate = drift) {
    const double below = width * chance.next();
    return {.at = at, .low = truth(at, rate) - below, .high = truth(at, rate) + width - below};
}

void check_one_look() {
    ClockModel model;
    CHECK(model.offset(3.0) == 0.0);
    CHECK(model.error(3.0) == 0.0);
    model.add({.at = 1.0, .low = 2e-6, .high = 4e-6});
    CHECK(std::abs(model.offset(1.0) - 3e-6) < 1e-18);
    CHECK(std::abs(model.error(1.0) - 1e-6) < 1e-18);
    CHECK(model.drift() == 0.0);
    // A second later the clocks may have drifted apart.
    CHECK(model.error(2.0) > 1e-4);
}

void check_truth_is_within() {
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        // Ahead of the other or behind it.
        const double rate = seed % 2 == 0 ? drift : -drift;
        Chance chance(seed);
        ClockModel model;
        double first_error = 0.0;
        double at = 0.0;
        for (int i = 0; i < 200; ++i) {
            at += 0.01 + 0.05 * chance.next();
            model.add(look(at, 2e-6 * (0.2 + chance.next()), chance, rate));
            const double later = at + 0.1 * chance.next();
            CHECK(std::abs(model.offset(later) - truth(later, rate)) <= model.error(later));
            CHECK(std::abs(model.drift() - rate) <= model.drift_error());
            if (i == 0) first_error = model.error(at + 0.1);
        }
        // Seven seconds of looks: the drift is known to a tenth of itself.
        CHECK(model.drift_error() < 2e-6);
        CHECK(model.error(at + 0.1) < 0.05 * first_error);
    }
}

void check_a_jump_is_forgotten() {
    ClockModel model;
    Chance chance(7);
    for (int i = 1; i <= 20; ++i) model.add(look(0.1 * i, 1e-6, chance));
    for (int i = 21; i <= 60; ++i) {
        OffsetBounds bounds = look(0.1 * i, 1e-6, chance);
        bounds.low += 1e-3;
        bounds.high += 1e-3;
        model.add(bounds);
    }
    CHECK(std::abs(model.offset(6.0) - truth(6.0) - 1e-3) <= model.error(6.0));
    CHECK(std::abs(model.drift() - drift) <= model.drift_error());
}

void check_what_is_old_is_forgotten() {
    ClockModel model;
    model.add({.at = 0.0, .low = -1e-9, .high = 1e-9});
    model.add({.at = 30.0, .low = -1e-3, .high = 1e-3});
    CHECK(model.drift_error() < 1e-4);
    // The rate may have changed since: a single look at it is left.
    model.add({.at = 100.0, .low = -1e-3, .high = 1e-3});
    CHECK(model.drift_error() > 1e-4);
}

void check_another_rank_can_have_it() {
    ClockModel model;
    Chance chance(3);
    for (int i = 1; i <= 5; ++i) model.add(look(0.1 * i, 1e-6, chance));
    ClockModel other;
    other.set(model.state());
    CHECK(other.offset(0.7) == model.offset(0.7));
    CHECK(other.error(0.7) == model.error(0.7));
}

}  // namespace

int main() {
    check_one_look();
    check_truth_is_within();
    check_a_jump_is_forgotten();
    check_what_is_old_is_forgotten();
    check_another_rank_can_have_it();
    return tests::result();
}
