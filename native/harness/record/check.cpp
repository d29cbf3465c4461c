// Preconditions: the sentence, then the end of the job.
#include "harness/record/check.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "harness/world/world.hpp"

namespace heorot {

void expects(bool condition, const char* sentence, std::source_location where) {
    if (condition) return;
    std::fprintf(stderr, "heorot: broken expectation: %s\n  in %s, %s:%u\n", sentence,
                 where.function_name(), where.file_name(), static_cast<unsigned>(where.line()));
    std::fflush(stderr);
    World::abort(static_cast<int>(ExitCode::broken));
}

bool is_nan(double value) {
    constexpr std::uint64_t without_sign = 0x7fff'ffff'ffff'ffffULL;
    constexpr std::uint64_t infinity = 0x7ff0'0000'0000'0000ULL;
    return (std::bit_cast<std::uint64_t>(value) & without_sign) > infinity;
}

double larger(double a, double b) {
    return is_nan(a) || (!is_nan(b) && b <= a) ? a : b;
}

}  // namespace heorot
