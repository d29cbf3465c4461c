// Tries ways over a grid: what is fastest differs between processors and levels of the memory.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "benchmarks/algorithms/stencil/blocks.hpp"

namespace heorot::stencil {

constexpr Index usual_ahead = 4;
constexpr std::size_t usual_block_bytes = std::size_t{384} << 10U;
constexpr std::array<std::size_t, 4> other_block_bytes = {
    std::size_t{128} << 10U, std::size_t{1} << 20U, std::size_t{3} << 20U, std::size_t{8} << 20U};

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
        const double fetched = trial([&] { plainly(stencil, usual_ahead); });
        const double unfetched = trial([&] { plainly(stencil, 0); });
        return fetched < unfetched ? Tried{{.ahead = usual_ahead}, fetched} : Tried{{}, unfetched};
    }

    /// First the size of blocks, unless it is given, then the stores and how far to fetch ahead.
    template <class Stencil>
    Tried fastest_blocks(const Stencil& stencil, Index n_steps, std::size_t given_bytes) const {
        const std::size_t bytes = given_bytes > 0 ? given_bytes : usual_block_bytes;
        Tried best = try_blocks(stencil, n_steps, {bytes, usual_ahead, false});
        const auto compare = [&](const Way& way) {
            const Tried other = try_blocks(stencil, n_steps, way);
            if (other.seconds < best.seconds) best = other;
        };
        for (const std::size_t other : other_block_bytes) {
            if (given_bytes == 0) compare({other, usual_ahead, false});
        }
        const std::size_t chosen = best.way.block_bytes;
        compare({chosen, usual_ahead, true});
        compare({chosen, 0, false});
        return best;
    }

    template <class Stencil>
    Tried try_blocks(const Stencil& stencil, Index n_steps, const Way& way) const {
        Blocks blocks(layout, n_steps, way, n_threads);
        return {way, trial([&] { sweep_in_blocks(stencil, blocks.cut, blocks.wavefronts, u, v); })};
    }
};

}  // namespace heorot::stencil
