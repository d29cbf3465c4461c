// The page cache of the kernel: see page_cache.hpp.
#include "benchmarks/storage/files/page_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace heorot::files {

std::optional<double> cached_share(const File& file, std::size_t bytes) {
    void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.number(), 0);
    if (mapped == MAP_FAILED) return std::nullopt;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages((bytes + page - 1) / page);
    const bool is_known = mincore(mapped, bytes, pages.data()) == 0;
    munmap(mapped, bytes);
    if (!is_known) return std::nullopt;
    // Only the lowest bit has a meaning: mincore(2).
    const auto n = std::ranges::count_if(pages, [](unsigned char one) { return (one & 1U) != 0; });
    return static_cast<double>(n) / static_cast<double>(pages.size());
}

void drop_from_cache(const File& file, Trouble& trouble) {
    file.synchronise(trouble);
    posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace heorot::files
