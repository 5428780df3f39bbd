// The layout algebra in the test suites of CuTe, of its Python model, and of tensor-layouts: composition, complement,
// quotient, product, inverses, coalescing and tiles.

#include "data/suite_rows.hpp"
#include "laws/random_layouts.hpp"
#include "support/test_data.hpp"

#include <plait/io/cute_layout.hpp>
#include <plait/layouts.hpp>

namespace test_data_algebra_suites { namespace {

using namespace plait;
using plait_test::suite_value;

struct outcome {
    std::string kind;  // "right" or "refused: ..."; otherwise the error
    bool ok = true;
};

template <class List>
List numbers_in(const std::string& text) {
    List out;
    for (std::size_t at = 0; at < text.size(); at = text.find_first_of(',', at) + 1) {
        out.push_back(std::stoll(text.substr(at)));
        if (text.find(',', at) == std::string::npos) break;
    }
    return out;
}

/// Returns the left or right inverse if plait has the operation. Otherwise it is refused like the two-sided inverse.
template <class Layout>
expected<layout> one_sided_inverse(const Layout& l, bool left) {
    if constexpr (requires { try_left_inverse(l), try_right_inverse(l); })
        return left ? try_left_inverse(l) : try_right_inverse(l);
    else return {{}, {reason::layout_is_not_injective}};
}
/// Checks a left or right inverse. A left inverse maps the offset of each element to an element with this offset. A
/// right inverse maps each offset to an element that has this offset.
bool is_one_sided_inverse(const layout& l, const layout& found, bool left) {
    for (dim_t i = 0; i < (left ? l : found).volume(); ++i) {
        const dim_t place = left ? l.linear_offset(i) : i;
        if (place >= found.volume()) return false;
        const dim_t number = found.linear_offset(place);
        if (number >= l.volume() || l.linear_offset(number) != place) return false;
    }
    return true;
}

expected<layout> result_of(const suite_value& row, const std::vector<layout>& args) {
    const std::string& op = row["op"].text;
    const auto text = [&row](std::size_t k) { return row["args"].list.at(k).text; };
    if (op == "compose") return try_compose(args[0], args[1]);
    if (op == "complement") return try_complement(args[0], std::stoll(text(1)));
    if (op == "canonical") return try_canonical_form(args[0]);
    if (op == "inverse") return try_inverse(args[0]);
    if (op == "divide") return try_divide(args[0], args[1]);
    if (op == "tile") return try_tile(args[0], numbers_in<dims>(text(1)));
    if (op == "submemory") return try_submemory(args[0], numbers_in<dims>(text(1)), numbers_in<position>(text(2)));
    REQUIRE(op == "product");
    const expected<layout> made = try_product(args[0], args[1]);
    if (!made || row["args"].list.size() < 3) return made;
    const auto pattern = parse_axis_pattern(text(2));
    return try_rearrange(*made, *pattern);
}

/// True if a layout has the offsets of the row.
bool has_offsets(const layout& l, const suite_value& row) {
    std::string text;
    dim_t count = 0;
    for (; count < l.volume(); ++count) text += (count == 0 ? "" : ",") + std::to_string(l.linear_offset(count));
    if (row.has("sha1")) return row["count"].number() == count && row["sha1"].text == plait_test::sha1(text);
    std::string want;
    for (const suite_value& one : row["offsets"].list) want += (want.empty() ? "" : ",") + one.text;
    return text == want;
}

/// Reads the arguments that are layouts. Returns the verdict of the first that cannot be read.
verdict read_arguments(const suite_value& row, std::vector<layout>& out) {
    for (const suite_value& one : row["args"].list) {
        if (one.text.find(':') == std::string::npos) continue;
        const expected<layout> read = parse_cute_layout(one.text);
        if (!read) return read.error();
        out.push_back(*read);
    }
    return {};
}

/// Compares plait's result with the row. A layout must have the row's extents and offsets. If the row has no result, or
/// its result is not a layout, plait must refuse. It may also refuse an argument that cannot be written to.
outcome judge(const suite_value& row) {
    std::vector<layout> args;
    const bool left = row.has("of") && row["of"].text == "left_inverse";
    if (const verdict why = read_arguments(row, args); !why.ok()) {
        const bool is_allowed = why.reason == reason::notation_says_more || why.reason == reason::strides_do_not_nest;
        if (!row.has("not_a_layout") || !is_allowed) return {std::string("argument: ") + describe(why).c_str(), false};
        return {std::string("refused: the argument, ") + row["not_a_layout"].text};
    }
    const expected<layout> made = result_of(row, args);
    if (row.has("one_sided")) {
        if (made) return {"a two-sided inverse of what has none", false};
        const bool exists = row.is("one_sided_is_layout");
        const expected<layout> found = one_sided_inverse(args[0], left);
        if (found)
            return {exists ? "right: from one side" : "right: another inverse from one side",
                    is_one_sided_inverse(args[0], *found, left)};
        return {exists ? "refused: has an inverse from one side" : "refused: no inverse is a layout"};
    }
    if (row.has("no_answer")) return {"refused: " + row["no_answer"].text, !made};
    if (!row.is("is_layout") && !made) return {"refused: no layout, " + row["why_not"].text};
    // Layouts with shared places, such as windows, either give the right result or are refused for that reason.
    if (!made) return {std::string("not made: ") + describe(made.error()).c_str(), row.has("not_a_layout")};
    return {"right", made->dims == row["dims"].numbers<dims>() && has_offsets(*made, row)};
}

/// Judges all cases of a file, and prints how many were right or refused, by kind.
std::map<std::string, int> judge_all(const std::string& name) {
    std::map<std::string, int> kinds;
    for (const suite_value& row : plait_test::suite_rows(plait_test::data_folder(), name)) {
        const outcome found = judge(row);
        ++kinds[found.kind];
        std::string args;
        for (const suite_value& one : row["args"].list) args += " " + one.text;
        if (!found.ok) FAIL_CHECK(row["op"].text << args << ": " << found.kind);
    }
    std::string text = name + ":";
    for (const auto& [kind, count] : kinds) text += "\n  " + std::to_string(count) + " " + kind;
    MESSAGE(text);
    return kinds;
}

TEST_CASE("suites: CuTe's own tests of its algebra give the right layouts") {
    CHECK(judge_all("cute_cpp")["right"] >= 70);
}
TEST_CASE("suites: the tests of CuTe's Python model give the right layouts") {
    CHECK(judge_all("pycute")["right"] >= 30);
}
TEST_CASE("suites: the tests of tensor-layouts give the right layouts") {
    CHECK(judge_all("tensor_layouts")["right"] >= 55);
}

TEST_CASE("suites: sha1 equals published hashes") {
    CHECK(plait_test::sha1(std::string("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
    CHECK(plait_test::sha1(std::string()) == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    CHECK(plait_test::sha1(std::string(56, 'a')) == "c2db330f6083854c99d4b5bfb6e8f29f201be699");
}

}}  // namespace test_data_algebra_suites
