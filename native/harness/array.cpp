// Memory for arrays: new pages for large ones, each with another offset within the page.
//
// Large arrays ask for huge pages, as most systems give them to programs that ask. In base pages
// streams of loads and stores lose speed, by an amount that depends on which pages the system
// happens to give: hardware prefetchers stop at the end of each page, address translations miss
// the TLB, and pages of several arrays meet in the same sets of a cache and banks of the memory.
// On two Zen 5 cores of a virtual machine (128 MB arrays) STREAM copy and scale reached 72-76 GB/s
// in base pages and 80-86 in huge ones, non-temporal copy 68-95 and 100-107. In huge pages offsets
// of 0, 320 B, 1 KiB, 8 KiB, 64 KiB and 512 KiB between the arrays made no difference.
#include "harness/array.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "harness/record/check.hpp"

namespace heorot {

namespace internal {

namespace {

constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20U;

std::atomic<Pages> wanted_pages{Pages::huge};

/// Where in its first page the next array begins. Loads and stores 4 KiB apart are mistaken for
/// the same address: a load waits if one of the stores in flight has its offset. Steps of 39 lines,
/// the golden section of a page, keep arrays that are made one after the other 11 lines apart or
/// more, and visit all 64 lines before one returns. A 7-point stencil took 15 % longer (with
/// non-temporal stores 30 %) where its result began 1 to 8 lines behind its operand.
std::size_t next_offset() {
    static std::atomic<std::size_t> n_arrays{0};
    return n_arrays++ * 39 * cache_line_bytes % page_bytes;
}

std::uintptr_t round_up(std::uintptr_t address, std::size_t multiple) {
    return (address + multiple - 1) / multiple * multiple;
}

[[noreturn]] void refuse(std::size_t n, std::size_t element_bytes) {
    throw Refusal("no memory for an array of " + std::to_string(n) + " elements of " +
                      std::to_string(element_bytes) + " bytes",
                  Refusal::Scope::this_rank);
}

void ask_for_pages(void* base, std::size_t length, Pages pages) {
    // A kernel without huge pages refuses both; then all pages are base pages.
    if (pages != Pages::system) {
        madvise(base, length, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    }
}

}  // namespace

Allocation allocate(std::size_t n, std::size_t element_bytes, Pages pages) {
    if (n > (SIZE_MAX - 2 * huge_page_bytes) / element_bytes) refuse(n, element_bytes);
    const std::size_t bytes = n * element_bytes;
    Allocation result;
    if (bytes < huge_page_bytes) {
        const std::size_t offset = bytes < page_bytes ? 0 : next_offset();
        const std::size_t alignment = bytes < page_bytes ? cache_line_bytes : page_bytes;
        const std::size_t whole = round_up(bytes + offset + 1, alignment);
        result.base = std::aligned_alloc(alignment, whole);
        if (result.base == nullptr) refuse(n, element_bytes);
        result.start = static_cast<std::byte*>(result.base) + offset;
        return result;
    }
    result.length = bytes + huge_page_bytes + page_bytes;
    result.base =
        mmap(nullptr, result.length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (result.base == MAP_FAILED) refuse(n, element_bytes);
    ask_for_pages(result.base, result.length, pages);
    const auto base = reinterpret_cast<std::uintptr_t>(result.base);
    const std::size_t to_huge_page = round_up(base, huge_page_bytes) - base;
    result.start = static_cast<std::byte*>(result.base) + to_huge_page + next_offset();
    return result;
}

void release(const Allocation& allocation) noexcept {
    if (allocation.length > 0) {
        munmap(allocation.base, allocation.length);
    } else {
        std::free(allocation.base);
    }
}

}  // namespace internal

void ask_for(Pages pages) {
    internal::wanted_pages = pages;
}

Pages asked_pages() {
    return internal::wanted_pages;
}

}  // namespace heorot
