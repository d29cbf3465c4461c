// Preconditions that hold in every build, and the errors that end a program in an orderly way.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace heorot {

/// Ends the whole job with `sentence` on stderr unless `condition` holds; in every build. Not for
/// timed bodies.
void expects(bool condition, const char* sentence,
             std::source_location where = std::source_location::current());

/// How a program ends. `broken` is our own bug; a crash has the code of its signal.
enum class ExitCode : int { ok = 0, check_failed = 1, usage = 2, cannot_run = 3, broken = 70 };

/// The user's mistake: one line and a hint, exit 2.
class UsageError : public std::runtime_error {
  public:
    UsageError(const std::string& message, std::string hint)
        : std::runtime_error(message), hint_(std::move(hint)) {}
    const std::string& hint() const { return hint_; }

  private:
    std::string hint_;
};

/// This program cannot run here, exit 3. A refusal that only some ranks may know of (memory) is
/// not collective, and ends the other ranks by force.
class Refusal : public std::runtime_error {
  public:
    enum class Scope { all_ranks, this_rank };
    Refusal(const std::string& reason, Scope scope) : std::runtime_error(reason), scope_(scope) {}
    Scope scope() const { return scope_; }

  private:
    Scope scope_;
};

/// Whether `value` is not a number, by its bits: with options such as -ffinite-math-only compilers
/// delete a comparison.
bool is_nan(double value);

/// The larger of the two, NaN if any of them is: std::max drops a NaN in its second place, and
/// would hide the error.
double larger(double a, double b);

/// Fills results before a region, so that none of another one is left in them: no result comes
/// near it, and it is a number for every compiler, unlike NaN.
constexpr double no_result = -1e300;

}  // namespace heorot
