// Reading the command line.
#include "harness/options.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "harness/lists.hpp"
#include "harness/record/check.hpp"

namespace heorot {

namespace {

template <OptionType T>
constexpr std::string_view type_name() {
    if constexpr (std::same_as<T, bool>) return "bool";
    if constexpr (std::same_as<T, int> || std::same_as<T, std::int64_t>) return "int";
    if constexpr (std::same_as<T, std::size_t>) return "size";
    if constexpr (std::same_as<T, double>) return "double";
    if constexpr (std::same_as<T, std::string>) return "string";
}

template <OptionType T>
constexpr std::string_view wanted_value() {
    if constexpr (std::same_as<T, bool>) return "true or false";
    if constexpr (std::same_as<T, int> || std::same_as<T, std::int64_t>) return "a whole number";
    if constexpr (std::same_as<T, std::size_t>) {
        return "a whole number >= 0, with k, M or G for powers of 1024";
    }
    if constexpr (std::same_as<T, double>) return "a finite number";
    if constexpr (std::same_as<T, std::string>) return "a text";
}

template <class Integer>
std::optional<Integer> parse_integer(std::string_view text) {
    Integer value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

std::optional<std::size_t> parse_size(std::string_view text) {
    std::size_t unit = 1;
    if (!text.empty()) {
        switch (text.back()) {
            case 'k':
            case 'K':
                unit = std::size_t{1} << 10U;
                break;
            case 'M':
                unit = std::size_t{1} << 20U;
                break;
            case 'G':
                unit = std::size_t{1} << 30U;
                break;
            default:
                break;
        }
        if (unit > 1) text.remove_suffix(1);
    }
    const auto value = parse_integer<std::size_t>(text);
    if (!value || *value > std::numeric_limits<std::size_t>::max() / unit) return std::nullopt;
    return *value * unit;
}

std::optional<double> parse_number(const std::string& text) {
    char* stop = nullptr;
    errno = 0;
    const double value = std::strtod(text.c_str(), &stop);
    const bool whole = !text.empty() && stop == text.c_str() + text.size();
    if (!whole || errno == ERANGE || text.find_first_of("nN") != std::string::npos) {
        return std::nullopt;
    }
    return value;
}

template <OptionType T>
std::optional<T> parse(const std::string& text) {
    if constexpr (std::same_as<T, bool>) {
        if (text == "true") return true;
        if (text == "false") return false;
        return std::nullopt;
    } else if constexpr (std::same_as<T, std::size_t>) {
        return parse_size(text);
    } else if constexpr (std::same_as<T, double>) {
        return parse_number(text);
    } else if constexpr (std::same_as<T, std::string>) {
        return text;
    } else {
        return parse_integer<T>(text);
    }
}

/// Least number of insertions, deletions and replacements that turn a into b (V. I. Levenshtein,
/// Soviet Physics Doklady 10, 1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

Options::Options(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (!word.starts_with("--") || word.size() == 2) {
            reject("unexpected argument '" + word + "'", "options look like --name value");
            continue;
        }
        Given given;
        const std::size_t equals = word.find('=');
        if (equals != std::string::npos) {
            given.name = word.substr(2, equals - 2);
            given.value = word.substr(equals + 1);
        } else {
            given.name = word.substr(2);
            const bool has_value = i + 1 < argc && !std::string_view(argv[i + 1]).starts_with("--");
            if (has_value) given.value = argv[++i];
        }
        if (find(given.name) != nullptr) {
            reject("option --" + given.name + " is given twice", "give it once");
            continue;
        }
        given_.push_back(given);
    }
}

template <OptionType T>
T Options::get(Owner owner, std::string_view name, const T& fallback, std::string_view help) {
    expects(std::none_of(declared_.begin(), declared_.end(),
                         [&](const Declared& other) { return other.name == name; }),
            "an option is declared once, and under a name the harness does not use");
    T value = fallback;
    if (Given* given = find(name)) {
        given->declared = true;
        if (std::same_as<T, bool> && !given->value) given->value = "true";
        const auto read = given->value ? parse<T>(*given->value) : std::nullopt;
        if (read) {
            value = *read;
        } else {
            reject("option --" + given->name +
                       (given->value ? " cannot be '" + *given->value + "'" : " lacks its value"),
                   "it wants " + std::string(wanted_value<T>()));
        }
    }
    declared_.push_back({owner, std::string(name), std::string(type_name<T>()), fallback, value,
                         std::string(help)});
    if constexpr (std::is_arithmetic_v<T>) {
        declared_.back().numbers = {static_cast<double>(value)};
    }
    return value;
}

template bool Options::get(Owner, std::string_view, const bool&, std::string_view);
template int Options::get(Owner, std::string_view, const int&, std::string_view);
template std::int64_t Options::get(Owner, std::string_view, const std::int64_t&, std::string_view);
template std::size_t Options::get(Owner, std::string_view, const std::size_t&, std::string_view);
template double Options::get(Owner, std::string_view, const double&, std::string_view);
template std::string Options::get(Owner, std::string_view, const std::string&, std::string_view);

std::string Options::get_items(std::string_view name, const std::string& fallback,
                               std::string_view known, std::string_view help) {
    auto list = get<std::string>(Owner::benchmark, name, fallback, help);
    try {
        list = verified_list(name, list, known);
    } catch (const UsageError& error) {
        reject(error.what(), error.hint());
    }
    Declared& option = declared_.back();
    option.type = "items";
    option.choices = known;
    option.items = split_list(list);
    return list;
}

std::vector<std::int64_t> Options::get_numbers(std::string_view name, const std::string& fallback,
                                               std::int64_t least, std::int64_t most,
                                               std::string_view help) {
    const auto list = get<std::string>(Owner::benchmark, name, fallback, help);
    std::vector<std::int64_t> numbers = {least};
    try {
        numbers = list.empty() && fallback.empty() ? std::vector<std::int64_t>()
                                                   : verified_numbers(name, list, least, most);
    } catch (const UsageError& error) {
        reject(error.what(), error.hint());
    }
    Declared& option = declared_.back();
    option.type = "numbers";
    option.numbers.assign(numbers.begin(), numbers.end());
    option.items.resize(numbers.size());
    return numbers;
}

const Options::Declared& Options::declared(std::string_view name) const {
    const auto found = std::find_if(declared_.begin(), declared_.end(),
                                    [&](const Declared& option) { return option.name == name; });
    expects(found != declared_.end(), "formulas are about options that are declared");
    return *found;
}

void Options::reject(const std::string& message, const std::string& hint) {
    problems_.push_back({message, hint});
}

void Options::verify() const {
    for (const Given& given : given_) {
        if (given.declared) continue;
        throw UsageError("unknown option --" + given.name, nearest(given.name));
    }
    if (!problems_.empty()) throw UsageError(problems_.front().message, problems_.front().hint);
}

Options::Given* Options::find(std::string_view name) {
    const auto found = std::find_if(given_.begin(), given_.end(),
                                    [&](const Given& given) { return given.name == name; });
    return found == given_.end() ? nullptr : &*found;
}

std::string Options::nearest(std::string_view name) const {
    const Declared* best = nullptr;
    std::size_t least = std::max<std::size_t>(2, name.size() / 2) + 1;
    for (const Declared& option : declared_) {
        const std::size_t distance = edit_distance(name, option.name);
        if (distance < least) {
            least = distance;
            best = &option;
        }
    }
    if (best == nullptr) return "--help lists all options";
    return "did you mean --" + best->name + "? --help lists all options";
}

}  // namespace heorot
