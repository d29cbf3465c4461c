// algorithms/sort: how fast are 64-bit keys sorted?
//
// Method    n keys of 64 bits, integers or doubles in (-1, 1), are sorted in place, by merge with
// as
//           much scratch: random, ascending, reversed, or random with 100 distinct values (few).
//           Random keys change with every body, as branch predictors learn short repeated inputs.
//             quick: quicksort in vector registers, few keys by sorting networks, keys of few
//               values by counting them; keys in order, or reversed, are recognised; several
//               threads part keys together, and exchange those on the wrong side
//             merge: branch-free bidirectional merge sort, by one thread
//             std_sort: std::sort of the library, for comparison, by one thread
//           Each rank sorts its own keys. The copy of the input is not timed.
// Counts    keys = n, over the ranks. Bytes are not counted: the number of passes beyond a cache
//           depends on its size.
// Comparable  Yes: keys per second with those of other sorts for keys of 64 bits without values,
//           for the same order and distribution of the keys, and for inputs that are not repeated.
// Verified  After the last body no key is less than the one before it, and the keys are those of
//           the input: their number, sum, exclusive or and the sum of a mixing function are equal,
//           exactly.
// Source    D. E. Knuth, The Art of Computer Programming 3, 2nd ed. (1998), chapter 5; K. E.
//           Batcher, Sorting networks and their applications, AFIPS SJCC 32 (1968); B. Bramas, A
//           novel hybrid quicksort algorithm vectorized using AVX-512, IJACSA 8 (2017); M. Blacher
//           et al., Vectorized and performance-portable quicksort, SPE 52 (2022).
// Example   heorot run algorithms/sort --set orders=random --set max-keys=1M --threads 2
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/algorithms/sort/input.hpp"
#include "benchmarks/algorithms/sort/merge.hpp"
#include "benchmarks/algorithms/sort/parallel.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/libraries/library.hpp"

namespace {

using heorot::sort::Input;
using heorot::sort::Word;

constexpr std::string_view known_regions = "quick,merge,std_sort";
constexpr std::string_view known_orders = "random,ascending,reversed,few";
constexpr std::string_view known_types = "integers,doubles";
constexpr std::size_t most_keys = std::size_t{1} << 48U;

struct Settings {
    std::string regions;
    std::string orders;
    std::string types;
};

/// Keys of one type and number, in one order after the other.
template <class Key>
class Trial {
  public:
    Trial(heorot::Program& program, std::string type, std::size_t n)
        : program_(program), type_(std::move(type)), keys_(n) {}

    void measure_all(const Settings& settings, const std::string& order) {
        Input<Key> input(order, keys_.size());
        const std::span<Key> keys = keys_.span();
        if (heorot::lists(settings.regions, "quick")) {
            const auto n_threads = static_cast<std::size_t>(program_.n_threads());
            heorot::sort::ParallelSort<Key> quick(n_threads);
            measure("quick", order, input, [&] { quick.sort(keys); });
        }
        if (heorot::lists(settings.regions, "merge")) {
            heorot::Array<Key> scratch(keys.size());
            measure("merge", order, input, [&] { heorot::sort::merge_sort(keys, scratch.span()); });
        }
        if (heorot::lists(settings.regions, "std_sort")) {
            measure("std_sort", order, input, [&] { std::sort(keys.begin(), keys.end()); });
        }
    }

  private:
    template <class Body>
    void measure(const std::string& name, const std::string& order, Input<Key>& input, Body body) {
        const double n_keys = static_cast<double>(keys_.size()) * program_.world().size();
        const std::size_t n_arrays = name == "merge" ? 2 : 1;
        const auto region = program_.measure(
            {.region = name,
             .point = {{"type", type_},
                       {"order", order},
                       {"n", keys_.size()},
                       {"working_set_bytes", n_arrays * keys_.span().size_bytes()}},
             .counts = {{"keys", n_keys}},
             .prepare = [&] { input.give(keys_.span()); }},
            body);
        program_.corruptible(keys_.span());
        const std::span<const Key> sorted = keys_.span();
        program_.check(region, "keys less than the one before", heorot::sort::n_descents(sorted),
                       0.0);
        const bool is_same =
            heorot::sort::contents(sorted) == heorot::sort::contents(input.given());
        program_.check(region, "keys that are not those of the input", is_same ? 0.0 : 1.0, 0.0);
    }

    heorot::Program& program_;
    std::string type_;
    heorot::Array<Key> keys_;
};

template <class Key>
void measure_type(heorot::Program& program, const Settings& settings, const std::string& type,
                  std::size_t n) {
    if (!heorot::lists(settings.types, type)) return;
    Trial<Key> trial(program, type, n);
    for (const std::string& order : heorot::split_list(settings.orders)) {
        trial.measure_all(settings, order);
    }
}

/// All numbers of keys, in all ways.
void say_what_it_takes(heorot::Program& program) {
    // Keys, those they are taken from, and scratch; of few keys several lots.
    program.takes("memory_bytes",
                  heorot::ranks() * 24.0 * heorot::larger(program.amount("max-keys"), 1 << 17) +
                      4.0 * heorot::mebibyte);
    program.takes("working_set_bytes", heorot::ranks() * 16.0 * program.amount("max-keys"));
    const heorot::Sizes sizes{program.amount("min-keys"), program.amount("max-keys"),
                              program.amount("points-per-octave")};
    const auto ways = program.n_of("regions") * program.n_of("orders") * program.n_of("types");
    program.takes("points", ways * heorot::n_of(sizes));
    program.takes("keys", heorot::ranks() * ways * heorot::total(sizes));
}

void sort_keys(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "ways to sort");
    const auto orders = program.items("orders", known_orders, "of the keys before");
    const auto types = program.items("types", known_types, "of the keys");
    const auto min_keys = program.option<std::size_t>("min-keys", 1000, "fewest keys of a rank");
    const auto max_keys = program.option<std::size_t>("max-keys", 1 << 18, "most keys of a rank");
    const auto per_octave =
        program.option<double>("points-per-octave", 0.5, "numbers of keys per doubling");
    say_what_it_takes(program);
    program.start();
    program.note("standard_library", heorot::libraries::standard_library());
    const Settings settings{regions, orders, types};
    if (min_keys < 1 || max_keys < min_keys || max_keys > most_keys || per_octave <= 0.0 ||
        per_octave > 64.0) {
        throw heorot::UsageError(
            "--min-keys must be 1 at least, --max-keys no less than that nor beyond 2^48, "
            "--points-per-octave between 0 and 64",
            "leave them out for 1000, 256k and 0.5");
    }

    program.require_room();

    // 2. Problem, 3. measure, 4. verify, one number of keys after the other, all of them odd
    for (int step = 0;; ++step) {
        const double size = static_cast<double>(min_keys) * std::exp2(step / per_octave);
        if (size > static_cast<double>(max_keys)) break;
        const std::size_t n = static_cast<std::size_t>(size) | 1U;
        measure_type<Word>(program, settings, "integers", n);
        measure_type<double>(program, settings, "doubles", n);
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/sort", sort_keys);
}
