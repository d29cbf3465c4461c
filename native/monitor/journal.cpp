// Writing samples into a file, line by line.
#include "monitor/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace heorot::monitor {

namespace {

// statfs(2): file systems whose files this computer's own disks do not hold.
constexpr std::array<unsigned long, 9> remote_systems = {
    0x6969,      // NFS
    0x0BD00BD0,  // Lustre
    0x47504653,  // GPFS
    0x19830326,  // BeeGFS
    0x00C36400,  // Ceph
    0xFF534D42,  // CIFS
    0xFE534D42,  // SMB 2
    0x65735546,  // FUSE, as of GlusterFS
    0x5346414F,  // AFS
};

bool is_remote(int descriptor) {
    struct statfs system{};
    if (fstatfs(descriptor, &system) != 0) return false;
    const auto type = static_cast<unsigned long>(system.f_type) & 0xFFFFFFFFUL;
    return std::find(remote_systems.begin(), remote_systems.end(), type) != remote_systems.end();
}

bool ends_in_a_line(int descriptor) {
    const off_t length = lseek(descriptor, 0, SEEK_END);
    char last = '\n';
    if (length > 0 && pread(descriptor, &last, 1, length - 1) != 1) last = '\n';
    return last != '\n';
}

}  // namespace

Journal::Journal(const std::string& path)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) throw JournalError("cannot write " + path + ": " + std::strerror(errno));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(descriptor_);
        throw JournalError("another monitor writes " + path);
    }
    is_remote_ = is_remote(descriptor_);
    is_torn_ = ends_in_a_line(descriptor_);
}

Journal::~Journal() {
    if (descriptor_ >= 0) close(descriptor_);
}

void Journal::write(std::string_view line) {
    piece_.clear();
    if (is_torn_) piece_ += '\n';
    piece_ += line;
    piece_ += '\n';
    const ssize_t n = ::write(descriptor_, piece_.data(), piece_.size());
    if (n > 0) is_torn_ = static_cast<std::size_t>(n) < piece_.size();
    if (n > 0 && is_remote_) fdatasync(descriptor_);
}

}  // namespace heorot::monitor
