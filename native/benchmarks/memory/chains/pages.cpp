// Asks the kernel for huge pages or forbids them, and reads how many it gave.
#include "benchmarks/memory/chains/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>

#include "harness/record/check.hpp"

namespace heorot::chains {

namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20U;

}  // namespace

std::size_t small_page_bytes() {
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Pages::Pages(std::size_t n_bytes, Kind kind) : length_(n_bytes + huge_page_bytes), size_(n_bytes) {
    base_ = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (n_bytes > SIZE_MAX - huge_page_bytes || base_ == MAP_FAILED) {
        throw Refusal("no memory for a working set of " + std::to_string(n_bytes) + " bytes",
                      Refusal::Scope::this_rank);
    }
    const auto base = reinterpret_cast<std::uintptr_t>(base_);
    start_ = static_cast<std::byte*>(base_) + (huge_page_bytes - base % huge_page_bytes);
    // A kernel without huge pages refuses both; then all pages are base pages.
    madvise(base_, length_, kind == Kind::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

Pages::~Pages() {
    munmap(base_, length_);
}

std::size_t Pages::huge_bytes() const {
    std::ifstream file("/proc/self/smaps");
    const auto begin = reinterpret_cast<std::uintptr_t>(base_);
    std::size_t kibibytes = 0;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::uintptr_t from = 0, to = 0;
        char dash = ' ';
        if (words >> std::hex >> from >> dash >> to && dash == '-') {
            inside = from < begin + length_ && begin < to;
        } else if (inside && line.starts_with("AnonHugePages:")) {
            std::istringstream value(line.substr(line.find(':') + 1));
            std::size_t part = 0;
            value >> part;
            kibibytes += part;
        }
    }
    return kibibytes << 10U;
}

}  // namespace heorot::chains
