// memory/hierarchy: which bandwidth has a core to each level of the memory?
//
// Method    Working sets grow from a few KiB:
//             read: sum of a(i) in eight parallel streams
//             write: a(i) = s
//             copy: b(i) = a(i)
//             triad: a(i) = b(i) + s c(i)
//           Kernels with stores use one or four store streams, the faster of both in a trial per
//           working set. Loads and stores are ordinary ones of the widest vectors of the build. A
//           body repeats its working set until it has touched at least 256 KiB; s counts the
//           repetitions. One thread per rank with its own arrays; copies on several cores show
//           contention.
// Counts    bytes = 8 per element read and 8 per element written, summed over the ranks; neither
//           write-allocate nor one vector that copy writes into a each time is counted. flops = 1
//           per element of read, 2 of triad. working_set_bytes is the size of all arrays of a rank.
// Comparable  Yes: with the load, store, copy and triad kernels of likwid-bench and with bandwidths
//           of lmbench, which count alike, for the same vector width.
// Verified  a(i) = x(i), b(i) = 2 x(i), c(i) = 4 x(i) with x(i) = 1 + (i mod 8191) / 8192; of copy
//           the last vector of a is s. Sums and products are free of rounding: all elements
//           written, and the sums, are compared with their closed forms to the last bit; written
//           values differ between repetitions.
// Source    J. D. McCalpin, Memory bandwidth and machine balance in current high performance
//           computers, IEEE TCCA Newsletter (1995); J. Treibig, G. Hager, G. Wellein, likwid-bench:
//           an extensible microbenchmarking platform (2012), for the kernels.
// Example   heorot run memory/hierarchy --set kernels=read,triad --set max-bytes=256M
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "benchmarks/memory/hierarchy/kernels.hpp"
#include "benchmarks/memory/values/known.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

using heorot::hierarchy::granule;
using heorot::hierarchy::granule_bytes;
using heorot::hierarchy::lanes;
using heorot::values::Index;
using heorot::values::x;
namespace kernel = heorot::hierarchy;

constexpr std::string_view known_kernels = "read,write,copy,triad";
constexpr double least_bytes = 256 << 10;

using OnePlace = std::integral_constant<Index, 1>;
using FourPlaces = std::integral_constant<Index, 4>;

/// The kernels on arrays that share a working set.
class Kernels {
  public:
    /// `places` at which to store at once: 1 or 4, or 0 for the faster.
    Kernels(heorot::Program& program, std::size_t max_bytes, int places)
        : program_(program), room_(max_bytes / sizeof(double)), places_(places) {}

    void read(std::size_t bytes);
    void write(std::size_t bytes);
    void copy(std::size_t bytes);
    void triad(std::size_t bytes);

  private:
    /// One of `n` arrays in a working set.
    struct Part {
        double* a;
        double* b;
        double* c;
        Index n;
        Index n_repeats;
        std::size_t bytes;  // of all

        /// How often a region has gone over it.
        double times(const heorot::Region& region) const {
            return static_cast<double>(region.n_bodies * n_repeats);
        }
    };

    /// `n_arrays` arrays, filled, none larger than the working set allows; n = 0 if it is too
    /// small.
    Part lay_out(int n_arrays, std::size_t bytes);
    /// Whether there is anything to go over, and a kernel has not done so: small sets are rounded.
    bool is_new(const std::string& kernel, const Part& part) {
        return part.n > 0 && std::exchange(last_bytes_[kernel], part.bytes) != part.bytes;
    }
    template <class Body>
    heorot::Region measure(const std::string& name, const Part& part, double moved, double flops,
                           Body&& body);
    /// The same for body(places, first, last), which does times first, ..., last.
    template <class Body>
    heorot::Region measure_stores(const std::string& name, const Part& part, double moved,
                                  double flops, const Body& body);
    template <class Expected>
    void check(const heorot::Region& region, double* result, Index n, Expected expected);

    heorot::Program& program_;
    heorot::Array<double> room_;
    int places_;
    std::map<std::string, std::size_t> last_bytes_;  // of each kernel
};

Kernels::Part Kernels::lay_out(int n_arrays, std::size_t bytes) {
    const std::size_t each = bytes / static_cast<std::size_t>(n_arrays) / granule_bytes * granule;
    const auto n = static_cast<Index>(each);
    Part part{room_.data(),
              room_.data() + each,
              room_.data() + 2 * each,
              n,
              1,
              each * sizeof(double) * static_cast<std::size_t>(n_arrays)};
    if (n == 0) return part;
    part.n_repeats = static_cast<Index>(std::ceil(least_bytes / static_cast<double>(part.bytes)));
    for (Index i = 0; i < n_arrays * n; ++i) {
        const double multiple = i < n ? 1.0 : (i < 2 * n ? 2.0 : 4.0);
        room_[static_cast<std::size_t>(i)] = multiple * x(i % n);
    }
    return part;
}

template <class Body>
heorot::Region Kernels::measure(const std::string& name, const Part& part, double moved,
                                double flops, Body&& body) {
    const double n_total = static_cast<double>(part.n * part.n_repeats) * program_.world().size();
    return program_.measure({.region = name,
                             .point = {{"working_set_bytes", part.bytes}},
                             .counts = {{"bytes", moved * n_total}, {"flops", flops * n_total}}},
                            body);
}

template <class Body>
heorot::Region Kernels::measure_stores(const std::string& name, const Part& part, double moved,
                                       double flops, const Body& body) {
    Index done = 0;
    const auto stores = [&](auto places) {
        return [&, places] {
            body(places, done + 1, done + part.n_repeats);
            done += part.n_repeats;
        };
    };
    const auto at_one = stores(OnePlace{});
    const auto at_four = stores(FourPlaces{});
    const bool one_is_wanted =
        places_ > 0 ? places_ == 1 : program_.trial(at_one) <= program_.trial(at_four);
    done = 0;
    return one_is_wanted ? measure(name, part, moved, flops, at_one)
                         : measure(name, part, moved, flops, at_four);
}

template <class Expected>
void Kernels::check(const heorot::Region& region, double* result, Index n, Expected expected) {
    program_.corruptible(std::span(result, static_cast<std::size_t>(n)));
    double largest = 0.0;
    for (Index i = 0; i < n; ++i) {
        largest = std::max(largest, heorot::values::deviation(result[i], expected(i)));
    }
    program_.check(region, "largest relative deviation", largest, 0.0);
}

void Kernels::read(std::size_t bytes) {
    const Part u = lay_out(1, bytes);
    if (!is_new("read", u)) return;
    double sum = 0.0;
    const auto region = measure("read", u, 8, 1, [&] {
        sum =
            kernel::read(u.a, u.n, u.n_repeats, std::make_index_sequence<kernel::n_read_places>{});
        heorot::keep(sum);
    });
    check(region, &sum, 1,
          [&](Index) { return static_cast<double>(u.n_repeats) * heorot::values::sum_of_x(u.n); });
}

void Kernels::write(std::size_t bytes) {
    const Part u = lay_out(1, bytes);
    if (!is_new("write", u)) return;
    const auto region = measure_stores("write", u, 8, 0, [&](auto places, Index first, Index last) {
        kernel::write<places>(u.a, u.n, first, last);
    });
    check(region, u.a, u.n, [&](Index) { return u.times(region); });
}

void Kernels::copy(std::size_t bytes) {
    const Part u = lay_out(2, bytes);
    if (!is_new("copy", u)) return;
    const auto region = measure_stores("copy", u, 16, 0, [&](auto places, Index first, Index last) {
        kernel::copy<places>(u.b, u.a, u.n, first, last);
    });
    check(region, u.b, u.n, [&](Index i) { return i < u.n - lanes ? x(i) : u.times(region); });
}

void Kernels::triad(std::size_t bytes) {
    const Part u = lay_out(3, bytes);
    if (!is_new("triad", u)) return;
    const auto region =
        measure_stores("triad", u, 24, 2, [&](auto places, Index first, Index last) {
            kernel::triad<places>(u.a, u.b, u.c, u.n, first, last);
        });
    check(region, u.a, u.n, [&](Index i) { return (2.0 + 4.0 * u.times(region)) * x(i); });
}

/// The largest working set, and all of them.
void say_what_it_takes(heorot::Program& program) {
    program.takes("memory_bytes", heorot::ranks() * program.amount("max-bytes") + heorot::mebibyte);
    const heorot::Sizes sizes{program.amount("min-bytes"), program.amount("max-bytes"),
                              program.amount("points-per-octave")};
    program.takes("points", program.n_of("kernels") * heorot::n_of(sizes));
    program.takes("swept_bytes", heorot::ranks() * program.n_of("kernels") * heorot::total(sizes));
}

void hierarchy(heorot::Program& program) {
    // 1. Options
    const auto wanted = program.items("kernels", known_kernels, "what is done");
    const auto min_bytes =
        program.option<std::size_t>("min-bytes", 4096, "smallest working set of a rank");
    const auto max_bytes = program.option<std::size_t>("max-bytes", std::size_t{64} << 20U,
                                                       "largest working set of a rank");
    const auto per_octave =
        program.option<double>("points-per-octave", 2.0, "working sets per doubling");
    const auto places = program.option<int>(
        "places", 0, "at how many places to store at once: 1, 4, or 0 for the faster");
    say_what_it_takes(program);
    program.start();
    if (min_bytes < 3 * granule_bytes || max_bytes < min_bytes) {
        throw heorot::UsageError("--min-bytes must be 3072 at least, --max-bytes no less than that",
                                 "leave them out for 4096 and 64M");
    }
    if (per_octave <= 0.0 || per_octave > 64.0) {
        throw heorot::UsageError("--points-per-octave must be between 0 and 64",
                                 "leave it out for 2");
    }
    if (places != 0 && places != 1 && places != 4) {
        throw heorot::UsageError("--places must be 0, 1 or 4", "leave it out for the faster");
    }
    program.note("vector_bytes", lanes * static_cast<Index>(sizeof(double)));

    // 2. Problem
    Kernels kernels(program, max_bytes, places);

    // 3. Measure, 4. verify, one working set after the other
    for (int step = 0;; ++step) {
        const double size = static_cast<double>(min_bytes) * std::exp2(step / per_octave);
        if (size > static_cast<double>(max_bytes)) break;
        const auto bytes = static_cast<std::size_t>(size);
        if (heorot::lists(wanted, "read")) kernels.read(bytes);
        if (heorot::lists(wanted, "write")) kernels.write(bytes);
        if (heorot::lists(wanted, "copy")) kernels.copy(bytes);
        if (heorot::lists(wanted, "triad")) kernels.triad(bytes);
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "memory/hierarchy", hierarchy);
}
