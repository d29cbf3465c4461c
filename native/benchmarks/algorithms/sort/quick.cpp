// Quicksort: see quick.hpp.
#include "benchmarks/algorithms/sort/quick.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

#include "benchmarks/algorithms/sort/counting.hpp"
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

// So many codes are worth another thread.
constexpr std::size_t fewest_of_task = std::size_t{1} << 15U;

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
    bool is_shared = false;  ///< by many samples
    Values values;           ///< of samples, or all codes, if they are few
};

/// What sorted columns of samples reveal of the values of codes.
template <int n_samples>
void look_closer(const internal::Registers<n_samples>& samples, Pivot& pivot) {
    alignas(64) std::array<Code, (n_samples + 2) * width> codes;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        store_codes(codes.data() + i * width, samples[i]);
    }
    store_codes(codes.data() + n_samples * width, largest_code - CodeLanes{});
    sort_registers<n_samples + 1>(codes.data());
    std::size_t n_shared = 0, n_values = 0;
    for (std::size_t i = 0; i < n_samples * width; ++i) {
        if (codes[i] == pivot.code) ++n_shared;
        if (i > 0 && codes[i] == codes[i - 1]) continue;
        if (n_values < most_values) pivot.values.value[n_values] = codes[i];
        ++n_values;
    }
    pivot.is_shared = 8 * n_shared >= n_samples * width;
    pivot.values.n = n_values <= most_values ? n_values : 0;
}

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
    constexpr int half = n_lanes / 2;
    Pivot pivot;
    pivot.code = medians[0][half];
    if constexpr (n_samples < 15) {
        pivot.is_shared = medians[0][0] == medians[0][n_lanes - 1];
    } else if (pivot.code == medians[0][half - 1] ||
               pivot.code == medians[0][(half + 1) % n_lanes]) {
        look_closer<n_samples>(samples, pivot);
    }
    return pivot;
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
    Pivot pivot;
    pivot.code = static_cast<Code>(static_cast<std::uint64_t>(low) + distance / 2);
    pivot.is_shared = low == high;
    return pivot;
}

/// Sorts n codes of Before to keys of After. Pivots are medians of samples, and after n_medians of
/// them in the middle.
template <class Before, class After>
void sort_by_parts(Code* codes, std::size_t n, int n_medians) {
    if (n <= most_in_network) return sort_few<Before, After>(codes, n);
    Pivot pivot = n_medians <= 0    ? middle<Before>(codes, n)
                  : n < 128 * width ? median<Before, 7>(codes, n)
                                    : median<Before, 15>(codes, n);
    const bool are_few = pivot.values.n > 0;
    if (are_few && sort_by_counting_values<Before, After>(codes, n, pivot.values)) return;
    std::size_t n_done = partition<Before>(codes, n, pivot.code);
    if (n_done >= fewest_of_task) {
#pragma omp task
        sort_by_parts<Plain, After>(codes, n_done, n_medians - 1);
    } else if (n_done > 0) {
        sort_by_parts<Plain, After>(codes, n_done, n_medians - 1);
    }
    if (pivot.is_shared || n_done == 0) {
        // Many codes, or the least, equal the pivot: they are where they belong.
        const std::size_t n_left = n - n_done;
        const std::size_t n_equal = pivot.code == largest_code
                                        ? n_left
                                        : partition<Plain>(codes + n_done, n_left, pivot.code + 1);
        std::fill_n(codes + n_done, n_equal, After::coded(pivot.code - CodeLanes{})[0]);
        n_done += n_equal;
    }
    sort_by_parts<Plain, After>(codes + n_done, n - n_done, n_medians - 1);
}

/// Levels of pivots that are medians: two for each doubling of the number of keys.
int levels_of_medians(std::size_t n) {
    return 2 * static_cast<int>(std::bit_width(n));
}

/// Whether codes descend nowhere, or, with has_larger_first, ascend nowhere.
template <class Coding, bool has_larger_first>
bool are_ordered(const Code* codes, std::size_t n) {
    constexpr std::size_t stretch = 16 * width;
    for (std::size_t begin = 0; begin + 1 < n; begin += stretch) {
        LaneMask is_wrong{};
        // Those of the last register are compared where there are as many.
        for (std::size_t i = begin; i < std::min(n - 1, begin + stretch); i += width) {
            const Code* const at = codes + std::min(i, n - 1 - width);
            const CodeLanes a = Coding::coded(load_codes(at));
            const CodeLanes b = Coding::coded(load_codes(at + 1));
            is_wrong |= has_larger_first ? a < b : b < a;
        }
        if (total(is_wrong) != 0) return false;
    }
    return true;
}

/// Keys are read and written as bytes only, so that a double is never taken for a whole number.
template <class Key>
Code* as_codes(std::span<Key> keys) {
    return reinterpret_cast<Code*>(keys.data());
}

}  // namespace

template <class Key>
bool put_in_order(std::span<Key> keys) {
    if (keys.size() <= most_in_network) return false;
    if (are_ordered<Flipped<Key>, false>(as_codes(keys), keys.size())) return true;
    if (!are_ordered<Flipped<Key>, true>(as_codes(keys), keys.size())) return false;
    std::ranges::reverse(keys);
    return true;
}

template <class Key>
void quick_sort(std::span<Key> keys, int n_medians) {
    if (keys.empty() || put_in_order(keys)) return;
    sort_by_parts<Flipped<Key>, Flipped<Key>>(as_codes(keys), keys.size(), n_medians);
}
template <class Key>
void quick_sort(std::span<Key> keys) {
    quick_sort(keys, levels_of_medians(keys.size()));
}

template <class After>
void sort_codes(std::span<Code> codes) {
    if (codes.empty()) return;
    sort_by_parts<Plain, After>(codes.data(), codes.size(), levels_of_medians(codes.size()));
}

template bool put_in_order(std::span<std::uint64_t> keys);
template bool put_in_order(std::span<double> keys);
template void quick_sort(std::span<std::uint64_t> keys);
template void quick_sort(std::span<std::uint64_t> keys, int n_medians);
template void quick_sort(std::span<double> keys);
template void quick_sort(std::span<double> keys, int n_medians);
template void sort_codes<Plain>(std::span<Code> codes);
template void sort_codes<Flipped<std::uint64_t>>(std::span<Code> codes);
template void sort_codes<Flipped<double>>(std::span<Code> codes);

}  // namespace heorot::sort
