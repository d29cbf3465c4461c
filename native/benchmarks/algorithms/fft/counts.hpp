// Counts of the transforms of all regions and sizes, before any run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace heorot::fft {

/// Whether `library` is FFTW and may be measured: it has one thread.
inline Amount one_if_fftw(std::string_view library) {
    const double none = library == "none" ? 1.0 : 0.0;
    const Amount without("{'none': 1}[fftw]", [none](const JobSize&) { return none; });
    return (1.0 - without) * smaller(1.0, rounded_down(1.0 / threads()));
}

/// Declares the number of transforms and their nominal operations; `sides` are those of mixed_*,
/// `library` is the path of FFTW. Before program.start().
inline void say_what_is_counted(Program& program, std::span<const std::int64_t> sides,
                                std::string_view library) {
    const Amount with_fftw = one_if_fftw(library);
    const auto most = program.amount("max-n"), least = program.amount("min-n");
    Amount points = 0.0;
    Amount flops = 0.0;
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
        const auto n_of = [dimensions](const Amount& side) {
            Amount n = side;
            for (int i = 1; i < dimensions; ++i) n = n * side;
            return n;
        };
        const auto fits = [&](const Amount& n) {
            return smaller(1.0, rounded_down(most / larger(n, 1.0)));
        };
        const auto nominal = [](const Amount& n) { return 5.0 * n * octaves(larger(n, 2.0)); };
        const auto wants = [&](const std::string& kind) {
            const std::string name = kind + std::to_string(dimensions) + "d";
            return program.has("regions", name) +
                   with_fftw * program.has("regions", "fftw_" + name);
        };
        const auto add = [&](const Amount& n_complex, const Amount& n_real, const auto& sum) {
            points = points + (n_complex + n_real) * sum([](const Amount&) { return Amount(1.0); });
            flops = flops + (n_complex + 0.5 * n_real) * sum(nominal);
        };
        add(wants("complex_"), wants("real_"), [&](const Term& term) {
            return sum_over(Sizes{1.0, most, 1.0}, [&](const Amount& side) {
                const Amount n = n_of(side);
                return fits(n) * smaller(1.0, rounded_down(n / least)) * term(n);
            });
        });
        add(wants("mixed_"), wants("mixed_real_"), [&](const Term& term) {
            return sum_over("mixed", sides, [&](const Amount& side) {
                const Amount n = n_of(side);
                return fits(n) * term(n);
            });
        });
    }
    program.takes("points", points);
    program.takes("nominal_flops", ranks() * flops);
}

}  // namespace heorot::fft
