// Checks the entries of a rank against each other.
#include "ledger.hpp"

#include <array>
#include <cstdio>
#include <functional>
#include <utility>

namespace heorot::usage {

namespace {

using Lock = std::scoped_lock<std::mutex>;

std::vector<Span> spans_of(const Buffers& buffers) {
    std::vector<Span> spans;
    for (const Buffer& buffer : buffers) spans.push_back(span_of(buffer));
    return spans;
}

bool overlap(const std::vector<Span>& some, const std::vector<Span>& others) {
    for (const Span& one : some) {
        for (const Span& other : others) {
            if (one.overlaps(other)) return true;
        }
    }
    return false;
}

}  // namespace

Ledger& ledger() {
    static Ledger instance;
    return instance;
}

void Ledger::problem(const std::string& text) {
    problems_.insert(text);
}

void Ledger::made(const std::string& kind, std::uintptr_t object, const char* by) {
    const Lock lock(mutex_);
    objects_[kind][object].emplace_back(by);
    ++n_made_[kind];
}

void Ledger::freed(const std::string& kind, std::uintptr_t object, const char* by) {
    const Lock lock(mutex_);
    auto& alive = objects_[kind];
    const auto entry = alive.find(object);
    if (entry == alive.end()) {
        problem(std::string(by) + " frees a " + kind + " that was not seen to be made");
        return;
    }
    entry->second.pop_front();
    if (entry->second.empty()) alive.erase(entry);
}

/// Two operations may read the same memory at once; all else is an error.
void Ledger::begin(const Footprint& footprint, const char* by) {
    const std::vector<Span> read = spans_of(footprint.read);
    const std::vector<Span> written = spans_of(footprint.written);
    for (const auto& [handle, operations] : requests_) {
        for (const Operation& other : operations) {
            if (!other.is_active) continue;
            if (overlap(read, other.written) || overlap(written, other.read) ||
                overlap(written, other.written)) {
                problem(std::string(by) + " uses memory of a pending " + other.by);
            }
        }
    }
    if (footprint.sends_to != MPI_PROC_NULL) ++n_sent_;
    if (footprint.receives_from != MPI_PROC_NULL) ++n_received_;
    for (const Buffer& buffer : footprint.read) expect_defined(buffer);
    for (const Buffer& buffer : footprint.written) expect_addressable(buffer);
}

void Ledger::use(const Footprint& footprint, const char* by) {
    const Lock lock(mutex_);
    begin(footprint, by);
}

void Ledger::request_made(MPI_Request request, Footprint footprint, const char* by,
                          Lifetime lifetime) {
    const Lock lock(mutex_);
    Operation operation{by, std::move(footprint), lifetime, lifetime == Lifetime::once};
    operation.read = spans_of(operation.footprint.read);
    operation.written = spans_of(operation.footprint.written);
    requests_[key_of(request)].push_back(std::move(operation));
    ++n_made_["request"];
}

Ledger::Operation* Ledger::first(MPI_Request request, const char* by) {
    const auto entry = requests_.find(key_of(request));
    if (entry != requests_.end()) return &entry->second.front();
    problem(std::string(by) + " is given a request that was not seen to be made");
    return nullptr;
}

void Ledger::forget(MPI_Request request) {
    const auto entry = requests_.find(key_of(request));
    entry->second.pop_front();
    if (entry->second.empty()) requests_.erase(entry);
}

void Ledger::request_started(MPI_Request request, const char* by) {
    const Lock lock(mutex_);
    Operation* const operation = first(request, by);
    if (operation == nullptr) return;
    if (operation->is_active) problem(std::string(by) + " starts a request that is active");
    begin(operation->footprint, by);
    operation->is_active = true;
}

void Ledger::request_completed(MPI_Request request, const char* by) {
    if (request == MPI_REQUEST_NULL) return;
    const Lock lock(mutex_);
    Operation* const operation = first(request, by);
    if (operation == nullptr) return;
    operation->is_active = false;
    if (operation->lifetime == Lifetime::once) forget(request);
}

void Ledger::request_freed(MPI_Request request, const char* by) {
    const Lock lock(mutex_);
    const Operation* const operation = first(request, by);
    if (operation == nullptr) return;
    if (operation->is_active) problem(std::string(by) + " frees a request that is active");
    forget(request);
}

void Ledger::agree(MPI_Comm group, const char* by, long about) {
    const std::string call = std::string(by) + " " + std::to_string(about);
    const auto hash = static_cast<long>(std::hash<std::string>{}(call) >> 1U);
    const std::array<long, 2> own{hash, -hash};
    std::array<long, 2> least{};
    PMPI_Allreduce(own.data(), least.data(), 2, MPI_LONG, MPI_MIN, group);
    const Lock lock(mutex_);
    if (least[0] != -least[1]) problem(std::string(by) + " meets another call or other sizes");
}

void Ledger::note_what_is_left() {
    for (const auto& [kind, alive] : objects_) {
        for (const auto& [handle, makers] : alive) {
            for (const std::string& by : makers) {
                problem(std::string("a ").append(kind).append(" of ").append(by) + " is left");
            }
        }
    }
    for (const auto& [handle, operations] : requests_) {
        for (const Operation& operation : operations) {
            problem("a request of " + operation.by + " is left");
        }
    }
}

int Ledger::close() {
    const Lock lock(mutex_);
    note_what_is_left();
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (const std::string& text : problems_) {
        std::fprintf(stderr, "mpi-usage: rank %d: %s\n", rank, text.c_str());
    }
    std::array<long, 3> sums{std::ssize(problems_), n_sent_, n_received_};
    PMPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    const long n_lost = sums[1] - sums[2];
    const int n_problems = static_cast<int>(sums[0]) + (n_lost == 0 ? 0 : 1);
    if (rank > 0) return n_problems;
    if (n_lost != 0) std::fprintf(stderr, "mpi-usage: %ld messages are not received\n", n_lost);
    std::fprintf(stderr, "mpi-usage: %d problems, %ld messages", n_problems, sums[1]);
    for (const auto& [kind, n] : n_made_) std::fprintf(stderr, ", %ld %ss", n, kind.c_str());
    std::fprintf(stderr, "\n");
    return n_problems;
}

}  // namespace heorot::usage
