// Stands for the kernels without a Fortran compiler: reports that there are none.
#include "benchmarks/memory/stream/fortran.hpp"

namespace heorot::stream {

extern "C" {

bool heorot_stream_is_built() {
    return false;
}
void heorot_stream_copy(double* /*c*/, const double* /*a*/, std::int64_t /*n*/) {}
void heorot_stream_scale(double* /*b*/, double /*s*/, const double* /*c*/, std::int64_t /*n*/) {}
void heorot_stream_add(double* /*c*/, const double* /*a*/, const double* /*b*/,
                       std::int64_t /*n*/) {}
void heorot_stream_triad(double* /*a*/, const double* /*b*/, double /*s*/, const double* /*c*/,
                         std::int64_t /*n*/) {}
}

}  // namespace heorot::stream
