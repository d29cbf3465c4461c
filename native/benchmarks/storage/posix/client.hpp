// A rank with its file: passes over it that are timed, and what is prepared and verified around.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/storage/files/calls.hpp"
#include "benchmarks/storage/files/content.hpp"
#include "benchmarks/storage/posix/engine.hpp"
#include "harness/files/own_directory.hpp"
#include "harness/measure/phases.hpp"

namespace heorot::posix {

/// What a pass does.
struct Kind {
    std::string region;
    std::string access;      ///< buffered, direct or synchronous
    int flags = 0;           ///< of open(2) for that way
    std::size_t block = 0;   ///< [B]
    std::size_t blocks = 0;  ///< transferred in a pass
    int depth = 1;
    bool writes = false;
    bool is_random = false;
    bool is_cached = false;  ///< the file is in the page cache before, else out of it

    bool makes_file() const { return writes && !is_random; }
};

/// The parts of a timed pass.
struct Parts {
    explicit Parts(Phases& phases)
        : all(phases),
          open(phases.add("open")),
          transfer(phases.add("transfer")),
          flush(phases.add("flush")),
          close(phases.add("close")) {}
    Phases& all;
    Phase open, transfer, flush, close;
};

/// One rank's file, at first not there. All sizes are multiples of 4096.
class Client {
  public:
    /// In an open directory, of `bytes` [B].
    Client(int rank, int directory, std::size_t bytes, Parts& parts);

    /// Begins passes of a kind: nothing that was counted before counts.
    void begin(const Kind& kind);
    /// Puts the file and the page cache into the state that a pass begins in; verifies what the
    /// pass before has read. If that pass never ran, the next one does its work.
    void prepare();
    /// One pass, from open to close. After a failure it does nothing.
    void run();
    /// After writes: reads the whole file back, from the device if it leaves the page cache.
    void fetch();
    /// Verifies what was read last.
    void verify();

    /// The part of the buffer that is verified first: for deliberate damage.
    std::span<std::byte> first_block();
    std::int64_t n_wrong() const { return n_wrong_; }
    /// The share of the file in the page cache before the passes, farthest from what it should be.
    double cached_before() const { return cached_before_; }
    std::size_t held_bytes() const { return is_whole_ ? content_.size() : 0; }
    const files::Trouble& trouble() const { return trouble_; }

  private:
    files::File open(int flags);
    void lay_out();
    void choose_blocks();
    void settle_cache();

    int directory_;
    std::string name_;
    Parts& parts_;
    files::Content content_;
    std::unique_ptr<Engine> engine_;
    Kind kind_;
    std::vector<std::size_t> offsets_;  // of the blocks of a pass
    std::uint64_t n_chosen_ = 0;        // how often blocks were chosen at random
    std::vector<std::size_t> order_;    // of all blocks, shuffled
    bool is_whole_ = false;             // the file has all its bytes
    bool is_chosen_ = false;            // blocks are chosen that no pass has transferred
    bool has_read_ = false;             // what was read is yet to be verified
    double cached_before_ = 0.0;
    std::int64_t n_wrong_ = 0;
    files::Trouble trouble_;
};

}  // namespace heorot::posix
