// Verifies products of matrices without computing them as a whole.
//
// Source: R. Freivalds, Probabilistic machines can use less running time, IFIP Congress 77; N. J.
// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), section 3.5.
#pragma once

#include <cstddef>
#include <vector>

#include "numerics/dense/view.hpp"

namespace heorot::matrix_multiply {

using dense::ConstMatrix;
using dense::Index;
using dense::Matrix;

/// The three matrices of a product C = A B, of n rows and columns each.
struct Operands {
    Index n;
    ConstMatrix a;
    ConstMatrix b;
    Matrix c;
};

/// Verifies C against products of A and B with vectors; A and B must not change.
class Verifier {
  public:
    explicit Verifier(const Operands& operands);

    /// The largest element of C x - A (B x) for vectors x of random signs, in units of 2 n eps
    /// |A| |B| e: gamma_n |A| |B| e = n eps / 2 |A| |B| e for each of four products, A B, C x, B x
    /// and A (B x), however they are summed. NaN if anything is.
    double deviation_of_products() const;
    /// The largest deviation of an element of C from a sum by plain loops, in units of n eps |A|
    /// |B|.
    double deviation_of_elements() const;

  private:
    using Vector = std::vector<double>;

    std::size_t length() const { return static_cast<std::size_t>(u_.n); }
    template <class Of>
    Vector twice(const Vector& x, Of of) const;

    Operands u_;
    std::vector<Vector> signs_;
    std::vector<Vector> products_;  // A (B x)
    Vector magnitudes_;             // |A| |B| e
};

}  // namespace heorot::matrix_multiply
