// Room in a file system: see room.hpp.
#include "harness/files/room.hpp"

#include <sys/statvfs.h>

#include <array>
#include <cstdio>

namespace heorot {

namespace {

constexpr double usable_share = 0.1;
constexpr double megabyte = 1e6;

std::string clause(const char* form, double needed, double usable) {
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), form, needed, usable);
    return text.data();
}

}  // namespace

Room room_in(int descriptor) {
    struct statvfs space{};
    if (fstatvfs(descriptor, &space) != 0) return {};
    Room room;
    // File systems without a size, such as ramfs, report none; some have no table of inodes.
    if (space.f_blocks > 0) {
        room.bytes = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
    }
    if (space.f_files > 0) room.inodes = static_cast<double>(space.f_favail);
    return room;
}

std::string lack_of_room(const Room& room, const Wanted& wanted, double held) {
    if (wanted.bytes > wanted.most) {
        return clause("files of %.4g MB are above the limit of %.4g MB", wanted.bytes / megabyte,
                      wanted.most / megabyte);
    }
    if (room.bytes && wanted.bytes > usable_share * (*room.bytes + held)) {
        return clause("no room for %.4g MB: a tenth of what is free may be used, %.4g MB",
                      wanted.bytes / megabyte, usable_share * (*room.bytes + held) / megabyte);
    }
    if (room.inodes && wanted.inodes > usable_share * *room.inodes) {
        return clause("no room for %.0f files: a tenth of the free inodes may be used, %.0f",
                      wanted.inodes, usable_share * *room.inodes);
    }
    return {};
}

}  // namespace heorot
