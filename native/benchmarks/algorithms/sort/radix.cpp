// Radix sort: see radix.hpp.
#include "benchmarks/algorithms/sort/radix.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heorot::sort {

template <class Key>
RadixSort<Key>::RadixSort(std::size_t most_keys, std::size_t n_threads, std::size_t gathered_bytes)
    : scratch_(most_keys), parts_(n_threads), gathered_bytes_(gathered_bytes) {
    // First touch, by the threads that will write there.
    const std::span<Key> all = scratch_.span();
#pragma omp parallel for schedule(static) if (n_threads > 1)
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
        std::ranges::fill(part_of(all, thread), Key{});
    }
}

template <class Key>
std::span<Key> RadixSort<Key>::part_of(std::span<Key> keys, std::size_t thread) const {
    const std::size_t first = keys.size() * thread / parts_.size();
    return keys.subspan(first, keys.size() * (thread + 1) / parts_.size() - first);
}

template <class Key>
void RadixSort<Key>::count_all(std::span<const Key> keys, Part& part) {
    for (Counts& counts : part.counts) counts.fill(0);
    for (const Key key : keys) {
        Word rest = code(key);
        for (std::size_t digit = 0; digit < n_digits; ++digit, rest >>= 8U) {
            ++part.counts[digit][rest & (n_values - 1)];
        }
    }
}

template <class Key>
void RadixSort<Key>::count(std::span<const Key> keys, std::size_t digit, Counts& counts) {
    counts.fill(0);
    for (const Key key : keys) ++counts[value(key, digit)];
}

/// Whether all keys have the same digit.
template <class Key>
bool RadixSort<Key>::is_shared(std::size_t digit, std::size_t n_keys) const {
    for (std::size_t v = 0; v < n_values; ++v) {
        std::size_t total = 0;
        for (const Part& part : parts_) total += part.counts[digit][v];
        if (total > 0) return total == n_keys;
    }
    return true;
}

/// Makes counts of a digit places: of all lower values, and of this value in the parts before.
template <class Key>
void RadixSort<Key>::place() {
    std::size_t place = 0;
    for (std::size_t v = 0; v < n_values; ++v) {
        for (Part& part : parts_) place += std::exchange(part.next[v], place);
    }
}

template <class Key>
void RadixSort<Key>::scatter(std::span<const Key> from, Key* to, std::size_t digit, Counts& next) {
    for (const Key key : from) to[next[value(key, digit)]++] = key;
}

template <class Key>
void RadixSort<Key>::scatter_by_lines(std::span<const Key> from, Key* to, std::size_t digit,
                                      Part& part) {
    const Counts first = part.next;
    Counts& next = part.next;
    for (const Key key : from) {
        const std::size_t v = value(key, digit);
        const std::size_t at = next[v]++;
        auto& gathered = part.lines[v];
        gathered[at % line] = key;
        if (at % line != line - 1) continue;
        // The first line may belong to other values, or to another thread, too.
        const std::size_t begin = at - (line - 1);
        if (begin >= first[v]) {
            std::memcpy(to + begin, gathered.data(), sizeof gathered);
        } else {
            for (std::size_t i = first[v]; i <= at; ++i) to[i] = gathered[i % line];
        }
    }
    for (std::size_t v = 0; v < n_values; ++v) {
        const std::size_t begin = std::max(first[v], next[v] / line * line);
        for (std::size_t i = begin; i < next[v]; ++i) to[i] = part.lines[v][i % line];
    }
}

template <class Key>
void RadixSort<Key>::pass(std::span<Key> from, std::span<Key> to, std::size_t digit) {
    const std::size_t n_threads = parts_.size();
    const bool is_counted = n_threads == 1 || n_passes_ == 0;
#pragma omp parallel for schedule(static) if (n_threads > 1)
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
        Part& part = parts_[thread];
        if (is_counted) {
            part.next = part.counts[digit];
        } else {
            count(part_of(from, thread), digit, part.next);
        }
    }
    place();
#pragma omp parallel for schedule(static) if (n_threads > 1)
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
        if (from.size_bytes() < gathered_bytes_) {
            scatter(part_of(from, thread), to.data(), digit, parts_[thread].next);
        } else {
            scatter_by_lines(part_of(from, thread), to.data(), digit, parts_[thread]);
        }
    }
    ++n_passes_;
}

template <class Key>
void RadixSort<Key>::sort(std::span<Key> keys) {
    const std::size_t n_threads = parts_.size();
    n_passes_ = 0;
#pragma omp parallel for schedule(static) if (n_threads > 1)
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
        count_all(part_of(keys, thread), parts_[thread]);
    }
    std::span<Key> from = keys;
    std::span<Key> to = scratch_.span().first(keys.size());
    for (std::size_t digit = 0; digit < n_digits; ++digit) {
        if (is_shared(digit, keys.size())) continue;
        pass(from, to, digit);
        std::swap(from, to);
    }
    if (from.data() == keys.data()) return;
    ++n_passes_;
#pragma omp parallel for schedule(static) if (n_threads > 1)
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
        std::ranges::copy(part_of(from, thread), part_of(keys, thread).begin());
    }
}

template class RadixSort<Word>;
template class RadixSort<double>;

}  // namespace heorot::sort
