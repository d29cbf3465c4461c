// The published classes of a benchmark, and how far a result is from the published one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ranges>
#include <string>
#include <vector>

#include "harness/program.hpp"

namespace heorot {

/// The names of the classes, as in "S, W, A or B".
template <std::ranges::sized_range Classes>
std::string names_of(const Classes& classes) {
    std::string names;
    std::size_t n_left = std::ranges::size(classes);
    for (const auto& one : classes) {
        names += one.name;
        --n_left;
        if (n_left > 0) names += n_left > 1 ? ", " : " or ";
    }
    return names;
}

/// The class of that name; throws UsageError if there is none.
template <std::ranges::sized_range Classes>
const auto& find_class(const Classes& classes, const std::string& name) {
    for (const auto& candidate : classes) {
        if (name == candidate.name) return candidate;
    }
    throw UsageError("there is no class '" + name + "'", "--class " + names_of(classes));
}

/// A number that every class has, of class `name`: `number_of(problem)`.
template <std::ranges::sized_range Classes, class NumberOf>
Amount by_class(const Classes& classes, const std::string& name, const NumberOf& number_of) {
    std::string table;
    double chosen = 0.0;
    for (const auto& one : classes) {
        const double own = number_of(one);
        table += (table.empty() ? "'" : ", '") + std::string(one.name) + "': " + json_number(own);
        if (name == one.name) chosen = own;
    }
    return {"{" + table + "}[class_]", [chosen](const JobSize&) { return chosen; }};
}

/// Declares the option --class and returns its value. Declares the memory, for arrays of
/// `bytes_of(problem)` bytes in all ranks together, and `counts_of(problem)`, those counts of a
/// body that depend on the class alone.
template <std::ranges::sized_range Classes, class BytesOf, class CountsOf>
std::string choose_class(Program& program, const Classes& classes, const BytesOf& bytes_of,
                         const CountsOf& counts_of) {
    const auto name = program.option("class", "S", "problem class: " + names_of(classes));
    const Amount arrays = copies() * by_class(classes, name, bytes_of);
    // Halos, padding and buffers, and the memory of each rank and thread besides arrays.
    program.takes("memory_bytes", 1.3 * arrays + ranks() * (12.0 + 2.0 * threads()) * mebibyte);
    program.takes("working_set_bytes", arrays);
    program.takes("points", 1.0);
    const std::vector<Count> counts = counts_of(*std::ranges::begin(classes));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto amount_of = [&](const auto& one) { return counts_of(one)[i].value; };
        program.takes(counts[i].name, copies() * by_class(classes, name, amount_of));
    }
    return name;
}

/// |value - published| / |published|, of real or complex numbers.
template <class Number>
double relative_deviation(const Number& value, const Number& published) {
    return std::abs(value - published) / std::abs(published);
}

/// The largest relative deviation of a value from what was published in its place; NaN if there is
/// one. Precondition: as many values as published ones.
template <std::ranges::random_access_range Values, std::ranges::random_access_range Published>
double largest_relative_deviation(const Values& values, const Published& published) {
    double largest = 0.0;
    auto value = std::ranges::begin(values);
    for (const auto& wanted : published) {
        const double deviation = relative_deviation(*value++, wanted);
        if (is_nan(deviation)) return deviation;
        largest = std::max(largest, deviation);
    }
    return largest;
}

}  // namespace heorot
