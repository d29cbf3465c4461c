// algorithms/random: how fast are random number generators, and how random?
//
// Method    One thread per rank fills a buffer repeatedly, continuing the sequence. Generators,
//           each a region:
//             philox: counter-based Philox4x32-10, 32 counters in vector lanes
//             xoshiro256: 16 streams of xoshiro256++ that begin 2^128 numbers apart
//             pcg32: XSH-RR 64/32, a linear congruential sequence modulo 2^64 behind a permutation
//               of bits, two of whose numbers make a word, entered at 64 places
//             npb: the congruential sequence modulo 2^46 of the NAS Parallel Benchmarks, doubles
//               only
//             mt19937: std::mt19937_64 of the library, for comparison
//           Outputs, a coordinate:
//             words: of 64 bits
//             doubles: in [0, 1), made of the leading 52 bits
//             normals: Box-Muller with xoshiro256, vectorised
// Counts    numbers, over the ranks; bytes = 8 per number.
// Comparable  Yes: numbers per second with those that the authors of generators publish, if the
//           buffer stays in L1d, as it does by default; scalar generators do not use vector lanes.
// Verified  Known answers that were published with the generators. The whole buffer after the last
//           body equals a scalar evaluation of the definition from the same position of the
//           sequence (normals: by the library's functions, to 2e-14); of mt19937, which makes them
//           so anyway, only the known answer is a check. A battery of tests on the first words of
//           each generator: equidistribution of bytes, pairs and triples, serial correlation, gaps,
//           runs, collisions, birthday spacings and ranks of binary matrices, of the leading and of
//           the last 32 bits. Chance may not be as unlikely as 1e-8. Seeds are fixed: the verdict
//           is always the same.
// Source    J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC'11; D. Blackman,
//           S. Vigna, Scrambled linear pseudorandom number generators, ACM TOMS 47 (2021); M. E.
//           O'Neill, PCG, HMC-CS-2014-0905; D. E. Knuth, The Art of Computer Programming 2, 3rd ed.
//           (1998), chapter 3; G. E. P. Box, M. E. Muller, Ann. Math. Stat. 29 (1958).
// Example   heorot run algorithms/random --set generators=philox,xoshiro256 --set outputs=doubles
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/algorithms/random/known.hpp"
#include "benchmarks/algorithms/random/outputs.hpp"
#include "benchmarks/algorithms/random/sources.hpp"
#include "harness/program.hpp"
#include "numerics/generators/battery.hpp"
#include "numerics/generators/distributions.hpp"
#include "numerics/generators/pcg.hpp"
#include "numerics/generators/philox.hpp"
#include "numerics/generators/words.hpp"
#include "numerics/generators/xoshiro.hpp"
#include "numerics/libraries/library.hpp"

namespace {

using namespace heorot::generators;
using namespace heorot::random;

constexpr std::string_view known_generators = "philox,xoshiro256,pcg32,npb,mt19937";
constexpr std::string_view known_outputs = "words,doubles,normals";
constexpr Word seed = 20260107;
constexpr double least_chance = 1e-8;
constexpr std::size_t most_numbers = std::size_t{1} << 40U;

/// Generators and numbers of words to measure.
struct Settings {
    std::string generators;
    std::string outputs;
    std::size_t n;
    std::size_t n_tested;
};

/// One generator with all its outputs.
template <class Generator>
class Trial {
  public:
    Trial(heorot::Program& program, const Settings& settings, std::string name,
          const Generator& beginning)
        : program_(program), settings_(settings), name_(std::move(name)), beginning_(beginning) {}

    /// Buffers of words; the words tested are those from the beginning.
    void measure_words(double n_wrong_answers) {
        heorot::Array<Word> results(settings_.n);
        const auto region = measure(
            "words", n_batches_for(settings_.n), results.span(),
            [](Generator& generator, std::span<Word> words) { generator.fill(words); },
            [](Generator& generator, std::span<Word> words) {
                generator.fill_by_definition(words);
            },
            [](Word a, Word b) { return a == b ? 0.0 : 1.0; }, 0.0);
        program_.check(region, "known answers that are missed", n_wrong_answers, 0.0);
        std::vector<Word> words(settings_.n_tested);
        Generator generator = beginning_;
        generator.fill(words);
        judge(region, "", words, Bits::all);
    }

    /// Buffers of doubles that `Output` makes of words.
    template <class Output>
    heorot::Region measure_output(const std::string& output) {
        heorot::Array<double> results(settings_.n);
        return measure(
            output, Output::n_batches(settings_.n), results.span(),
            [](Generator& generator, std::span<double> part) { Output::fill(generator, part); },
            [](Generator& generator, std::span<double> part) {
                Output::fill_by_definition(generator, part);
            },
            [](double a, double b) { return std::abs(a - b); }, Output::tolerance);
    }

    /// Measures a fill, and checks the buffer after the last body; a body takes `n_steps` of what
    /// the generator can skip.
    template <class Number, class Fill, class Define, class Distance>
    heorot::Region measure(const std::string& output, std::uint64_t n_steps,
                           std::span<Number> results, const Fill& fill, const Define& define,
                           const Distance& distance, double tolerance) {
        const double n = static_cast<double>(results.size()) * program_.world().size();
        Generator generator = beginning_;
        const auto region = program_.measure(
            {.region = name_,
             .point = {{"output", output}, {"working_set_bytes", results.size_bytes()}},
             .counts = {{"numbers", n}, {"bytes", sizeof(Number) * n}}},
            [&] {
                fill(generator, results);
                heorot::keep(results.data());
            });
        program_.corruptible(results);
        std::vector<Number> expected(results.size());
        Generator again = beginning_;
        again.skip(n_steps * static_cast<std::uint64_t>(region.n_bodies - 1));
        define(again, std::span<Number>(expected));
        double largest = 0.0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double each = distance(results[i], expected[i]);
            largest = heorot::larger(largest, each);
        }
        program_.check(region, "largest difference from the definition", largest, tolerance);
        return region;
    }

    /// Notes and checks the results of the battery.
    void judge(const heorot::Region& region, const std::string& of, std::span<const Word> words,
               Bits bits) {
        const auto judgements = heorot::generators::judge(words, bits);
        const auto worst = verdict(judgements);
        program_.note("least_likely_" + name_ + of, std::string(worst.test));
        program_.note("likelihood_" + name_ + of, worst.p_value);
        program_.check(region, "how unlikely the numbers are by chance, as -log10",
                       -std::log10(std::max(worst.p_value, 1e-300)), -std::log10(least_chance));
    }

    const Generator& beginning() const { return beginning_; }

  private:
    heorot::Program& program_;
    const Settings& settings_;
    std::string name_;
    Generator beginning_;
};

/// Generators of words.
template <class Generator>
void measure(heorot::Program& program, const Settings& settings, const std::string& name,
             const Generator& beginning, double n_wrong_answers) {
    if (!heorot::lists(settings.generators, name)) return;
    Trial trial(program, settings, name, beginning);
    if (heorot::lists(settings.outputs, "words")) trial.measure_words(n_wrong_answers);
    if (heorot::lists(settings.outputs, "doubles")) {
        trial.template measure_output<Doubles>("doubles");
    }
}

/// Normal deviates; the battery gets the words that the distribution function makes of them.
void measure_normals(heorot::Program& program, const Settings& settings) {
    if (!heorot::lists(settings.generators, "xoshiro256")) return;
    if (!heorot::lists(settings.outputs, "normals")) return;
    Trial trial(program, settings, "xoshiro256", XoshiroStreams(seed));
    const auto region = trial.measure_output<Normals>("normals");
    std::vector<double> deviates(settings.n_tested);
    auto generator = trial.beginning();
    Normals::fill(generator, deviates);
    std::vector<Word> words(deviates.size());
    std::ranges::transform(deviates, words.begin(), [](double deviate) {
        const double share = standard_normal(deviate).lower;
        return static_cast<Word>(std::min(share, 1.0 - 0x1p-53) * 0x1p64);
    });
    trial.judge(region, "_normals", words, Bits::leading);
}

/// Fractions of 46 bits, of which the last ones are no good in any congruential sequence.
void measure_npb(heorot::Program& program, const Settings& settings) {
    if (!heorot::lists(settings.generators, "npb")) return;
    if (!heorot::lists(settings.outputs, "doubles")) return;
    Trial trial(program, settings, "npb", Nas(seed));
    heorot::Array<double> results(settings.n);
    const auto region = trial.measure(
        "doubles", settings.n, results.span(),
        [](Nas& generator, std::span<double> part) { generator.fill(part); },
        [](Nas& generator, std::span<double> part) { generator.fill_by_definition(part); },
        [](double a, double b) { return std::abs(a - b); }, 0.0);
    program.check(region, "known answers that are missed", n_wrong_of_npb(), 0.0);
    std::vector<double> fractions(settings.n_tested);
    auto generator = trial.beginning();
    generator.fill(fractions);
    std::vector<Word> words(fractions.size());
    std::ranges::transform(fractions, words.begin(),
                           [](double fraction) { return static_cast<Word>(fraction * 0x1p64); });
    trial.judge(region, "", words, Bits::leading);
}

void random_numbers(heorot::Program& program) {
    // 1. Options
    const auto generators = program.items("generators", known_generators, "generators");
    const auto outputs = program.items("outputs", known_outputs, "what they make");
    const auto n = program.option<std::size_t>("n", 2001, "numbers in the buffer of a rank");
    const auto n_tested =
        program.option<std::size_t>("tested", 1 << 18, "words that the battery tests");
    // The buffer, its reference, the reference's words; deviates and words tested.
    program.takes("memory_bytes",
                  heorot::ranks() * (24.0 * program.amount("n") + 40.0 * program.amount("tested") +
                                     8.0 * heorot::mebibyte));
    program.start();
    program.note("standard_library", heorot::libraries::standard_library());
    const Settings settings{generators, outputs, n, n_tested};
    if (n < 1 || n > most_numbers || n_tested < least_words_of_battery || n_tested > most_numbers) {
        throw heorot::UsageError("--n must be 1 at least, --tested 16k, and neither beyond 2^40",
                                 "leave them out for 2001 and 256k");
    }
    program.require_room();

    // 2. Problem, 3. measure, 4. verify, a generator after the other
    measure(program, settings, "philox", Philox({20260107, 1}), n_wrong_of_philox());
    measure(program, settings, "xoshiro256", XoshiroStreams(seed), n_wrong_of_xoshiro256());
    measure_normals(program, settings);
    measure(program, settings, "pcg32", Pcg32(seed, 1), n_wrong_of_pcg32());
    measure_npb(program, settings);
    measure(program, settings, "mt19937", Mersenne(seed), n_wrong_of_mt19937());
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/random", random_numbers);
}
