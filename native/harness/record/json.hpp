// Writing JSON: escaped text, numbers that read back exactly, members in the order given.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heorot {

/// One truth value, number or text. Integers keep all their digits.
class Scalar {
  public:
    Scalar(bool value) : value_(value) {}  // NOLINT(*-explicit-*)
    Scalar(std::integral auto value) : value_(static_cast<std::int64_t>(value)) {}  // NOLINT
    Scalar(std::floating_point auto value) : value_(static_cast<double>(value)) {}  // NOLINT
    Scalar(std::string_view value) : value_(std::string(value)) {}                  // NOLINT
    Scalar(const std::string& value) : value_(value) {}                             // NOLINT
    Scalar(const char* value) : value_(std::string(value)) {}                       // NOLINT

    std::string json() const;
    /// As a person reads it: text without quotes.
    std::string text() const;

  private:
    std::variant<bool, std::int64_t, double, std::string> value_;
};

/// JSON text of one value. Numbers that JSON lacks become the texts "nan", "inf" and "-inf".
std::string json_text(std::string_view value);
std::string json_number(double value);
std::string json_number(std::int64_t value);
std::string json_array(std::span<const double> values);
std::string json_array(std::span<const std::int64_t> values);
/// Elements that are JSON already.
std::string json_array(std::span<const std::string> elements);

/// A JSON object, member by member, in the order of the calls.
class JsonObject {
  public:
    JsonObject& add(std::string_view name, const Scalar& value);
    /// `json` is JSON already.
    JsonObject& add_json(std::string_view name, std::string_view json);
    std::string text() const { return "{" + members_ + "}"; }

  private:
    std::string members_;
};

}  // namespace heorot
