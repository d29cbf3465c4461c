// What files contain: other words in every file, pass and place, and each wrong one is counted.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>

#include "benchmarks/storage/files/content.hpp"
#include "tests/testing.hpp"

using heorot::files::Content;

namespace {

constexpr std::size_t page = Content::page_bytes;

void collect(std::set<std::uint64_t>& words, std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, &bytes[at], sizeof word);
        words.insert(word);
    }
}

void check_words_differ() {
    std::set<std::uint64_t> words;
    for (const int rank : {0, 1}) {
        Content content(rank, 2 * page);
        for (int pass = 0; pass < 2; ++pass) {
            content.next_pass();
            content.renew(0, 2 * page);
            collect(words, content.buffer());
        }
    }
    CHECK(words.size() == std::size_t{8} * page / sizeof(std::uint64_t));
}

void check_definition() {
    // The first output of SplitMix64 with seed 0 adds the constant once:
    // java.util.SplittableRandom.
    CHECK(heorot::files::mix(1) == 0xe220a8397b1dcdafU);
    CHECK(heorot::files::mix(2) == 0x6e789e6aa1b965f4U);
}

void check_wrong_words_are_counted() {
    Content content(0, 4 * page);
    CHECK(content.n_wrong(0, 4 * page) == 2048);  // nothing is there yet
    content.renew(0, 4 * page);
    CHECK(content.n_wrong(0, 4 * page) == 0);
    content.buffer()[page + 17] ^= std::byte{4};
    CHECK(content.n_wrong(0, 4 * page) == 1 && content.n_wrong(2 * page, page) == 0);
    // One page of a later pass: the others are still right, the old words there are not.
    std::memcpy(&content.buffer()[page], &content.buffer()[2 * page], page);
    CHECK(content.n_wrong(page, page) == 512);
    content.next_pass();
    content.renew(page, page);
    CHECK(content.n_wrong(0, 4 * page) == 0);
    content.wipe(page, page);
    CHECK(content.n_wrong(0, 4 * page) == 512);
}

void check_alignment() {
    for (const std::size_t pages : {1U, 3U, 700U}) {
        Content content(0, pages * page);
        CHECK(reinterpret_cast<std::uintptr_t>(content.buffer().data()) % page == 0);
        CHECK(content.buffer().size() == pages * page);
    }
}

}  // namespace

int main() {
    check_words_differ();
    check_definition();
    check_wrong_words_are_counted();
    check_alignment();
    return heorot::tests::result();
}
