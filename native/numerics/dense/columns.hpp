// Steps of Gaussian elimination with few columns: plain loops along columns.
#pragma once

#include "numerics/dense/view.hpp"

namespace heorot::dense {

/// y(i) -= sum over p < count of a(i, p) x(p), i = 0 ... m - 1.
void subtract_columns(Index m, Index count, ConstMatrix a, const double* x, double* y);

/// The first of the m elements of x that no other exceeds in magnitude; m >= 1.
Index largest_element(Index m, const double* x);

/// B := L^-1 B, where L has m rows, and ones on its diagonal, which are not read; B has n columns.
void solve_lower(Index m, Index n, ConstMatrix l, Matrix b);

/// x := U^-1 x for the m rows of an upper triangle.
void solve_upper(Index m, ConstMatrix u, double* x);

}  // namespace heorot::dense
