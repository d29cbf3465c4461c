// Keys to be sorted: in several orders, integers and doubles, and what stays when they are sorted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>

#include "harness/array.hpp"
#include "numerics/generators/words.hpp"
#include "numerics/generators/xoshiro.hpp"

namespace heorot::sort {

using Word = std::uint64_t;

constexpr std::size_t n_few = 100;
// Keys that are sorted anew in every body: otherwise a core learns the order of a few thousand by
// heart.
constexpr std::size_t least_pool = std::size_t{1} << 17U;

/// Keys in an order: random, ascending, reversed, or random ones of n_few different values; of
/// random ones every body gets others.
template <class Key>
class Input {
  public:
    Input(std::string_view order, std::size_t n)
        : n_(n), pool_(order == "random" || order == "few" ? std::max(n, least_pool) : n) {
        generators::Xoshiro256 random(20260108);
        for (Key& key : pool_) key = made_of(random.next());
        if (order == "few") {
            for (std::size_t i = n_few; i < pool_.size(); ++i) {
                pool_[i] = pool_[random.next() % n_few];
            }
        }
        if (order == "ascending") std::sort(pool_.begin(), pool_.end());
        if (order == "reversed") std::sort(pool_.begin(), pool_.end(), std::greater<>());
    }

    /// Copies the next n keys to `keys`.
    void give(std::span<Key> keys) {
        begin_ = begin_ + 2 * n_ <= pool_.size() ? begin_ + n_ : 0;
        std::ranges::copy(given(), keys.begin());
    }
    /// What the last call gave.
    std::span<const Key> given() const {
        return std::span<const Key>(pool_.begin(), pool_.end()).subspan(begin_, n_);
    }

  private:
    /// Any word, or a double between -1 and 1.
    static Key made_of(Word word) {
        if constexpr (std::is_same_v<Key, double>) {
            return 2.0 * generators::uniform(word) - 1.0;
        } else {
            return word;
        }
    }

    std::size_t n_;
    Array<Key> pool_;
    std::size_t begin_ = 0;
};

/// Of keys whatever their order: their number, sum, exclusive or, and the sum of a function that
/// mixes the bits of each, all modulo 2^64.
struct Contents {
    Word n = 0, sum = 0, parity = 0, mixed = 0;
    bool operator==(const Contents&) const = default;
};

template <class Key>
Contents contents(std::span<const Key> keys) {
    Contents all{.n = keys.size()};
    for (const Key key : keys) {
        const auto bits = std::bit_cast<Word>(key);
        all.sum += bits;
        all.parity ^= bits;
        all.mixed += generators::mixed(bits);
    }
    return all;
}

/// How many keys are less than the one before them, or are no numbers.
template <class Key>
double n_descents(std::span<const Key> keys) {
    double n = 0.0;
    for (std::size_t i = 1; i < keys.size(); ++i) n += keys[i] >= keys[i - 1] ? 0.0 : 1.0;
    return n;
}

}  // namespace heorot::sort
