// The command line of a program: typed options with defaults, help, and errors that name a remedy.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    /// Whose option it is: the benchmark's own, or one that every program has.
    enum class Owner { benchmark, harness };

    Options(int argc, const char* const* argv);

    /// Value of `--name value`, `--name=value` or, for a bool, `--name`; `fallback` if not given.
    template <OptionType T>
    T get(Owner owner, std::string_view name, const T& fallback, std::string_view help);
    /// Adds a problem of its own: a value that reads well but makes no sense.
    void reject(const std::string& message, const std::string& hint);
    /// Throws UsageError for the first problem or the first option nobody declared.
    void verify() const;

    std::string help_text(std::string_view benchmark) const;
    std::string description_json(std::string_view benchmark) const;
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
    };
    struct Problem {
        std::string message;
        std::string hint;
    };

    Given* find(std::string_view name);
    std::string nearest(std::string_view name) const;
    std::string declared_json(Owner owner) const;

    std::vector<Given> given_;
    std::vector<Declared> declared_;
    std::vector<Problem> problems_;
};

}  // namespace heorot
