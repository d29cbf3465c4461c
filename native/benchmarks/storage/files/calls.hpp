// Calls of the system on files: whole blocks, and the first error.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace heorot::files {

/// The first call that failed, and why; it costs nothing while there is none.
class Trouble {
  public:
    /// Keeps the first: the name of a call, and errno or another text of the system's.
    void keep(const char* call, int error) {
        if (call_ == nullptr) call_ = call, error_ = error;
    }
    /// A read that ended before the end of the file.
    void keep_end(const char* call) { keep(call, 0); }
    bool is_there() const { return call_ != nullptr; }
    /// Such as "fsync: No space left on device"; empty without one.
    std::string text() const;

  private:
    const char* call_ = nullptr;
    int error_ = 0;
};

/// An open file, closed in the end; -1 is none.
class File {
  public:
    File() = default;
    /// In an open directory; no link is followed. `flags` as for open(2).
    File(int directory, const char* name, int flags, Trouble& trouble);
    File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    File& operator=(File&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    /// Errors of writing may show as late as here.
    void close(Trouble& trouble);
    void synchronise(Trouble& trouble) const;

  private:
    int number_ = -1;
};

/// Writes or reads all bytes at an offset of a file, in as many calls as the system needs.
void write_all(int file, std::span<const std::byte> bytes, std::size_t offset, Trouble& trouble);
void read_all(int file, std::span<std::byte> bytes, std::size_t offset, Trouble& trouble);

}  // namespace heorot::files
