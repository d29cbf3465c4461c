// The operations of memory/stream in Fortran, which are there if a compiler was: see kernels.f90.
#pragma once

#include <cstdint>

namespace heorot::stream {

// The names are those of the linker, which knows no namespaces.
extern "C" {

/// Whether the others are there; if not they do nothing.
bool heorot_stream_is_built();
/// c(i) = a(i)
void heorot_stream_copy(double* c, const double* a, std::int64_t n);
/// b(i) = s c(i)
void heorot_stream_scale(double* b, double s, const double* c, std::int64_t n);
/// c(i) = a(i) + b(i)
void heorot_stream_add(double* c, const double* a, const double* b, std::int64_t n);
/// a(i) = b(i) + s c(i)
void heorot_stream_triad(double* a, const double* b, double s, const double* c, std::int64_t n);
}

}  // namespace heorot::stream
