// Arrays: alignment, offsets, fresh pages, moves, refusal.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <ios>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/array.hpp"
#include "harness/record/check.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

std::uintptr_t address(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

void check_places() {
    std::set<std::uintptr_t> offsets;
    for (int i = 0; i < 8; ++i) {
        const Array<double> large(std::size_t{1} << 20U);
        CHECK(address(large.data()) % 64 == 0);
        CHECK(address(large.data()) % (std::size_t{2} << 20U) < 4096);
        offsets.insert(address(large.data()) % 4096);
    }
    CHECK(offsets.size() == 8);
    for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{0},
                                std::size_t{100'000}, std::size_t{262'143}}) {
        Array<double> array(n);
        CHECK(address(array.data()) % 64 == 0);
        CHECK(array.size() == n && array.span().size() == n);
        for (std::size_t i = 0; i < n; ++i) array[i] = static_cast<double>(i);
        if (n > 0) CHECK(array[n - 1] == static_cast<double>(n - 1));
    }
}

void check_untouched() {
    Array<char> array(std::size_t{64} << 20U);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    char* const first = array.data() + (page - address(array.data()) % page) % page;
    std::vector<unsigned char> resident(array.size() / page - 1);
    CHECK(mincore(first, resident.size() * page, resident.data()) == 0);
    std::size_t n_resident = 0;
    for (const unsigned char page_state : resident) n_resident += page_state & 1U;
    CHECK(n_resident == 0);
}

/// Whether the system notes a flag of the mapping that holds an address.
bool has_flag(const void* pointer, const std::string& flag) {
    std::ifstream file("/proc/self/smaps");
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::uintptr_t from = 0, to = 0;
        char dash = ' ';
        if (words >> std::hex >> from >> dash >> to && dash == '-') {
            inside = from <= address(pointer) && address(pointer) < to;
        } else if (inside && line.starts_with("VmFlags:")) {
            return (line + " ").find(" " + flag + " ") != std::string::npos;
        }
    }
    return false;
}

void check_pages() {
    const std::size_t n = std::size_t{1} << 20U;
    if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) return;
    const Array<double> first(n);
    CHECK(has_flag(first.data(), "hg") && "arrays ask for huge pages");
    ask_for(Pages::base);
    const Array<double> second(n);
    CHECK(has_flag(second.data(), "nh") && "arrays refuse huge pages");
    ask_for(Pages::system);
    const Array<double> third(n);
    CHECK(!has_flag(third.data(), "hg") && !has_flag(third.data(), "nh"));
    const Array<double> fourth(n, Pages::base);
    CHECK(has_flag(fourth.data(), "nh") && "an array may refuse them for itself");
    ask_for(Pages::huge);
}

void check_moves() {
    Array<int> first(10);
    first[3] = 33;
    const int* place = first.data();
    Array<int> second(std::move(first));
    CHECK(second.data() == place && second[3] == 33);
    Array<int> third;
    CHECK(third.size() == 0 && third.data() == nullptr);
    third = std::move(second);
    CHECK(third.data() == place && third.size() == 10);
}

void check_refusal() {
    std::string reason;
    try {
        const Array<double> impossible(std::size_t{1} << 50U);
    } catch (const Refusal& refusal) {
        reason = refusal.what();
    }
    CHECK(reason.find("1125899906842624 elements of 8 bytes") != std::string::npos);
    CHECK(tests::throws<Refusal>(
        [] { const Array<double> overflowing(std::numeric_limits<std::size_t>::max() / 2); }));
}

}  // namespace

int main() {
    check_places();
    check_untouched();
    check_pages();
    check_moves();
    check_refusal();
    return tests::result();
}
