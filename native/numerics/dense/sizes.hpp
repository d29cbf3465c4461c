// The sizes of matrices that an option lists.
#pragma once

#include <string>
#include <vector>

#include "numerics/dense/view.hpp"

namespace heorot::dense {

/// No matrix has more rows: BLAS and LAPACK count its elements by 32 bits.
constexpr Index most_rows = 46'340;

/// The numbers of rows in a comma-separated list. Throws UsageError, which names `option`, if one
/// is no number from 1 to `most`.
std::vector<Index> read_sizes(const std::string& option, const std::string& list,
                              Index most = most_rows);

}  // namespace heorot::dense
