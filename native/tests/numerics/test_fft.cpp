// Tests of the Fourier transforms: known transforms, identities, and the definition itself.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <vector>

#include "numerics/fft.hpp"
#include "numerics/random.hpp"
#include "tests/testing.hpp"

namespace {

using heorot::block_length;
using heorot::Direction;
using heorot::n_lanes;
using Complex = std::complex<double>;
using Line = std::vector<Complex>;

constexpr double tolerance = 1e-14;  // of sums whose terms have modulus one, per term

/// sum_j x_j exp(-+ 2 pi i j k / n), by definition.
Line by_definition(const Line& x, Direction direction) {
    const auto n = x.size();
    const double sign = direction == Direction::forward ? -1.0 : 1.0;
    Line result(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) {
            const double angle = sign * 2.0 * std::numbers::pi * static_cast<double>(j * k % n) /
                                 static_cast<double>(n);
            result[k] += x[j] * std::polar(1.0, angle);
        }
    }
    return result;
}

Line random_line(std::size_t n, std::uint64_t seed) {
    heorot::Random random(2 * seed + 1);
    random.skip(1000);
    Line x(n);
    for (Complex& value : x) {
        const double re = random.next() - 0.5;
        value = {re, random.next() - 0.5};
    }
    return x;
}

double largest_difference(const Line& a, const Line& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// Blocks whose order and distances are not those of the points: point i begins at at[i].
struct Blocks {
    explicit Blocks(std::size_t n) : at(n), memory(n * 3 * block_length, -1e300) {
        for (std::size_t i = 0; i < n; ++i) {
            at[i] = static_cast<std::int64_t>((n - 1 - i) * 3 * block_length);
        }
    }
    double& re(std::size_t i, std::size_t lane) {
        return memory[static_cast<std::size_t>(at[i]) + lane];
    }
    double& im(std::size_t i, std::size_t lane) { return re(i, lane + n_lanes); }
    heorot::Points points(Direction direction) { return {memory.data(), at.data(), direction}; }

    std::vector<std::int64_t> at;
    std::vector<double> memory;
};

/// Transforms side by side, in place.
std::vector<Line> in_lanes(const std::vector<Line>& lines, Direction direction) {
    const std::size_t n = lines[0].size();
    const heorot::LanesFft fft(static_cast<int>(n));
    Blocks blocks(n);
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        for (std::size_t i = 0; i < n; ++i) {
            blocks.re(i, lane) = lines[lane][i].real();
            blocks.im(i, lane) = lines[lane][i].imag();
        }
    }
    std::vector<double> scratch(fft.scratch_length());
    const heorot::Points points = blocks.points(direction);
    fft.transform(heorot::AdjacentPoints{points}, points, scratch.data());
    std::vector<Line> result(n_lanes, Line(n));
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        for (std::size_t i = 0; i < n; ++i) {
            result[lane][i] = {blocks.re(i, lane), blocks.im(i, lane)};
        }
    }
    return result;
}

/// One transform whose points lie in the lanes, from one place to another.
Line along_lanes(const Line& line, Direction direction) {
    const heorot::LineFft fft(static_cast<int>(line.size()));
    Blocks from(line.size() / n_lanes);
    Blocks to(line.size() / n_lanes);
    for (std::size_t i = 0; i < line.size(); ++i) {
        from.re(i / n_lanes, i % n_lanes) = line[i].real();
        from.im(i / n_lanes, i % n_lanes) = line[i].imag();
    }
    std::vector<double> scratch(fft.scratch_length());
    fft.transform(from.points(direction), to.points(direction), scratch.data());
    Line result(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        result[i] = {to.re(i / n_lanes, i % n_lanes), to.im(i / n_lanes, i % n_lanes)};
    }
    return result;
}

// From so many elements on a line can be transformed along the lanes.
constexpr std::size_t n_along = std::size_t{n_lanes} * n_lanes;

/// The same line in all lanes, or along them: both ways to transform it.
template <class Judge>
void in_both_ways(const Line& line, Direction direction, const Judge& judge) {
    const std::vector<Line> lanes = in_lanes(std::vector<Line>(n_lanes, line), direction);
    for (const Line& lane : lanes) judge(lane);
    if (line.size() >= n_along) judge(along_lanes(line, direction));
}

void definition(std::size_t n) {
    std::vector<Line> lines;
    lines.reserve(n_lanes);
    for (std::uint64_t lane = 0; lane < n_lanes; ++lane) lines.push_back(random_line(n, lane));
    const double error = tolerance * static_cast<double>(n);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const std::vector<Line> transforms = in_lanes(lines, direction);
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            const Line expected = by_definition(lines[lane], direction);
            CHECK(largest_difference(transforms[lane], expected) <= error);
        }
        if (n < n_along) continue;
        CHECK(largest_difference(along_lanes(lines[0], direction),
                                 by_definition(lines[0], direction)) <= error);
    }
}

// delta_{j m} becomes exp(-2 pi i m k / n), and a single mode becomes n delta_{k m}.
void delta_and_mode(std::size_t n) {
    const std::size_t m = n / 2 + n / 4 + 1;
    Line delta(n);
    delta[m % n] = 1.0;
    Line mode(n);
    for (std::size_t k = 0; k < n; ++k) {
        mode[k] = std::polar(
            1.0, -2.0 * std::numbers::pi * static_cast<double>(k * m % n) / static_cast<double>(n));
    }
    const double error = tolerance * static_cast<double>(n);
    in_both_ways(delta, Direction::forward, [&](const Line& transform) {
        CHECK(largest_difference(transform, mode) <= tolerance);
    });
    for (Complex& value : delta) value *= static_cast<double>(n);
    in_both_ways(mode, Direction::inverse, [&](const Line& transform) {
        CHECK(largest_difference(transform, delta) <= error);
    });
}

double energy(const Line& x) {
    return std::transform_reduce(x.begin(), x.end(), 0.0, std::plus<>(),
                                 [](const Complex& value) { return std::norm(value); });
}

void identities(std::size_t n) {
    const auto size = static_cast<double>(n);
    const Line x = random_line(n, 17);
    const Line y = random_line(n, 18);
    const Complex a = {1.25, -0.5};
    Line sum(n);
    for (std::size_t i = 0; i < n; ++i) sum[i] = a * x[i] + y[i];
    const auto transform_of = [](const Line& line) {
        return in_lanes(std::vector<Line>(n_lanes, line), Direction::forward).back();
    };
    const Line transform_of_x = transform_of(x);
    const Line transform_of_y = transform_of(y);
    Line combined(n);
    for (std::size_t i = 0; i < n; ++i) combined[i] = a * transform_of_x[i] + transform_of_y[i];
    CHECK(largest_difference(transform_of(sum), combined) <= tolerance * size);

    in_both_ways(x, Direction::forward, [&](const Line& transform) {
        CHECK(std::abs(energy(transform) / (size * energy(x)) - 1.0) <= tolerance);
        in_both_ways(transform, Direction::inverse, [&](Line back) {
            for (Complex& value : back) value /= size;
            CHECK(largest_difference(back, x) <= 0.1 * tolerance);
        });
    });
}

}  // namespace

int main() {
    for (std::size_t n = 2; n <= 512; n *= 2) definition(n);
    for (std::size_t n = 2; n <= 8192; n *= 2) {
        delta_and_mode(n);
        identities(n);
    }
    return heorot::tests::result();
}
