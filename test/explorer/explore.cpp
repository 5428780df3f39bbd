// The functions that the page of the explorer calls in WebAssembly, here as native code.

#include "../../docs/site/explorer/explore.hpp"

#include <plait/io/draw_reorder.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <random>

using explorer::explore_index, explorer::explore_layout, explorer::explore_place, explorer::explore_reorder;
using nlohmann::json;

extern "C" {
const char* plait_explore_layout(const char* format, const char* dims, int width);
const char* plait_explore_place(const char* format, const char* dims, const char* offset);
const char* plait_explore_index(const char* format, const char* dims, const char* index);
const char* plait_explore_reorder(const char* src_format, const char* src_dims, const char* dst_format,
                                  const char* dst_dims, const char* from, const char* to, const char* isa, int width);
}

namespace {

std::string refusal_of(const std::string& answer) { return json::parse(answer).value("refusal", ""); }

/// Returns `begin` plus the sum of the values of the digits times their strides.
std::int64_t sum_of(const json& layout, const json& place, std::int64_t begin) {
    std::int64_t sum = begin;
    for (std::size_t k = 0; k < place["values"].size(); ++k)
        sum += std::stoll(place["values"][k].get<std::string>()) *
               std::stoll(layout["digits"][k]["stride"].get<std::string>());
    return sum;
}

}  // namespace

TEST_CASE("the explorer shows layouts as plait draws and explains them") {
    const json answer = json::parse(explore_layout(" nChw8c ", "1x17x2x3", 1080));
    const plait::layout l({1, 17, 2, 3}, "nChw8c");
    CHECK(answer["name"] == "aBcd8b 1x17x2x3");
    CHECK(answer["axes"] == "nchw");
    CHECK(answer["text"] == plait::explain(l, "nchw"));
    CHECK(answer["svg"] == plait::draw(l, plait::drawing_options::of("nChw8c 1x17x2x3")));
    std::string digits;
    for (const json& d : answer["digits"]) digits += d["name"].get<std::string>() + ' ';
    CHECK(digits == "n c/8 h w c%8 ");
    CHECK(json::parse(explore_layout("", "3,4", 1080))["name"] == "ab 3x4");
    CHECK(json::parse(explore_layout("nchw", "1x1x1x64", 320))["svg"] !=
          json::parse(explore_layout("nchw", "1x1x1x64", 1080))["svg"]);
}

TEST_CASE("the explorer finds the offset of each index, and the index of each offset") {
    struct typed {
        const char *format, *dims;
        plait::layout layout;
    };
    const typed every[] = {{"nChw8c", "1x17x2x3", plait::layout({1, 17, 2, 3}, "nChw8c")},
                           {"ab:9x1", "5x7+4", plait::layout({5, 7}, "ab", plait::strides{9, 1})},
                           {"AB4b2a4b", "3x34", plait::layout({3, 34}, "AB4b2a4b")}};
    for (const typed& each : every) {
        CAPTURE(each.format);
        plait::layout l = each.layout;
        if (std::string(each.dims).find('+') != std::string::npos) l.offset0 = 4;
        const json all = json::parse(explore_layout(each.format, each.dims, 1080));
        REQUIRE_FALSE(all.contains("refusal"));
        plait::dim_t padding = 0;
        for (plait::dim_t number = 0; number < l.padded_volume(); ++number) {
            const plait::position at = plait::unravel(l.padded_dims, number);
            const std::string answer = explore_index(each.format, each.dims, plait::detail::index_text(l, at));
            const json place = json::parse(answer);
            bool is_element = true;
            for (int a = 0; a < l.ndims(); ++a) is_element = is_element && at[a] < l.dims[a];
            CHECK(place["kind"] == (is_element ? "element" : "padding"));
            CHECK(place["offset"] == std::to_string(l.padded_offset(at)));
            CHECK(place["sharing"] == "1");
            CHECK(sum_of(all, place, l.offset0) == l.padded_offset(at));
            CHECK(explore_place(each.format, each.dims, std::to_string(l.padded_offset(at))) == answer);
            padding += !is_element;
        }
        CHECK(padding == l.padded_volume() - l.volume());
    }
    CHECK(json::parse(explore_place("ab:9x1", "5x7+4", "11"))["kind"] == "gap");
    CHECK(json::parse(explore_place("ab:9x1", "5x7+4", "3"))["kind"] == "gap");
    CHECK(json::parse(explore_place("ab:9x1", "5x7+4", "14"))["sum"] == "4 + 1*9 + 1 = 14");
    CHECK(json::parse(explore_index("ab:9x1", "5x7+4", "0,0"))["sum"] == "4 = 4");
    CHECK(json::parse(explore_index("ab", "5x7", "0,0"))["sum"] == "0 = 0");
    // If several elements share an offset, the answer names the first one.
    const json shared = json::parse(explore_place("ab:0x1", "5x7", "3"));
    CHECK(shared["sharing"] == "5");
    CHECK(shared["said"] == "a=0 b=3");
    CHECK(json::parse(explore_index("ab:0x1", "5x7", "4,3"))["index"] == "4,3");
    // Numbers are JSON strings, because JavaScript would round a number of more than 53 bits.
    CHECK(json::parse(explore_layout("a:0", "9007199254740993", 1080))["digits"][0]["extent"] == "9007199254740993");
    CHECK(json::parse(explore_place("a:0", "9007199254740993", "0"))["sharing"] == "9007199254740993");
    CHECK(json::parse(explore_place("a", "3", "9007199254740993"))["offset"] == "9007199254740993");
}

TEST_CASE("the explorer shows reorders as plait plans and draws them") {
    const plait::layout src({1, 17, 2, 3}, "nchw"), dst({1, 17, 2, 3}, "nChw8c");
    for (const plait::isa which : plait::every_isa) {
        const json answer = json::parse(
            explore_reorder({"nchw", "1x17x2x3", "nChw8c", "1x17x2x3", "f32", "bf16", plait::to_string(which)}));
        CHECK(answer["text"] == plait::explain(src, dst, plait::data_type::f32, plait::data_type::bf16, which));
        plait::reorder_drawing_options drawn;
        drawn.src = plait::drawing_options::of("nchw 1x17x2x3");
        drawn.dst = plait::drawing_options::of("nChw8c 1x17x2x3");
        drawn.to = plait::data_type::bf16, drawn.instructions = which;
        CHECK(answer["svg"] == plait::draw_reorder(src, dst, drawn));
    }
    CHECK(explore_reorder({"ab", "3x4", "ba", "3x4", "s8", "", "avx2"}) ==
          explore_reorder({"ab", "3x4", "ba", "3x4", "s8", "s8", "avx2"}));
}

TEST_CASE("a refusal has a sentence and the name of its rule") {
    const auto layout = [](const char* format, const char* dims) {
        return refusal_of(explore_layout(format, dims, 1080));
    };
    const auto reorder = [](explorer::typed_reorder asked) { return refusal_of(explore_reorder(asked)); };
    const plait::verdict why = plait::check_layout(plait::dims{1, 17, 2}, plait::format_tag("nChw8c"));
    CHECK(why.reason == plait::reason::rank_differs);
    CHECK(layout("nChw8c", "1x17x2") == std::string("layout nChw8c 1x17x2: ") + plait::describe(why).c_str());
    CHECK(layout("nchq", "1x2x3x4").find("format 'nchq': tag_") == 0);
    CHECK(layout("nchw", "") == "dims are missing; write them as 2x17x5x4");
    CHECK(layout("ab", "3x") == "dims '3x': column 3 is no number of 63 bits; write numbers as 2x17x5x4");
    CHECK(layout("ab", "3*4") == "dims '3*4': column 2 is neither 'x' nor ','; write numbers as 2x17x5x4");
    CHECK(layout("ab", "3x99999999999999999999").find("column 3 is no number of 63 bits") != std::string::npos);
    CHECK(layout("", "1x1x1x1x1x1x1x1x1x1x1x1x1").find("more than 12 numbers") != std::string::npos);
    CHECK(layout("ab", "3x4+") == "layout 'ab 3x4+': nothing follows '+'");
    CHECK(layout("ab", "3x4+1x2") == "layout 'ab 3x4+1x2': offset '+1x2' is not one number");
    CHECK(layout("ab:4x1", "3x4:4x1") == "layout 'ab:4x1 3x4:4x1': strides are said twice");
    CHECK(layout("ab", "3x4:2x1") == "");
    CHECK(layout("ab", "3x4:2x9223372036854775807").find("layout ab 3x4:2x9223372036854775807: size_overflows: ") == 0);
    CHECK(layout("any", "3x4") != "");
    // The largest memory that the explorer accepts, and the smallest that it refuses.
    CHECK(layout("a", "268435456") == "");
    CHECK(layout("a", "268435457").find("layout a 268435457: its memory ends behind place 268,435,456") == 0);
    CHECK(layout("a", "1+268435455") == "");
    CHECK(layout("a", "1+268435456").find("its memory ends behind") != std::string::npos);
    CHECK(layout("a", "1+9223372036854775807") != "");
    CHECK(layout("a", "0") == "");
    CHECK(refusal_of(explore_index("ab", "3x4", "3,0")) == "index '3,0': 3 along a is not below the padded extent 3");
    CHECK(refusal_of(explore_index("ab", "3x4", "3")) == "index '3' has 1 number, and the axes are 2");
    CHECK(refusal_of(explore_place("ab", "3x4", "1,2")) == "offset '1,2' is not one number");
    CHECK(refusal_of(explore_place("ab", "3x4", "-1")) != "");
    CHECK(reorder({"ab", "3x4", "ab", "3x5", "f32", "", "avx2"}).find("reorder ab 3x4 -> ab 3x5: dims_differ: ") == 0);
    CHECK(reorder({"ab", "3x4", "ab:0x1", "3x4", "f32", "", "avx2"}).find("destination_is_not_injective") !=
          std::string::npos);
    CHECK(reorder({"ab", "3x4", "ab", "3x4", "f33", "", "avx2"}) == "type 'f33' is no type of elements");
    CHECK(reorder({"ab", "3x4", "ab", "3x4", "undef", "", "avx2"}) == "type 'undef' is no type of elements");
    CHECK(reorder({"ab", "3x4", "ab", "3x4", "f32", "", "avx3"}) == "instruction set 'avx3' is unknown");
}

TEST_CASE("any input gives JSON") {
    std::mt19937 random(16);
    const std::string letters = "abcnhwABC0123456789x:+,- \"\\\n\x01";
    const auto text = [&](int longest) {
        std::string out;
        for (auto left = random() % static_cast<unsigned>(longest); left > 0; --left)
            out += letters[random() % letters.size()];
        return out;
    };
    int refused = 0, answered = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::string format = random() % 4 == 0 ? text(6) : "ab", dims = random() % 4 == 0 ? "3x4" : text(7);
        const json answer = json::parse(explore_layout(format, dims, static_cast<int>(random() % 3000)));
        CHECK(answer.contains("refusal") != answer.contains("svg"));
        (answer.contains("refusal") ? refused : answered) += 1;
        CHECK(json::parse(explore_place(format, dims, text(4))).is_object());
        CHECK(json::parse(explore_index(format, dims, text(4))).is_object());
    }
    CHECK(refused > 300);
    CHECK(answered > 300);
}

TEST_CASE("the exported C functions return the same text as the C++ functions") {
    CHECK(plait_explore_layout("ab", "3x4", 500) == explore_layout("ab", "3x4", 500));
    CHECK(plait_explore_place("ab", "3x4", "5") == explore_place("ab", "3x4", "5"));
    CHECK(plait_explore_index("ab", "3x4", "1,1") == explore_index("ab", "3x4", "1,1"));
    CHECK(plait_explore_reorder("ab", "3x4", "ba", "4x3", "f32", "s8", "neon", 500) ==
          explore_reorder({"ab", "3x4", "ba", "4x3", "f32", "s8", "neon", 500}));
    CHECK(plait_explore_reorder("ab", "3x4", "ba", "3x4", "f32", "s8", "neon", 500) ==
          explore_reorder({"ab", "3x4", "ba", "3x4", "f32", "s8", "neon", 500}));
}
