// MPI objects that one rank has created and freed, and buffers that its requests still use.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "buffers.hpp"

namespace heorot::usage {

using Buffers = std::vector<Buffer>;

/// Memory that an operation reads and writes, and its peers in messages.
struct Footprint {
    Buffers read = {};
    Buffers written = {};
    int sends_to = MPI_PROC_NULL;
    int receives_from = MPI_PROC_NULL;
};

enum class Lifetime { once, persistent };

/// A handle of any MPI library, whether a number or an address.
template <class Handle>
std::uintptr_t key_of(Handle handle) {
    static_assert(sizeof(Handle) <= sizeof(std::uintptr_t));
    std::uintptr_t key = 0;
    std::memcpy(&key, &handle, sizeof(handle));
    return key;
}

/// Safe to be used by several threads. `by` names the MPI function that is called.
class Ledger {
  public:
    void made(const std::string& kind, std::uintptr_t object, const char* by);
    void freed(const std::string& kind, std::uintptr_t object, const char* by);

    /// An operation that ends when its function returns, or is about to start.
    void use(const Footprint& footprint, const char* by);
    /// A request exists, active unless it is a persistent one.
    void request_made(MPI_Request request, Footprint footprint, const char* by,
                      Lifetime lifetime = Lifetime::once);
    void request_started(MPI_Request request, const char* by);
    void request_completed(MPI_Request request, const char* by);
    void request_freed(MPI_Request request, const char* by);

    /// Reports it if the ranks of `group` are not in the same call with the same `about`.
    /// **Collective** over these.
    void agree(MPI_Comm group, const char* by, long about = 0);

    /// Prints remaining objects and errors. Returns their number on all ranks.
    /// **Collective** over all ranks.
    int close();

  private:
    struct Operation {
        std::string by;
        Footprint footprint;
        Lifetime lifetime;
        bool is_active;
        std::vector<Span> read = {};
        std::vector<Span> written = {};
    };

    void begin(const Footprint& footprint, const char* by);
    Operation* first(MPI_Request request, const char* by);
    void forget(MPI_Request request);
    void problem(const std::string& text);
    void note_what_is_left();

    std::mutex mutex_;
    std::map<std::string, std::map<std::uintptr_t, std::deque<std::string>>> objects_;
    std::map<std::string, long> n_made_;
    // Libraries use one handle for several operations that were complete at once.
    std::map<std::uintptr_t, std::deque<Operation>> requests_;
    std::set<std::string> problems_;
    long n_sent_ = 0;
    long n_received_ = 0;
};

/// The ledger of this rank.
Ledger& ledger();

}  // namespace heorot::usage
