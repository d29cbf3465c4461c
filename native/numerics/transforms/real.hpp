// Transforms of real numbers, to and from the first half of their spectrum.
//
// The second half is the first one once more: X_{n-k} = conj(X_k). For even n neighbours x_{2j}
// and x_{2j+1} are taken for the parts of n/2 complex numbers. From their transform Z follows, with
// w = exp(-2 pi i / n), X_k = (Z_k + conj(Z_{n/2-k})) / 2 - i w^k (Z_k - conj(Z_{n/2-k})) / 2. For
// odd n the numbers are complex ones whose imaginary parts are zero.
//
// Source: J. W. Cooley, P. A. W. Lewis, P. D. Welch, The fast Fourier transform algorithm:
// programming considerations in the calculation of sine, cosine and Laplace transforms, J. Sound
// Vib. 12 (1970).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "numerics/transforms/method.hpp"

namespace heorot::transforms {

/// Of lines of n numbers. Nothing is scaled: the inverse of the forward transform is n times the
/// input.
class RealTransform {
  public:
    explicit RealTransform(Index n);

    /// n numbers become n / 2 + 1 complex ones, parts in turn, elsewhere. `scratch` has room for
    /// scratch_length() doubles.
    void forward(const double* from, double* to, double* scratch) const;
    /// The reverse; the imaginary parts of X_0 and, for even n, X_{n/2} are not looked at.
    void inverse(const double* from, double* to, double* scratch) const;
    std::size_t scratch_length() const;
    /// Of one forward transform.
    double flops() const;

  private:
    Index n_;
    std::unique_ptr<const Method> method_;
    std::vector<double> roots_;  // -i w^k / 2, k = 0 ... n/4, parts in turn
};

}  // namespace heorot::transforms
