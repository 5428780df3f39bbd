#include <plait/io/draw.hpp>

#include "every_position.hpp"
#include "laws/random_layouts.hpp"
#include "picture_checks.hpp"
#include "support/hand_filled_layout.hpp"

#include <plait/algebra/slice.hpp>
#include <plait/algebra/submemory.hpp>

#include <doctest/doctest.h>

namespace test_io_draw { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

drawing_options without_limits() {
    drawing_options out;
    out.most_planes = out.most_rows = out.most_columns = out.most_cells = 100000;
    return out;
}
std::string text_of(const position& at) {
    std::string out;
    for (const dim_t index : at) out += (out.empty() ? "" : ",") + std::to_string(index);
    return out;
}

/// Compares the cells of memory with the offsets of all positions. Returns the number of wrong, missing and repeated
/// cells.
int wrong_in_memory(const layout& l, const picture& drawn) {
    std::map<dim_t, held> left = places_of(l);
    int wrong = 0;
    for (const picture_box& b : boxes_of(drawn, "memory")) {
        const auto here = left.find(std::stoll(b.lines.at(0)));
        if (here == left.end()) {
            wrong += b.kind != box_kind::gap || b.lines.size() != 1;
            continue;
        }
        const held& what = here->second;
        const std::size_t others = (what.elements.empty() ? what.padding.size() : what.elements.size()) - 1;
        const std::string more = others == 0 ? "" : others < 100 ? " +" + std::to_string(others) : " +…";
        wrong += b.kind != (what.elements.empty() ? box_kind::padding : box_kind::element);
        if (!what.elements.empty()) wrong += b.lines.at(1) != text_of(what.elements[0]) + more;
        left.erase(here);
    }
    return wrong + static_cast<int>(left.size());
}
/// Returns the number of wrong cells of planes: each index of the padded tensor must have one cell, with its offset.
int wrong_in_planes(const layout& l, const picture& drawn) {
    std::map<std::string, position> left;
    if (has_elements(l.padded_dims))
        for (dim_t number = 0; number < l.padded_volume(); ++number) {
            const position padded = unravel(l.padded_dims, number);
            left[index_text(l, padded)] = padded;
        }
    int wrong = 0;
    for (const picture_box& b : boxes_of(drawn, "planes")) {
        const auto here = left.find(b.lines.at(1));
        if (here == left.end()) return ++wrong;
        wrong += b.lines.at(0) != std::to_string(l.padded_offset(here->second));
        wrong += b.kind != (is_element_at(l, here->second) ? box_kind::element : box_kind::padding);
        left.erase(here);
    }
    return wrong + static_cast<int>(left.size());
}
void check_picture(const layout& l, const drawing_options& options) {
    const picture drawn = picture_of(l, options);
    INFO(drawn.title);
    CHECK(overlaps_in(drawn) == 0);
    const std::string svg = svg_of(drawn);
    CHECK(problem_in_xml(svg) == "");
    CHECK(wrong_in_svg(drawn, svg) == 0);
    CHECK(svg.find("<title>" + xml_text(drawn.title) + "</title>") != std::string::npos);
    CHECK(draw(l, options) == svg);
    CHECK(count_in(draw_tikz(l, options), "\\path[") == static_cast<int>(drawn.boxes.size()));
}

TEST_CASE(
    "draw: each element is in one cell of memory, at its offset, and in one cell of the planes; padding is hatched") {
    random_source random(47);
    int padded = 0;
    for (int k = 0; k < 150; ++k) {
        const layout l = k % 3 == 0 ? hand_filled_layout(random, {random.between(1, 3), random.between(1, 9)}, 500)
                                    : random.small_layout();
        if (!check_draw(l).ok()) continue;
        const picture drawn = picture_of(l, without_limits());
        INFO(k << ": " << drawn.title);
        CHECK(wrong_in_memory(l, drawn) == 0);
        CHECK(wrong_in_planes(l, drawn) == 0);
        padded += l.is_padded();
        if (k % 5 == 0) check_picture(l, {});
    }
    CHECK(padded > 20);
}

TEST_CASE(
    "draw: nothing overlaps in pictures of 1 to 12 axes, gaps, broadcasts, slices, parts of a block, large tensors") {
    for (const char* const typed : {"x 7", "ab 3x4", "ba 30x40", "abc 3x4x5", "nChw8c 1x17x2x3", "OIhw4i16o4i 20x9x3x3",
                                    "nhwc 2x16x5x4", "aBcde4b 2x5x2x3x2", "abcdef 2x2x2x2x3x4", "ab 0x4",
                                    "nChw16c 256x2048x56x56", "abcdefghijkl 2x2x2x2x2x2x2x2x2x2x2x2"}) {
        const std::string text = typed, tag = text.substr(0, text.find(' '));
        dims extents;
        for (std::size_t at = tag.size(); at != std::string::npos; at = text.find('x', at + 1))
            extents.push_back(std::stoll(text.substr(at + 1)));
        check_picture(layout(extents, tag), drawing_options::of(text));
    }
    check_picture(layout({3, 4}, strides{6, 1}), {});
    check_picture(layout({3, 4}, strides{1000000, 1}), {});
    check_picture(layout({3, 4}, strides{0, 1}), {});
    check_picture(slice(layout({2, 17, 2, 3}, "nChw8c"), 1, 11), {});
    check_picture(submemory(layout({2, 17, 2, 3}, "nChw8c"), {2, 3, 2, 3}, {0, 3, 0, 0}), {});
}

TEST_CASE("draw: many short rows of memory are arranged in columns over more than half of the width") {
    for (const char* const typed :
         {"nChw8c 1x17x2x3", "nChw8c 2x16x5x4", "aBc4b 3x30x3", "nChw16c 1x40x3x3", "nChw8c 4x40x56x57"}) {
        const std::string text = typed, tag = text.substr(0, text.find(' '));
        dims extents;
        for (std::size_t at = tag.size(); at != std::string::npos; at = text.find('x', at + 1))
            extents.push_back(std::stoll(text.substr(at + 1)));
        const layout l(extents, tag);
        drawing_options options = drawing_options::of(text);
        options.most_cells = 1000;
        const picture drawn = picture_of(l, options);
        INFO(text);
        int right = 0;
        std::map<int, std::vector<dim_t>> rows;  // by x: the first offsets of the rows that begin there
        for (const picture_box& b : boxes_of(drawn, "memory")) {
            right = std::max(right, b.x + b.width);
            if (const dim_t offset = std::stoll(b.lines[0]); offset % l.digits[l.digits.size() - 1].extent == 0)
                rows[b.x].push_back(offset);
        }
        CHECK(right > options.width / 2);
        CHECK(right <= options.width);
        CHECK(overlaps_in(drawn) == 0);
        if (l.padded_volume() <= 1000) CHECK(wrong_in_memory(l, drawn) == 0);
        for (const auto& [x, offsets] : rows) CHECK(std::is_sorted(offsets.begin(), offsets.end()));
    }
    // The hatching does not cross the text of padding, in light and in dark mode.
    const std::string svg = draw(layout({1, 17, 2, 3}, "nChw8c"));
    CHECK(count_in(svg, ".padding + text, .padding + text + text {") == 2);
    CHECK(count_in(draw_tikz(layout({1, 17, 2, 3}, "nChw8c")), "fill=white") == 2 * 2 * 42);
}

TEST_CASE("draw: counts the places that it leaves out") {
    const std::string svg = draw(layout({64, 64, 56, 56}, "nChw16c"));
    CHECK(count_in(svg, " of 4,096 planes") == 1);
    CHECK(count_in(svg, "12 of 56 rows (c)") == 1);
    CHECK(count_in(svg, "16 of 56 columns (d)") == 1);
    CHECK(count_in(svg, "384 of 12,845,056 places") == 1);
    CHECK(count_in(svg, "12,844,672 places left out") == 1);
    CHECK(svg.size() < 200000);
    // The picture also names the gaps that it leaves out: 12 of 2,004 places have an element.
    const std::string gaps = draw(layout({3, 4}, strides{1000, 1}));
    CHECK(count_in(gaps, "without an element") == 2);
}

TEST_CASE("draw: uses the letters of the typed tag, else a, b, c") {
    const layout l({1, 17, 2, 3}, "nChw8c");
    CHECK(count_in(draw(l, drawing_options::of("nChw8c 1x17x2x3")), ">n=0 c=16<") == 1);
    CHECK(count_in(draw(l), ">a=0 b=16<") == 1);
    CHECK(count_in(draw(l, drawing_options::of("nChw8c 1x17x2x3")), "offset = (c/8) * 48 + h * 24 + w * 8 + (c%8)") ==
          1);
    CHECK(drawing_options::of("OIhw4i16o4i:9x9x9x9 1x1x1x1").letters == letter_list("oihw"));
    CHECK(drawing_options::of("channel 3 of x").letters.empty());
    // Any text may be a title.
    drawing_options odd;
    odd.title = "<b> & \"c\" \\ # $ %";
    CHECK(problem_in_xml(draw(l, odd)) == "");
    CHECK(draw_tikz(l, odd).find("\\textbackslash{} \\# \\$ \\%") != std::string::npos);
}

TEST_CASE("draw: refuses layouts whose offsets are undefined or unknown, and invalid layouts") {
    CHECK(check_draw(layout({3, 4}, "any")).reason == reason::layout_is_any);
    CHECK(check_draw(layout()).reason == reason::layout_is_undefined);
    CHECK(check_draw(layout({dynamic, 4}, "ab")).reason == reason::dim_is_dynamic);
    layout backwards({3, 4}, "ab");
    backwards.digits[0].stride = -4;
    CHECK(check_draw(backwards) == check_layout(backwards));
    CHECK(!check_draw(backwards).ok());
    CHECK_THROWS_AS((void)draw(backwards), rejection);
    CHECK_THROWS_AS((void)draw(layout({3, 4}, "any")), rejection);
}

}}  // namespace test_io_draw
