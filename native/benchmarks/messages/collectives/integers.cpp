// Sums of integers of all widths, most of which do not fit, and of floating-point numbers.
#include "benchmarks/messages/collectives/integers.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/elements.hpp"

namespace heorot::collectives {

namespace {

// No multiple of any vector: the last elements are added one by one.
constexpr std::size_t n_elements = 1031;

/// Element i of what `rank` adds: of integers all bits, of floating-point numbers whole ones whose
/// sums are exact.
template <class T>
T element_of(std::size_t i, int rank) {
    const auto whole =
        static_cast<std::uint64_t>(payload::element(static_cast<std::int64_t>(i), rank, 0));
    if constexpr (std::floating_point<T>) return static_cast<T>(whole & 0x3ffU);
    // The lowest bits of an odd multiple are as mixed as those of the number.
    return static_cast<T>(whole * 0x9e3779b97f4a7c15U);
}

/// The sums over all ranks; those of integers modulo 2 to the number of their bits.
template <class T>
std::vector<T> expected_sums(int n_ranks) {
    std::vector<T> sums;
    for (std::size_t i = 0; i < n_elements; ++i) {
        if constexpr (std::floating_point<T>) {
            T sum = 0;
            for (int rank = 0; rank < n_ranks; ++rank) sum += element_of<T>(i, rank);
            sums.push_back(sum);
        } else {
            std::uint64_t sum = 0;
            for (int rank = 0; rank < n_ranks; ++rank) {
                sum += static_cast<std::uint64_t>(element_of<T>(i, rank));
            }
            sums.push_back(static_cast<T>(sum));
        }
    }
    return sums;
}

template <class T>
void measure_type(Program& program, const Group& group, const std::string& name,
                  MPI_Datatype type) {
    const payload::Buffer<T> out(n_elements);
    const payload::Buffer<T> in(n_elements);
    const int rank = group.place().rank;
    for (std::size_t i = 0; i < n_elements; ++i) out.data()[i] = element_of<T>(i, rank);
    const std::vector<T> expected = expected_sums<T>(group.place().size);
    std::int64_t most_wrong = 0;
    const auto look = [&] {
        std::int64_t n_wrong = 0;
        for (std::size_t i = 0; i < n_elements; ++i) n_wrong += in.data()[i] == expected[i] ? 0 : 1;
        most_wrong = std::max(most_wrong, n_wrong);
    };
    bool is_first = true;
    const auto region = program.measure(
        {.region = "allreduce_types",
         .point = {{"type", name}, {"bytes", static_cast<std::int64_t>(n_elements * sizeof(T))}},
         .counts = {{"operations", 1}},
         .prepare =
             [&] {
                 if (!is_first) look();
                 is_first = false;
                 std::ranges::fill(in.all(), T{0});
             },
         .each = true},
        [&] {
            MPI_Allreduce(out.data(), in.data(), static_cast<int>(n_elements), type, MPI_SUM,
                          group.all());
        });
    program.corruptible(in.all());
    look();
    program.check(region, "wrong elements of a sum of " + name, static_cast<double>(most_wrong),
                  0.0);
    program.check(region, "bytes written behind a sum of " + name,
                  static_cast<double>(in.n_touched_behind(n_elements)), 0.0);
}

}  // namespace

void measure_types(Program& program, const Group& group) {
    measure_type<std::int8_t>(program, group, "int8", MPI_INT8_T);
    measure_type<std::uint8_t>(program, group, "uint8", MPI_UINT8_T);
    measure_type<std::int16_t>(program, group, "int16", MPI_INT16_T);
    measure_type<std::uint16_t>(program, group, "uint16", MPI_UINT16_T);
    measure_type<std::int32_t>(program, group, "int32", MPI_INT32_T);
    measure_type<std::uint32_t>(program, group, "uint32", MPI_UINT32_T);
    measure_type<std::int64_t>(program, group, "int64", MPI_INT64_T);
    measure_type<std::uint64_t>(program, group, "uint64", MPI_UINT64_T);
    measure_type<float>(program, group, "float", MPI_FLOAT);
    measure_type<double>(program, group, "double", MPI_DOUBLE);
}

}  // namespace heorot::collectives
