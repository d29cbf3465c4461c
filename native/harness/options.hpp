// The command line of a program: typed options with defaults, help, and errors that name a remedy.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/amount.hpp"
#include "harness/record/json.hpp"

namespace heorot {

/// Types an option can have. std::size_t takes the suffixes k, M, G (powers of 1024).
template <class T>
concept OptionType =
    std::same_as<T, bool> || std::same_as<T, int> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::size_t> || std::same_as<T, double> || std::same_as<T, std::string>;

/// Options are declared by asking for their values; problems are kept until verify(), so that
/// help and description always work.
class Options {
  public:
    /// The owner of an option: the benchmark, or the harness in every program.
    enum class Owner { benchmark, harness };

    Options(int argc, const char* const* argv);

    /// Value of `--name value`, `--name=value` or, for a bool, `--name`; `fallback` if not given.
    template <OptionType T>
    T get(Owner owner, std::string_view name, const T& fallback, std::string_view help);
    /// Items of the comma-separated `known` that an option of the benchmark lists; by the word all
    /// it lists all of them.
    std::string get_items(std::string_view name, const std::string& fallback,
                          std::string_view known, std::string_view help);
    /// Whole numbers from `least` to `most` that an option of the benchmark lists: none if it is
    /// empty as its fallback is, `least` alone if one makes no sense.
    std::vector<std::int64_t> get_numbers(std::string_view name, const std::string& fallback,
                                          std::int64_t least, std::int64_t most,
                                          std::string_view help);
    /// The number that is the value of an option.
    Amount amount(std::string_view name) const;
    /// The largest number that an option lists; 0 if it lists none.
    Amount largest_of(std::string_view name) const;
    /// How many items an option lists.
    Amount n_of(std::string_view name) const;
    /// 1 if an option lists an item, else 0.
    Amount has(std::string_view name, std::string_view item) const;

    /// Adds a problem of its own: a value that reads well but makes no sense.
    void reject(const std::string& message, const std::string& hint);
    /// Throws UsageError for the first problem or the first undeclared option.
    void verify() const;

    std::string help_text(std::string_view benchmark) const;
    /// `costs_json` are the formulas of a run's costs, as a JSON object.
    std::string description_json(std::string_view benchmark, std::string_view costs_json) const;
    /// All values in use, as a JSON object.
    std::string values_json() const;

  private:
    struct Given {
        std::string name;
        std::optional<std::string> value;
        bool declared = false;
    };
    struct Declared {
        Owner owner;
        std::string name;
        std::string type;
        Scalar fallback;
        Scalar value;
        std::string help;
        std::vector<double> numbers{};  // that it has as its value: one, or those of a list
        std::string choices{};          // of a list of items
        std::vector<std::string> items{};
    };
    struct Problem {
        std::string message;
        std::string hint;
    };

    Given* find(std::string_view name);
    const Declared& declared(std::string_view name) const;
    std::string nearest(std::string_view name) const;
    std::string declared_json(Owner owner) const;

    std::vector<Given> given_;
    std::vector<Declared> declared_;
    std::vector<Problem> problems_;
};

}  // namespace heorot
