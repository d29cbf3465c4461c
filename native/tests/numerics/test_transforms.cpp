// Tests of transforms of any length: the definition, identities, and what their flops are.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "numerics/random.hpp"
#include "numerics/transforms/grid.hpp"
#include "numerics/transforms/method.hpp"
#include "numerics/transforms/passes.hpp"
#include "numerics/transforms/real.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot::transforms;
using Number = std::complex<double>;
using Line = std::vector<Number>;

// Of the root of the mean square, relative to that of the result.
constexpr double tolerance = 2e-15;

std::size_t size(Index n) {
    return static_cast<std::size_t>(n);
}
double* parts(Line& line) {
    return reinterpret_cast<double*>(line.data());
}
const double* parts(const Line& line) {
    return reinterpret_cast<const double*>(line.data());
}

Line random_line(Index n) {
    heorot::Random random(2 * static_cast<std::uint64_t>(n) + 1);
    random.skip(1000);
    Line x(size(n));
    for (Number& value : x) {
        const double re = random.next() - 0.5;
        value = {re, random.next() - 0.5};
    }
    return x;
}

/// sum_j x_j exp(-+ 2 pi i j k / n), by definition.
Line by_definition(const Line& x, Direction direction) {
    const std::size_t n = x.size();
    const double sign = direction == Direction::forward ? -1.0 : 1.0;
    Line roots(n);
    for (std::size_t j = 0; j < n; ++j) {
        roots[j] = std::polar(
            1.0, sign * 2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n));
    }
    Line result(n);
    for (std::size_t k = 0; k < n; ++k) {
        // Sums of as many numbers would round more than the transforms.
        std::complex<long double> sum = 0.0L;
        for (std::size_t j = 0; j < n; ++j) sum += x[j] * roots[j * k % n];
        result[k] = Number(sum);
    }
    return result;
}

double difference(const Line& a, const Line& b) {
    double sum = 0.0;
    double all = 1e-300;
    for (std::size_t i = 0; i < b.size(); ++i) {
        sum += std::norm(a[i] - b[i]);
        all += std::norm(b[i]);
    }
    return std::sqrt(sum / all);
}

Line transformed(const Method& method, const Line& x, Direction direction) {
    Line result(x.size());
    std::vector<double> scratch(method.scratch_length(), NAN);
    method.transform(parts(x), parts(result), direction, scratch.data());
    Line in_place = x;
    method.transform(parts(in_place), parts(in_place), direction, scratch.data());
    CHECK(in_place == result);
    return result;
}

/// All ways to transform lines of n numbers.
std::vector<std::unique_ptr<const Method>> all_methods(Index n) {
    std::vector<std::unique_ptr<const Method>> methods;
    methods.push_back(method_for(n));
    methods.push_back(by_convolution(n));
    if (!has_passes(n)) return methods;
    methods.push_back(in_one_lane(n));
    for (int w = 2; w <= heorot::n_lanes; w *= 2) {
        if (n % w == 0 && n > w && radices_of(n / w).size() == 1) {
            methods.push_back(along_lanes(n, w));
        }
        for (Index n_1 = w; n_1 * w <= n; ++n_1) {
            if (n % n_1 == 0) methods.push_back(in_four_steps(n_1, n / n_1, w));
        }
    }
    return methods;
}

void definition(Index n) {
    const Line x = random_line(n);
    const Line there = by_definition(x, Direction::forward);
    const Line back = by_definition(x, Direction::inverse);
    for (const auto& method : all_methods(n)) {
        CHECK(difference(transformed(*method, x, Direction::forward), there) <= tolerance);
        CHECK(difference(transformed(*method, x, Direction::inverse), back) <= tolerance);
    }
}

void real_lines(Index n) {
    Line x = random_line(n);
    std::vector<double> reals;
    for (Number& value : x) {
        value = value.real();
        reals.push_back(value.real());
    }
    Line expected = by_definition(x, Direction::forward);
    expected.resize(size(n / 2 + 1));
    const RealTransform transform(n);
    std::vector<double> scratch(transform.scratch_length(), NAN);
    Line result(size(n / 2 + 1));
    transform.forward(reals.data(), parts(result), scratch.data());
    CHECK(difference(result, expected) <= tolerance);
    std::vector<double> back(size(n));
    transform.inverse(parts(result), back.data(), scratch.data());
    Line ours;
    for (const double value : back) ours.emplace_back(value / static_cast<double>(n));
    CHECK(difference(ours, x) <= tolerance);
}

/// Every dimension by the definition.
Line grid_by_definition(Line x, std::span<const int> extents, Direction direction) {
    Index stride = 1;
    for (std::size_t d = extents.size(); d-- > 0;) {
        const Index n = extents[d];
        for (Index first = 0; std::cmp_less(first, x.size()); ++first) {
            if (first / stride % n != 0) continue;
            Line line(size(n));
            for (Index j = 0; j < n; ++j) line[size(j)] = x[size(first + j * stride)];
            line = by_definition(line, direction);
            for (Index k = 0; k < n; ++k) x[size(first + k * stride)] = line[size(k)];
        }
        stride *= n;
    }
    return x;
}

void grid(const std::vector<int>& extents, int n_threads) {
    const GridTransform transform(extents, n_threads);
    const Line x = random_line(transform.size());
    std::vector<double> scratch(transform.scratch_length(), NAN);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        Line result(x.size());
        transform.transform(parts(x), parts(result), direction, scratch.data());
        CHECK(difference(result, grid_by_definition(x, extents, direction)) <= tolerance);
        Line in_place = x;
        transform.transform(parts(in_place), parts(in_place), direction, scratch.data());
        CHECK(in_place == result);
    }
}

/// Real numbers, and what is left of them when lines keep their first half only.
void real_grid(const std::vector<int>& extents, int n_threads) {
    const RealGridTransform transform(extents, n_threads);
    Line x = random_line(transform.size());
    for (Number& value : x) value = value.real();
    const Line whole = grid_by_definition(x, extents, Direction::forward);
    const Index n = extents.back();
    Line expected;
    for (Index i = 0; i < transform.size(); ++i) {
        if (i % n <= n / 2) expected.push_back(whole[size(i)]);
    }
    std::vector<double> reals(x.size());
    std::transform(x.begin(), x.end(), reals.begin(), [](const Number& z) { return z.real(); });
    std::vector<double> scratch(transform.scratch_length(), NAN);
    Line result(size(transform.size_of_transform()));
    transform.forward(reals.data(), parts(result), scratch.data());
    CHECK(difference(result, expected) <= tolerance);
    transform.inverse(parts(result), reals.data(), scratch.data());
    const auto times = static_cast<double>(transform.size());
    Line back;
    for (const double value : reals) back.emplace_back(value / times);
    CHECK(difference(back, x) <= tolerance);
}

/// A number whose sums and products are counted.
struct Counted {
    double value;
    static inline int n_flops = 0;
};
Counted operator+(Counted a, Counted b) {
    ++Counted::n_flops;
    return {a.value + b.value};
}
Counted operator-(Counted a, Counted b) {
    ++Counted::n_flops;
    return {a.value - b.value};
}
Counted operator-(Counted a) {
    return {-a.value};
}
Counted operator*(Counted a, double b) {
    ++Counted::n_flops;
    return {a.value * b};
}

template <int n>
void small_transforms() {
    std::array<Complex<Counted>, n> z;
    const Line x = random_line(n);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = {{x[i].real()}, {x[i].imag()}};
    Counted::n_flops = 0;
    small_transform<n>(z);
    CHECK(Counted::n_flops == flops_of_small(n));
    Line result;
    for (const Complex<Counted>& value : z) result.emplace_back(value.re.value, value.im.value);
    CHECK(difference(result, by_definition(x, Direction::forward)) <= tolerance);
}

void interleaved_numbers_meet_memory() {
    constexpr int w = heorot::n_lanes;
    const Line x = random_line(w);
    const auto there = load_in_turn<w, Direction::forward>(parts(x));
    const auto back = load_in_turn<w, Direction::inverse>(parts(x));
    for (int i = 0; i < w; ++i) {
        const Number& number = x[size(number_in<w>(i))];
        CHECK(there.re[i] == number.real() && there.im[i] == number.imag());
        CHECK(back.re[i] == number.imag() && back.im[i] == number.real());
    }
    Line y(w);
    store_in_turn<w, Direction::forward>(parts(y), there);
    CHECK(y == x);
    store_in_turn<w, Direction::inverse>(parts(y), back);
    CHECK(y == x);
}

// By hand: radix 8 twice is 2 56 / 8 flops a number and a root for 7 of 8, turning twice 12.
void flops_of_methods() {
    const double of_64 = 64.0 * (2.0 * 7.0 + 6.0 * 7.0 / 8.0);
    CHECK(in_four_steps(64, 64, 2)->flops() == 2.0 * 64.0 * of_64 + 12.0 * 4096.0);
    // Two lanes do some of three and five lines twice.
    const double of_3_and_5 = 5.0 * flops_of_small(3) + 3.0 * flops_of_small(5);
    // Columns of one pass: of three rows the first one is not turned.
    CHECK(in_four_steps(3, 5, 2)->flops() == of_3_and_5 + 6.0 * 2.0 * 5.0);
    CHECK(along_lanes(16, 2)->flops() == 2.0 * 56.0 + 6.0 * 2.0 * 7.0 + 8.0 * 4.0);
    const double of_4 = 16.0;
    const double of_8 = of_4 + 2.0 * 16.0 + 2.0;
    CHECK(RealTransform(8).flops() == of_8);
    if (heorot::n_lanes == 8) {  // eight lines of 5 x 4 numbers in lanes, the ninth along four
        const double in_lanes = 8.0 * 20.0 * (48.0 / 5.0 + (16.0 + 18.0) / 4.0);
        const double along = 4.0 * (48.0 + 4.0 * 6.0) + 5.0 * 16.0;
        const double columns = 20.0 * flops_of_small(9);
        CHECK(std::abs(GridTransform(std::vector<int>{9, 20}, 1).flops() - in_lanes - along -
                       columns) < 1e-6);
    }
    const double of_columns = 4.0 * 5.0 * 4.0 + 2.0 * 5.0 * 16.0;
    CHECK(RealGridTransform(std::vector<int>{4, 2, 8}, 1).flops() == 8.0 * of_8 + of_columns);
    CHECK(GridTransform(std::vector<int>{4, 4, 4}, 1).flops() == 16.0 * (of_4 + 2.0 * 16.0));
}

}  // namespace

int main() {
    interleaved_numbers_meet_memory();
    []<int... n>(std::integer_sequence<int, n...>) {
        (small_transforms<n>(), ...);
    }(std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>{});
    flops_of_methods();
    for (Index n = 1; n <= 600; ++n) {
        definition(n);
        real_lines(n);
    }
    for (const Index n : {720, 997, 1000, 1024, 1155, 1536, 2048, 2187}) {
        definition(n);
        real_lines(n);
    }
    const std::vector<std::vector<int>> grids = {
        {30},   {16, 16}, {7, 19},   {17, 5},    {12, 27},   {19, 60},   {32, 32},
        {1, 9}, {3, 34},  {8, 8, 8}, {5, 17, 4}, {17, 6, 3}, {2, 1, 15}, {11, 9, 10}};
    for (const int n_threads : {1, 3}) {
        for (const std::vector<int>& extents : grids) {
            grid(extents, n_threads);
            real_grid(extents, n_threads);
        }
    }
    return heorot::tests::result();
}
