// Quicksort: see quick.hpp.
#include "benchmarks/algorithms/sort/quick.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "benchmarks/algorithms/sort/partition.hpp"

namespace heorot::sort {

namespace {

constexpr std::size_t width = n_lanes;
// Numbers of registers for which there is a network: up to all registers of a processor.
#if defined(__AVX512F__)
constexpr std::array<int, 11> networks = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32};
#else
constexpr std::array<int, 8> networks = {1, 2, 3, 4, 6, 8, 12, 16};
#endif
constexpr std::size_t most_in_network = networks.back() * width;

struct Sorter {
    std::size_t n_codes;
    void (*sort)(Code* codes);
};

/// By the number of registers that codes fill, the smallest network for them.
template <std::size_t... i>
constexpr auto by_registers(std::index_sequence<i...> /*networks*/) {
    constexpr std::array<Sorter, sizeof...(i)> all = {
        Sorter{networks[i] * width, sort_registers<networks[i]>}...};
    std::array<Sorter, networks.back() + 1> sorters{};
    for (std::size_t n = 0, at = 0; n < sorters.size(); ++n) {
        if (n * width > all[at].n_codes) ++at;
        sorters[n] = all[at];
    }
    return sorters;
}
constexpr auto sorters = by_registers(std::make_index_sequence<networks.size()>());

/// Codes as they are.
struct Plain {
    static CodeLanes coded(const CodeLanes& codes) { return codes; }
};
/// Keys of a type, to become codes, and the reverse.
template <class Key>
struct Flipped {
    static CodeLanes coded(const CodeLanes& bits) { return flipped(bits, Key{}); }
};

/// Sorts at most most_in_network codes.
template <class Before, class After>
void sort_few(Code* all, std::size_t n) {
    alignas(64) std::array<Code, most_in_network + width> codes;
    const Sorter& sorter = sorters[(n + width - 1) / width];
    const std::size_t n_whole = n / width * width;
    for (std::size_t i = 0; i < n_whole; i += width) {
        store_codes(codes.data() + i, Before::coded(load_codes(all + i)));
    }
    // What is not there is larger than all.
    const CodeLanes none = largest_code - CodeLanes{};
    CodeLanes last = Before::coded(none);
    std::memcpy(&last, all + n_whole, (n - n_whole) * sizeof(Code));
    store_codes(codes.data() + n_whole, Before::coded(last));
    for (std::size_t i = n_whole + width; i < sorter.n_codes; i += width) {
        store_codes(codes.data() + i, none);
    }
    sorter.sort(codes.data());
    for (std::size_t i = 0; i < n_whole; i += width) {
        store_codes(all + i, After::coded(load_codes(codes.data() + i)));
    }
    last = After::coded(load_codes(codes.data() + n_whole));
    std::memcpy(all + n_whole, &last, (n - n_whole) * sizeof(Code));
}

struct Pivot {
    Code code;
    bool is_shared;  ///< by all samples, or all codes
};

/// A median of lanes of the medians of each lane, of registers all over n codes.
template <class From, int n_samples>
Pivot median(const Code* from, std::size_t n) {
    internal::Registers<n_samples> samples;
    const std::size_t stride = (n - width) / n_samples;
    for (std::size_t i = 0; i < std::size_t{n_samples}; ++i) {
        samples[i] = From::coded(load_codes(from + i * stride + stride / 2));
    }
    internal::sort_columns<n_samples, 0>(samples);
    internal::Registers<1> medians = {samples[n_samples / 2]};
    internal::merge_columns<1, 1>(medians);
    return {medians[0][n_lanes / 2], medians[0][0] == medians[0][n_lanes - 1]};
}

/// The code in the middle between the least and the largest.
template <class From>
Pivot middle(const Code* from, std::size_t n) {
    CodeLanes least = From::coded(load_codes(from)), most = least;
    for (std::size_t i = width; i < n; i += width) {
        const CodeLanes codes = From::coded(load_codes(from + std::min(i, n - width)));
        least = codes < least ? codes : least;
        most = codes > most ? codes : most;
    }
    Code low = least[0], high = most[0];
    for (int lane = 1; lane < n_lanes; ++lane) {
        low = std::min(low, least[lane]);
        high = std::max(high, most[lane]);
    }
    const auto distance = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return {static_cast<Code>(static_cast<std::uint64_t>(low) + distance / 2), low == high};
}

/// Whether n codes, n_lanes or more, are all the same.
template <class From>
bool are_all(const Code* from, std::size_t n, Code code) {
    constexpr std::size_t stretch = 32 * width;
    for (std::size_t begin = 0; begin < n; begin += stretch) {
        CodeLanes differing{};
        for (std::size_t i = begin; i < std::min(n, begin + stretch); i += width) {
            differing |= From::coded(load_codes(from + std::min(i, n - width))) ^ code;
        }
        for (int lane = 0; lane < n_lanes; ++lane) {
            if (differing[lane] != 0) return false;
        }
    }
    return true;
}

/// Writes n keys whose code is the same.
template <class Key>
void fill(Code* keys, std::size_t n, Code code) {
    const CodeLanes lanes = Flipped<Key>::coded(code - CodeLanes{});
    for (std::size_t i = 0; i < n; i += width) {
        std::memcpy(keys + i, &lanes, std::min(width, n - i) * sizeof(Code));
    }
}

/// Sorts n keys, or their codes, to keys. Pivots are medians of samples, and after n_medians of
/// them in the middle.
template <class Key, class Coding>
void sort_by_parts(Code* codes, std::size_t n, int n_medians) {
    if (n <= most_in_network) return sort_few<Coding, Flipped<Key>>(codes, n);
    const auto [pivot, is_shared] = n_medians <= 0    ? middle<Coding>(codes, n)
                                    : n < 128 * width ? median<Coding, 7>(codes, n)
                                                      : median<Coding, 15>(codes, n);
    if (is_shared && are_all<Coding>(codes, n, pivot)) return fill<Key>(codes, n, pivot);
    std::size_t n_done = partition<Coding>(codes, n, pivot);
    if (n_done > 0) sort_by_parts<Key, Plain>(codes, n_done, n_medians - 1);
    if (is_shared || n_done == 0) {
        // Many codes, or the least, equal the pivot: they are where they belong.
        const std::size_t n_left = n - n_done;
        const std::size_t n_equal =
            pivot == largest_code ? n_left : partition<Plain>(codes + n_done, n_left, pivot + 1);
        fill<Key>(codes + n_done, n_equal, pivot);
        n_done += n_equal;
    }
    sort_by_parts<Key, Plain>(codes + n_done, n - n_done, n_medians - 1);
}

/// Levels of pivots that are medians: two for each doubling of the number of keys.
int levels_of_medians(std::size_t n) {
    return 2 * static_cast<int>(std::bit_width(n));
}

/// Has n keys or codes in the order of their buckets, by halves; ends[b] is where bucket b ends.
template <class Key, class Coding>
void distribute(Code* codes, std::size_t begin, std::size_t end, std::span<const Code> splitters,
                std::size_t* ends) {
    if (splitters.empty()) {
        *ends = end;
        return;
    }
    const std::size_t half = splitters.size() / 2;
    const std::size_t middle =
        begin + partition<Coding>(codes + begin, end - begin, splitters[half]);
    distribute<Key, Plain>(codes, begin, middle, splitters.first(half), ends);
    distribute<Key, Plain>(codes, middle, end, splitters.subspan(half + 1), ends + half + 1);
}

}  // namespace

template <class Key>
void quick_sort(std::span<Key> keys, int n_medians) {
    if (keys.empty()) return;
    // Read and written as bytes only, so that a double is never taken for a whole number.
    sort_by_parts<Key, Flipped<Key>>(reinterpret_cast<Code*>(keys.data()), keys.size(), n_medians);
}
template <class Key>
void quick_sort(std::span<Key> keys) {
    quick_sort(keys, levels_of_medians(keys.size()));
}

template <class Key>
std::span<Key> ParallelSort<Key>::part_of(std::span<Key> keys, std::size_t thread) const {
    const std::size_t first = keys.size() * thread / ends_.size();
    return keys.subspan(first, keys.size() * (thread + 1) / ends_.size() - first);
}

template <class Key>
ParallelSort<Key>::ParallelSort(std::size_t most_keys, std::size_t n_threads)
    : scratch_(n_threads > 1 ? most_keys : 0),
      n_buckets_(n_threads > 1 ? 4 * n_threads : 1),
      ends_(n_threads, std::vector<std::size_t>(n_buckets_ + 1)) {
    // First touch, by threads that will write about there.
    const std::span<Key> all = scratch_.span();
#pragma omp parallel for schedule(static) if (n_threads > 1)
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
        std::ranges::fill(part_of(all, thread), Key{});
    }
}

/// Codes below which each bucket but the last one has its own: of a sample of the keys.
template <class Key>
std::vector<Code> ParallelSort<Key>::find_splitters(std::span<const Key> keys) const {
    std::vector<Code> sample(n_sampled * n_buckets_), splitters;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const auto bits = std::bit_cast<Code>(keys[keys.size() / sample.size() * i]);
        sample[i] = Flipped<Key>::coded(bits - CodeLanes{})[0];
    }
    std::ranges::sort(sample);
    for (std::size_t b = 1; b < n_buckets_; ++b) splitters.push_back(sample[b * n_sampled]);
    return splitters;
}

template <class Key>
void ParallelSort<Key>::sort(std::span<Key> keys) {
    const std::size_t n_threads = ends_.size();
    if (n_threads == 1 || keys.size() < n_threads * fewest_of_thread) return quick_sort(keys);
    const std::vector<Code> splitters = find_splitters(keys);
    auto* const codes = reinterpret_cast<Code*>(keys.data());
#pragma omp parallel for schedule(static)
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
        const std::span<Key> part = part_of(keys, thread);
        const auto begin = static_cast<std::size_t>(part.data() - keys.data());
        ends_[thread][0] = begin;
        distribute<Key, Flipped<Key>>(codes, begin, begin + part.size(), splitters,
                                      ends_[thread].data() + 1);
    }
#pragma omp parallel for schedule(dynamic)
    for (std::size_t b = 0; b < n_buckets_; ++b) {
        std::size_t begin = 0, n = 0;
        for (const auto& ends : ends_) begin += ends[b] - ends[0];
        auto* const bucket = reinterpret_cast<Code*>(scratch_.data()) + begin;
        for (const auto& ends : ends_) {
            std::memcpy(bucket + n, codes + ends[b], (ends[b + 1] - ends[b]) * sizeof(Code));
            n += ends[b + 1] - ends[b];
        }
        sort_by_parts<Key, Plain>(bucket, n, levels_of_medians(n));
    }
#pragma omp parallel for schedule(static)
    for (std::size_t thread = 0; thread < n_threads; ++thread) {
        const std::span<Key> part = part_of(keys, thread);
        std::memcpy(part.data(), part_of(scratch_.span(), thread).data(), part.size_bytes());
    }
}

template void quick_sort(std::span<std::uint64_t> keys);
template void quick_sort(std::span<std::uint64_t> keys, int n_medians);
template void quick_sort(std::span<double> keys);
template void quick_sort(std::span<double> keys, int n_medians);
template class ParallelSort<std::uint64_t>;
template class ParallelSort<double>;

}  // namespace heorot::sort
