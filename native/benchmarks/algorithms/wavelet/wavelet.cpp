// algorithms/wavelet: how fast is the 2-D Haar wavelet transform?
//
// Method    A field of m x n doubles, m = 2 n rows, out of place. A level transforms each 2 x 2
//           points a b / c d, orthonormally:
//             the coarser field: (a + b + c + d) / 2
//             coefficients right of it: (a - b + c - d) / 2
//             below it: (a + b - c - d) / 2
//             right and below: (a - b - c + d) / 2
//           Levels end when an extent is odd.
//             forward, inverse: one field, n = 2^k or 3 2^k (not 3, which has no level), from L1d
//               to memory
//             forward_fields, inverse_fields: many fields of 512 x 256, together the largest
//               working set, from memory
//           The widest vectors of the build. Threads share the rows; each rank has its own fields.
// Counts    flops = 12 for two by two points of a level, 8 additions and 4 multiplications; bytes =
//           16 for a point of a level, read once and written once; points of level l are m n /
//           4^(l-1). Summed over ranks. working_set_bytes is the size of field and transform, 16 m
//           n.
// Comparable  In part: EuroBen's mod2g is a Haar transform of 512 x 256; how it scales and stores
//           differs. It counts 4 additions to a multiplication; here there are 2 to one, as each of
//           the four results is halved by itself, which makes every level orthonormal.
// Verified  f(i, j) = i^2 + 2 j^2 - i j + 5: sums over squares of points are whole numbers below
//           2^53, and halving is exact. All coefficients of all levels have closed forms, equal to
//           the last bit; the inverse of coefficients by closed form is f. Tolerance 0.
// Source    A. Haar, Zur Theorie der orthogonalen Funktionensysteme, Math. Ann. 69 (1910); S. G.
//           Mallat, A theory for multiresolution signal decomposition: the wavelet representation,
//           IEEE Trans. PAMI 11 (1989); A. J. van der Steen, The benchmark of the EuroBen Group,
//           Parallel Computing 17 (1991).
// Example   heorot run algorithms/wavelet --set regions=forward,inverse --threads 2
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "benchmarks/algorithms/wavelet/haar.hpp"
#include "benchmarks/algorithms/wavelet/known.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

using namespace heorot;
using namespace heorot::wavelet;

constexpr std::string_view known_regions = "forward,inverse,forward_fields,inverse_fields";
constexpr Index m_of_source = 512;
constexpr Index n_of_source = 256;
constexpr double bytes_of_point = 16.0;
// Fields whose sums of points are below 2^53.
constexpr std::size_t most_bytes = std::size_t{1} << 30U;

/// Fields of m x n, one behind the other, and their transforms.
class Fields {
  public:
    Fields(Program& program, Index m, Index n, Index n_fields)
        : program_(program),
          m_(m),
          n_(n),
          n_fields_(n_fields),
          haar_(m, n, program.n_threads()),
          known_(m, n, haar_.n_levels()),
          points_(static_cast<std::size_t>(m * n * n_fields)),
          coefficients_(static_cast<std::size_t>(m * n * n_fields)) {}

    void measure_forward(const std::string& name) {
        for_all(points_, [](double& value, Index i, Index j) { value = Known::point(i, j); });
        for_all(coefficients_, [](double& value, Index, Index) { value = no_result; });
        measure(
            name, "coefficients that are wrong", coefficients_,
            [this](double* x, double* y) { haar_.forward(x, y); },
            [this](Index i, Index j) { return known_.coefficient(i, j); });
    }
    void measure_inverse(const std::string& name) {
        for_all(coefficients_,
                [this](double& value, Index i, Index j) { value = known_.coefficient(i, j); });
        for_all(points_, [](double& value, Index, Index) { value = no_result; });
        measure(
            name, "points that are wrong", points_,
            [this](double* x, double* y) { haar_.inverse(y, x); },
            [](Index i, Index j) { return Known::point(i, j); });
    }

  private:
    /// Rows are touched first by the threads that will work on them.
    template <class Action>
    void for_all(Array<double>& fields, Action action) {
#pragma omp parallel for schedule(static)
        for (Index row = 0; row < m_ * n_fields_; ++row) {
            for (Index j = 0; j < n_; ++j) action(fields.data()[row * n_ + j], row % m_, j);
        }
    }

    template <class Transform, class Expected>
    void measure(const std::string& name, const std::string& check, Array<double>& result,
                 Transform transform, Expected expected) {
        const double copies = program_.world().size();
        const double points = haar_.n_points() * static_cast<double>(n_fields_) * copies;
        const Index length = m_ * n_;
        const auto region =
            program_.measure({.region = name,
                              .point = {{"m", m_},
                                        {"n", n_},
                                        {"fields", n_fields_},
                                        {"working_set_bytes", 16 * length * n_fields_}},
                              .counts = {{"flops", 3.0 * points}, {"bytes", 16.0 * points}}},
                             [&] {
                                 for (Index field = 0; field < n_fields_; ++field) {
                                     transform(points_.data() + field * length,
                                               coefficients_.data() + field * length);
                                 }
                             });
        program_.corruptible(result.span());
        double n_wrong = 0.0;
        for (Index row = 0; row < m_ * n_fields_; ++row) {
            for (Index j = 0; j < n_; ++j) {
                const double value = result.data()[row * n_ + j];
                const bool right = value == expected(row % m_, j) && !is_nan(value);
                n_wrong += right ? 0.0 : 1.0;
            }
        }
        program_.check(region, check, n_wrong, 0.0);
    }

    Program& program_;
    Index m_;
    Index n_;
    Index n_fields_;
    Haar haar_;
    Known known_;
    Array<double> points_;
    Array<double> coefficients_;
};

/// 16 m n, m = 2 n.
double bytes_of(Index n) {
    return bytes_of_point * 2.0 * static_cast<double>(n * n);
}

/// Fields one by one: n = 2, 4, 6, 8, 12 ...
void measure_one_by_one(Program& program, const std::string& regions, double least, double most) {
    if (!lists(regions, "forward") && !lists(regions, "inverse")) return;
    for (Index power = 2; bytes_of(power) <= most; power *= 2) {
        for (const Index n : {power, power / 2 * 3}) {
            const bool has_level = n % 2 == 0;
            if (!has_level || bytes_of(n) < least || bytes_of(n) > most) continue;
            Fields field(program, 2 * n, n, 1);
            if (lists(regions, "forward")) field.measure_forward("forward");
            if (lists(regions, "inverse")) field.measure_inverse("inverse");
        }
    }
}

/// Fields of the source's size, as many as fit, one after the other.
void measure_fields(Program& program, const std::string& regions, double most) {
    if (!lists(regions, "forward_fields") && !lists(regions, "inverse_fields")) return;
    const auto n_fields = static_cast<Index>(most / bytes_of_point) / (m_of_source * n_of_source);
    if (n_fields == 0) return;
    Fields fields(program, m_of_source, n_of_source, n_fields);
    if (lists(regions, "forward_fields")) fields.measure_forward("forward_fields");
    if (lists(regions, "inverse_fields")) fields.measure_inverse("inverse_fields");
}

/// The fields one by one, whose sizes are 1, 9/16, 1/4, ... of the largest, and all together.
void say_what_is_swept(Program& program) {
    const auto most = program.amount("max-bytes");
    const Amount least = larger(program.amount("min-bytes"), bytes_of(4));
    const auto smallest = smaller(1.0, rounded_down(bytes_of(2) / program.amount("min-bytes")));
    const auto one_by_one = program.has("regions", "forward") + program.has("regions", "inverse");
    const auto together = program.n_of("regions") - one_by_one;
    const Sizes parts{1.0, most / least, 1.0};
    const auto n_fields = rounded_down(most / bytes_of(n_of_source));
    constexpr double mean = 25.0 / 24.0;  // of 1 and 9/16, to 1 and 1/2
    const auto swept = sum_over(parts, [&](const Amount& part) { return mean * most / part; });
    program.takes("points",
                  one_by_one * (n_of(parts) + smallest) + together * smaller(1.0, n_fields));
    program.takes("swept_bytes",
                  ranks() * (one_by_one * swept + together * n_fields * bytes_of(n_of_source)));
}

void transform_fields(Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "directions");
    const auto min_bytes = program.option<std::size_t>("min-bytes", std::size_t{8} << 10U,
                                                       "smallest field and transform of a rank");
    const auto max_bytes = program.option<std::size_t>("max-bytes", std::size_t{64} << 20U,
                                                       "largest, and those of all fields together");
    const auto fields = ranks() * program.amount("max-bytes");
    program.takes("memory_bytes", 1.2 * fields + 4.0 * mebibyte);
    program.takes("working_set_bytes", fields);
    say_what_is_swept(program);
    program.start();
    if (min_bytes < 1 || max_bytes < min_bytes || max_bytes > most_bytes) {
        throw UsageError("--min-bytes and --max-bytes must ascend from 1 to 1G",
                         "leave them out for 8k and 64M");
    }

    // 2. Problem, 3. measure, 4. verify
    const auto most = static_cast<double>(max_bytes);
    measure_one_by_one(program, regions, static_cast<double>(min_bytes), most);
    measure_fields(program, regions, most);
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/wavelet", transform_fields);
}
