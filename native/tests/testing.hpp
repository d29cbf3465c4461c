// A minimal test frame: CHECK counts what does not hold, and main returns the count.
#pragma once

#include <cstdio>

namespace heorot::tests {

inline int n_failures = 0;

inline void check(bool holds, const char* text, const char* file, int line) {
    if (holds) return;
    ++n_failures;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
}

/// Exit code of a test program.
inline int result() {
    if (n_failures > 0) std::fprintf(stderr, "%d checks failed\n", n_failures);
    return n_failures == 0 ? 0 : 1;
}

/// Whether `action` throws an Error.
template <class Error, class Action>
bool throws(const Action& action) {
    try {
        action();
    } catch (const Error&) {
        return true;
    }
    return false;
}

}  // namespace heorot::tests

#define CHECK(condition) heorot::tests::check((condition), #condition, __FILE__, __LINE__)
