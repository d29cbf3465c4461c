// Arithmetic with amounts: of the values, and of the texts of their formulas.
#include "harness/amount.hpp"

#include <algorithm>

#include "harness/record/json.hpp"

namespace heorot {

namespace {

template <class Operation>
Amount joined(const Amount& a, const Amount& b, const std::string& formula, Operation operation) {
    return {formula, [a, b, operation](const JobSize& job) {
                return operation(a.value(job), b.value(job));
            }};
}

std::string between(const Amount& a, const char* sign, const Amount& b) {
    return "(" + a.formula() + " " + sign + " " + b.formula() + ")";
}

std::string of(const char* function, const Amount& a, const Amount& b) {
    return std::string(function) + "(" + a.formula() + ", " + b.formula() + ")";
}

}  // namespace

Amount::Amount(double number)
    : formula_(json_number(number)), value_([number](const JobSize&) { return number; }) {}

Amount operator+(const Amount& a, const Amount& b) {
    return joined(a, b, between(a, "+", b), std::plus<>());
}
Amount operator-(const Amount& a, const Amount& b) {
    return joined(a, b, between(a, "-", b), std::minus<>());
}
Amount operator*(const Amount& a, const Amount& b) {
    return joined(a, b, between(a, "*", b), std::multiplies<>());
}
Amount operator/(const Amount& a, const Amount& b) {
    return joined(a, b, between(a, "/", b), std::divides<>());
}
Amount larger(const Amount& a, const Amount& b) {
    return joined(a, b, of("max", a, b), [](double x, double y) { return std::max(x, y); });
}
Amount smaller(const Amount& a, const Amount& b) {
    return joined(a, b, of("min", a, b), [](double x, double y) { return std::min(x, y); });
}
Amount either(const Amount& a, const Amount& b) {
    return joined(a, b, between(a, "or", b), [](double x, double y) { return x != 0.0 ? x : y; });
}

Amount ranks() {
    return {"ranks", [](const JobSize& job) { return job.ranks; }};
}
Amount threads() {
    return {"threads", [](const JobSize& job) { return job.threads; }};
}
Amount copies() {
    return {"copies", [](const JobSize& job) { return job.copies; }};
}

}  // namespace heorot
