// Asks the kernel by its own calls: the library for them is not everywhere.
#include "benchmarks/memory/numa/domains.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

namespace heorot::numa {

namespace {

// Of linux/mempolicy.h, which is not everywhere either.
constexpr int bind_policy = 2;             // MPOL_BIND
constexpr unsigned long mems_allowed = 4;  // MPOL_F_MEMS_ALLOWED
constexpr std::size_t bits_per_word = sizeof(unsigned long) * CHAR_BIT;
constexpr std::size_t most_domains = 1024;
using Mask = std::array<unsigned long, most_domains / bits_per_word>;

constexpr std::size_t most_pages_looked_at = 512;

}  // namespace

int domain_of_this_cpu() {
    unsigned cpu = 0, domain = 0;
    return getcpu(&cpu, &domain) == 0 ? static_cast<int>(domain) : 0;
}

std::vector<int> memory_domains() {
    Mask mask{};
    std::vector<int> found;
    if (syscall(SYS_get_mempolicy, nullptr, mask.data(), most_domains, nullptr, mems_allowed) ==
        0) {
        for (std::size_t domain = 0; domain < most_domains; ++domain) {
            const bool is_allowed =
                (mask[domain / bits_per_word] >> domain % bits_per_word & 1U) != 0;
            if (is_allowed) found.push_back(static_cast<int>(domain));
        }
    }
    return found.empty() ? std::vector{0} : found;
}

bool bind_to(std::span<std::byte> memory, int domain) {
    Mask mask{};
    const auto number = static_cast<std::size_t>(domain);
    mask[number / bits_per_word] = 1UL << number % bits_per_word;
    return syscall(SYS_mbind, memory.data(), memory.size(), bind_policy, mask.data(), most_domains,
                   0U) == 0;
}

std::optional<double> share_in(std::span<const std::byte> memory, int domain) {
    const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t n_pages = memory.size() / page_bytes;
    const std::size_t n = std::min(n_pages, most_pages_looked_at);
    std::vector<const void*> pages(n);
    for (std::size_t i = 0; i < n; ++i) pages[i] = &memory[n_pages * i / n * page_bytes];
    std::vector<int> domains(n, -1);
    if (n == 0 || syscall(SYS_move_pages, 0, n, pages.data(), nullptr, domains.data(), 0) != 0) {
        return std::nullopt;
    }
    const auto n_there = std::count(domains.begin(), domains.end(), domain);
    return static_cast<double>(n_there) / static_cast<double>(n);
}

}  // namespace heorot::numa
