// storage/latency: how long do small operations on files take, and how long do the slowest?
//
// Method    Each rank has a file of its own in a fresh directory of mode 0700 below --directory,
//           which is removed in the end. A body is one operation:
//             append_fsync: 4 KiB are written behind the last ones, then fsync
//             append_fdatasync: the same with fdatasync
//             open: the file is opened and closed
//             stat: fstatat by its name
//             lock: the file is locked for writing and unlocked (fcntl)
//           A sample is one operation if that takes at least --sample-seconds, else the mean of
//           several: percentiles are meaningful for the former only. Appends begin again at the
//           start of the file after --file-bytes. Directory entries and inodes are cached by the
//           node. All ranks operate at the same time.
// Counts    operations = 1 per rank.
// Comparable  In part: append_fdatasync with fio (--rw=write --bs=4k --fdatasync=1, its write and
//           sync latencies added) and with ioping -W.
// Verified  Every appended byte, as read back after the file was dropped from the page cache,
//           equals a recomputed word; fstatat reports the size that was written; no call fails.
// Source    A. Traeger, E. Zadok, N. Joukov, C. P. Wright, A nine year study of file system and
//           storage benchmarking, ACM Trans. Storage 4 (2008).
// Example   heorot run storage/latency --set regions=append_fsync --set budget=2
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/storage/files/calls.hpp"
#include "benchmarks/storage/files/content.hpp"
#include "benchmarks/storage/files/page_cache.hpp"
#include "benchmarks/storage/files/setting.hpp"
#include "harness/program.hpp"

namespace {

namespace files = heorot::files;

constexpr std::string_view known_regions = "append_fsync,append_fdatasync,open,stat,lock";
constexpr std::size_t page = files::Content::page_bytes;

/// A rank's file and the operations on it.
class Client {
  public:
    Client(int rank, int directory, std::size_t bytes)
        : directory_(directory),
          name_(std::string(heorot::OwnDirectory::file_prefix) + std::to_string(rank)),
          content_(rank, bytes) {}

    /// An empty file, open.
    void begin() {
        file_ = files::File();
        file_ = files::File(directory_, name_.c_str(), O_RDWR | O_CREAT | O_TRUNC, trouble_);
        n_appended_ = 0;
        n_wrong_ = 0;
    }
    /// Makes the words of the next append.
    void prepare_append() {
        if (offset() == 0) content_.next_pass();
        content_.renew(offset(), page);
    }
    void append(int (*flush)(int), const char* call) {
        files::write_all(file_.number(), content_.buffer().subspan(offset(), page), offset(),
                         trouble_);
        if (flush(file_.number()) != 0) trouble_.keep(call, errno);
        ++n_appended_;
    }
    void open_and_close() {
        files::File file(directory_, name_.c_str(), O_RDWR, trouble_);
        file.close(trouble_);
    }
    void stat() {
        struct stat facts{};
        if (fstatat(directory_, name_.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
            trouble_.keep("fstatat", errno);
        }
        n_wrong_ += std::cmp_equal(facts.st_size, size()) ? 0 : 1;
    }
    void lock() {
        struct flock range{};
        for (const short kind : {short{F_WRLCK}, short{F_UNLCK}}) {
            range.l_type = kind;
            if (fcntl(file_.number(), F_SETLK, &range) != 0) trouble_.keep("fcntl", errno);
        }
    }

    /// Reads all that was appended back, from the device if it leaves the page cache.
    std::span<std::byte> read_back() {
        const std::span<std::byte> written = content_.buffer().first(size());
        content_.wipe(0, size());
        files::drop_from_cache(file_, trouble_);
        files::read_all(file_.number(), written, 0, trouble_);
        return written;
    }
    /// Of the words read back, and of the sizes that fstatat has reported.
    std::int64_t n_wrong() const { return n_wrong_ + content_.n_wrong(0, size()); }
    std::size_t size() const { return std::min(n_appended_ * page, content_.size()); }
    const files::Trouble& trouble() const { return trouble_; }

  private:
    std::size_t offset() const { return n_appended_ * page % content_.size(); }

    int directory_;
    std::string name_;
    files::Content content_;
    files::File file_;
    std::size_t n_appended_ = 0;
    std::int64_t n_wrong_ = 0;
    files::Trouble trouble_;
};

/// An operation, and what precedes each outside the timer.
struct Operation {
    std::string region;
    std::function<void()> run;
    std::function<void()> prepare;
};

Operation operation(const std::string& region, Client& client) {
    const auto prepare = [&client] { client.prepare_append(); };
    if (region == "append_fsync") return {region, [&] { client.append(fsync, "fsync"); }, prepare};
    if (region == "append_fdatasync") {
        return {region, [&] { client.append(fdatasync, "fdatasync"); }, prepare};
    }
    if (region == "open") return {region, [&] { client.open_and_close(); }, {}};
    if (region == "stat") return {region, [&] { client.stat(); }, {}};
    return {region, [&] { client.lock(); }, {}};
}

void measure(heorot::Program& program, const heorot::OwnDirectory& directory, Client& client,
             const Operation& operation) {
    client.begin();
    // The others find a file with one page.
    client.prepare_append();
    client.append(fsync, "fsync");
    const auto region = program.measure({.region = operation.region,
                                         .counts = {{"operations", program.world().size()}},
                                         .prepare = operation.prepare},
                                        [&] {
                                            if (!client.trouble().is_there()) operation.run();
                                        });
    const std::span<std::byte> written = client.read_back();
    directory.require_no(client.trouble().text());
    program.corruptible(written);
    program.check(region, "wrong words or sizes", static_cast<double>(client.n_wrong()), 0.0);
}

void latency(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "operations");
    const auto file_bytes = program.option("file-bytes", std::size_t{64} << 20U,
                                           "after which appends begin again, a multiple of 4096");
    const files::Setting setting(program);
    const heorot::Amount file = program.amount("file-bytes");
    program.takes("memory_bytes", heorot::ranks() * (file + 8.0 * heorot::mebibyte));
    program.takes("points", program.n_of("regions"));
    program.takes("file_bytes", heorot::ranks() * file);
    const heorot::Amount appends =
        program.has("regions", "append_fsync") + program.has("regions", "append_fdatasync");
    program.takes("written_bytes",
                  heorot::ranks() * double{page} * appends * program.amount("samples-max"));
    program.start();
    if (file_bytes == 0 || file_bytes % page != 0) {
        throw heorot::UsageError("--file-bytes must be a positive multiple of 4096",
                                 "leave it out for 64M");
    }
    program.require_room();

    // 2. Problem: a directory, in which there is room
    const heorot::OwnDirectory directory = setting.open_directory(program);
    const heorot::Wanted wanted = setting.wanted(static_cast<double>(file_bytes), 1.0);
    directory.require_room(wanted);
    files::note_file_system(program, directory, files::probe(program.job(), directory));
    Client client(program.job().rank(), directory.descriptor(), file_bytes);

    // 3. Measure, 4. verify each operation
    for (const std::string& region : heorot::split_list(regions)) {
        if (setting.is_late(program)) break;
        directory.require_room(wanted, static_cast<double>(client.size()));
        measure(program, directory, client, operation(region, client));
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "storage/latency", latency);
}
