// The threads of a rank, also where the compiler has no OpenMP.
#pragma once

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace heorot {

/// Number of the calling thread in the innermost team, from 0.
inline int thread_number() {
#if defined(_OPENMP)
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/// Number of threads in the innermost team.
inline int n_threads_in_team() {
#if defined(_OPENMP)
    return omp_get_num_threads();
#else
    return 1;
#endif
}

}  // namespace heorot
