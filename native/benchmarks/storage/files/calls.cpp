// Calls of the system on files: see calls.hpp.
#include "benchmarks/storage/files/calls.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heorot::files {

namespace {

constexpr mode_t only_mine = 0600;

/// Calls again what was interrupted or did a part only: `call` is of pwrite's kind.
template <class Byte, class Call>
void do_all(std::span<Byte> bytes, std::size_t offset, Trouble& trouble, const char* name,
            const Call& call) {
    while (!bytes.empty()) {
        const ssize_t n = call(bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (n > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
            offset += static_cast<std::size_t>(n);
        } else if (n == 0) {
            return trouble.keep_end(name);
        } else if (errno != EINTR) {
            return trouble.keep(name, errno);
        }
    }
}

}  // namespace

std::string Trouble::text() const {
    if (call_ == nullptr) return {};
    const char* const reason = error_ == 0 ? "the file ends too early" : std::strerror(error_);
    return std::string(call_) + ": " + reason;
}

File::File(int directory, const char* name, int flags, Trouble& trouble)
    : number_(openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC, only_mine)) {
    if (number_ < 0) trouble.keep("open", errno);
}

File::~File() {
    if (number_ >= 0) ::close(number_);
}

void File::close(Trouble& trouble) {
    if (number_ >= 0 && ::close(std::exchange(number_, -1)) != 0) trouble.keep("close", errno);
}

void File::synchronise(Trouble& trouble) const {
    if (number_ >= 0 && fsync(number_) != 0) trouble.keep("fsync", errno);
}

void write_all(int file, std::span<const std::byte> bytes, std::size_t offset, Trouble& trouble) {
    do_all(bytes, offset, trouble, "write",
           [&](const void* from, std::size_t n, off_t at) { return pwrite(file, from, n, at); });
}

void read_all(int file, std::span<std::byte> bytes, std::size_t offset, Trouble& trouble) {
    do_all(bytes, offset, trouble, "read",
           [&](void* to, std::size_t n, off_t at) { return pread(file, to, n, at); });
}

}  // namespace heorot::files
