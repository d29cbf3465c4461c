// The buffer of a message: elements at the start of a page, with a guard.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "harness/program.hpp"

namespace heorot::payload {

inline constexpr std::size_t guard_bytes = 64;  // behind the elements: must stay untouched
inline constexpr std::byte guard{0xa5};

/// n elements at the start of a page, first touched by the rank that makes them, and zero.
template <class T>
class Buffer {
  public:
    explicit Buffer(std::size_t n) : memory_(n * sizeof(T) + guard_bytes + page_bytes), n_(n) {
        void* start = memory_.data();
        std::size_t room = memory_.size();
        std::align(page_bytes, n * sizeof(T) + guard_bytes, start, room);
        start_ = static_cast<std::byte*>(start);
        std::fill_n(start_, n * sizeof(T), std::byte{0});
        guard_behind(n);
    }

    T* data() const { return reinterpret_cast<T*>(start_); }
    std::size_t size() const { return n_; }
    std::span<T> all() const { return {data(), n_}; }
    std::span<T> first(std::size_t n) const { return all().first(n); }

    /// Marks the bytes behind the first n elements, which may hold others, with the guard.
    void guard_behind(std::size_t n) const { std::ranges::fill(behind(n), guard); }
    /// The number of these bytes that were overwritten since.
    std::int64_t n_touched_behind(std::size_t n) const {
        return std::ssize(behind(n)) - std::ranges::count(behind(n), guard);
    }

  private:
    std::span<std::byte> behind(std::size_t n) const {
        return {start_ + n * sizeof(T), guard_bytes};
    }

    static constexpr std::size_t page_bytes = 4096;
    heorot::Array<std::byte> memory_;
    std::byte* start_ = nullptr;
    std::size_t n_;
};

}  // namespace heorot::payload
