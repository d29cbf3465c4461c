// The published classes of a benchmark, and how far a result is from the published one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ranges>
#include <string>

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

/// Declares the option --class and returns its value; says what the program takes, whose arrays
/// have `bytes_of(problem)` bytes in a class, all ranks together.
template <std::ranges::sized_range Classes, class BytesOf>
std::string choose_class(Program& program, const Classes& classes, const BytesOf& bytes_of) {
    const auto name = program.option("class", "S", "problem class: " + names_of(classes));
    std::string table;
    double bytes = 0.0;
    for (const auto& one : classes) {
        const double own = bytes_of(one);
        table += (table.empty() ? "'" : ", '") + std::string(one.name) + "': " + json_number(own);
        if (name == one.name) bytes = own;
    }
    const auto known = [bytes](const JobSize&) { return bytes; };
    const Amount arrays = copies() * Amount("{" + table + "}[class_]", known);
    // Halos, padding and buffers; what a rank and each of its threads have besides.
    program.takes("memory_bytes", 1.3 * arrays + ranks() * (12.0 + 2.0 * threads()) * mebibyte);
    program.takes("working_set_bytes", arrays);
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
