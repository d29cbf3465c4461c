// A dot product in Fortran, if there was a compiler: see kernels.f90.
#pragma once

#include <cstdint>

namespace heorot::dot_product {

// The names are those of the linker, which knows no namespaces.
extern "C" {

/// Whether heorot_dot_product() is available; else it returns NaN.
bool heorot_dot_product_is_built();
/// The sum of x(i) y(i), i = 0, ..., n-1.
double heorot_dot_product(const double* x, const double* y, std::int64_t n);
}

}  // namespace heorot::dot_product
