// storage/posix: what do files give, from the device and from the page cache?
//
// Method    Each rank has a file of its own in a fresh directory of mode 0700 below --directory,
//           which is removed in the end. One body opens the file, transfers blocks, flushes what it
//           has written (fsync), and closes it; these are phases of each region.
//             write: all blocks of a new file in their order
//             read: all blocks in their order, of a file that is not in the page cache
//             random_write: --random-blocks blocks of an existing file, none twice
//             random_read: the same, of a file that is not in the page cache
//             cached_read: read, of a file that is in the page cache
//           Access is buffered (through the page cache), direct (O_DIRECT) or synchronous (O_DSYNC,
//           random_write only). Depths above 1 are for direct access, through io_uring or as many
//           threads (note engine). Before a read the file is flushed and dropped
//           (posix_fadvise), and mincore looks what is left of it. Where nothing can be dropped,
//           the file system is memory (note cold_reads): no read is cold, and direct is left out.
//           All ranks start at a barrier; a sample is the time of the slowest. No point begins
//           after --seconds.
// Counts    bytes and operations = blocks, over all ranks; preparation and verification are not
//           counted.
// Comparable  In part: with fio (psync or io_uring, end_fsync=1, fallocate=none) and IOR (-F -e)
//           for equal blocks and access. Without a flush their figures include the page cache.
// Verified  Every 8-byte word that a body has read, and after writes the whole file as read back
//           after it was dropped, equals a word recomputed from rank, pass and position. At most
//           1 % of a file is in the page cache before a cold read, at least 99 % before a cached
//           one.
// Source    A. Traeger, E. Zadok, N. Joukov, C. P. Wright, A nine year study of file system and
//           storage benchmarking, ACM Trans. Storage 4 (2008).
// Example   heorot run storage/posix --set regions=write,read --set file-bytes=64M --ranks 2
#include <fcntl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/storage/files/setting.hpp"
#include "benchmarks/storage/posix/client.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

namespace files = heorot::files;
using heorot::posix::Client;
using heorot::posix::Kind;

constexpr std::string_view known_regions = "write,read,random_write,random_read,cached_read";
constexpr std::string_view known_access = "buffered,direct,synchronous";
constexpr std::int64_t largest_block = std::int64_t{1} << 30U;
constexpr double most_cached = 0.01;

struct Wish {
    std::string regions;
    std::string access;
    std::vector<std::int64_t> blocks;
    std::vector<std::int64_t> depths;
    std::size_t file_bytes = 0;
    std::size_t random_blocks = 0;
};

/// A cost of the points that write, and of those that read: the sum over all blocks of the cost of
/// a sequential and of a random region.
struct Costs {
    heorot::Amount writing, reading;
};
Costs over_points(const heorot::Program& program, const Wish& wish, const heorot::Term& sequential,
                  const heorot::Term& random) {
    const auto sum = [&](const heorot::Term& each) {
        return heorot::sum_over("blocks", wish.blocks, each);
    };
    const auto has = [&](std::string_view region) { return program.has("regions", region); };
    const heorot::Amount buffered = program.has("access", "buffered");
    const heorot::Amount direct = program.has("access", "direct") * program.n_of("depths");
    const heorot::Amount both = buffered + direct;
    const heorot::Amount synchronous = program.has("access", "synchronous");
    return {sum(sequential) * (has("write") * both) +
                sum(random) * (has("random_write") * (both + synchronous)),
            sum(sequential) * (has("read") * both + has("cached_read") * buffered) +
                sum(random) * (has("random_read") * both)};
}

void say_what_it_takes(heorot::Program& program, const Wish& wish) {
    const heorot::Amount file = program.amount("file-bytes");
    const auto all = [&](const auto&) { return heorot::Amount(file); };
    const auto some = [&](const auto& block) {
        return smaller(file, block * program.amount("random-blocks"));
    };
    const auto one = [](const auto&) { return heorot::Amount(1.0); };
    program.takes("memory_bytes", heorot::ranks() * (file + 8.0 * heorot::mebibyte));
    const Costs points = over_points(program, wish, one, one);
    const Costs bytes = over_points(program, wish, all, some);
    program.takes("points", points.writing + points.reading);
    program.takes("bytes", heorot::ranks() * (bytes.writing + bytes.reading));
    program.takes("file_bytes", heorot::ranks() * file);
    // At most so many samples, and the file before the first reads.
    program.takes("written_bytes",
                  heorot::ranks() * (file + program.amount("samples-max") * bytes.writing));
}

/// A file is made of whole blocks.
void verify_wish(const Wish& wish) {
    for (const std::int64_t block : wish.blocks) {
        const auto bytes = static_cast<std::size_t>(block);
        if (bytes % files::Content::page_bytes != 0 || wish.file_bytes % bytes != 0) {
            throw heorot::UsageError(
                "--blocks must be multiples of 4096 that divide --file-bytes, not " +
                    std::to_string(block),
                "powers of two, such as --blocks 4096,1048576 --file-bytes 64M");
        }
    }
    if (wish.random_blocks == 0) {
        throw heorot::UsageError("--random-blocks must be positive", "leave it out for 256");
    }
}

/// The kinds of passes of one way.
std::vector<Kind> kinds_of(const Wish& wish, std::string_view way, bool is_cold) {
    const bool is_direct = way == "direct";
    const bool is_synchronous = way == "synchronous";
    std::vector<Kind> kinds;
    for (const std::int64_t block : wish.blocks) {
        for (const std::int64_t depth : is_direct ? wish.depths : std::vector<std::int64_t>{1}) {
            const auto add = [&](const char* region, bool writes, bool is_random, bool is_cached) {
                const auto bytes = static_cast<std::size_t>(block);
                const std::size_t n = wish.file_bytes / bytes;
                kinds.push_back({.region = region,
                                 .access = std::string(way),
                                 .flags = is_direct        ? O_DIRECT
                                          : is_synchronous ? O_DSYNC
                                                           : 0,
                                 .block = bytes,
                                 .blocks = is_random ? std::min(n, wish.random_blocks) : n,
                                 .depth = static_cast<int>(depth),
                                 .writes = writes,
                                 .is_random = is_random,
                                 .is_cached = is_cached});
            };
            const auto wants = [&](std::string_view one) {
                return heorot::lists(wish.regions, one);
            };
            const bool reads_cold = !is_synchronous && is_cold;
            const bool reads_cached =
                way == "buffered" && (wants("cached_read") || (!is_cold && wants("read")));
            if (wants("write") && !is_synchronous) add("write", true, false, false);
            if (wants("random_write")) add("random_write", true, true, !is_cold);
            if (wants("read") && reads_cold) add("read", false, false, false);
            if (wants("random_read") && reads_cold) add("random_read", false, true, false);
            if (reads_cached) add("cached_read", false, false, true);
        }
    }
    return kinds;
}

/// The kinds of access that the file system has; ends the program if it has none of them.
std::vector<std::string> possible(heorot::Program& program, const std::string& access,
                                  const files::Abilities& abilities) {
    std::vector<std::string> ways = heorot::split_list(access);
    if (!abilities.direct) std::erase(ways, "direct");
    if (ways.empty()) program.cannot_run("the file system has no direct I/O (O_DIRECT)");
    return ways;
}

void measure(heorot::Program& program, const heorot::OwnDirectory& directory, Client& client,
             const Kind& kind) {
    const double n = static_cast<double>(kind.blocks) * program.world().size();
    client.begin(kind);
    const auto region = program.measure(
        {.region = kind.region,
         .point = {{"access", kind.access}, {"block_bytes", kind.block}, {"depth", kind.depth}},
         .counts = {{"bytes", n * static_cast<double>(kind.block)}, {"operations", n}},
         .prepare = [&] { client.prepare(); },
         // Every pass begins in the same state: none has to come before.
         .warm_up = [] {}},
        [&] { client.run(); });
    client.fetch();
    directory.require_no(client.trouble().text());
    program.corruptible(client.first_block());
    client.verify();
    program.check(region, "words that are not those written", static_cast<double>(client.n_wrong()),
                  0.0);
    if (kind.makes_file()) return;
    const double astray = kind.is_cached ? 1.0 - client.cached_before() : client.cached_before();
    program.check(region,
                  kind.is_cached ? "share of the file that was not in the page cache before"
                                 : "share of the file in the page cache before",
                  astray, most_cached);
}

void posix(heorot::Program& program) {
    // 1. Options
    Wish wish;
    wish.regions = program.items("regions", known_regions, "what is done with the files");
    wish.access = program.items("access", known_access, "ways to the device", "buffered,direct");
    wish.blocks = program.numbers("blocks", "4096,65536,1048576,16777216", 4096, largest_block,
                                  "lengths of a transfer [B]");
    wish.depths =
        program.numbers("depths", "1", 1, 1024, "direct transfers of a rank at the same time");
    wish.file_bytes = program.option("file-bytes", std::size_t{64} << 20U, "file of a rank [B]");
    wish.random_blocks =
        program.option("random-blocks", std::size_t{256}, "blocks of a random pass");
    const files::Setting setting(program);
    say_what_it_takes(program, wish);
    program.start();
    verify_wish(wish);
    program.require_room();

    // 2. Problem: a directory, in which there is room, and what its file system can do
    const heorot::OwnDirectory directory = setting.open_directory(program);
    const heorot::Wanted wanted = setting.wanted(static_cast<double>(wish.file_bytes), 1.0);
    directory.require_room(wanted);
    const files::Abilities abilities = files::probe(program.job(), directory);
    files::note_file_system(program, directory, abilities);
    program.note("engine", heorot::posix::make_engine(2)->name());
    heorot::posix::Parts parts(program.phases());
    Client client(program.job().rank(), directory.descriptor(), wish.file_bytes, parts);

    // 3. Measure, 4. verify each kind
    for (const std::string& way : possible(program, wish.access, abilities)) {
        for (const Kind& kind : kinds_of(wish, way, abilities.cold)) {
            if (setting.is_late(program)) return;
            directory.require_room(wanted, static_cast<double>(client.held_bytes()));
            measure(program, directory, client, kind);
        }
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "storage/posix", posix);
}
