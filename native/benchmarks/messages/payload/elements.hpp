// What the elements of messages hold, so that a receiver knows what each of them has to be: doubles
// that are whole numbers, whose sums are exact in any order.
#pragma once

#include <cstdint>
#include <span>

namespace heorot::payload {

/// Element i of what `rank` sends in `round`: a whole number below 2^20, scrambled, so that any
/// other element, rank or round gives another one (but for one in a million).
constexpr double element(std::int64_t i, int rank, std::int64_t round) {
    // The finaliser of MurmurHash3, over the three coordinates.
    auto h = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U +
             static_cast<std::uint64_t>(rank) * 0xc2b2ae3d27d4eb4fU +
             static_cast<std::uint64_t>(round) * 0x165667b19e3779f9U;
    h = (h ^ (h >> 33U)) * 0xff51afd7ed558ccdU;
    h = (h ^ (h >> 33U)) * 0xc4ceb9fe1a85ec53U;
    return static_cast<double>((h ^ (h >> 33U)) & 0xfffffU);
}

/// Fills `message` with the elements of `rank` in `round`, from number `first` on.
inline void fill(std::span<double> message, int rank, std::int64_t round, std::int64_t first = 0) {
    std::int64_t i = first;
    for (double& value : message) value = element(i++, rank, round);
}

/// The number of elements that differ from those of fill().
inline std::int64_t n_wrong(std::span<const double> message, int rank, std::int64_t round,
                            std::int64_t first = 0) {
    std::int64_t wrong = 0;
    std::int64_t i = first;
    for (const double value : message) wrong += value == element(i++, rank, round) ? 0 : 1;
    return wrong;
}

// Timed bodies have no time for that. They write their own number and rank to the first and the
// last element of what they send, about 2 ns, and look at those of what they receive.

/// The ends of a message that `rank` sends in body number `body`.
constexpr double stamp(int rank, std::int64_t body) {
    return static_cast<double>(rank + 1) + static_cast<double>(body & 0xffff);
}
/// The sum of stamp() over ranks 0 to n_ranks - 1, exact.
constexpr double sum_of_stamps(int n_ranks, std::int64_t body) {
    const double n = n_ranks;
    return 0.5 * n * (n + 1.0) + n * static_cast<double>(body & 0xffff);
}
/// The largest of them.
constexpr double largest_stamp(int n_ranks, std::int64_t body) {
    return stamp(n_ranks - 1, body);
}

/// Writes `value` to both ends of a message, if it has any.
inline void put_ends(std::span<double> message, double value) {
    if (message.empty()) return;
    message.front() = value;
    message.back() = value;
}
/// The number of ends, 0 to 2, that do not hold `value`.
inline std::int64_t n_wrong_ends(std::span<const double> message, double value) {
    if (message.empty()) return 0;
    return (message.front() == value ? 0 : 1) + (message.back() == value ? 0 : 1);
}

}  // namespace heorot::payload
