// The optimiser's barriers: no speed that a processor cannot have.
#include <cstddef>

#include "harness/array.hpp"
#include "harness/keep.hpp"
#include "harness/measure/clock.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

constexpr double impossible_flops_per_second = 1e13;
constexpr std::size_t n = 1'000'000;

/// Floating-point operations per second of `n_rounds` of `round`, each of `flops`.
template <class Round>
double speed(int n_rounds, double flops, const Round& round) {
    const Clock clock(Clock::Kind::monotonic);
    const std::int64_t start = clock.ticks();
    for (int i = 0; i < n_rounds; ++i) {
        round();
        clobber();
    }
    return flops * n_rounds / clock.seconds(clock.ticks() - start + 1);
}

void check_sum() {
    Array<double> a(n);
    for (double& x : a) x = 1.0;
    const double rate = speed(100, static_cast<double>(n), [&] {
        double sum = 0.0;
        for (const double x : a.span()) sum += x;
        keep(sum);
    });
    CHECK(rate < impossible_flops_per_second);
    CHECK(rate > 0.0);
}

void check_store() {
    Array<double> a(n);
    const double rate = speed(100, static_cast<double>(n), [&] {
        for (std::size_t i = 0; i < n; ++i) a[i] = 2.0 * static_cast<double>(i);
        keep(a.data());
    });
    CHECK(rate < impossible_flops_per_second);
}

void check_constant_start() {
    // s <- s / 2 + 1 from a known start: at least four cycles a step, hence below 5e9 flop/s.
    const double rate = speed(100, 2.0 * n, [] {
        double s = 1.0;
        for (std::size_t i = 0; i < n; ++i) {
            s = s * 0.5 + 1.0;
            keep(s);
        }
    });
    CHECK(rate < 2e10);
}

void check_types() {
    // Every kind of value goes through, unchanged.
    int whole = 3;
    const float single = 2.5F;
    struct {
        double x[9] = {1, 2, 3};
    } object;
    bool truth = true;
    long double wide = 1.5L;
    const char* pointer = "p";
    keep(whole);
    keep(single);
    keep(object);
    keep(truth);
    keep(wide);
    keep(pointer);
    keep(7);
    keep(2.0);
    CHECK(whole == 3 && single == 2.5F && object.x[2] == 3.0 && truth && wide == 1.5L);
    CHECK(pointer[0] == 'p');
    using Four = double __attribute__((vector_size(32)));
    Four vector = {1, 2, 3, 4};
    keep(vector);
    CHECK(vector[3] == 4.0);
}

}  // namespace

int main() {
    check_sum();
    check_store();
    check_constant_start();
    check_types();
    return tests::result();
}
