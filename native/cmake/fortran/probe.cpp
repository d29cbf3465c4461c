// Reports by its exit code whether C++ and Fortran work together.
#include <cstdint>

extern "C" double sum_of(std::int64_t n, const double* a);

int main() {
    const double a[] = {1.0, 2.0, 4.0};
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 2; ++i) sum += sum_of(3, a);
    return sum == 14.0 ? 0 : 1;
}
