// memory/gups: how many random updates per second (GUPS) does a node sustain?
//
// Method    A table T of n words of 64 bits per rank, n a power of two, T(i) = i. 128 streams of
//           pseudo-random numbers over GF(2) modulo x^64 + x^2 + x + 1, which begin 2^50 numbers
//           apart, alternate:
//             a(k+1) = x a(k), T(a mod n) := T(a mod n) xor a
//             update: load, xor, store, by the first thread
//             exact: atomic updates by all threads of the rank, which share streams and table
//           Tables grow by factors of four.
// Counts    updates, summed over threads and ranks; bytes = 16 per update: a word read and written.
// Comparable  Yes: update with RandomAccess of the HPC Challenge (single with one rank, star with
//           --star on all cores), if the table is as large: there it has half of the memory. Its
//           128 streams are parts of one sequence, begin 4 n / 128 numbers apart and end after 4 n
//           updates; here the stopping rule of all measurements decides. Not with its MPI version.
// Verified  All updates are made once more, stream by stream, by one thread: as x xor a xor a = x,
//           the table then must be T(i) = i again, everywhere (HPC Challenge allows that 1 % is
//           not). The streams must stand where they do then.
// Source    P. Luszczek et al., Introduction to the HPC Challenge benchmark suite, LBNL-57493
//           (2005); D. Koester, B. Lucas, RandomAccess, rules of the HPC Challenge (2005).
// Example   heorot run memory/gups --set max-bytes=1G --ranks 2
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>

#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

using Word = std::uint64_t;

constexpr std::string_view known_regions = "update,exact";
constexpr std::size_t n_streams = 128;
constexpr Word distance_of_streams = Word{1} << 50U;
constexpr std::int64_t most_steps = 1 << 13;  // of every stream in a body

/// x a over GF(2), modulo x^64 + x^2 + x + 1: the number behind a.
constexpr Word next(Word a) {
    constexpr Word polynomial = 7;
    return (a << 1U) ^ (polynomial & -(a >> 63U));
}

/// a b over GF(2), modulo the same polynomial, by Horner's rule in the bits of b.
constexpr Word product(Word a, Word b) {
    Word sum = 0;
    for (int bit = 63; bit >= 0; --bit) {
        sum = next(sum);
        if ((b >> static_cast<unsigned>(bit) & 1U) != 0) sum ^= a;
    }
    return sum;
}

/// x^n: number n of the sequence that begins with 1.
constexpr Word number(Word n) {
    Word result = 1;
    for (Word square = 2; n != 0; n >>= 1U, square = product(square, square)) {
        if ((n & 1U) != 0) result = product(result, square);
    }
    return result;
}

using Streams = std::array<Word, n_streams>;

/// Where the streams begin.
Streams beginnings() {
    Streams a;
    for (std::size_t j = 0; j < n_streams; ++j) a[j] = number(distance_of_streams * j);
    return a;
}

/// T := T xor a, without other writers.
struct Plainly {
    static void update(Word& entry, Word a) { entry ^= a; }
};
/// The same if others may, without losing any.
struct Exactly {
    static void update(Word& entry, Word a) {
        std::atomic_ref(entry).fetch_xor(a, std::memory_order_relaxed);
    }
};

/// The streams a advance by n_steps numbers in turn. Checked in every run: Updates::take_back().
template <class How>
void advance(std::span<Word> a, std::int64_t n_steps, std::span<Word> table) {
    const Word mask = table.size() - 1;
    for (std::int64_t step = 0; step < n_steps; ++step) {
        for (Word& each : a) {
            each = next(each);
            How::update(table[each & mask], each);
        }
    }
}

/// T(i) = i, each thread its share.
void fill(std::span<Word> table) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = i;
}

/// A table of n words, and how far the streams have come.
class Updates {
  public:
    Updates(std::span<Word> table, int n_threads) : table_(table), n_threads_(n_threads) {
        fill(table);
    }

    /// Every stream advances by n_steps, the streams spread over the threads.
    template <class How>
    void go_on(std::int64_t n_steps) {
        n_steps_ += n_steps;
#pragma omp parallel for schedule(static)
        for (int thread = 0; thread < n_threads_; ++thread) {
            const std::size_t first = n_streams * static_cast<std::size_t>(thread) / n_of_threads();
            const std::size_t last =
                n_streams * static_cast<std::size_t>(thread + 1) / n_of_threads();
            // A copy: streams of other threads share no line with it.
            Streams mine;
            const auto part = std::span(mine).first(last - first);
            std::copy(a_.begin() + first, a_.begin() + last, part.begin());
            advance<How>(part, n_steps, table_);
            std::copy(part.begin(), part.end(), a_.begin() + first);
        }
    }

    /// Where the streams stand.
    std::span<Word> streams() { return a_; }

    struct Wrong {
        double streams;  ///< how many stand where they should not
        double words;    ///< how many of the table
    };
    /// Takes all updates back.
    Wrong take_back() {
        Streams again = beginnings();
        for (Word& a : again) advance<Plainly>({&a, 1}, n_steps_, table_);
        const auto astray = std::inner_product(a_.begin(), a_.end(), again.begin(), 0.0,
                                               std::plus<>(), std::not_equal_to<>());
        double n_wrong = 0;
        for (std::size_t i = 0; i < table_.size(); ++i) n_wrong += table_[i] != i ? 1.0 : 0.0;
        return {astray, n_wrong};
    }

  private:
    std::size_t n_of_threads() const { return static_cast<std::size_t>(n_threads_); }

    std::span<Word> table_;
    int n_threads_;
    Streams a_ = beginnings();
    std::int64_t n_steps_ = 0;
};

template <class How>
void measure(heorot::Program& program, const std::string& region_name, std::span<Word> table,
             int n_threads) {
    const std::size_t n = table.size();
    const auto n_steps = std::min(most_steps, static_cast<std::int64_t>(4 * n / n_streams + 1));
    const double n_updates =
        static_cast<double>(n_steps) * n_streams * static_cast<double>(program.world().size());
    Updates updates(table, n_threads);
    const auto region = program.measure(
        {.region = region_name,
         .point = {{"working_set_bytes", n * sizeof(Word)}},
         .counts = {{"updates", n_updates}, {"bytes", 2 * sizeof(Word) * n_updates}}},
        [&] { updates.go_on<How>(n_steps); });
    program.corruptible(updates.streams());
    const auto wrong = updates.take_back();
    program.check(region, "streams that stand where they should not", wrong.streams, 0.0);
    program.check(region, "words that are wrong", wrong.words, 0.0);
}

/// The tables, each a quarter of the next, and a body of each.
void say_what_is_swept(heorot::Program& program, const heorot::Amount& largest) {
    const heorot::Sizes parts{1.0, program.amount("max-bytes") / program.amount("min-bytes"), 0.5};
    const auto all = [&](const heorot::Term& of_table) {
        return program.n_of("regions") *
               sum_over(parts, [&](const auto& part) { return of_table(largest / part); });
    };
    constexpr double most_updates = most_steps * double{n_streams};
    program.takes("points", program.n_of("regions") * heorot::n_of(parts));
    program.takes("swept_bytes", all([](const auto& bytes) { return bytes; }));
    program.takes("updates", all([&](const auto& bytes) {
                      return smaller(
                          4.0 / sizeof(Word) * bytes + double{n_streams} * heorot::ranks(),
                          most_updates * heorot::ranks());
                  }));
}

void gups(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "how updates are made");
    const auto min_bytes = program.option<std::size_t>(
        "min-bytes", std::size_t{1} << 14U, "smallest table of a rank, rounded like the largest");
    const auto max_bytes =
        program.option<std::size_t>("max-bytes", std::size_t{64} << 20U,
                                    "largest table of a rank, rounded down to a power of two");
    const auto tables = heorot::ranks() * program.amount("max-bytes");
    program.takes("memory_bytes", tables + 4.0 * heorot::mebibyte);
    program.takes("working_set_bytes", tables);
    say_what_is_swept(program, tables);
    program.start();
    if (min_bytes < sizeof(Word) || max_bytes < min_bytes) {
        throw heorot::UsageError("--min-bytes must be 8 at least, --max-bytes no less than that",
                                 "leave them out for 16k and 64M");
    }
    if (program.n_threads() > static_cast<int>(n_streams)) {
        program.cannot_run("128 streams are for 128 threads at most");
    }

    // 2. Problem: the largest table, first touched by the threads that will update it
    const std::size_t largest = std::bit_floor(max_bytes) / sizeof(Word);
    heorot::Array<Word> words(largest);
    fill(words.span());

    // 3. Measure, 4. verify, one table after the other, the largest last
    std::size_t n = largest;
    while (n / 4 * sizeof(Word) >= std::bit_floor(min_bytes)) n /= 4;
    for (; n <= largest; n *= 4) {
        const auto table = words.span().first(n);
        if (heorot::lists(regions, "update")) measure<Plainly>(program, "update", table, 1);
        if (heorot::lists(regions, "exact")) {
            measure<Exactly>(program, "exact", table, program.n_threads());
        }
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "memory/gups", gups);
}
