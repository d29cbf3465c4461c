// Reading the sizes of messages from options.
#include "benchmarks/messages/payload/sizes.hpp"

#include <algorithm>
#include <cmath>

namespace heorot::payload {

namespace {

Amount one(const Amount& /*bytes*/) {
    return 1.0;
}
Amount itself(const Amount& bytes) {
    return bytes;
}

std::vector<std::size_t> sweep(std::size_t min_bytes, std::size_t max_bytes,
                               int points_per_octave) {
    std::vector<std::size_t> sizes;
    if (min_bytes == 0) sizes.push_back(0);
    for (int i = 0;; ++i) {
        const auto n = static_cast<std::size_t>(
            std::llround(std::exp2(static_cast<double>(i) / points_per_octave)));
        if (n > max_bytes) return sizes;
        if (n >= min_bytes && (sizes.empty() || n > sizes.back())) sizes.push_back(n);
    }
}

}  // namespace

Sizes::Sizes(Program& program, std::size_t min_bytes, std::size_t max_bytes)
    : min_bytes_(program.option("min-bytes", min_bytes, "smallest message [byte]")),
      max_bytes_(program.option("max-bytes", max_bytes, "largest message [byte]")),
      points_per_octave_(
          program.option("points-per-octave", 1, "sizes from one power of two to the next")),
      list_(program.numbers("sizes", "", 0, std::int64_t{largest_message},
                            "the sizes instead [byte], as in 0,8,65536")) {}

Amount Sizes::largest(const Program& program) {
    return either(program.largest_of("sizes"), program.amount("max-bytes"));
}

Sizes::Together Sizes::all_bytes(const Program& program) const {
    return {sum_over_bytes(program, one), sum_over_bytes(program, itself)};
}

Sizes::Together Sizes::all_doubles(const Program& program) const {
    return {sum_over_doubles(program, one), sum_over_doubles(program, itself)};
}

void Sizes::say_what_is_sent(Program& program, const Together& all, const Amount& n_points,
                             const Amount& n_messages) {
    program.takes("points", n_points * all.number);
    program.takes("messages", n_messages * all.number);
    program.takes("bytes", n_messages * all.bytes);
}

Amount Sizes::sum_from(double least, const Program& program, const Term& term) const {
    const Amount listed = sum_over("sizes", list_, term);
    const Amount is_listed = smaller(1.0, program.n_of("sizes"));
    const heorot::Sizes grown{larger(least, program.amount("min-bytes")),
                              program.amount("max-bytes"), program.amount("points-per-octave")};
    return listed + (1.0 - is_listed) * sum_over(grown, term);
}

Amount Sizes::sum_over_bytes(const Program& program, const Term& term) const {
    const Amount is_listed = smaller(1.0, program.n_of("sizes"));
    const Amount has_zero = (1.0 - is_listed) * (1.0 - smaller(1.0, program.amount("min-bytes")));
    return sum_from(1.0, program, term) + has_zero * term(0.0);
}

Amount Sizes::sum_over_doubles(const Program& program, const Term& term) const {
    constexpr double size = sizeof(double);
    return sum_from(size, program, [&](const Amount& bytes) {
        const Amount whole = rounded_down(bytes / size);
        return smaller(1.0, whole) * (1.0 - smaller(1.0, bytes - size * whole)) * term(bytes);
    });
}

std::vector<std::size_t> Sizes::bytes() const {
    if (points_per_octave_ < 1 || points_per_octave_ > 64) {
        throw UsageError("--points-per-octave must be between 1 and 64", "--points-per-octave 1");
    }
    if (!list_.empty()) return {list_.begin(), list_.end()};
    const auto sizes =
        sweep(min_bytes_, std::min(max_bytes_, largest_message + 1), points_per_octave_);
    if (sizes.empty() || max_bytes_ > largest_message) {
        throw UsageError("no message size to measure, or one above 1 GiB",
                         "--min-bytes 0 --max-bytes 4M");
    }
    return sizes;
}

std::vector<std::size_t> Sizes::doubles() const {
    std::vector<std::size_t> numbers;
    for (const std::size_t size : bytes()) {
        if (size > 0 && size % sizeof(double) == 0) numbers.push_back(size / sizeof(double));
    }
    if (numbers.empty()) {
        throw UsageError("no message size is a whole number of doubles of 8 bytes",
                         list_.empty() ? "--min-bytes 8 --max-bytes 4M" : "--sizes 8,65536");
    }
    return numbers;
}

}  // namespace heorot::payload
