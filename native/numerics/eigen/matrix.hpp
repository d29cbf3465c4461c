// The solver's matrices, whose columns are aligned for vectors of any processor.
#pragma once

#include <cstddef>

namespace heorot::eigen {

using Index = std::ptrdiff_t;

/// A column is as long as a multiple of this, so that no loop over vector registers has a
/// remainder.
constexpr Index granule = 8;

/// How far apart the columns of a matrix of n rows begin [double]: not by a multiple of 2 KiB,
/// where neighbours would fall upon the same lines of a cache.
constexpr Index stride_of(Index n) {
    const Index stride = (n + granule - 1) / granule * granule;
    return stride % 256 == 0 ? stride + granule : stride;
}

/// A square matrix of n rows, stored column by column; a view. Columns are padded with zeros below
/// row n, up to the next multiple of `granule` at least.
struct Matrix {
    double* elements;
    Index n;
    Index stride;

    double* column(Index j) const { return elements + j * stride; }
    double& operator()(Index i, Index j) const { return elements[i + j * stride]; }
};

}  // namespace heorot::eigen
