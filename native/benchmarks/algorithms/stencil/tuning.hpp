// Tries ways over a grid: what is fastest differs between processors and levels of the memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <vector>

#include "benchmarks/algorithms/stencil/blocks.hpp"

namespace heorot::stencil {

constexpr Index usual_ahead = 4;
constexpr std::size_t usual_block_bytes = std::size_t{384} << 10U;
constexpr std::array<std::size_t, 4> other_block_bytes = {
    std::size_t{128} << 10U, std::size_t{1} << 20U, std::size_t{3} << 20U, std::size_t{8} << 20U};

// Rounds of trials: ordinary stores take up to 1.7 times as long from memory as non-temporal ones,
// and one perturbed trial must not decide.
constexpr int n_store_rounds = 3;
constexpr int n_plain_rounds = 2;
constexpr double much_longer = 3.0;
constexpr double infinite_seconds = std::numeric_limits<double>::infinity();

/// A way over a grid, and how long it took [s].
struct Tried {
    Way way;
    double seconds;
};

/// Blocks of one way, with what its threads need.
struct Blocks {
    Blocks(const Layout& layout, Index n_steps, const Way& way, Index n_threads)
        : cut(layout, n_steps, way, n_threads) {
        wavefronts.reserve(static_cast<std::size_t>(n_threads));
        for (Index i = 0; i < n_threads; ++i) wavefronts.emplace_back(layout, cut);
#pragma omp parallel for schedule(static)
        for (Index i = 0; i < n_threads; ++i) wavefronts[static_cast<std::size_t>(i)].touch();
    }
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;
    ~Blocks() = default;

    Cut cut;
    std::vector<Wavefront> wavefronts;  // each refers to the cut
};

/// Sweeps from u to v. `trial(body)` returns the time of a body [s].
template <class Trial>
struct Sweeps {
    const Layout& layout;
    const double* u;
    double* v;
    Index n_threads;
    Trial trial;

    template <class Stencil>
    void plainly(const Stencil& stencil, Index ahead) const {
        sweep_plainly(stencil, layout, u, v, n_threads, ahead);
    }

    template <class Stencil>
    Tried fastest_plainly(const Stencil& stencil) const {
        return in_turns({{.ahead = usual_ahead}, {}}, n_plain_rounds, [&](const Way& way) {
            return trial([&] { plainly(stencil, way.ahead); });
        });
    }

    /// First the stores, then the size of blocks, unless it is given, and how far to fetch ahead.
    template <class Stencil>
    Tried fastest_blocks(const Stencil& stencil, Index n_steps, std::size_t given_bytes) const {
        const std::size_t bytes = given_bytes > 0 ? given_bytes : usual_block_bytes;
        const auto of = [&](std::initializer_list<Way> ways, int n_rounds) {
            return in_turns(ways, n_rounds,
                            [&](const Way& way) { return in_blocks(stencil, n_steps, way); });
        };
        // Several steps in a pass wait less for stores.
        Tried best = of({{bytes, usual_ahead, false}, {bytes, usual_ahead, true}},
                        n_steps == 1 ? n_store_rounds : 1);
        const auto compare = [&](const Way& way) {
            const Tried other = of({way}, 1);
            if (other.seconds < best.seconds) best = other;
        };
        const bool past_caches = best.way.past_caches;
        for (const std::size_t other : other_block_bytes) {
            if (given_bytes == 0) compare({other, usual_ahead, past_caches});
        }
        compare({best.way.block_bytes, 0, past_caches});
        return best;
    }

  private:
    /// The fastest of ways that are tried one after the other, several times, as a trial may be
    /// perturbed; those that take much longer are not tried again.
    template <class Sweep>
    Tried in_turns(std::initializer_list<Way> ways, int n_rounds, const Sweep& sweep) const {
        std::vector<Tried> all;
        for (const Way& way : ways) all.push_back({way, infinite_seconds});
        const auto fastest = [&] { return *std::ranges::min_element(all, {}, &Tried::seconds); };
        for (int round = 0; round < n_rounds; ++round) {
            const double most = round == 0 ? infinite_seconds : much_longer * fastest().seconds;
            for (Tried& each : all) {
                if (each.seconds > most) continue;
                each.seconds = std::min(each.seconds, sweep(each.way));
            }
        }
        return fastest();
    }
    template <class Stencil>
    double in_blocks(const Stencil& stencil, Index n_steps, const Way& way) const {
        Blocks blocks(layout, n_steps, way, n_threads);
        return trial([&] { sweep_in_blocks(stencil, blocks.cut, blocks.wavefronts, u, v); });
    }
};

}  // namespace heorot::stencil
