// A small file of the kernel that stays open and is read repeatedly.
#pragma once

#include <string>
#include <string_view>

namespace heorot::monitor {

/// Reading an open file anew costs the kernel half of what opening it does.
class KeptFile {
  public:
    KeptFile() = default;
    /// A file that is not there is no mistake: it reads as empty.
    explicit KeptFile(const std::string& path);
    KeptFile(const KeptFile&) = delete;
    KeptFile& operator=(const KeptFile&) = delete;
    KeptFile(KeptFile&& other) noexcept;
    KeptFile& operator=(KeptFile&& other) noexcept;
    ~KeptFile();

    bool is_open() const { return descriptor_ >= 0; }
    /// All of it from its begin, in `buffer`, which grows if it has to, up to `most_bytes`; empty
    /// if it cannot be read (any more). The view is valid until `buffer` is used again.
    std::string_view read(std::string& buffer, std::size_t most_bytes = default_most_bytes) const;
    void close();

    static constexpr std::size_t default_most_bytes = std::size_t{1} << 22U;

  private:
    int descriptor_ = -1;
};

}  // namespace heorot::monitor
