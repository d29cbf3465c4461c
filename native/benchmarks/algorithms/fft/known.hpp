// Functions on a line or a grid whose transforms are known in closed form.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/array.hpp"

namespace heorot::fft {

using Number = std::complex<double>;

/// x_j = sum_f a_f exp(2 pi i f j / n) + exp((-1 + 2 pi i (m + 3/8)) j / n), with a few whole
/// frequencies f. Its transform is X_k = n a_k, where k is one of them, and everywhere
/// (1 - exp(-1 + 2 pi i 3/8)) / (1 - exp((-1 + 2 pi i (m + 3/8 - k)) / n)).
class KnownLine {
  public:
    /// `which` selects one of several functions of the same length.
    KnownLine(std::int64_t n, int which);

    std::int64_t size() const { return n_; }
    Number value(std::int64_t j) const;
    Number transform(std::int64_t k) const;

  private:
    struct Wave {
        std::int64_t frequency;
        Number amplitude;
    };

    std::int64_t n_;
    std::vector<Wave> waves_;
    std::int64_t eighths_;  // 8 (m + 3/8)
};

/// Products of a function of every index.
class KnownGrid {
  public:
    explicit KnownGrid(std::span<const int> extents);

    /// The last extent.
    std::size_t length_of_lines() const { return values_.back().size(); }
    /// All points, those of the last index side by side.
    void fill(std::span<Number> x) const;
    /// Their real parts.
    void fill_real(std::span<double> x) const;
    /// Root of the mean square of X's deviation, relative to that of the transform.
    double deviation(std::span<const Number> X) const;
    /// The same where X is the transform of the real parts, of the last index up to n/2.
    double deviation_of_real(std::span<const Number> X) const;

  private:
    std::vector<Array<Number>> values_;      // of every dimension
    std::vector<Array<Number>> transforms_;  // likewise
};

/// Sum of |z|^2, by halves, so that rounding grows with the logarithm of their number.
double energy(std::span<const Number> z);
double energy(std::span<const double> x);
/// The same of the whole transform X of real numbers, of which only the first half of lines of n
/// numbers is there.
double energy_of_real(std::span<const Number> X, std::size_t n);
/// Root of the mean square of a / factor - b, relative to that of b.
double deviation(std::span<const Number> a, double factor, std::span<const Number> b);
double deviation(std::span<const double> a, double factor, std::span<const double> b);

}  // namespace heorot::fft
