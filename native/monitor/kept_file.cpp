// Files of the kernel that stay open.
#include "monitor/kept_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace heorot::monitor {

KeptFile::KeptFile(const std::string& path)
    : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}

KeptFile::KeptFile(KeptFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

KeptFile& KeptFile::operator=(KeptFile&& other) noexcept {
    if (this != &other) {
        close();
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

KeptFile::~KeptFile() {
    close();
}

void KeptFile::close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}

std::string_view KeptFile::read(std::string& buffer, std::size_t most_bytes) const {
    if (descriptor_ < 0) return {};
    constexpr std::size_t least_bytes = 4096;
    if (buffer.size() < least_bytes) buffer.resize(least_bytes);
    std::size_t length = 0;
    while (length < most_bytes) {
        if (length == buffer.size()) buffer.resize(std::min(2 * buffer.size(), most_bytes));
        const ssize_t n =
            pread(descriptor_, buffer.data() + length, std::min(buffer.size(), most_bytes) - length,
                  static_cast<off_t>(length));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return {};
        if (n == 0) break;
        length += static_cast<std::size_t>(n);
    }
    return {buffer.data(), length};
}

}  // namespace heorot::monitor
