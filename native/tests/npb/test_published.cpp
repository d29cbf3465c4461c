// Tests of looking up published classes and of deviations from published results.
#include <array>
#include <complex>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/npb/published.hpp"
#include "harness/record/check.hpp"
#include "tests/testing.hpp"

namespace {

struct ProblemClass {
    const char* name;
    int n;
};
constexpr std::array<ProblemClass, 3> classes = {{{"S", 12}, {"W", 24}, {"A", 64}}};

void classes_are_found_by_name() {
    CHECK(heorot::find_class(classes, "W").n == 24);
    CHECK(&heorot::find_class(std::span<const ProblemClass>(classes), "A") == &classes[2]);
}

void unknown_class_names_the_known_ones() {
    CHECK(heorot::names_of(classes) == "S, W or A");
    CHECK(heorot::names_of(std::span(classes).first(2)) == "S or W");
    CHECK(heorot::names_of(std::span(classes).first(1)) == "S");
    std::string message;
    std::string hint;
    try {
        heorot::find_class(classes, "w");
    } catch (const heorot::UsageError& error) {
        message = error.what();
        hint = error.hint();
    }
    CHECK(message == "there is no class 'w'");
    CHECK(hint == "--class S, W or A");
}

void deviations_are_relative_to_what_was_published() {
    CHECK(heorot::relative_deviation(3.0, 4.0) == 0.25);
    CHECK(heorot::relative_deviation(-3.0, -4.0) == 0.25);
    CHECK(heorot::relative_deviation(3.0, -4.0) == 1.75);
    using Complex = std::complex<double>;
    CHECK(heorot::relative_deviation(Complex(6.0, 11.0), Complex(3.0, 4.0)) ==
          7.615773105863909 / 5);
}

void the_largest_deviation_counts() {
    const std::array<double, 3> published = {1.0, -2.0, 4.0};
    CHECK(heorot::largest_relative_deviation(published, published) == 0.0);
    CHECK(heorot::largest_relative_deviation(std::vector{1.0, -3.0, 5.0}, published) == 0.5);
}

// Wherever it stands: a later deviation, larger or smaller, does not take its place.
void not_a_number_stays() {
    const std::array<double, 3> published = {1.0, -2.0, 4.0};
    for (std::size_t i = 0; i < published.size(); ++i) {
        std::array<double, 3> values = {1.0, -3.0, 5.0};
        values[i] = std::numeric_limits<double>::quiet_NaN();
        CHECK(heorot::is_nan(heorot::largest_relative_deviation(values, published)));
    }
    CHECK(heorot::is_nan(
        heorot::relative_deviation(std::numeric_limits<double>::quiet_NaN(), published[0])));
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): a class that is missing ends the test
int main() {
    classes_are_found_by_name();
    unknown_class_names_the_known_ones();
    deviations_are_relative_to_what_was_published();
    the_largest_deviation_counts();
    not_a_number_stays();
    return heorot::tests::result();
}
