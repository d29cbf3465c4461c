// Arrays for measuring: aligned, not touched before the benchmark does, no two aliasing in a cache.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace heorot {

/// Which pages large arrays lie in: huge ones, as far as the system gives them, base pages, or
/// what the system gives to programs that do not ask.
enum class Pages { huge, base, system };

/// Arrays that are made from now on ask for these pages; huge ones before the first call.
void ask_for(Pages pages);
/// The pages that they ask for.
Pages asked_pages();

namespace internal {

struct Allocation {
    void* start = nullptr;   ///< where the elements begin
    void* base = nullptr;    ///< what the system gave
    std::size_t length = 0;  ///< of the mapping [byte], 0 if it is not one
};

/// Untouched memory for `n` elements of `element_bytes`. Throws Refusal naming the size.
Allocation allocate(std::size_t n, std::size_t element_bytes, Pages pages);
void release(const Allocation& allocation) noexcept;

}  // namespace internal

/// n elements of indeterminate value at an address divisible by 64. From 2 MiB on the pages are
/// new, so that the thread that first writes a page decides where it lies, and of the kind that
/// was asked for.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    Array() = default;
    /// Throws Refusal if there is not enough memory.
    explicit Array(std::size_t n, Pages pages = asked_pages())
        : allocation_(internal::allocate(n, sizeof(T), pages)), size_(n) {}
    Array(Array&& other) noexcept
        : allocation_(std::exchange(other.allocation_, {})), size_(std::exchange(other.size_, 0)) {}
    Array& operator=(Array&& other) noexcept {
        std::swap(allocation_, other.allocation_);
        std::swap(size_, other.size_);
        return *this;
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { internal::release(allocation_); }

    std::size_t size() const { return size_; }
    T* data() { return static_cast<T*>(allocation_.start); }
    const T* data() const { return static_cast<const T*>(allocation_.start); }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    /// A view of all elements; valid as long as the array lives.
    std::span<T> span() { return {data(), size_}; }
    std::span<const T> span() const { return {data(), size_}; }

  private:
    internal::Allocation allocation_;
    std::size_t size_ = 0;
};

}  // namespace heorot
