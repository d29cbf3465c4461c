// Functions whose machine code is looked at: their loops must be there.
#include "tests/probe.hpp"

#include "harness/keep.hpp"

namespace heorot::tests {

void probe_kept_products(long n_steps) {
    // The factor is known and the result unused: without keep() nothing of this would remain.
    unsigned long x = 1;
    for (long i = 0; i < n_steps; ++i) {
        x *= 0x5851'f42d'4c95'7f2dUL;
        keep(x);
    }
}

void probe_lost_products(long n_steps) {
    unsigned long x = 1;
    for (long i = 0; i < n_steps; ++i) x *= 0x5851'f42d'4c95'7f2dUL;
}

void probe_copy(double* to, const double* from, std::size_t n) {
    // a(i) = b(i) must stay a loop and not become a call of memcpy.
    double* __restrict__ a = to;
    const double* __restrict__ b = from;
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i];
}

}  // namespace heorot::tests
