// Functions whose machine code is looked at.
#pragma once

#include <cstddef>

namespace heorot::tests {

void probe_kept_products(long n_steps);
void probe_lost_products(long n_steps);
void probe_copy(double* to, const double* from, std::size_t n);

}  // namespace heorot::tests
