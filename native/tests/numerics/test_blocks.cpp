// Tests of the lanes and of the 5 x 5 blocks in them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "numerics/blocks.hpp"
#include "numerics/lanes.hpp"
#include "numerics/nontemporal.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

double next_random() {
    static std::uint64_t state = 1;
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11U) * 0x1p-53 - 0.5;
}

void randomise(Lanes& lanes) {
    for (int l = 0; l < n_lanes; ++l) lanes[l] = next_random();
}

void randomise(Block& m) {
    for (int column = 0; column < block_size; ++column) {
        for (Lanes& lanes : m.of[column]) randomise(lanes);
        m.of[column][column] += 4.0;  // dominates the others
    }
}

double largest(const BlockVector& x) {
    double value = 0.0;
    for (const Lanes& lanes : x) {
        for (int l = 0; l < n_lanes; ++l) value = std::max(value, std::abs(lanes[l]));
    }
    return value;
}

void lanes_meet_memory() {
    double memory[96];
    for (int i = 0; i < 96; ++i) memory[i] = i;
    const Lanes ahead = load(memory + 3);
    bool right = true;
    for (int l = 0; l < n_lanes; ++l) right = right && ahead[l] == 3 + l;
    CHECK(right && "load");
    for (int n = 0; n <= n_lanes; ++n) {
        store_first(memory + 20, lanes_of(-1.0 - n), n);
        CHECK(n == 0 || memory[19 + n] == -1.0 - n);
        CHECK(memory[20 + n] == 20.0 + n);
    }
    store(memory + 5, lanes_of(-1.0));
    CHECK(memory[4] == 4.0 && memory[5] == -1.0);
    CHECK(memory[4 + n_lanes] == -1.0 && memory[5 + n_lanes] == 5.0 + n_lanes);
}

void nontemporal_stores_meet_memory() {
    alignas(64) double memory[32];
    for (int i = 0; i < 32; ++i) memory[i] = i;
    Lanes expected;
    for (int l = 0; l < n_lanes; ++l) expected[l] = -1.0 - l;
    store_past_caches(memory + 8, expected);
    order_nontemporal_stores();
    bool right = memory[7] == 7.0 && memory[8 + n_lanes] == 8.0 + n_lanes;
    for (int l = 0; l < n_lanes; ++l) right = right && memory[8 + l] == -1.0 - l;
    CHECK(right && "lanes are stored past the caches, and nothing else");
}

template <int... d>
void lanes_are_shifted_and_chosen(std::integer_sequence<int, d...> /*all*/) {
    double memory[3 * n_lanes];
    for (int i = 0; i < 3 * n_lanes; ++i) memory[i] = i;
    const auto is_shifted = [&](const Lanes& lanes, int by) {
        bool right = true;
        for (int l = 0; l < n_lanes; ++l) right = right && lanes[l] == by + l;
        return right;
    };
    CHECK((is_shifted(shift<d>(load(memory), load(memory + n_lanes)), d) && ...));
    for (int chosen = 0; chosen < n_lanes; ++chosen) {
        LaneMask mask{};
        mask[chosen] = -1;
        const Lanes lanes = select(mask, lanes_of(1.0), load(memory));
        for (int l = 0; l < n_lanes; ++l) CHECK(lanes[l] == (l == chosen ? 1.0 : l));
    }
}

void transpose_swaps_rows_and_lanes() {
    Lanes rows[n_lanes];
    for (int r = 0; r < n_lanes; ++r) {
        for (int l = 0; l < n_lanes; ++l) rows[r][l] = 10 * r + l;
    }
    transpose(rows);
    bool right = true;
    for (int r = 0; r < n_lanes; ++r) {
        for (int l = 0; l < n_lanes; ++l) right = right && rows[r][l] == 10 * l + r;
    }
    CHECK(right && "transpose");
}

void block_times_solution_is_the_right_hand_side() {
    double worst = 0.0;
    for (int turn = 0; turn < 100; ++turn) {
        Block m;
        randomise(m);
        BlockVector x;
        for (Lanes& lanes : x) randomise(lanes);
        BlockVector residual;
        std::copy_n(x, block_size, residual);
        Block factors = m;
        factor(factors);
        solve(factors, x);
        subtract_product(m, x, residual);
        worst = std::max(worst, largest(residual));
    }
    std::printf("largest residual of a block solve %.1e\n", worst);
    CHECK((worst < 1e-14) && "M (M^-1 x) = x");
}

void inverse_times_block_is_the_identity() {
    Block m;
    randomise(m);
    Block factors = m;
    factor(factors);
    double worst = 0.0;
    for (int column = 0; column < block_size; ++column) {
        BlockVector x;
        std::copy_n(m.of[column], block_size, x);
        solve(factors, x);
        x[column] -= 1.0;
        worst = std::max(worst, largest(x));
    }
    CHECK((worst < 1e-14) && "M^-1 M = I");
}

void leading_zeros_may_be_skipped() {
    Block m;
    randomise(m);
    factor(m);
    BlockVector x = {};
    for (int row = 1; row < block_size; ++row) randomise(x[row]);
    BlockVector y;
    std::copy_n(x, block_size, y);
    solve(m, x);
    solve<1>(m, y);
    for (int row = 0; row < block_size; ++row) x[row] -= y[row];
    CHECK((largest(x) <= 1e-15) && "solve<1> equals solve if x[0] is zero");
}

constexpr BlockPattern lower_triangle = {{{true, false, false, false, false},
                                          {true, true, false, false, false},
                                          {true, true, true, false, false},
                                          {true, true, true, true, false},
                                          {true, true, true, true, true}}};

void pattern_selects_elements() {
    BlockVector rows[block_size];
    Block full;
    BlockVector x;
    for (int row = 0; row < block_size; ++row) {
        randomise(x[row]);
        for (int column = 0; column < block_size; ++column) {
            randomise(rows[row][column]);  // also where the pattern has none
            full.of[column][row] =
                lower_triangle.at[row][column] ? rows[row][column] : lanes_of(0.0);
        }
    }
    BlockVector y = {};
    add_product<lower_triangle>(rows, x, y);
    subtract_product(full, x, y);
    CHECK((largest(y) < 1e-15) && "products with a pattern leave the other elements alone");
}

}  // namespace

int main() {
    lanes_meet_memory();
    nontemporal_stores_meet_memory();
    lanes_are_shifted_and_chosen(std::make_integer_sequence<int, n_lanes + 1>());
    transpose_swaps_rows_and_lanes();
    block_times_solution_is_the_right_hand_side();
    inverse_times_block_is_the_identity();
    leading_zeros_may_be_skipped();
    pattern_selects_elements();
    return tests::result();
}
