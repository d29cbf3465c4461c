// xoshiro256++: see xoshiro.hpp.
#include "numerics/generators/xoshiro.hpp"

#include <algorithm>
#include <cstring>

namespace heorot::generators {

namespace {

/// Two vectors of streams at a time: with one, every operation would wait for the one before.
struct Pair {
    Words first, second;
};

[[gnu::always_inline]] inline Pair load_pair(const Word* from) {
    Pair pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
}
[[gnu::always_inline]] inline void store_words(Word* to, const Words& words) {
    std::memcpy(to, &words, sizeof words);
}

template <unsigned n_bits>
[[gnu::always_inline]] inline Words rotate(const Words& words) {
    return (words << n_bits) | (words >> (64U - n_bits));
}

[[gnu::always_inline]] inline Words next(Words& s0, Words& s1, Words& s2, Words& s3) {
    const Words result = rotate<23>(s0 + s3) + s0;
    const Words t = s1 << 17U;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotate<45>(s3);
    return result;
}

}  // namespace

Xoshiro256::Xoshiro256(Word seed) : s_{} {
    for (Word& each : s_) {
        seed += golden_step;
        each = mixed(seed);
    }
}

void Xoshiro256::jump() {
    // x^(2^128) modulo the characteristic polynomial of a step, lowest power first.
    constexpr std::array<Word, 4> polynomial = {0x180ec6d33cfd0abaU, 0xd5a61266f0c9392cU,
                                                0xa9582618e03fc9aaU, 0x39abdc4529b1661cU};
    State sum = {};
    for (const Word part : polynomial) {
        for (unsigned bit = 0; bit < 64; ++bit, step()) {
            if ((part >> bit & 1U) == 0) continue;
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] ^= s_[i];
        }
    }
    s_ = sum;
}

XoshiroStreams::XoshiroStreams(Word seed) : s_{} {
    Xoshiro256 stream(seed);
    for (std::size_t j = 0; j < n_streams; ++j, stream.jump()) keep(j, stream);
}

Xoshiro256 XoshiroStreams::stream(std::size_t j) const {
    return Xoshiro256({s_[0][j], s_[1][j], s_[2][j], s_[3][j]});
}

void XoshiroStreams::keep(std::size_t j, const Xoshiro256& stream) {
    for (std::size_t i = 0; i < s_.size(); ++i) s_[i][j] = stream.state()[i];
}

void XoshiroStreams::make(Word* to, std::size_t n_batches) {
    constexpr std::size_t at_once = std::size_t{2} * n_lanes;
    constexpr std::size_t most_batches = 16;  // stay in L1d from pair to pair
    static_assert(n_streams % at_once == 0);
    while (n_batches > 0) {
        const std::size_t n = std::min(n_batches, most_batches);
        for (std::size_t j = 0; j < n_streams; j += at_once) {
            Pair s0 = load_pair(&s_[0][j]), s1 = load_pair(&s_[1][j]);
            Pair s2 = load_pair(&s_[2][j]), s3 = load_pair(&s_[3][j]);
            for (std::size_t i = j; i < n * words_per_batch; i += n_streams) {
                store_words(to + i, next(s0.first, s1.first, s2.first, s3.first));
                store_words(to + i + n_lanes, next(s0.second, s1.second, s2.second, s3.second));
            }
            std::memcpy(&s_[0][j], &s0, sizeof s0);
            std::memcpy(&s_[1][j], &s1, sizeof s1);
            std::memcpy(&s_[2][j], &s2, sizeof s2);
            std::memcpy(&s_[3][j], &s3, sizeof s3);
        }
        to += n * words_per_batch;
        n_batches -= n;
    }
}

void XoshiroStreams::fill(std::span<Word> words) {
    fill_by_batches(words, [this](Word* to, std::size_t n) { make(to, n); });
}

void XoshiroStreams::fill_by_definition(std::span<Word> words) {
    fill_by_batches(words, [this](Word* to, std::size_t n_batches) {
        for (std::size_t j = 0; j < n_streams; ++j) {
            Xoshiro256 one = stream(j);
            for (std::size_t i = j; i < n_batches * words_per_batch; i += n_streams) {
                to[i] = one.next();
            }
            keep(j, one);
        }
    });
}

void XoshiroStreams::skip(std::uint64_t n_batches) {
    for (std::size_t j = 0; j < n_streams; ++j) {
        Xoshiro256 one = stream(j);
        for (std::uint64_t i = 0; i < n_batches * steps_per_batch; ++i) one.step();
        keep(j, one);
    }
}

}  // namespace heorot::generators
