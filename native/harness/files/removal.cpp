// Removing a directory of a run: see removal.hpp.
#include "harness/files/removal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "harness/files/own_directory.hpp"

namespace heorot {

namespace {

// What getdents64 writes: see getdents(2). The name follows.
struct Entry {
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
};
constexpr std::size_t name_offset = offsetof(Entry, type) + 1;

/// Removes every file of the run that one reading of the directory shows; false if there was none.
bool remove_some(int directory) {
    alignas(Entry) std::array<char, 4096> entries;
    bool is_removed = false;
    lseek(directory, 0, SEEK_SET);
    for (;;) {
        const long n = syscall(SYS_getdents64, directory, entries.data(), entries.size());
        if (n <= 0) return is_removed;
        for (std::size_t at = 0; std::cmp_less(at, n);) {
            Entry entry{};
            std::memcpy(&entry, &entries[at], sizeof entry);
            const char* const name = &entries[at + name_offset];
            const auto& prefix = OwnDirectory::file_prefix;
            if (std::strncmp(name, prefix.data(), prefix.size()) == 0) {
                is_removed = unlinkat(directory, name, 0) == 0 || is_removed;
            }
            at += entry.length;
        }
    }
}

/// A place with a name of its own, for signals.
struct Slot {
    std::atomic<bool> is_used{false};
    int parent = -1;
    int directory = -1;
    std::array<char, NAME_MAX + 1> name{};
};
std::array<Slot, 8> slots;

constexpr std::array ending_signals = {SIGHUP,  SIGINT,  SIGQUIT, SIGABRT, SIGBUS,
                                       SIGSEGV, SIGTERM, SIGXCPU, SIGUSR1, SIGUSR2};

extern "C" void remove_and_end(int signal_number) {
    const int error = errno;
    for (const Slot& slot : slots) {
        if (slot.is_used) remove_directory({slot.parent, slot.directory, slot.name.data()});
    }
    errno = error;
    // With its usual effect, so that the parent process sees how this one ended.
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

void install() {
    for (const int number : ending_signals) {
        struct sigaction present{};
        if (sigaction(number, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) continue;
        struct sigaction ours{};
        ours.sa_handler = remove_and_end;
        sigfillset(&ours.sa_mask);
        sigaction(number, &ours, nullptr);
    }
    // A limit of file sizes shows as an error of write, like all others.
    std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

bool remove_directory(const OpenDirectory& place) {
    // File systems may skip entries while others are removed: until a reading shows none.
    while (remove_some(place.directory)) {
    }
    struct stat ours{};
    struct stat named{};
    const bool is_ours = fstat(place.directory, &ours) == 0 &&
                         fstatat(place.parent, place.name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                         ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
    return is_ours && unlinkat(place.parent, place.name, AT_REMOVEDIR) == 0;
}

int remove_at_signals(const OpenDirectory& place) {
    static_assert(std::atomic<bool>::is_always_lock_free);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        Slot& slot = slots[i];
        if (slot.is_used) continue;
        slot.parent = place.parent;
        slot.directory = place.directory;
        std::strncpy(slot.name.data(), place.name, slot.name.size() - 1);
        slot.is_used = true;
        install();
        return static_cast<int>(i);
    }
    return -1;
}

void forget_at_signals(int slot) {
    slots[static_cast<std::size_t>(slot)].is_used = false;
}

}  // namespace heorot
