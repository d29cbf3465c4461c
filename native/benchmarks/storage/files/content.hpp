// What files contain: words that no file system can compress and that anyone can recompute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/array.hpp"

namespace heorot::files {

/// The finaliser of SplitMix64: a bijection of words that passes tests of randomness on counters.
/// Source: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators,
/// OOPSLA (2014).
constexpr std::uint64_t mix(std::uint64_t counter) {
    std::uint64_t z = counter * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

/// The content of one rank's file, and a buffer as long as the file. Every page of 4 KiB knows the
/// pass in which it was last written, and each pass writes other words.
class Content {
  public:
    static constexpr std::size_t page_bytes = 4096;

    /// `bytes` is a multiple of 4096; every rank's file has other words.
    Content(int rank, std::size_t bytes);

    /// The buffer, at an address for any kind of input and output.
    std::span<std::byte> buffer() { return {start_, bytes_}; }
    std::size_t size() const { return bytes_; }
    /// Puts the words of a new pass into part of the buffer: these will be written. Offset and
    /// length are multiples of 4096 [B].
    void renew(std::size_t offset, std::size_t length);
    /// Ends a pass: what is renewed after this has other words.
    void next_pass() { ++pass_; }
    /// Wipes part of the buffer: no word is what it should be.
    void wipe(std::size_t offset, std::size_t length);
    /// Words of part of the buffer that are not those that were last written there.
    std::int64_t n_wrong(std::size_t offset, std::size_t length) const;

  private:
    static constexpr std::size_t words_per_page = page_bytes / sizeof(std::uint64_t);
    std::uint64_t* page(std::size_t number) const;
    std::uint64_t first_counter(std::size_t number) const;

    std::size_t bytes_;
    Array<std::byte> memory_;
    std::byte* start_;
    std::uint64_t key_;
    std::uint32_t pass_ = 1;
    std::vector<std::uint32_t> passes_;  // of each page
};

}  // namespace heorot::files
