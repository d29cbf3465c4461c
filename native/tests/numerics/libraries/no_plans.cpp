// An FFTW that makes no plans and cannot bear to execute one that is none.
#include <cstdlib>

namespace heorot::tests {

extern "C" {
void* fftw_plan_dft(int, const int*, double*, double*, int, unsigned) {
    return nullptr;
}
void* fftw_plan_dft_r2c(int, const int*, double*, double*, unsigned) {
    return nullptr;
}
void fftw_execute(void*) {
    std::abort();
}
void fftw_destroy_plan(void*) {}
}

}  // namespace heorot::tests
