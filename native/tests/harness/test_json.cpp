// JSON text: numbers that read back exactly, escapes, order of members.
#include <cstdlib>
#include <limits>

#include "harness/record/json.hpp"
#include "tests/testing.hpp"

using namespace heorot;

int main() {
    for (const double value : {0.1, 1.0 / 3.0, 6.02214076e23, 5e-324, 1.7976931348623157e308}) {
        CHECK(std::strtod(json_number(value).c_str(), nullptr) == value);
    }
    CHECK(json_number(0.25) == "0.25");
    CHECK(json_number(std::int64_t{9007199254740993}) == "9007199254740993");
    CHECK(json_number(std::numeric_limits<double>::quiet_NaN()) == "\"nan\"");
    CHECK(json_number(std::numeric_limits<double>::infinity()) == "\"inf\"");
    CHECK(json_number(-std::numeric_limits<double>::infinity()) == "\"-inf\"");
    CHECK(json_text("x = \"a\\b\"\n\t\x01") == R"("x = \"a\\b\"\n\t\u0001")");
    CHECK(json_text("α") == "\"α\"");

    const JsonObject object = JsonObject()
                                  .add("z", 1)
                                  .add("a", 2.5)
                                  .add("yes", true)
                                  .add("text", "t")
                                  .add_json("list", json_array(std::vector<std::int64_t>{1, 2}));
    CHECK(object.text() == R"({"z":1,"a":2.5,"yes":true,"text":"t","list":[1,2]})");
    CHECK(JsonObject().text() == "{}");
    CHECK(json_array(std::vector<double>{}) == "[]");
    CHECK(Scalar("plain").text() == "plain");
    CHECK(Scalar(std::size_t{3}).text() == "3");
    return tests::result();
}
