// Non-temporal stores: past the caches, so that no line is fetched before it is overwritten.
//
// Where the processor or the compiler has none, they are ordinary stores.
// Checked against ordinary stores in tests/numerics/test_blocks.cpp:
// nontemporal_stores_meet_memory.
#pragma once

#include <atomic>
#include <string_view>

#include "numerics/lanes.hpp"

#if !defined(__has_builtin)
#define __has_builtin(name) 0
#endif

namespace heorot {

namespace internal {

// Of gcc the builtins behind _mm512_stream_pd and so on, whose header takes long to read.
#if __has_builtin(__builtin_nontemporal_store)
constexpr std::string_view nontemporal_store = "__builtin_nontemporal_store";
using Stored = Lanes;
inline void store_once(double* to, const Stored& v) {
    __builtin_nontemporal_store(v, reinterpret_cast<Stored*>(to));
}
#elif defined(__AVX512F__) && !defined(HEOROT_LANES)
constexpr std::string_view nontemporal_store = "AVX-512";
using Stored = double __attribute__((vector_size(64)));
inline void store_once(double* to, const Stored& v) {
    __builtin_ia32_movntpd512(to, v);
}
#elif defined(__AVX__) && !defined(HEOROT_LANES)
constexpr std::string_view nontemporal_store = "AVX";
using Stored = double __attribute__((vector_size(32)));
inline void store_once(double* to, const Stored& v) {
    __builtin_ia32_movntpd256(to, v);
}
#elif defined(__SSE2__)
constexpr std::string_view nontemporal_store = "SSE2";
using Stored = double __attribute__((vector_size(16)));
inline void store_once(double* to, const Stored& v) {
    __builtin_ia32_movntpd(to, v);
}
#else
constexpr std::string_view nontemporal_store;
using Stored = Lanes;
inline void store_once(double* to, const Stored& v) {
    std::memcpy(to, &v, sizeof v);
}
#endif

}  // namespace internal

/// Which instructions or builtin of the compiler store past the caches; empty if none does.
constexpr std::string_view nontemporal_stores = internal::nontemporal_store;

/// Stores past the caches, to an address divisible by the size of lanes. Lines are written
/// fastest if all of their lanes are stored one after the other.
[[gnu::always_inline]] inline void store_past_caches(double* to, const Lanes& lanes) {
    constexpr int n = sizeof(internal::Stored) / sizeof(double);
    for (int first = 0; first < n_lanes; first += n) {
        internal::Stored part;
        std::memcpy(&part, reinterpret_cast<const double*>(&lanes) + first, sizeof part);
        internal::store_once(to + first, part);
    }
}

/// Ends a sequence of non-temporal stores of this thread: later stores come after them.
inline void order_nontemporal_stores() {
#if defined(__SSE2__)
    __builtin_ia32_sfence();
#else
    std::atomic_thread_fence(std::memory_order_release);
#endif
}

}  // namespace heorot
