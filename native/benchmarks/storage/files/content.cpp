// What files contain: see content.hpp.
#include "benchmarks/storage/files/content.hpp"

#include <algorithm>
#include <cstring>

namespace heorot::files {

namespace {

// Counters have the pass above the number of the word: files of 2 TiB, 2^26 passes.
constexpr unsigned word_bits = 38;

std::byte* aligned(std::byte* start, std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(start);
    return start + ((alignment - address % alignment) % alignment);
}

}  // namespace

Content::Content(int rank, std::size_t bytes)
    : bytes_(bytes),
      memory_(bytes + page_bytes),
      start_(aligned(memory_.data(), page_bytes)),
      key_(mix(static_cast<std::uint64_t>(rank) + 1)),
      passes_(bytes / page_bytes, 0) {
    wipe(0, bytes);
}

std::uint64_t* Content::page(std::size_t number) const {
    return reinterpret_cast<std::uint64_t*>(start_ + number * page_bytes);
}

std::uint64_t Content::first_counter(std::size_t number) const {
    return key_ + (std::uint64_t{passes_[number]} << word_bits) + number * words_per_page;
}

void Content::renew(std::size_t offset, std::size_t length) {
    for (std::size_t p = offset / page_bytes; p < (offset + length) / page_bytes; ++p) {
        passes_[p] = pass_;
        const std::uint64_t first = first_counter(p);
        std::uint64_t* const words = page(p);
        for (std::size_t i = 0; i < words_per_page; ++i) words[i] = mix(first + i);
    }
}

void Content::wipe(std::size_t offset, std::size_t length) {
    std::memset(start_ + offset, 0, length);
}

std::int64_t Content::n_wrong(std::size_t offset, std::size_t length) const {
    std::int64_t n = 0;
    for (std::size_t p = offset / page_bytes; p < (offset + length) / page_bytes; ++p) {
        const std::uint64_t first = first_counter(p);
        const std::uint64_t* const words = page(p);
        for (std::size_t i = 0; i < words_per_page; ++i) n += words[i] != mix(first + i) ? 1 : 0;
    }
    return n;
}

}  // namespace heorot::files
