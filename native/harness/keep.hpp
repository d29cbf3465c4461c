// Barriers for the optimiser: results that must exist and memory that must have been written.
#pragma once

#include <cstddef>
#include <type_traits>

#if defined(__x86_64__)
#define HEOROT_VECTOR_REGISTER "v"
#elif defined(__aarch64__)
#define HEOROT_VECTOR_REGISTER "w"
#else
#define HEOROT_VECTOR_REGISTER "m"
#endif

namespace heorot {

namespace internal {

// The widest vector register that code of this build can rely on [byte].
#if defined(__AVX512F__)
inline constexpr std::size_t widest_register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t widest_register_bytes = 32;
#else
inline constexpr std::size_t widest_register_bytes = 16;
#endif

// Compilers' vector types are neither scalars nor classes nor arrays.
template <class T>
inline constexpr bool is_vector_type =
    !std::is_scalar_v<T> && !std::is_class_v<T> && !std::is_union_v<T> && !std::is_array_v<T>;

template <class T>
inline constexpr bool in_vector_register =
    (std::is_floating_point_v<T> && sizeof(T) <= 8) ||
    (is_vector_type<T> && sizeof(T) >= 16 && sizeof(T) <= widest_register_bytes);

template <class T>
inline constexpr bool in_general_register =
    (std::is_integral_v<T> || std::is_enum_v<T>) && sizeof(T) <= sizeof(void*);

}  // namespace internal

/// The compiler must assume that all memory whose address is known outside this function was
/// read and written here. Costs no instruction.
[[gnu::always_inline]] inline void clobber() {
    asm volatile("" : : : "memory");
}

/// `value` must have been computed here: a scalar stays in its register; behind a pointer, and in
/// an object too large for a register, memory counts as read and written. Costs no instruction.
template <class T>
[[gnu::always_inline]] inline void keep(const T& value) {
    if constexpr (internal::in_vector_register<T>) {
        asm volatile("" : : HEOROT_VECTOR_REGISTER(value));
    } else if constexpr (internal::in_general_register<T>) {
        asm volatile("" : : "r"(value));
    } else if constexpr (std::is_pointer_v<T>) {
        asm volatile("" : : "r"(value) : "memory");
    } else {
        asm volatile("" : : "m"(value) : "memory");
    }
}

/// Like keep(const T&), and what follows must not assume that `value` is still the same: breaks
/// constant folding of a starting value. Costs no instruction.
template <class T>
    requires(!std::is_const_v<T>)
[[gnu::always_inline]] inline void keep(T& value) {
    if constexpr (internal::in_vector_register<T>) {
        asm volatile("" : "+" HEOROT_VECTOR_REGISTER(value));
    } else if constexpr (internal::in_general_register<T>) {
        asm volatile("" : "+r"(value));
    } else if constexpr (std::is_pointer_v<T>) {
        asm volatile("" : "+r"(value) : : "memory");
    } else {
        asm volatile("" : "+m"(value) : : "memory");
    }
}

}  // namespace heorot
