// Room in a file system: a tenth of what is free, the limit of the user, and what is unknown.
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "harness/files/room.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

constexpr double megabyte = 1e6;
const Wanted wanted{.bytes = 10.0 * megabyte, .inodes = 3.0, .most = 1e9};

bool fits(const Room& room, double held = 0.0) {
    return lack_of_room(room, wanted, held).empty();
}

void check_a_tenth() {
    CHECK(fits({.bytes = 100.0 * megabyte, .inodes = 30.0}));
    CHECK(!fits({.bytes = 99.0 * megabyte, .inodes = 30.0}));
    CHECK(!fits({.bytes = 100.0 * megabyte, .inodes = 29.0}));
    // Bytes that are held already are not missing.
    CHECK(fits({.bytes = 90.0 * megabyte, .inodes = 30.0}, 10.0 * megabyte));
    CHECK(!fits({.bytes = 0.0, .inodes = 30.0}));
}

void check_limit_and_words() {
    CHECK(lack_of_room({.bytes = 50.0 * megabyte, .inodes = {}}, wanted) ==
          "no room for 10 MB: a tenth of what is free may be used, 5 MB");
    CHECK(lack_of_room({.bytes = {}, .inodes = 10.0}, wanted) ==
          "no room for 3 files: a tenth of the free inodes may be used, 1");
    Wanted large = wanted;
    large.most = 5.0 * megabyte;
    CHECK(lack_of_room({.bytes = 1e12, .inodes = {}}, large) ==
          "files of 10 MB are above the limit of 5 MB");
}

void check_unknown() {
    CHECK(fits({}));
    CHECK(!room_in(-1).bytes);
    const int here = open("/tmp", O_RDONLY | O_DIRECTORY);
    CHECK(here >= 0 && room_in(here).bytes > 0.0);
    close(here);
}

}  // namespace

int main() {
    check_a_tenth();
    check_limit_and_words();
    check_unknown();
    return tests::result();
}
