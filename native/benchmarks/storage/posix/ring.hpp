// Requests to the kernel through queues in shared memory (io_uring), by its system calls alone.
#pragma once

#include <cstddef>
#include <memory>

#include "benchmarks/storage/posix/engine.hpp"

namespace heorot::posix {

/// A queue of requests and one of completions. Source: io_uring(7), io_uring_setup(2),
/// io_uring_enter(2).
class Ring final : public Engine {
  public:
    /// For `depth` requests at the same time; none if the kernel has no io_uring with plain reads
    /// and writes (Linux 5.6), or does not permit it.
    static std::unique_ptr<Ring> make(unsigned depth);
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;
    ~Ring() override;

    std::string_view name() const override { return "io_uring"; }
    void run(const Transfer& transfer, files::Trouble& trouble) override;

  private:
    struct Queues;
    Ring(unsigned depth, std::unique_ptr<Queues> queues);
    void enter(unsigned n_new, files::Trouble& trouble);
    std::size_t take_completions(const Transfer& transfer, files::Trouble& trouble);

    unsigned depth_;
    std::unique_ptr<Queues> queues_;
};

}  // namespace heorot::posix
