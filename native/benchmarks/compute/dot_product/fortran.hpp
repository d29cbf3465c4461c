// A dot product in Fortran, which is there if a compiler was: see kernels.f90.
#pragma once

#include <cstdint>

namespace heorot::dot_product {

// The names are those of the linker, which knows no namespaces.
extern "C" {

/// Whether the other is there; if not it is no number.
bool heorot_dot_product_is_built();
/// The sum of x(i) y(i), i = 0, ..., n-1.
double heorot_dot_product(const double* x, const double* y, std::int64_t n);
}

}  // namespace heorot::dot_product
