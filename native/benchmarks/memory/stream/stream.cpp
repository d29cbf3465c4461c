// memory/stream: which memory bandwidth do the cores of a node sustain (STREAM)?
//
// Method    Three arrays a, b, c of n doubles per rank, first touched by the thread that uses them
//           (OpenMP, static schedule). Loops are compiled as written, with ordinary loads and
//           stores:
//             copy: c(i) = a(i)
//             scale: b(i) = s c(i)
//             add: c(i) = a(i) + b(i)
//             triad: a(i) = b(i) + s c(i)
//             memcpy: copy by the C library, one call per thread; it may use non-temporal stores
//             read: sum of a(i) in eight parallel streams per thread
//             fortran_copy, _scale, _add, _triad: the same in Fortran, if a Fortran compiler was
//               found
//             nontemporal_copy, _scale, _add, _triad: the same with non-temporal vector stores, if
//               the processor has them
//             nontemporal_fill: a(i) = s with such stores
//             base_pages_copy, _triad: the same in arrays that refuse huge pages; all others ask
//               for them, unless --pages overrides it
//             caches: read, with working sets that double up to a third of max-bytes, unless n is
//               given
//           Memory begins where the rate of caches is within 15 % of that of the largest working
//           set. Each array has four times that size, as STREAM requires; all three have at most
//           max-bytes.
// Counts    bytes = 16 n (copy, scale, memcpy), 24 n (add, triad), 8 n (read, fill), summed over
//           the ranks. Write-allocate traffic, 8 bytes per stored element, is not counted; only
//           non-temporal stores have none, so that their bytes are the traffic. flops = n (scale,
//           add, read), 2 n (triad), none for the copies and fill.
// Comparable  Yes: with STREAM, which counts bytes alike; STREAM reports its best trial, this
//           program the median. memcpy and read are not part of STREAM. fortran_copy and so on
//           compare with STREAM in Fortran, nontemporal_copy and _triad with copy_mem and
//           stream_mem of likwid-bench. STREAM itself asks for no huge pages: where the system
//           leaves them to programs, base_pages_copy and _triad compare with it.
// Verified  Before each kernel a(i) = x(i), b(i) = 2 x(i), c(i) = 4 x(i), where x(i) = 1 + (i mod
//           8191) / 8192, and s = 3. No kernel reads what it writes, so after any number of
//           repetitions each array is a known small multiple of x(i), free of rounding. All
//           elements of the three arrays, and the sum, must equal it to the last bit.
// Source    J. D. McCalpin, Memory Bandwidth and Machine Balance in Current High Performance
//           Computers, IEEE TCCA Newsletter, December 1995.
// Example   heorot run memory/stream --set n=16M --threads 2
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/memory/stream/arrays.hpp"
#include "benchmarks/memory/stream/fortran.hpp"
#include "benchmarks/memory/stream/nontemporal.hpp"
#include "benchmarks/memory/values/known.hpp"
#include "benchmarks/memory/values/reading.hpp"
#include "harness/program.hpp"

namespace {

using namespace heorot::stream;
using heorot::values::deviation;
using heorot::values::read_share;
using heorot::values::sum_of_x;
using heorot::values::x;

/// c(i) = a(i)
void copy(double* c, const double* a, Index n) {
#pragma omp parallel for simd schedule(static)
    for (Index i = 0; i < n; ++i) c[i] = a[i];
}

/// b(i) = s c(i)
void scale(double* b, double s, const double* c, Index n) {
#pragma omp parallel for simd schedule(static)
    for (Index i = 0; i < n; ++i) b[i] = s * c[i];
}

/// c(i) = a(i) + b(i)
void add(double* c, const double* a, const double* b, Index n) {
#pragma omp parallel for simd schedule(static)
    for (Index i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

/// a(i) = b(i) + s c(i)
void triad(double* a, const double* b, double s, const double* c, Index n) {
#pragma omp parallel for simd schedule(static)
    for (Index i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

/// c(i) = a(i), each thread its share by one call of the library.
void copy_by_library(double* c, const double* a, Index n, Index n_threads) {
#pragma omp parallel for schedule(static)
    for (Index thread = 0; thread < n_threads; ++thread) {
        const Index first = n * thread / n_threads;
        const Index last = n * (thread + 1) / n_threads;
        std::memcpy(c + first, a + first, static_cast<std::size_t>(last - first) * sizeof(double));
    }
}

/// a(0) + ... + a(n-1), each thread its share. Checked in every run.
double read(const double* a, Index n, Index n_threads) {
    double sum = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (Index thread = 0; thread < n_threads; ++thread) {
        const Index first = n * thread / n_threads;
        sum += read_share(a + first, n * (thread + 1) / n_threads - first);
    }
    return sum;
}

}  // namespace

namespace {

constexpr std::string_view known_kernels =
    "copy,scale,add,triad,memcpy,read,fortran_copy,fortran_scale,fortran_add,fortran_triad,"
    "nontemporal_copy,nontemporal_scale,nontemporal_add,nontemporal_triad,nontemporal_fill,"
    "base_pages_copy,base_pages_triad";

/// The working set [B] from which on reading is no faster than from the largest: the beginning of
/// the last plateau of `rates`, measured at working sets that double from `smallest`.
std::size_t end_of_caches(std::span<const double> rates, std::size_t smallest) {
    constexpr double alike = 0.15;
    std::size_t first = rates.size() - 1;
    while (first > 0 && std::abs(rates[first - 1] / rates.back() - 1.0) < alike) --first;
    return smallest << first;
}

/// Doubles per array so that each reaches well beyond the caches, by measuring; at most
/// `max_bytes` for the three. **Collective.**
std::size_t size_beyond_caches(heorot::Program& program, std::size_t max_bytes) {
    constexpr std::size_t smallest = std::size_t{1} << 20;
    constexpr std::size_t reach = 4;  // times the first working set that comes from memory
    const std::size_t most = std::max(max_bytes, 3 * smallest) / sizeof(double) / 3;
    heorot::Array<double> values(most);
    std::vector<double> rates;
    for (std::size_t bytes = smallest; bytes / sizeof(double) <= most; bytes *= 2) {
        const auto n = static_cast<Index>(bytes / sizeof(double));
#pragma omp parallel for schedule(static)
        for (Index i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = x(i);
        double sum = 0.0;
        const double total = static_cast<double>(bytes) * program.world().size();
        const auto region = program.measure({.region = "caches",
                                             .point = {{"working_set_bytes", bytes}},
                                             .counts = {{"bytes", total}}},
                                            [&] {
                                                sum = read(values.data(), n, program.n_threads());
                                                heorot::keep(sum);
                                            });
        program.check(region, "relative deviation of the sum", deviation(sum, sum_of_x(n)), 0.0);
        rates.push_back(static_cast<double>(bytes) / region.best_seconds);
    }
    return std::min(most, reach * end_of_caches(rates, smallest) / sizeof(double));
}

/// The kernels that are asked for and are there. Ends the program if one in Fortran is asked for by
/// name that is not.
std::string available_kernels(heorot::Program& program, const std::string& wanted) {
    program.note("fortran", heorot::fortran_compiler());
    program.note("nontemporal_stores", std::string(heorot::nontemporal_stores));
    std::string available;
    for (const auto& name : heorot::split_list(wanted)) {
        const bool lacks_fortran =
            name.starts_with("fortran_") && !heorot::stream::heorot_stream_is_built();
        if (lacks_fortran && wanted != known_kernels) {
            program.cannot_run("built without a Fortran compiler, it has no " + name);
        }
        const bool lacks_stores =
            name.starts_with("nontemporal_") && heorot::nontemporal_stores.empty();
        if (!lacks_fortran && !lacks_stores) available += (available.empty() ? "" : ",") + name;
    }
    return available;
}

/// The operations in Fortran by kernel(name, bytes, flops, what is left behind, result, body).
template <class Kernel>
void measure_in_fortran(const Kernel& kernel, const Arrays& v) {
    const auto n = static_cast<std::size_t>(v.n);
    const std::span a(v.a, n), b(v.b, n), c(v.c, n);
    kernel("fortran_copy", 16, 0, {.c = 1.0}, c, [&] { heorot_stream_copy(v.c, v.a, v.n); });
    kernel("fortran_scale", 16, 1, {.b = 4.0 * s}, b,
           [&] { heorot_stream_scale(v.b, s, v.c, v.n); });
    kernel("fortran_add", 24, 1, {.c = 3.0}, c, [&] { heorot_stream_add(v.c, v.a, v.b, v.n); });
    kernel("fortran_triad", 24, 2, {.a = 2.0 + 4.0 * s}, a,
           [&] { heorot_stream_triad(v.a, v.b, s, v.c, v.n); });
}

/// Declares which kernels are wanted, and describes the memory of their arrays.
std::string wanted_kernels(heorot::Program& program) {
    const auto arrays = either(24.0 * program.amount("n"), program.amount("max-bytes"));
    program.takes("memory_bytes", heorot::ranks() * arrays);
    return program.items("kernels", known_kernels, "operations");
}

/// Measures and verifies those kernels whose names begin with the prefix, in arrays of `size`
/// doubles in such pages. All on one page, hence more than 40 lines.
void measure_kernels(heorot::Program& program, const std::string& kernels, std::size_t size,
                     const std::string& prefix, heorot::Pages pages) {
    heorot::Array<double> a(size, pages), b(size, pages), c(size, pages);
    const Arrays v{a.data(), b.data(), c.data(), static_cast<Index>(size)};
    const Index n_threads = program.n_threads();
    const double n_total = static_cast<double>(size) * program.world().size();
    double sum = sum_of_x(v.n);  // of read; correct until read has its turn
    const auto kernel = [&](const std::string& name, double bytes, double flops,
                            const Multiples& after, std::span<double> result, auto&& body) {
        if (!heorot::lists(kernels, prefix + name)) return;
        set(v, {});
        const auto region =
            program.measure({.region = prefix + name,
                             .counts = {{"bytes", bytes * n_total}, {"flops", flops * n_total}}},
                            body);
        program.corruptible(result);
        program.check(region, "largest relative deviation",
                      std::max(largest_deviation(v, after), deviation(sum, sum_of_x(v.n))), 0.0);
    };
    kernel("copy", 16, 0, {.c = 1.0}, c.span(), [&] { copy(v.c, v.a, v.n); });
    kernel("scale", 16, 1, {.b = 4.0 * s}, b.span(), [&] { scale(v.b, s, v.c, v.n); });
    kernel("add", 24, 1, {.c = 3.0}, c.span(), [&] { add(v.c, v.a, v.b, v.n); });
    kernel("triad", 24, 2, {.a = 2.0 + 4.0 * s}, a.span(), [&] { triad(v.a, v.b, s, v.c, v.n); });
    kernel("memcpy", 16, 0, {.c = 1.0}, c.span(),
           [&] { copy_by_library(v.c, v.a, v.n, n_threads); });
    measure_in_fortran(kernel, v);
    measure_past_caches(kernel, v, n_threads);
    sum = 0.0;
    kernel("read", 8, 1, {}, {&sum, 1}, [&] {
        sum = read(v.a, v.n, n_threads);
        heorot::keep(sum);
    });
}

void stream(heorot::Program& program) {
    // 1. Options
    const auto wanted =
        program.option<std::size_t>("n", 0, "doubles per array and rank; 0: beyond the caches");
    const auto max_bytes = program.option<std::size_t>(
        "max-bytes", std::size_t{1} << 30, "most memory per rank for n = 0, from 3M on");
    const auto asked = wanted_kernels(program);
    program.start();
    const auto kernels = available_kernels(program, asked);
    program.note("write_allocate_bytes_per_store", 8);

    // 2. Problem
    const std::size_t size = wanted > 0 ? wanted : size_beyond_caches(program, max_bytes);
    program.note("doubles_per_array", static_cast<std::int64_t>(size));

    // 3. Measure, 4. verify each kernel
    measure_kernels(program, kernels, size, "", heorot::asked_pages());
    measure_kernels(program, kernels, size, "base_pages_", heorot::Pages::base);
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "memory/stream", stream);
}
