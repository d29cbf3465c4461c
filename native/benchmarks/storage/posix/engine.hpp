// How blocks of a file are transferred: in turn, or several at the same time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "benchmarks/storage/files/calls.hpp"

namespace heorot::posix {

/// Blocks of an open file, and the buffer that is as long as the file.
struct Transfer {
    int file = -1;
    bool writes = false;
    std::size_t block = 0;                 ///< length of each [B]
    std::span<const std::size_t> offsets;  ///< of each, in the file and in the buffer [B]
    std::byte* buffer = nullptr;

    std::span<std::byte> part(std::size_t i, std::size_t done = 0) const {
        return {buffer + offsets[i] + done, block - done};
    }
    /// Transfers one block, but for what is done of it [B], and waits for it.
    void one(std::size_t i, std::size_t done, files::Trouble& trouble) const {
        if (writes) {
            files::write_all(file, part(i, done), offsets[i] + done, trouble);
        } else {
            files::read_all(file, part(i, done), offsets[i] + done, trouble);
        }
    }
};

/// Transfers blocks with a number of requests in flight.
class Engine {
  public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;
    virtual std::string_view name() const = 0;
    /// Returns when all blocks are transferred, or none is in flight after a failure.
    virtual void run(const Transfer& transfer, files::Trouble& trouble) = 0;
};

/// Calls in turn for depth 1; else io_uring, or as many threads where that is not permitted.
std::unique_ptr<Engine> make_engine(int depth);
/// Threads in any case.
std::unique_ptr<Engine> make_threads(int depth);

}  // namespace heorot::posix
