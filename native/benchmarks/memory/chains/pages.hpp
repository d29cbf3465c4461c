// Memory in pages of a wanted kind: huge ones, as far as the system gives them, or the smallest.
#pragma once

#include <cstddef>

namespace heorot::chains {

/// Size of the smallest pages of this system [byte].
std::size_t small_page_bytes();

/// A mapping of its own, zeroed, at an address divisible by 2 MiB. The thread that first writes a
/// page decides where it lies.
class Pages {
  public:
    enum class Kind { huge, small };

    /// Throws Refusal if there is not enough memory.
    Pages(std::size_t n_bytes, Kind kind);
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages();

    std::byte* data() { return start_; }
    std::size_t size() const { return size_; }
    /// Bytes of it in huge pages, as reported by the system; 0 if unknown.
    std::size_t huge_bytes() const;

  private:
    void* base_ = nullptr;
    std::byte* start_ = nullptr;
    std::size_t length_ = 0;  // of the mapping
    std::size_t size_ = 0;
};

}  // namespace heorot::chains
