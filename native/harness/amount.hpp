// Costs of a program, known from its options before any run: a number and its formula.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace heorot {

inline constexpr double mebibyte = 1 << 20;  // [B]

/// Variables of formulas besides the options.
struct JobSize {
    double ranks = 1;
    double threads = 1;  ///< of a rank
    double copies = 1;   ///< of the problem: as many as ranks with --star
};

/// A number that follows from the options and the size of a job, and its formula: --count prints
/// the number, --describe the formula, by which plans know a case's needs without the program.
class Amount {
  public:
    using Value = std::function<double(const JobSize&)>;

    Amount(double number);  // NOLINT(*-explicit-*): numbers of formulas
    /// `formula` is arithmetic that both C++ and Python read alike.
    Amount(std::string formula, Value value)
        : formula_(std::move(formula)), value_(std::move(value)) {}

    double value(const JobSize& job) const { return value_(job); }
    const std::string& formula() const { return formula_; }

  private:
    std::string formula_;
    Value value_;
};

Amount operator+(const Amount& a, const Amount& b);
Amount operator-(const Amount& a, const Amount& b);
Amount operator*(const Amount& a, const Amount& b);
Amount operator/(const Amount& a, const Amount& b);
/// The larger one, and the smaller.
Amount larger(const Amount& a, const Amount& b);
Amount smaller(const Amount& a, const Amount& b);
/// `a` unless it is 0, then `b`: for options whose 0 leaves the choice to the program.
Amount either(const Amount& a, const Amount& b);

/// The ranks of the job, the threads of a rank, and the copies of the problem.
Amount ranks();
Amount threads();
Amount copies();

}  // namespace heorot
