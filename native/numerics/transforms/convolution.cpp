// The transform of a line of any length as a convolution, and that of a few numbers in one lane.
//
// With j k = (j^2 + k^2 - (k - j)^2) / 2 and c_j = exp(-i pi j^2 / n): X_k = c_k sum_j (x_j c_j)
// conj(c_{k-j}), a convolution, which transforms of a length m >= 2 n - 1 with small factors make.
//
// Source: L. I. Bluestein, A linear filtering approach to the computation of discrete Fourier
// transform, IEEE Trans. Audio and Electroacoustics 18 (1970).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "numerics/transforms/method.hpp"
#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

namespace {

constexpr Index as_vectors = n_lanes;

/// to_j = a_j b_j, j = 0 ... n - 1; `in` and `out` decide whether real and imaginary parts are
/// exchanged in a before, or in the products after. `to` may be a.
template <Direction in, Direction out>
void multiply(const double* a, const double* b, double* to, Index n) {
    Index j = 0;
    for (; j + as_vectors <= n; j += as_vectors) {
        const Numbers<n_lanes> root = load_in_turn<n_lanes, Direction::forward>(b + 2 * j);
        const Numbers<n_lanes> z = load_in_turn<n_lanes, in>(a + 2 * j);
        store_in_turn<n_lanes, out>(to + 2 * j, times(z, root.re, root.im));
    }
    for (; j < n; ++j) {
        constexpr int re = in == Direction::forward ? 0 : 1;
        constexpr int to_re = out == Direction::forward ? 0 : 1;
        const Complex<double> z =
            times(Complex<double>{a[2 * j + re], a[2 * j + 1 - re]}, b[2 * j], b[2 * j + 1]);
        to[2 * j + to_re] = z.re;
        to[2 * j + 1 - to_re] = z.im;
    }
}

/// The least length with small factors that has room for n numbers.
Index roomy(Index n) {
    Index best = 0;
    for (const Index odd : {1, 3, 5, 9, 15}) {
        Index length = odd;
        while (length < n) length *= 2;
        if (best == 0 || length < best) best = length;
    }
    return best;
}

class Convolution : public Method {
  public:
    explicit Convolution(Index n)
        : n_(n),
          m_(roomy(2 * n - 1)),
          inner_(method_for(m_)),
          chirp_(2 * size(n)),
          transform_of_chirp_(2 * size(m_)) {
        std::vector<double> back(2 * size(m_));  // conj(c_j), j = -n + 1 ... n - 1, cyclic
        for (Index j = 0; j < n; ++j) {
            const Root c = root_of_unity(j * j % (2 * n), 2 * n);
            chirp_[2 * size(j)] = c.re;
            chirp_[2 * size(j) + 1] = c.im;
            for (const Index place : {j, (m_ - j) % m_}) {
                back[2 * size(place)] = c.re / static_cast<double>(m_);
                back[2 * size(place) + 1] = -c.im / static_cast<double>(m_);
            }
        }
        std::vector<double> scratch(inner_->scratch_length());
        inner_->transform(back.data(), transform_of_chirp_.data(), Direction::forward,
                          scratch.data());
    }

    void transform(const double* from, double* to, Direction direction,
                   double* scratch) const override {
        constexpr Direction plain = Direction::forward;
        double* const line = scratch + inner_->scratch_length();
        if (direction == plain) {
            multiply<plain, plain>(from, chirp_.data(), line, n_);
        } else {
            multiply<Direction::inverse, plain>(from, chirp_.data(), line, n_);
        }
        std::fill(line + 2 * n_, line + 2 * m_, 0.0);
        inner_->transform(line, line, plain, scratch);
        multiply<plain, plain>(line, transform_of_chirp_.data(), line, m_);
        inner_->transform(line, line, Direction::inverse, scratch);
        if (direction == plain) {
            multiply<plain, plain>(line, chirp_.data(), to, n_);
        } else {
            multiply<plain, Direction::inverse>(line, chirp_.data(), to, n_);
        }
    }
    std::size_t scratch_length() const override { return inner_->scratch_length() + 2 * size(m_); }
    double flops() const override {
        return 2.0 * inner_->flops() + 6.0 * static_cast<double>(2 * n_ + m_);
    }

  private:
    static std::size_t size(Index n) { return static_cast<std::size_t>(n); }

    Index n_;
    Index m_;
    std::unique_ptr<const Method> inner_;
    std::vector<double> chirp_;
    std::vector<double> transform_of_chirp_;
};

/// The other lane holds zeros.
class OneLane : public Method {
  public:
    explicit OneLane(Index n) : passes_(n) {}

    void transform(const double* from, double* to, Direction direction,
                   double* scratch) const override {
        const Index n = passes_.size();
        const int re = direction == Direction::forward ? 0 : 1;
        double* const line = scratch + 2 * n * block_of<2>;
        for (Index j = 0; j < n; ++j) {
            const Numbers<2> z = {Vector<2>{from[2 * j + re]}, Vector<2>{from[2 * j + 1 - re]}};
            store_block<2>(line + j * block_of<2>, z);
        }
        const Blocks<2> result = transform_to_blocks<2>(passes_, Blocks<2>{line}, scratch);
        for (Index k = 0; k < n; ++k) {
            const Numbers<2> z = result.load(k);
            to[2 * k + re] = z.re[0];
            to[2 * k + 1 - re] = z.im[0];
        }
    }
    std::size_t scratch_length() const override {
        return static_cast<std::size_t>(3 * passes_.size() * block_of<2>);
    }
    double flops() const override { return passes_.flops(); }

  private:
    Passes passes_;
};

/// One pass, and no lanes.
class Alone : public Method {
  public:
    explicit Alone(Index n)
        : radix_(static_cast<int>(n)),
          forward_(line_of_one_pass(radix_, Direction::forward)),
          inverse_(line_of_one_pass(radix_, Direction::inverse)) {}

    void transform(const double* from, double* to, Direction direction,
                   double* scratch) const override {
        static_cast<void>(scratch);
        (direction == Direction::forward ? forward_ : inverse_)(from, nullptr, to);
    }
    std::size_t scratch_length() const override { return 0; }
    double flops() const override { return flops_of_small(radix_); }

  private:
    int radix_;
    LineOfOnePass* forward_;
    LineOfOnePass* inverse_;
};

/// The transform of one number.
class Same : public Method {
  public:
    void transform(const double* from, double* to, Direction direction,
                   double* scratch) const override {
        static_cast<void>(direction);
        static_cast<void>(scratch);
        std::copy(from, from + 2, to);
    }
    std::size_t scratch_length() const override { return 0; }
    double flops() const override { return 0.0; }
};

}  // namespace

std::unique_ptr<const Method> by_convolution(Index n) {
    return std::make_unique<Convolution>(n);
}

std::unique_ptr<const Method> in_one_lane(Index n) {
    if (n == 1) return std::make_unique<Same>();
    if (radices_of(n).size() == 1) return std::make_unique<Alone>(n);
    return std::make_unique<OneLane>(n);
}

}  // namespace heorot::transforms
