// compute/vector_kernels: how fast are DAXPY, DDOT and other vector kernels, by level?
//
// Method    One thread per rank repeats one operation on vectors of n elements; n grows from 2.
//           Flops and bytes per element:
//             broadcast: x(i) = a, 1 flop, 8 B
//             copy: x(i) = y(i), 1 flop, 16 B
//             add: x(i) = y(i) + z(i), 1 flop, 24 B
//             subtract: x(i) = y(i) - z(i), 1 flop, 24 B
//             multiply: x(i) = y(i) z(i), 1 flop, 24 B
//             divide: x(i) = y(i) / z(i), 1 flop, 24 B
//             dotproduct (DDOT): s = sum of y(i) z(i), 2 flop, 16 B
//             axpy (DAXPY): x(i) = x(i) + a y(i), 2 flop, 24 B
//             triad: x(i) = z(i) + a y(i), 2 flop, 24 B
//             rotation: x(i) = y(i) z(i) + v(i) w(i), 3 flop, 40 B
//             recurrence1: x(i) = x(i-1) + y(i), 1 flop, 16 B
//             recurrence2: x(i) = y(i) - x(i-1) - x(i-2), 2 flop, 16 B
//             difference2: x(i) = y(i-1) - 2 y(i) + y(i+1), 3 flop, 16 B
//             polynomial9: x(i) = polynomial of degree 9 in y(i), by Horner's rule, 18 flop, 16 B
//           Access patterns, the same for all vectors of an operation:
//             contiguous: unit stride
//             stride3, stride4: every third or fourth element
//             indirect: through a random permutation (not recurrences and difference2)
//           The compiler vectorises the loops and may reorder the sum. Vectors start at different
//           page offsets to avoid cache conflicts.
// Counts    flops per element as above, where broadcast and copy count as one. bytes per element as
//           above, 8 for each operand read and each result written, and 4 for the index of indirect
//           access; neither unused parts of cache lines (strides) nor write-allocate are counted.
//           All summed over the ranks. working_set_bytes is the extent of the vectors of one rank.
// Comparable  In part: r_max and n_1/2 of the operations compare with those that EuroBen's mod1a
//           and others fit to the same lengths, if the access is contiguous; the compilers and
//           their options differ.
// Verified  Inputs are multiples of 1/256 in [1, 2) from formulas without a constant step, and all
//           results but quotients and polynomials are exact. After the last repetition each element
//           is compared with a scalar evaluation of the same equation from these formulas (axpy:
//           for the number of repetitions done; recurrences: in integers), and memory between and
//           behind the elements must be untouched. Tolerance 0; for divide 2^-52, for polynomial9,
//           which is compared with the sum of its powers, 1e-14.
// Source    A. J. van der Steen, The benchmark of the EuroBen Group, Parallel Computing 17 (1991)
//           1211-1221, for the operations; R. W. Hockney, r_inf, n_half, f_half, Parallel Computing
//           10 (1989), for the dependence on n.
// Example   heorot run compute/vector_kernels --set ops=triad,axpy --set access=contiguous
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/compute/vector_kernels/kernels.hpp"
#include "benchmarks/compute/vector_kernels/workspace.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

using namespace heorot::vector_kernels;

constexpr std::string_view known_operations =
    "broadcast,copy,add,subtract,multiply,divide,dotproduct,axpy,triad,rotation,recurrence1,"
    "recurrence2,difference2,polynomial9";
constexpr std::string_view known_access = "contiguous,stride3,stride4,indirect";

struct Operation {
    std::string_view name;
    int n_inputs;
    double flops;       // per element
    double n_accesses;  // operands read and results written per element
    double tolerance = 0.0;
};

/// Measures the operations at one point of the sweep after another.
struct Sweep {
    heorot::Program& program;
    Workspace workspace;
    std::string operations;
    std::size_t max_bytes;
    std::int64_t n_points = 0;

    /// All chosen operations on vectors of n elements with every access pattern of the list, the
    /// indirect one as long as `permutation` has room for n indices.
    void measure_length(const std::string& access, std::span<std::int32_t> permutation, Index n);

    /// All chosen operations on vectors of n elements with one access pattern.
    template <class At>
    void measure_all(std::string_view access, At at, Index n);

    /// One operation, if its vectors fit; expected(i, n_bodies) is x(i) after n_bodies repetitions.
    template <class At, class Kernel, class Expected>
    void measure(std::string_view access, At at, Index n, const Operation& operation, Kernel kernel,
                 Expected expected);
};

template <class At, class Kernel, class Expected>
void Sweep::measure(std::string_view access, At at, Index n, const Operation& operation,
                    Kernel kernel, Expected expected) {
    const bool is_sum = operation.name == "dotproduct";
    const Index index_bytes = At::has_neighbours ? 0 : Index{sizeof(std::int32_t)};
    const Index n_vectors = operation.n_inputs + (is_sum ? 0 : 1);
    const Index working_set_bytes =
        n * (n_vectors * At::stride * Index{sizeof(double)} + index_bytes);
    if (!heorot::lists(operations, operation.name)) return;
    if (std::cmp_greater(working_set_bytes, max_bytes)) return;
    ++n_points;
    const Vectors u = is_sum ? workspace.lay_out_sum(operation.n_inputs, at, n)
                             : workspace.lay_out(operation.n_inputs, at, n);
    const double n_total = static_cast<double>(n) * program.world().size();
    const double bytes = sizeof(double) * operation.n_accesses + static_cast<double>(index_bytes);
    const auto region = program.measure(
        {.region = std::string(operation.name),
         .point = {{"access", access}, {"n", n}, {"working_set_bytes", working_set_bytes}},
         .counts = {{"flops", operation.flops * n_total},
                    {"bytes", bytes * n_total},
                    {"elements", n_total}}},
        [kernel, u, at, n] { kernel(u, at, n); });
    const auto after = [&](Index i) { return expected(i, static_cast<double>(region.n_bodies)); };
    const Index length = is_sum ? 1 : n * At::stride;
    program.corruptible(std::span(u.x, static_cast<std::size_t>(length)));
    program.check(region, "largest relative deviation",
                  is_sum ? Workspace::largest_deviation(u.x, Strided<1>{}, 1, after)
                         : Workspace::largest_deviation(u.x, at, n, after),
                  operation.tolerance);
}

/// Sum of y(i) z(i), exact in 64 bits for n < 2^44.
double expected_sum(Index n) {
    std::int64_t sum = 0;
    for (Index i = 0; i < n; ++i) sum += scaled_input<1>(i) * scaled_input<2>(i);
    return static_cast<double>(sum) / 65536.0;
}

/// c0 + c1 y + ... + c9 y^9, term by term.
double power_series(double y) {
    double sum = 0.0;
    double power = 1.0;
    for (const double coefficient : c) {
        sum += coefficient * power;
        power *= y;
    }
    return sum;
}

template <class At>
void Sweep::measure_all(std::string_view access, At at, Index n) {
    const auto run = [&](const Operation& operation, auto kernel, auto expected) {
        measure(access, at, n, operation, kernel, expected);
    };
    const auto y = input<1>;
    const auto z = input<2>;
    const auto v = input<3>;
    const auto w = input<4>;
    using I = Index;
    run({"broadcast", 0, 1, 1}, for_all(broadcast), [](I, double) { return a; });
    run({"copy", 1, 1, 2}, for_all(copy), [=](I i, double) { return y(i); });
    run({"add", 2, 1, 3}, for_all(add), [=](I i, double) { return y(i) + z(i); });
    run({"subtract", 2, 1, 3}, for_all(subtract), [=](I i, double) { return y(i) - z(i); });
    run({"multiply", 2, 1, 3}, for_all(multiply), [=](I i, double) { return y(i) * z(i); });
    run({"divide", 2, 1, 3, 0x1p-52}, for_all(divide), [=](I i, double) { return y(i) / z(i); });
    run({"dotproduct", 2, 2, 2}, dotproduct, [=](I, double) { return expected_sum(n); });
    run({"axpy", 1, 2, 3}, for_all(axpy),
        [=](I i, double n_bodies) { return input<0>(i) + n_bodies * a * y(i); });
    run({"triad", 2, 2, 3}, for_all(triad), [=](I i, double) { return z(i) + a * y(i); });
    run({"rotation", 4, 3, 5}, for_all(rotation),
        [=](I i, double) { return y(i) * z(i) + v(i) * w(i); });
    if constexpr (At::has_neighbours) {
        constexpr auto start = static_cast<std::int64_t>(256 * boundary);
        run({"recurrence1", 1, 1, 2}, recurrence1, [x = start](I i, double) mutable {
            x += scaled_input<1>(i);
            return static_cast<double>(x) / 256.0;
        });
        run({"recurrence2", 1, 2, 2}, recurrence2,
            [last = start, last_but_one = start](I i, double) mutable {
                const std::int64_t x = scaled_input<1>(i) - last - last_but_one;
                last_but_one = std::exchange(last, x);
                return static_cast<double>(x) / 256.0;
            });
        run({"difference2", 1, 3, 2}, for_all(difference2),
            [=](I i, double) { return y(i - 1) - 2.0 * y(i) + y(i + 1); });
    }
    run({"polynomial9", 1, 18, 2, 1e-14}, for_all(polynomial9),
        [=](I i, double) { return power_series(y(i)); });
}

/// A random permutation of 0 ... n-1, the same in every run. Source: R. Durstenfeld, Algorithm 235,
/// Comm. ACM 7 (1964).
void shuffle(std::span<std::int32_t> permutation) {
    std::mt19937_64 random(20000701);  // NOLINT(bugprone-random-generator-seed): repeatable
    for (std::size_t i = 0; i < permutation.size(); ++i) {
        const std::size_t j = random() % (i + 1);
        permutation[i] = permutation[j];
        permutation[j] = static_cast<std::int32_t>(i);
    }
}

void Sweep::measure_length(const std::string& access, std::span<std::int32_t> permutation,
                           Index n) {
    if (heorot::lists(access, "contiguous")) measure_all("contiguous", Strided<1>{}, n);
    if (heorot::lists(access, "stride3")) measure_all("stride3", Strided<3>{}, n);
    if (heorot::lists(access, "stride4")) measure_all("stride4", Strided<4>{}, n);
    if (heorot::lists(access, "indirect") && std::cmp_less_equal(n, permutation.size())) {
        shuffle(permutation.first(static_cast<std::size_t>(n)));
        measure_all("indirect", Indirect{permutation.data()}, n);
    }
}

/// The lengths of all operations with every access, and the working sets.
void say_what_is_swept(heorot::Program& program) {
    using heorot::Amount;
    const auto n_of = [&](std::initializer_list<std::string_view> operations) {
        Amount n = 0.0;
        for (const auto operation : operations) n = n + program.has("ops", operation);
        return n;
    };
    const Amount neighbours = n_of({"recurrence1", "recurrence2", "difference2"});
    // By the number of their vectors.
    const std::vector<std::pair<double, Amount>> others = {
        {1.0, n_of({"broadcast"})},
        {2.0, n_of({"copy", "dotproduct", "axpy", "polynomial9"})},
        {3.0, n_of({"add", "subtract", "multiply", "divide", "triad"})},
        {5.0, n_of({"rotation"})}};
    Amount points = 0.0;
    Amount swept_bytes = 0.0;
    const auto add = [&](const Amount& n_operations, double element_bytes) {
        const heorot::Sizes lengths{program.amount("min-length"),
                                    program.amount("max-bytes") / element_bytes,
                                    program.amount("points-per-octave")};
        points = points + n_operations * heorot::n_of(lengths);
        swept_bytes = swept_bytes + element_bytes * n_operations * heorot::total(lengths);
    };
    const auto add_access = [&](std::string_view access, double stride, double index_bytes) {
        const Amount wanted = program.has("access", access);
        for (const auto& [n_vectors, n] : others) {
            add(wanted * n, 8.0 * stride * n_vectors + index_bytes);
        }
        if (index_bytes == 0.0) add(wanted * neighbours, 16.0 * stride);
    };
    add_access("contiguous", 1.0, 0.0);
    add_access("stride3", 3.0, 0.0);
    add_access("stride4", 4.0, 0.0);
    add_access("indirect", 1.0, 4.0);
    program.takes("points", points);
    program.takes("swept_bytes", heorot::ranks() * swept_bytes);
}

void run_sweep(heorot::Program& program) {
    // 1. Options
    const auto operations = program.items("ops", known_operations, "operations");
    const auto access = program.items("access", known_access, "where elements are");
    const auto min_length = program.option<std::size_t>("min-length", 2, "shortest vectors");
    const auto max_bytes = program.option<std::size_t>("max-bytes", std::size_t{64} << 20,
                                                       "largest working set of a rank");
    const auto points_per_octave =
        program.option<double>("points-per-octave", 1.0, "lengths per doubling of the length");
    // The vectors, and the permutation of indirect access.
    program.takes("memory_bytes", heorot::ranks() * (4.0 / 3.0 * program.amount("max-bytes") +
                                                     16.0 * heorot::mebibyte));
    say_what_is_swept(program);
    program.start();
    if (min_length < 1 || points_per_octave <= 0.0 || points_per_octave > 64.0) {
        throw heorot::UsageError(
            "--min-length must be positive and --points-per-octave between 0 and 64",
            "leave them out for 2 and 1");
    }

    // 2. Problem: room for all points
    Sweep sweep{program, Workspace(max_bytes), operations, max_bytes};
    const std::size_t max_indices = max_bytes / (sizeof(double) + sizeof(std::int32_t));
    heorot::Array<std::int32_t> permutation(heorot::lists(access, "indirect") ? max_indices : 0);
    heorot::expects(permutation.size() < std::size_t{1} << 31U, "indices have 32 bits");

    // 3. Measure, 4. verify, length by length until nothing fits
    std::int64_t n_points_before = -1;
    Index last_length = 0;
    for (int step = 0; sweep.n_points > n_points_before; ++step) {
        const double length = static_cast<double>(min_length) * std::exp2(step / points_per_octave);
        const auto n = static_cast<Index>(std::llround(length));
        if (n == std::exchange(last_length, n)) continue;
        n_points_before = sweep.n_points;
        sweep.measure_length(access, permutation.span(), n);
    }
    if (sweep.n_points == 0) {
        throw heorot::UsageError("no operation has a working set within --max-bytes",
                                 "raise --max-bytes or lower --min-length");
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "compute/vector_kernels", run_sweep);
}
