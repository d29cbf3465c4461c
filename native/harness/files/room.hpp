// Room in a file system: what is free, and how much of it a program may use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heorot {

/// What this user may still write to a file system; none where it is unknown. Quotas of users
/// are not in it.
struct Room {
    std::optional<double> bytes;   ///< [B]
    std::optional<double> inodes;  ///< files and directories
};

/// Of the file system of an open file or directory; nothing if it cannot be asked.
Room room_in(int descriptor);

/// Files of a program on one host, all ranks together.
struct Wanted {
    double bytes = 0.0;   ///< at any time [B]
    double inodes = 0.0;  ///< at any time
    double most = 0.0;    ///< limit of the user, in bytes [B]
};

/// Why files do not fit, one clause; empty if they do. They may take a tenth of what is free, and
/// no more than the user's limit; `held` [B] of them are there already.
std::string lack_of_room(const Room& room, const Wanted& wanted, double held = 0.0);

}  // namespace heorot
