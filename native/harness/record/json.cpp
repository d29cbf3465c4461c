// Writing JSON text.
#include "harness/record/json.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cstdio>

#include "harness/record/check.hpp"

namespace heorot {

namespace {

template <class T>
std::string shortest(T value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

template <class Values, class Format>
std::string joined(const Values& values, const Format& format) {
    std::string text = "[";
    for (const auto& value : values) {
        if (text.size() > 1) text += ',';
        text += format(value);
    }
    return text + "]";
}

}  // namespace

std::string json_text(std::string_view value) {
    std::string text = "\"";
    for (const char c : value) {
        switch (c) {
            case '"':
                text += "\\\"";
                break;
            case '\\':
                text += "\\\\";
                break;
            case '\n':
                text += "\\n";
                break;
            case '\t':
                text += "\\t";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    std::array<char, 8> code{};
                    std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
                    text += code.data();
                } else {
                    text += c;
                }
        }
    }
    return text + "\"";
}

std::string json_number(double value) {
    if (is_nan(value)) return "\"nan\"";
    // By their bits: with options such as -ffinite-math-only compilers delete comparisons.
    constexpr std::uint64_t infinity = 0x7ff0'0000'0000'0000ULL;
    constexpr std::uint64_t sign = 1ULL << 63U;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if ((bits & ~sign) == infinity) return (bits & sign) == 0 ? "\"inf\"" : "\"-inf\"";
    return shortest(value);
}

std::string json_number(std::int64_t value) {
    return shortest(value);
}

std::string json_array(std::span<const double> values) {
    return joined(values, [](double value) { return json_number(value); });
}

std::string json_array(std::span<const std::int64_t> values) {
    return joined(values, [](std::int64_t value) { return json_number(value); });
}

std::string json_array(std::span<const std::string> elements) {
    return joined(elements, [](const std::string& element) { return element; });
}

std::string Scalar::json() const {
    struct Writer {
        std::string operator()(bool value) const { return value ? "true" : "false"; }
        std::string operator()(std::int64_t value) const { return json_number(value); }
        std::string operator()(double value) const { return json_number(value); }
        std::string operator()(const std::string& value) const { return json_text(value); }
    };
    return std::visit(Writer{}, value_);
}

std::string Scalar::text() const {
    if (const auto* words = std::get_if<std::string>(&value_)) return *words;
    return json();
}

JsonObject& JsonObject::add(std::string_view name, const Scalar& value) {
    return add_json(name, value.json());
}

JsonObject& JsonObject::add_json(std::string_view name, std::string_view json) {
    if (!members_.empty()) members_ += ',';
    members_ += json_text(name);
    members_ += ':';
    members_ += json;
    return *this;
}

}  // namespace heorot
