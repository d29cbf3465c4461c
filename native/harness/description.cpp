// Descriptions of options: as help, as JSON, and in formulas.
#include <algorithm>
#include <utility>

#include "harness/options.hpp"

namespace heorot {

namespace {

/// An option as formulas name it.
std::string identifier(std::string_view name) {
    std::string word(name);
    std::replace(word.begin(), word.end(), '-', '_');
    return word;
}

Amount known(std::string formula, double number) {
    return {std::move(formula), [number](const JobSize&) { return number; }};
}

}  // namespace

Amount Options::amount(std::string_view name) const {
    return known(identifier(name), declared(name).numbers.at(0));
}

Amount Options::largest_of(std::string_view name) const {
    const std::vector<double>& numbers = declared(name).numbers;
    const auto largest = std::max_element(numbers.begin(), numbers.end());
    return known("max(" + identifier(name) + ")", largest == numbers.end() ? 0.0 : *largest);
}

Amount Options::n_of(std::string_view name) const {
    return known("len(" + identifier(name) + ")", static_cast<double>(declared(name).items.size()));
}

Amount Options::has(std::string_view name, std::string_view item) const {
    const std::vector<std::string>& items = declared(name).items;
    const bool is_there = std::find(items.begin(), items.end(), item) != items.end();
    return known("('" + std::string(item) + "' in " + identifier(name) + ")", is_there ? 1.0 : 0.0);
}

std::string Options::help_text(std::string_view benchmark) const {
    std::string text = std::string(benchmark) + " [--option value ...]\n";
    for (const Owner owner : {Owner::benchmark, Owner::harness}) {
        text += owner == Owner::benchmark ? "\noptions\n" : "\noptions of every program\n";
        for (const Declared& option : declared_) {
            if (option.owner != owner) continue;
            std::string left = "  --" + option.name + " (" + option.type + ")";
            left.resize(std::max<std::size_t>(left.size() + 1, 30), ' ');
            text += left + option.help;
            if (!option.choices.empty()) text += ": of " + option.choices + ", or all";
            text += " [" + option.fallback.text() + "]\n";
        }
    }
    return text;
}

std::string Options::declared_json(Owner owner) const {
    std::vector<std::string> described;
    for (const Declared& option : declared_) {
        if (option.owner != owner) continue;
        JsonObject described_option;
        described_option.add("name", option.name)
            .add("type", option.type)
            .add("default", option.fallback)
            .add("help", option.help);
        if (!option.choices.empty()) described_option.add("choices", option.choices);
        described.push_back(described_option.text());
    }
    return json_array(described);
}

std::string Options::description_json(std::string_view benchmark,
                                      std::string_view costs_json) const {
    return JsonObject()
        .add("name", benchmark)
        .add_json("costs", costs_json)
        .add_json("options", declared_json(Owner::benchmark))
        .add_json("harness_options", declared_json(Owner::harness))
        .text();
}

std::string Options::values_json() const {
    JsonObject values;
    for (const Owner owner : {Owner::benchmark, Owner::harness}) {
        for (const Declared& option : declared_) {
            const bool is_question =
                owner == Owner::harness &&
                (option.name == "help" || option.name == "describe" || option.name == "count");
            if (option.owner == owner && !is_question) values.add(option.name, option.value);
        }
    }
    return values.text();
}

}  // namespace heorot
