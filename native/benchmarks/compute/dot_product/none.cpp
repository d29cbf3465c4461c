// Stands for the dot product without a Fortran compiler: reports that there is none.
#include <limits>

#include "benchmarks/compute/dot_product/fortran.hpp"

namespace heorot::dot_product {

extern "C" {

bool heorot_dot_product_is_built() {
    return false;
}
double heorot_dot_product(const double* /*x*/, const double* /*y*/, std::int64_t /*n*/) {
    return std::numeric_limits<double>::quiet_NaN();
}
}

}  // namespace heorot::dot_product
