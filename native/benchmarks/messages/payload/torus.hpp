// How many neighbours ranks have on a torus whose extents are as equal as their number allows.
#pragma once

#include "harness/amount.hpp"

namespace heorot::payload {

/// How many prime factors the number of ranks has, equal ones counted each.
inline Amount n_factors_of_ranks() {
    return {"factors(ranks)", [](const JobSize& job) {
                double found = 0.0;
                int factor = 2;
                for (int left = static_cast<int>(job.ranks); left > 1;) {
                    if (left % factor == 0) {
                        left /= factor;
                        found += 1.0;
                    } else {
                        ++factor;
                    }
                }
                return found;
            }};
}

/// Neighbours of a rank along so many dimensions, two along each extent above 1: of MPI_Dims_create
/// there are as many such extents as the number of ranks has factors.
inline Amount n_neighbours(double dimensions) {
    return 2.0 * smaller(dimensions, n_factors_of_ranks());
}

}  // namespace heorot::payload
