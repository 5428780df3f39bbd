#include <plait/io/draw_reorder.hpp>

#include "picture_checks.hpp"

#include <doctest/doctest.h>

#include <map>

namespace test_io_draw_reorder { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

struct marked_cells {
    std::vector<std::string> src, dst;  // the indices of the elements, sorted
};
/// Returns the marked cells. The first part of memory is the source.
marked_cells marked_in(const picture& p) {
    marked_cells out;
    int first = -1;
    for (const picture_box& b : boxes_of(p, "memory")) {
        if (first < 0) first = b.part;
        if (b.is_marked) (b.part == first ? out.src : out.dst).push_back(b.lines.at(1));
    }
    std::sort(out.src.begin(), out.src.end());
    std::sort(out.dst.begin(), out.dst.end());
    return out;
}

reorder_drawing_options options_for(const std::string& src, const std::string& dst, isa which) {
    reorder_drawing_options out;
    out.src = drawing_options::of(src);
    out.dst = drawing_options::of(dst);
    out.src.most_cells = out.dst.most_cells = 2000;
    out.instructions = which;
    return out;
}

TEST_CASE("draw_reorder: the elements of the first tile are marked on both sides, and are in registers at each step") {
    const layout plain({1, 16, 4, 4}, "nchw"), blocked({1, 16, 4, 4}, "nChw8c");
    for (const isa which : {isa::sse41, isa::avx2}) {
        const reorder_drawing_options options = options_for("nchw 1x16x4x4", "nChw8c 1x16x4x4", which);
        const picture drawn = picture_of(plain, blocked, options);
        const auto plan = engine::make_plan(plain, blocked, engine::element_sizes(4), which);
        REQUIRE(plan.has_value());
        const std::vector<drawn_element> tile = first_tile(plain, blocked, *plan);
        for (const drawn_element& one : tile) {
            REQUIRE(one.index.has_value());  // with these extents each tile is full
            CHECK(plain.offset(*one.index) == one.src);
            CHECK(blocked.offset(*one.index) == one.dst);
        }
        const marked_cells marked = marked_in(drawn);
        CHECK(marked.src.size() == tile.size());
        CHECK(marked.src == marked.dst);
        // Each stage has each element of the tile once.
        std::map<std::string, int> shown;
        for (const picture_box& b : boxes_of(drawn, "network")) ++shown[b.lines.at(0)];
        const tile_instructions instructions(*plan, which);
        CHECK(shown.size() == tile.size());
        for (const auto& [offset, times] : shown) CHECK(times == instructions.network.steps.size() + 1);
    }
}

TEST_CASE("draw_reorder: after the last step, each segment is contiguous in the destination") {
    const layout plain({1, 16, 4, 4}, "nchw"), blocked({1, 16, 4, 4}, "nChw8c");
    const auto plan = engine::make_plan(plain, blocked, engine::element_sizes(4), isa::avx2);
    REQUIRE(plan.has_value());
    const picture drawn = picture_of(plain, blocked, options_for("nchw 1x16x4x4", "nChw8c 1x16x4x4", isa::avx2));
    std::map<std::string, dim_t> goes_to;  // by offset in the source
    for (const drawn_element& one : first_tile(plain, blocked, *plan)) goes_to[std::to_string(one.src)] = one.dst;
    const std::vector<picture_box> cells = boxes_of(drawn, "network");
    const std::size_t in_a_stage = goes_to.size();
    const std::size_t segment = std::size_t{1} << plan->pattern.segment_bits(engine::side::destination);
    CHECK(segment > 1);
    for (std::size_t k = cells.size() - in_a_stage; k < cells.size(); ++k)
        if (k % segment != 0) CHECK(goes_to[cells[k].lines.at(0)] == goes_to[cells[k - 1].lines.at(0)] + 1);
}

TEST_CASE("draw_reorder: nothing overlaps and the XML is valid for tails, interleaves, copies and large layouts") {
    struct pair {
        const char *src, *dst;
        dims extents;
    };
    for (const pair& one :
         {pair{"nchw", "nChw8c", {1, 17, 2, 3}}, pair{"nchw", "nhwc", {1, 3, 8, 8}}, pair{"nchw", "nchw", {2, 3, 4, 5}},
          pair{"nchw", "nChw16c", {1, 64, 56, 56}}, pair{"oihw", "OIhw4i16o4i", {20, 9, 3, 3}},
          pair{"ab", "ba", {1, 1}}, pair{"ab", "ba", {0, 3}}, pair{"nChw16c", "nChw24c", {1, 48, 2, 2}},
          pair{"nChw8c", "nhwc", {1, 5, 2, 3}}, pair{"ab", "ba", {5, 7}}}) {
        const layout src(one.extents, std::string(one.src)), dst(one.extents, std::string(one.dst));
        for (const isa which : {isa::portable, isa::avx512}) {
            reorder_drawing_options options;
            options.src = drawing_options::of(one.src), options.dst = drawing_options::of(one.dst);
            options.instructions = which;
            const picture drawn = picture_of(src, dst, options);
            INFO(drawn.title << ' ' << plait::to_string(which));
            CHECK(overlaps_in(drawn) == 0);
            CHECK(problem_in_xml(svg_of(drawn)) == "");
            CHECK(wrong_in_svg(drawn, svg_of(drawn)) == 0);
            CHECK(draw_reorder(src, dst, options) == svg_of(drawn));
            const auto plan =
                has_elements(dst.dims) ? engine::make_plan(src, dst, engine::element_sizes(4), which) : std::nullopt;
            if (!plan) continue;
            // If the tile exceeds an axis, each lane with an element has that element on both sides.
            for (const drawn_element& moved : first_tile(src, dst, *plan))
                if (moved.index) {
                    CHECK(src.offset(*moved.index) == moved.src);
                    CHECK(dst.offset(*moved.index) == moved.dst);
                }
        }
    }
    CHECK_THROWS_AS((void)draw_reorder(layout({3, 4}, "ab"), layout({4, 3}, "ab")), rejection);
    CHECK_THROWS_AS((void)draw_reorder(layout({3, 4}, "ab"), layout({3, 4}, "any")), rejection);
}

}}  // namespace test_io_draw_reorder
