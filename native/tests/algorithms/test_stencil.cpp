// Tests of stencils: what one point makes of a grid, and blocks against sweep after sweep.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "benchmarks/algorithms/stencil/blocks.hpp"
#include "benchmarks/algorithms/stencil/grid.hpp"
#include "benchmarks/algorithms/stencil/rows.hpp"
#include "benchmarks/algorithms/stencil/tuning.hpp"
#include "numerics/random.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot::stencil;

constexpr std::array<Shape, 6> shapes = {
    {{1, 1, 1}, {2, 3, 4}, {21, 7, 5}, {8, 16, 3}, {37, 1, 12}, {13, 40, 23}}};

constexpr std::array<Way, 4> ways = {{{1, 0, false},
                                      {std::size_t{1} << 20U, 0, false},
                                      {1, 4, true},
                                      {std::size_t{1} << 20U, 4, true}}};

std::vector<double> zeros(const Layout& layout) {
    return std::vector<double>(static_cast<std::size_t>(layout.size()), 0.0);
}

std::size_t index(const Layout& layout, Index i, Index j, Index k) {
    return static_cast<std::size_t>(layout.row(j, k) + i);
}

/// What the weights of a point are: by how many coordinates a neighbour differs.
template <class Stencil>
void one_point_spreads_by_the_weights(const Stencil& stencil, std::array<double, 4> weights) {
    const Shape shape{9, 5, 5};
    const Layout layout(shape);
    std::vector<double> u = zeros(layout);
    std::vector<double> v = zeros(layout);
    u[index(layout, 4, 3, 3)] = 1.0;
    sweep_plainly(stencil, layout, u.data(), v.data(), 1);
    bool same = true;
    for (Index k = 1; k <= shape.nz; ++k) {
        for (Index j = 1; j <= shape.ny; ++j) {
            for (Index i = 1; i <= shape.nx; ++i) {
                const Index di = std::abs(i - 4), dj = std::abs(j - 3), dk = std::abs(k - 3);
                const bool is_near = di <= 1 && dj <= 1 && dk <= 1;
                const double weight =
                    is_near ? weights.at(static_cast<std::size_t>(di + dj + dk)) : 0.0;
                same = same && v[index(layout, i, j, k)] == weight;
            }
        }
    }
    CHECK(same && "a point is spread over its neighbours by the weights");
}

/// The sweeps that a pass makes, one after the other by the definition.
template <class Stencil>
std::vector<double> swept(const Stencil& stencil, const Layout& layout, std::vector<double> u,
                          Index n_steps) {
    std::vector<double> v = u;
    for (Index s = 0; s < n_steps; ++s) {
        sweep_plainly(stencil, layout, u.data(), v.data(), 1);
        std::swap(u, v);
    }
    return u;
}

template <class Stencil>
void blocks_equal_plain_sweeps(const Stencil& stencil, const Shape& shape, Index n_steps,
                               const Way& way, Index n_threads) {
    const Layout layout(shape);
    std::vector<double> u = zeros(layout);
    heorot::Random random(314159265);
    // The boundary is as random as the rest: no step may change it.
    for (Index row = 0; row < layout.n_rows * layout.n_planes; ++row) {
        for (Index i = 0; i < shape.nx + 2; ++i) {
            u[static_cast<std::size_t>(layout.row(row, 0) + i)] = random.next();
        }
    }
    const std::vector<double> expected = swept(stencil, layout, u, n_steps);
    heorot::Array<double> v(u.size());
    std::ranges::copy(u, v.begin());
    Blocks blocks(layout, n_steps, way, n_threads);
    const Cut& cut = blocks.cut;
    sweep_in_blocks(stencil, cut, blocks.wavefronts, u.data(), v.data());
    double largest = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        largest = std::max(largest, std::abs(v[i] - expected[i]));
    }
    CHECK((largest <= 1e-14) && "blocks equal sweep after sweep");
    const double least = shape.n_points() * static_cast<double>(n_steps);
    CHECK((cut.n_computed() >= least) && "no point is left out of the count");
    const bool is_whole = n_threads == 1 && cut.n_blocks() == 1;
    CHECK((!is_whole || cut.n_computed() == least) && "one block computes nothing twice");
}

/// By a trial that one way takes half as long as any other.
void the_fastest_way_is_taken() {
    const Layout layout(Shape{9, 5, 5});
    const std::vector<double> u = zeros(layout);
    heorot::Array<double> v(u.size());
    std::size_t n_tried = 0;
    std::vector<std::pair<std::size_t, double>> others;  // times of trials other than 2 s
    const auto trial = [&](const auto& body) {
        body();
        const auto other =
            std::ranges::find(others, n_tried++, &decltype(others)::value_type::first);
        return other == others.end() ? 2.0 : other->second;
    };
    const Sweeps<decltype(trial)> sweeps{layout, u.data(), v.data(), 1, trial};
    const auto blocks = [&](decltype(others) trials, std::size_t given_bytes) {
        n_tried = 0;
        others = std::move(trials);
        return sweeps.fastest_blocks(SevenPoint{}, 1, given_bytes).way;
    };
    // Both stores in three turns, four more sizes, nothing fetched ahead.
    CHECK(blocks({}, 0).block_bytes == usual_block_bytes && n_tried == 11);
    CHECK(blocks({{8, 1.0}}, 0).block_bytes == other_block_bytes[2] && !blocks({}, 0).past_caches);
    CHECK(blocks({{5, 1.0}}, 0).past_caches && blocks({{5, 1.0}}, 0).ahead == usual_ahead);
    CHECK(blocks({{10, 1.0}}, 0).ahead == 0);
    CHECK(blocks({{1, 1.0}}, 999).block_bytes == 999 && n_tried == 7);
    // A perturbed trial does not decide; stores that take much longer are not tried again.
    CHECK(blocks({{1, 5.0}, {3, 1.0}}, 0).past_caches);
    CHECK(!blocks({{1, 7.0}}, 0).past_caches && n_tried == 9);
    for (const Index ahead : {usual_ahead, Index{0}}) {
        n_tried = 0;
        others = {{ahead == 0 ? 3U : 2U, 1.0}};
        CHECK(sweeps.fastest_plainly(SevenPoint{}).way.ahead == ahead);
    }
}

void a_field_is_found_again() {
    for (const Shape& shape : shapes) {
        const Layout layout(shape);
        const Field field(shape);
        std::vector<double> u = zeros(layout);
        field.fill(u, layout, 3);
        CHECK((field.largest_deviation(u, layout, 1.0) <= 1e-15) &&
              "a field is what it was filled");
        CHECK((field.largest_deviation(u, layout, 0.9) > 1e-3) && "the amplitude is seen");
        for (const std::size_t at : {std::size_t{0}, u.size() / 2, u.size() - 1}) {
            const double kept = std::exchange(u[at], u[at] + 1e-3);
            CHECK((field.largest_deviation(u, layout, 1.0) >= 0.9e-3) && "damage is seen");
            u[at] = kept;
        }
    }
}

void grids_fit_what_they_may_take() {
    for (std::size_t bytes = 24 << 10; bytes < std::size_t{1} << 30; bytes *= 2) {
        const Shape shape = Shape::within(bytes);
        const auto taken = static_cast<std::size_t>(Index{16} * Layout(shape).size());
        CHECK((taken <= bytes + bytes / 20 && taken >= bytes / 2) && "a grid takes what it may");
        CHECK((shape.nx % 2 == 1 && shape.ny % 2 == 1 && shape.nz % 2 == 1) && "extents are odd");
        CHECK((shape.nx != shape.ny || shape.ny != shape.nz) && "extents are not alike");
    }
}

}  // namespace

int main() {
    one_point_spreads_by_the_weights(SevenPoint{}, {0.4, 0.1, 0.0, 0.0});
    one_point_spreads_by_the_weights(TwentySevenPoint{}, {0.36, 0.06, 0.02, 0.005});
    for (const Shape& shape : shapes) {
        for (const Index n_steps : {1, 2, 4, 5}) {
            for (const Way& way : ways) {
                for (const Index n_threads : {1, 3}) {
                    blocks_equal_plain_sweeps(SevenPoint{}, shape, n_steps, way, n_threads);
                    blocks_equal_plain_sweeps(TwentySevenPoint{}, shape, n_steps, way, n_threads);
                }
            }
        }
    }
    the_fastest_way_is_taken();
    a_field_is_found_again();
    grids_fit_what_they_may_take();
    return heorot::tests::result();
}
