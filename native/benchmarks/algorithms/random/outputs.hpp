// Fractions and normal deviates from random words.
//
// Trial::measure() checks them in every run against their definitions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "numerics/generators/normal.hpp"
#include "numerics/generators/words.hpp"

namespace heorot::random {

using namespace generators;

constexpr std::size_t block_size = 2 * pairs_per_block;
static_assert(block_size % words_per_batch == 0);

/// Does make(block of words, part of `results`) for one part after the other, none longer than a
/// block.
template <class Fill, class Make>
void by_blocks(std::span<double> results, const Fill& fill, const Make& make) {
    alignas(64) std::array<Word, block_size> words;
    for (std::size_t i = 0; i < results.size(); i += block_size) {
        const auto part = results.subspan(i, std::min(block_size, results.size() - i));
        make(fill(words, part.size()), part);
    }
}

/// Fractions in [0, 1), from whole batches of words.
struct Doubles {
    static constexpr double tolerance = 0.0;
    static std::uint64_t n_batches(std::size_t n) { return n_batches_for(n); }
    template <class Generator>
    static void fill(Generator& generator, std::span<double> results) {
        by_blocks(
            results,
            [&](std::span<Word> words, std::size_t n) {
                generator.fill(words.first(n));
                return words;
            },
            [](std::span<const Word> words, std::span<double> part) {
                for (std::size_t i = 0; i < part.size(); ++i) part[i] = uniform(words[i]);
            });
    }
    template <class Generator>
    static void fill_by_definition(Generator& generator, std::span<double> results) {
        std::vector<Word> words(results.size());
        generator.fill_by_definition(words);
        std::ranges::transform(words, results.begin(), [](Word word) {
            return std::ldexp(static_cast<double>(word >> 12U), -52);
        });
    }
};

/// Normal deviates, in blocks that are made whole.
struct Normals {
    static constexpr double tolerance = 2e-14;
    static std::uint64_t n_batches(std::size_t n) {
        return (n + block_size - 1) / block_size * (block_size / words_per_batch);
    }
    template <class Generator>
    static void fill(Generator& generator, std::span<double> results) {
        by_blocks(
            results,
            [&](std::span<Word> words, std::size_t) {
                generator.fill(words);
                return words;
            },
            [](std::span<const Word> words, std::span<double> part) {
                const auto all = words.first<block_size>();
                if (part.size() == block_size) {
                    make_normal(all, part.first<block_size>());
                    return;
                }
                alignas(64) std::array<double, block_size> deviates;
                make_normal(all, deviates);
                std::copy_n(deviates.begin(), part.size(), part.begin());
            });
    }
    template <class Generator>
    static void fill_by_definition(Generator& generator, std::span<double> results) {
        std::array<Word, block_size> words;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const std::size_t j = i % block_size;
            if (j == 0) generator.fill_by_definition(words);
            const double u = uniform(words[j % pairs_per_block]);
            const double w = uniform(words[pairs_per_block + j % pairs_per_block]);
            const double angle = 2.0 * std::numbers::pi * w;
            const double root = std::sqrt(-2.0 * std::log(1.0 - u));
            results[i] = root * (j < pairs_per_block ? std::cos(angle) : std::sin(angle));
        }
    }
};

}  // namespace heorot::random
