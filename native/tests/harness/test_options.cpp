// The command line: values of every type, and a remedy for every mistake.
#include <string>
#include <vector>

#include "harness/options.hpp"
#include "harness/record/check.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

constexpr auto own = Options::Owner::benchmark;

Options parse(std::vector<const char*> words) {
    words.insert(words.begin(), "program");
    return {static_cast<int>(words.size()), words.data()};
}

/// The complaint about `words` for a program with options n, count, ratio, name and fast.
std::string complaint(const std::vector<const char*>& words) {
    Options options = parse(words);
    options.get<std::size_t>(own, "n", 8, "elements");
    options.get<int>(own, "count", 1, "rounds");
    options.get<double>(own, "ratio", 0.5, "share");
    options.get<std::string>(own, "name", "x", "text");
    options.get<bool>(own, "fast", false, "hurry");
    try {
        options.verify();
    } catch (const UsageError& error) {
        return std::string(error.what()) + " | " + error.hint();
    }
    return "";
}

void check_values() {
    Options options = parse({"--n", "4k", "--count=-3", "--ratio", "-1e-3", "--name=--odd",
                             "--fast", "--big", "5000000000", "--slow", "false", "--text", ""});
    CHECK(options.get<std::size_t>(own, "n", 0, "") == 4096);
    CHECK(options.get<int>(own, "count", 0, "") == -3);
    CHECK(options.get<double>(own, "ratio", 0.0, "") == -1e-3);
    CHECK(options.get<std::string>(own, "name", "", "") == "--odd");
    CHECK(options.get<bool>(own, "fast", false, ""));
    CHECK(options.get<std::int64_t>(own, "big", 0, "") == 5'000'000'000);
    CHECK(!options.get<bool>(own, "slow", true, ""));
    CHECK(options.get<std::string>(own, "text", "full", "").empty());
    CHECK(options.get<int>(own, "absent", 17, "") == 17);
    CHECK(!tests::throws<UsageError>([&] { options.verify(); }));
    CHECK(options.values_json().starts_with(R"({"n":4096,"count":-3,"ratio":-0.001,)"));
}

void check_complaints() {
    CHECK(complaint({}).empty());
    CHECK(complaint({"--n", "1M"}).empty());
    CHECK(complaint({"--n", "-1"}).find("cannot be '-1'") != std::string::npos);
    CHECK(complaint({"--n", "12x"}).find("whole number") != std::string::npos);
    CHECK(complaint({"--n", "99999999999G"}).find("cannot be") != std::string::npos);
    CHECK(complaint({"--n"}).find("lacks its value") != std::string::npos);
    CHECK(complaint({"--count", "1.5"}).find("cannot be '1.5'") != std::string::npos);
    CHECK(complaint({"--count", "99999999999"}).find("cannot be") != std::string::npos);
    CHECK(complaint({"--ratio", "nan"}).find("finite") != std::string::npos);
    CHECK(complaint({"--ratio", "inf"}).find("finite") != std::string::npos);
    CHECK(complaint({"--ratio", ""}).find("cannot be ''") != std::string::npos);
    CHECK(complaint({"--fast", "maybe"}).find("true or false") != std::string::npos);
    CHECK(complaint({"--cuont", "3"}).find("did you mean --count?") != std::string::npos);
    CHECK(complaint({"--zzzzzzzz"}).find("--help lists all options") != std::string::npos);
    CHECK(complaint({"stray"}).find("unexpected argument 'stray'") != std::string::npos);
    CHECK(complaint({"--n", "1", "--n=2"}).find("given twice") != std::string::npos);
}

void check_description() {
    Options options = parse({"--n", "7"});
    options.get<std::size_t>(own, "n", 8, "elements \"per\" rank");
    options.get<bool>(Options::Owner::harness, "corrupt", false, "damage");
    CHECK(
        options.description_json("family/name", R"({"memory_bytes":"8 * n"})") ==
        R"({"name":"family/name","costs":{"memory_bytes":"8 * n"},"options":[{"name":"n","type":"size","default":8,)"
        R"("help":"elements \"per\" rank"}],"harness_options":[{"name":"corrupt",)"
        R"("type":"bool","default":false,"help":"damage"}]})");
    CHECK(options.help_text("family/name").find("--n (size)") != std::string::npos);
}

void check_lists() {
    Options options = parse({"--kernels", "copy,read", "--n", "20,7"});
    CHECK(options.get_items("kernels", "all", "copy,read,write", "") == "copy,read");
    CHECK(options.get_items("formats", "all", "csr,sell", "") == "csr,sell");
    CHECK((options.get_numbers("n", "5", 1, 20, "") == std::vector<std::int64_t>{20, 7}));
    CHECK((options.get_numbers("sides", "5,6", 1, 20, "") == std::vector<std::int64_t>{5, 6}));
    options.verify();
    const std::string described = options.description_json("family/name", "{}");
    CHECK(described.find(R"("type":"items","default":"all")") != std::string::npos);
    CHECK(described.find(R"("choices":"copy,read,write")") != std::string::npos);
    CHECK(described.find(R"("type":"numbers","default":"5")") != std::string::npos);
    for (const char* const wrong : {"reed", "copy,", ""}) {
        Options other = parse({"--kernels", wrong});
        other.get_items("kernels", "all", "copy,read", "");
        CHECK(tests::throws<UsageError>([&] { other.verify(); }));
    }
    Options other = parse({"--n", "7,21"});
    other.get_numbers("n", "5", 1, 20, "");
    CHECK(tests::throws<UsageError>([&] { other.verify(); }));
}

/// Whether a formula is `text` and `number` for 6 ranks of 2 threads with 3 copies.
bool is(const Amount& amount, const std::string& text, double number) {
    return amount.formula() == text &&
           amount.value({.ranks = 6, .threads = 2, .copies = 3}) == number;
}

void check_amounts() {
    Options options = parse({"--max-bytes", "4k", "--n", "20,7", "--kernels", "read"});
    options.get<std::size_t>(own, "max-bytes", 0, "");
    options.get_numbers("n", "5", 1, 20, "");
    options.get_items("kernels", "all", "copy,read", "");
    const Amount bytes = options.amount("max-bytes");
    CHECK(is(ranks() * bytes + 1.0, "((ranks * max_bytes) + 1)", 6 * 4096 + 1));
    CHECK(is(bytes / threads() - copies(), "((max_bytes / threads) - copies)", 2045));
    CHECK(is(larger(options.largest_of("n"), 21.0), "max(max(n), 21)", 21));
    CHECK(is(smaller(options.largest_of("n"), 21.0), "min(max(n), 21)", 20));
    CHECK(is(options.n_of("n") * options.n_of("kernels"), "(len(n) * len(kernels))", 2));
    CHECK(is(either(0.0, bytes), "(0 or max_bytes)", 4096));
    CHECK(is(either(2.0, bytes), "(2 or max_bytes)", 2));
}

}  // namespace

int main() {
    check_lists();
    check_amounts();
    check_values();
    check_complaints();
    check_description();
    return tests::result();
}
