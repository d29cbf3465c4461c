// A directory for the files of a run: see own_directory.hpp.
#include "harness/files/own_directory.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <span>

#include "harness/files/removal.hpp"
#include "harness/record/check.hpp"

namespace heorot {

namespace {

constexpr int directory_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t only_mine = 0700;

std::string because(const std::string& what) {
    return what + ": " + std::strerror(errno);
}

std::uint64_t random_word() {
    std::uint64_t word = 0;
    // Never blocks for so few bytes once the system is up; the name is unique without it, too.
    if (getrandom(&word, sizeof word, GRND_NONBLOCK) != sizeof word) word = 0;
    return word;
}

void refuse_together(const World& job, const std::string& problem) {
    if (job.maximum(problem.empty() ? 0.0 : 1.0) == 0.0) return;
    // Rank 0 has all of them, and writes the record.
    for (const std::string& one : job.gather(problem)) {
        if (!one.empty()) throw Refusal(one, Refusal::Scope::all_ranks);
    }
    throw Refusal(problem, Refusal::Scope::all_ranks);
}

}  // namespace

OwnDirectory::OwnDirectory(const World& job, const std::string& parent)
    : job_(job), parent_(chosen(parent)) {
    std::string problem = job.leads_host() ? make() : "";
    std::array<char, NAME_MAX + 1> name{};
    std::memcpy(name.data(), name_.data(), name_.size());
    job.host().broadcast<std::byte>(std::as_writable_bytes(std::span(name)));
    name_ = name.data();
    if (problem.empty()) problem = enter();
    try {
        refuse_together(job, problem);
    } catch (...) {
        close_all();
        throw;
    }
}

std::string OwnDirectory::chosen(const std::string& parent) {
    if (!parent.empty()) return parent;
    const char* const temporary = std::getenv("TMPDIR");
    return temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
}

std::string OwnDirectory::make() {
    const int parent = open(parent_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0) return because("cannot open the directory " + parent_);
    const std::string name = directory_name(this_process(), random_word());
    // Whatever has this name already, a link included, lets it fail.
    const bool is_made = mkdirat(parent, name.c_str(), only_mine) == 0;
    const std::string problem = is_made ? "" : because("cannot make a directory in " + parent_);
    close(parent);
    if (is_made) name_ = name;
    return problem;
}

std::string OwnDirectory::enter() {
    if (name_.empty()) return {};  // the first rank of this host reports it
    parent_descriptor_ = open(parent_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent_descriptor_ < 0) return because("cannot open the directory " + parent_);
    const int opened = openat(parent_descriptor_, name_.c_str(), directory_flags);
    if (opened < 0) return because("cannot open the directory " + parent_ + "/" + name_);
    struct stat found{};
    if (fstat(opened, &found) != 0 || found.st_uid != geteuid()) {
        close(opened);  // not to be removed
        return parent_ + "/" + name_ + " belongs to another user";
    }
    descriptor_ = opened;
    // mkdirat leaves out what the umask of the user forbids.
    if (fchmod(descriptor_, only_mine) != 0) return because("cannot change " + name_);
    slot_ = remove_at_signals({parent_descriptor_, descriptor_, name_.c_str()});
    return slot_ < 0 ? "too many directories of one process" : "";
}

void OwnDirectory::close_all() {
    if (slot_ >= 0) forget_at_signals(slot_);
    if (descriptor_ >= 0) {
        if (job_.leads_host()) {
            remove_directory({parent_descriptor_, descriptor_, name_.c_str()});
        }
        close(descriptor_);
    }
    if (parent_descriptor_ >= 0) close(parent_descriptor_);
}

OwnDirectory::~OwnDirectory() {
    close_all();
}

void OwnDirectory::require_room(const Wanted& of_rank, double held) const {
    // Each host has its own view of the file system, which may be its own.
    const Wanted of_host{.bytes = job_.sum_on_host(of_rank.bytes),
                         .inodes = job_.sum_on_host(of_rank.inodes),
                         .most = of_rank.most};
    const double held_by_host = job_.sum_on_host(held);
    const std::string lack = lack_of_room(room_in(descriptor_), of_host, held_by_host);
    require_no(lack);
}

void OwnDirectory::require_no(const std::string& problem) const {
    refuse_together(job_, problem.empty() ? "" : problem + " in " + parent_);
}

}  // namespace heorot
