// Calls on files and the page cache: the first error, no link followed, what is cached.
#include <linux/magic.h>
#include <sys/vfs.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "benchmarks/storage/files/page_cache.hpp"
#include "tests/storage/temporary_file.hpp"

using namespace heorot;
using files::File;
using files::Trouble;

namespace {

constexpr std::size_t size = 1 << 20;

void check_written_bytes_are_read() {
    const tests::TemporaryFile place;
    Trouble trouble;
    File file = place.open(O_RDWR | O_CREAT | O_EXCL, trouble);
    std::vector<std::byte> out(size, std::byte{7});
    std::vector<std::byte> in(size);
    files::write_all(file.number(), out, 4096, trouble);
    file.synchronise(trouble);
    files::read_all(file.number(), in, 4096, trouble);
    CHECK(!trouble.is_there() && trouble.text().empty() && in == out);
    // Its file ends before.
    files::read_all(file.number(), in, 8192, trouble);
    CHECK(trouble.text() == "read: the file ends too early");
    // The first stays.
    files::write_all(-1, out, 0, trouble);
    CHECK(trouble.text() == "read: the file ends too early");
}

void check_errors() {
    const tests::TemporaryFile place;
    Trouble trouble;
    CHECK(!place.open(O_RDONLY, trouble).is_open());
    CHECK(trouble.text() == "open: No such file or directory");
    std::filesystem::create_symlink("/etc/passwd", place.path());
    Trouble of_link;
    CHECK(!place.open(O_RDONLY, of_link).is_open() && of_link.is_there());
    Trouble full;
    const File device(AT_FDCWD, "/dev/full", O_WRONLY, full);
    files::write_all(device.number(), std::vector<std::byte>(10), 0, full);
    CHECK(full.text() == "write: No space left on device");
}

void check_what_is_cached() {
    const tests::TemporaryFile place;
    Trouble trouble;
    const File file = place.open(O_RDWR | O_CREAT, trouble);
    files::write_all(file.number(), std::vector<std::byte>(size), 0, trouble);
    CHECK(files::cached_share(file, size) == 1.0);
    files::drop_from_cache(file, trouble);
    CHECK(!trouble.is_there());
    // All of it goes, or nothing where files are memory.
    struct statfs facts{};
    CHECK(fstatfs(file.number(), &facts) == 0);
    const bool is_memory =
        std::cmp_equal(facts.f_type, TMPFS_MAGIC) || std::cmp_equal(facts.f_type, RAMFS_MAGIC);
    CHECK(files::cached_share(file, size) == (is_memory ? 1.0 : 0.0));
    std::vector<std::byte> half(size / 2);
    files::read_all(file.number(), half, 0, trouble);
    CHECK(files::cached_share(file, size).value_or(0.0) >= 0.5);
    CHECK(!files::cached_share(File(), size));
}

}  // namespace

int main() {
    check_written_bytes_are_read();
    check_errors();
    check_what_is_cached();
    return tests::result();
}
