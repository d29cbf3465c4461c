// Comma-separated lists: items, membership by whole names, errors that name the choice.
#include <cstdint>
#include <string>
#include <vector>

#include "harness/lists.hpp"
#include "harness/record/check.hpp"
#include "tests/testing.hpp"

namespace {

void items_are_split() {
    CHECK((heorot::split_list("a,b") == std::vector<std::string>{"a", "b"}));
    CHECK((heorot::split_list("a,,") == std::vector<std::string>{"a", "", ""}));
    CHECK((heorot::split_list("") == std::vector<std::string>{""}));
}

void membership_is_by_whole_names() {
    CHECK(heorot::lists("copy,read", "read"));
    CHECK(!heorot::lists("copy,reader", "read"));
    CHECK(!heorot::lists("", "read"));
}

bool is_refused(const std::string& list) {
    try {
        heorot::verified_list("kernels", list, "copy,read");
    } catch (const heorot::UsageError& error) {
        return std::string(error.what()).find("--kernels") != std::string::npos;
    }
    return false;
}

void unknown_items_are_refused() {
    CHECK(heorot::verified_list("kernels", "all", "copy,read") == "copy,read");
    CHECK(heorot::verified_list("kernels", "read", "copy,read") == "read");
    CHECK(is_refused("rea"));
    CHECK(is_refused("copy,"));
    CHECK(is_refused(""));
}

void numbers_are_read_as_a_whole() {
    CHECK((heorot::verified_numbers("n", "1,20,300", 1, 300) ==
           std::vector<std::int64_t>{1, 20, 300}));
    for (const char* const wrong :
         {"", "0", "-3", "5,", "5x", "1e3", "301", "99999999999999999999"}) {
        CHECK(heorot::tests::throws<heorot::UsageError>(
            [&] { heorot::verified_numbers("n", wrong, 1, 300); }));
    }
}

}  // namespace

int main() {
    items_are_split();
    membership_is_by_whole_names();
    unknown_items_are_refused();
    numbers_are_read_as_a_whole();
    return heorot::tests::result();
}
