// The sizes of messages that a sweep goes through, as options give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace heorot::payload {

inline constexpr std::size_t largest_message = std::size_t{1} << 30U;  // [byte]

/// The options --min-bytes, --max-bytes, --points-per-octave and --sizes of a program.
class Sizes {
  public:
    /// Declares the options, before program.start().
    Sizes(Program& program, std::size_t min_bytes, std::size_t max_bytes);

    /// The sizes [byte], in their order; after program.start(). Without --sizes: 0 if it is in the
    /// range, and round(2^(i / points_per_octave)), each once. Throws UsageError if there is none,
    /// or one above 1 GiB.
    std::vector<std::size_t> bytes() const;
    /// The same as numbers of doubles: each size that holds a whole number of them, one at least.
    /// Throws UsageError if there is none.
    std::vector<std::size_t> doubles() const;
    /// The largest size [byte], as a formula of options.
    static Amount largest(const Program& program);
    /// The sum of terms over all sizes [byte], or over those that hold a double, as a formula of
    /// options: sizes that fine steps round to the same whole number count twice.
    Amount sum_over_bytes(const Program& program, const Term& term) const;
    Amount sum_over_doubles(const Program& program, const Term& term) const;
    /// The number of sizes, and their sum [byte].
    struct Together {
        Amount number;
        Amount bytes;
    };
    Together all_bytes(const Program& program) const;
    Together all_doubles(const Program& program) const;
    /// Declares the numbers of points and of messages per body: at each size `n_points` points,
    /// whose bodies together have that many messages.
    static void say_what_is_sent(Program& program, const Together& all, const Amount& n_points,
                                 const Amount& n_messages);

  private:
    Amount sum_from(double least, const Program& program, const Term& term) const;

    std::size_t min_bytes_;
    std::size_t max_bytes_;
    int points_per_octave_;
    std::vector<std::int64_t> list_;
};

}  // namespace heorot::payload
