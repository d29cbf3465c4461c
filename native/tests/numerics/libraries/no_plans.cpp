// An FFTW that overwrites the input, makes no plans and cannot bear to execute one that is none.
#include <cstdlib>

namespace heorot::tests {

extern "C" {
void* fftw_plan_dft(int, const int* n, double* from, double*, int, unsigned) {
    from[2 * n[0] * n[1] - 1] = 0.0;
    return nullptr;
}
void* fftw_plan_dft_r2c(int, const int* n, double* from, double*, unsigned) {
    from[n[0] * n[1] - 1] = 0.0;
    return nullptr;
}
void fftw_execute(void*) {
    std::abort();
}
void fftw_destroy_plan(void*) {}
}

}  // namespace heorot::tests
