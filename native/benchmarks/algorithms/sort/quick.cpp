// Quicksort: see quick.hpp.
#include "benchmarks/algorithms/sort/quick.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

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
static_assert(networks.back() >= 2 * n_together);

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

/// A median of lanes of the medians of each lane, of registers all over n codes.
template <class From, int n_samples>
Code median(const Code* from, std::size_t n) {
    internal::Registers<n_samples> samples;
    const std::size_t stride = (n - width) / n_samples;
    for (int i = 0; i < n_samples; ++i) {
        samples[i] = From::coded(load_codes(from + i * stride + stride / 2));
    }
    internal::sort_columns<n_samples, 0>(samples);
    internal::Registers<1> medians = {samples[n_samples / 2]};
    internal::merge_columns<1, 1>(medians);
    return medians[0][n_lanes / 2];
}

/// The code in the middle between the least and the largest.
template <class From>
Code middle(const Code* from, std::size_t n) {
    CodeLanes least = From::coded(load_codes(from)), most = least;
    for (std::size_t i = 0; i < n; i += width) {
        const CodeLanes codes = From::coded(load_codes(from + (i + width <= n ? i : n - width)));
        least = codes < least ? codes : least;
        most = codes > most ? codes : most;
    }
    Code low = least[0], high = most[0];
    for (int lane = 1; lane < n_lanes; ++lane) {
        low = std::min(low, least[lane]);
        high = std::max(high, most[lane]);
    }
    const auto distance = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return static_cast<Code>(static_cast<std::uint64_t>(low) + distance / 2);
}

/// Sorts n keys, or their codes, to keys. Pivots are medians of samples, and after n_medians of
/// them in the middle.
template <class Key, class Coding>
void sort(Code* codes, std::size_t n, int n_medians) {
    if (n <= most_in_network) return sort_few<Coding, Flipped<Key>>(codes, n);
    const Code pivot = n_medians <= 0    ? middle<Coding>(codes, n)
                       : n < 128 * width ? median<Coding, 7>(codes, n)
                                         : median<Coding, 15>(codes, n);
    std::size_t n_lesser = partition<Coding>(codes, n, pivot);
    if (n_lesser > 0) {
        sort<Key, Plain>(codes, n_lesser, n_medians - 1);
    } else {
        // Those that equal the pivot are in their order.
        n_lesser = pivot == largest_code ? n : partition<Plain>(codes, n, pivot + 1);
        const CodeLanes keys = Flipped<Key>::coded(pivot - CodeLanes{});
        for (std::size_t i = 0; i < n_lesser; i += width) {
            std::memcpy(codes + i, &keys, std::min(width, n_lesser - i) * sizeof(Code));
        }
    }
    sort<Key, Plain>(codes + n_lesser, n - n_lesser, n_medians - 1);
}

}  // namespace

template <class Key>
void quick_sort(std::span<Key> keys, int n_medians) {
    // Read and written as bytes only, so that a double is never taken for a whole number.
    sort<Key, Flipped<Key>>(reinterpret_cast<Code*>(keys.data()), keys.size(), n_medians);
}
template <class Key>
void quick_sort(std::span<Key> keys) {
    quick_sort(keys, 2 * static_cast<int>(std::bit_width(keys.size())));
}

template void quick_sort(std::span<std::uint64_t> keys);
template void quick_sort(std::span<std::uint64_t> keys, int n_medians);
template void quick_sort(std::span<double> keys);
template void quick_sort(std::span<double> keys, int n_medians);

}  // namespace heorot::sort
