#include "run_plan.hpp"
#include "support/static_check.hpp"

#include <plait/engine/plan/split_plan.hpp>

namespace test_engine_plan_split_plan { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

std::size_t size_of(const layout& l) { return l.element_span() + static_cast<std::size_t>(l.offset0); }

/// Runs the parts of all chunks one by one, and checks that together they store what the plan stores and that no two
/// store the same place.
void holds_for(const layout& src, const layout& dst) {
    std::vector<int> in(size_of(src));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i) + 1;
    for (const isa which : every_isa)
        for (const int bytes : {1, 4}) {
            const auto plan = make_plan(src, dst, element_sizes(bytes), which);
            REQUIRE(plan);
            INFO(to_string(src), " -> ", to_string(dst), " ", std::string(to_string(which)), " ", bytes, " bytes");
            std::vector<int> wanted(size_of(dst), -1);
            const std::vector<int> stored = plait_test::run_plan(*plan, dst, in, wanted).stored;
            for (const int chunks : {1, 2, 3, 4, 7, 64}) {
                CAPTURE(chunks);
                std::vector<int> out(size_of(dst), -1), in_chunks(out.size());
                const plan_split split = split_plan(*plan, chunks);
                dim_t end = 0, least = INT64_MAX, most = 0;
                bool in_order = true;
                for (int chunk = 0; chunk < chunks; ++chunk) {
                    const plan_part part = part_of(*plan, split, chunk, chunks);
                    if (part.is_empty()) continue;
                    in_order = in_order && part.loop == split.loop && part.begin == end;
                    end = part.end;
                    const dim_t units = divide_up(part.end - part.begin, split.unit);
                    if (units < least) least = units;
                    if (units > most) most = units;
                    const std::vector<int> here = plait_test::run_plan(plan_of_part(*plan, part), dst, in, out).stored;
                    for (std::size_t i = 0; i < here.size(); ++i) in_chunks[i] += here[i] > 0;
                }
                CHECK(in_order);
                CHECK(end == plan->loops[split.loop].extent);
                if (end != 0) CHECK(most - least <= 1);
                CHECK(out == wanted);
                bool each_in_one = true;
                for (std::size_t i = 0; i < stored.size(); ++i)
                    each_in_one = each_in_one && in_chunks[i] == (stored[i] > 0 ? 1 : 0);
                CHECK(each_in_one);
            }
        }
}

TEST_CASE("split_plan: every element is in exactly one chunk, for any number of chunks") {
    for (const char* from : {"abcd", "acdb", "aBcd8b", "ABcd4b8a2b"})
        for (const char* to : {"abcd", "acdb", "aBcd16b", "ABcd8b4a", "aBcd24b"})
            for (const dims& extents : {dims{2, 17, 3, 5}, dims{1, 16, 1, 33}, dims{2, 39, 5, 1}})
                holds_for(layout(extents, *parse_format_tag(from)), layout(extents, *parse_format_tag(to)));
}

TEST_CASE("split_plan: tiles that overlap stay together") {
    for (const dims& extents : {dims{3, 17}, dims{1, 33}, dims{19, 49}}) {
        holds_for(layout(extents, "ab"), layout(extents, "ba"));
        holds_for(layout(extents, "ab"), layout(extents, strides{64, 1}));
    }
    // Two tiles of 16 for 17 places are one unit, and all chunks but the first are empty.
    constexpr reorder_plan plan = *make_plan(layout({17}, "a"), layout({17}, "a"), element_sizes(4), isa::avx512);
    STATIC_CHECK(plan.loops[0].extent == 2 && plan.loops[0].overlap == 15);
    STATIC_CHECK(part_of(plan, {0, 2}) == plan_part{0, 0, 2});
    STATIC_CHECK(part_of(plan, {1, 2}).is_empty());
}

TEST_CASE("split_plan: blocks that do not divide each other are cut at common ends") {
    for (const dims& extents : {dims{2, 96, 3}, dims{1, 480, 1}, dims{3, 100, 1}}) {
        holds_for(layout(extents, "aBc32b"), layout(extents, "aBc48b"));
        holds_for(layout(extents, "aBc10b4b"), layout(extents, "aBc6b8b"));
        holds_for(layout(extents, "aBC12b4c"), layout(extents, "aCB4c8b"));
    }
    constexpr reorder_plan plan =
        *make_plan(layout({1, 480, 3}, "aBc32b"), layout({1, 480, 3}, "aBc48b"), element_sizes(4), isa::avx512);
    constexpr plan_split split = split_plan(plan, 2);
    STATIC_CHECK(plan.loops[split.loop].extent == 30 && split.unit == 6 && split.units == 5);
    STATIC_CHECK(part_of(plan, {0, 2}) == plan_part{split.loop, 0, 18});
}

TEST_CASE("split_plan: interleaves, broadcasts, gaps, views") {
    holds_for(layout({2, 3, 9, 8}, "abcd"), layout({2, 3, 9, 8}, "acdb"));
    holds_for(layout({2, 3, 9, 8}, "acdb"), layout({2, 3, 9, 8}, "Abcd4a"));
    holds_for(layout({20, 18}, strides{0, 1}), layout({20, 18}, "ba"));
    holds_for(layout({4, 20}, strides{40, 2}), layout({4, 20}, "ba"));
    layout part({2, 5, 3}, "aBc8b");  // channels 0 to 4 of a block, a view that ends inside it
    part.padded_dims = part.dims;
    part.offset0 = 3;
    holds_for(layout({2, 5, 3}, "abc"), part);
}

TEST_CASE("split_plan: does not cut a strip that is staged together") {
    // Rows a multiple of 4096 bytes apart are staged; one strip is all of it.
    constexpr layout src({1024, 80}, "ab"), dst({1024, 80}, "ba");
    constexpr reorder_plan plan = *make_plan(src, dst, element_sizes(4), isa::avx512);
    STATIC_CHECK(plan.staged_from > 0);
    for (const int chunks : {2, 3, 5, 7}) CHECK(split_plan(plan, chunks).loop < plan.staged_from);
    holds_for(src, dst);
    reorder_plan staged_whole = plan;
    staged_whole.staged_from = 0;
    CHECK(!part_of(staged_whole, {0, 2}).is_empty());
    CHECK(part_of(staged_whole, {1, 2}).is_empty());

    holds_for(layout({331, 257}, "ab"), layout({331, 257}, "ba"));
    holds_for(layout({128, 336}, "ab"), layout({128, 336}, "ba"));
}

TEST_CASE("split_plan: without elements all chunks are empty") {
    holds_for(layout({0, 3}, "ab"), layout({0, 3}, "Ba4b"));
    holds_for(layout({3, 0}, "ab"), layout({3, 0}, "ba"));
}

TEST_CASE("split_plan: splits the loop with the smallest largest chunk, the outermost if equal") {
    constexpr reorder_plan plan =
        *make_plan(layout({1, 64, 56, 56}, "nchw"), layout({1, 64, 56, 56}, "nChw16c"), element_sizes(4), isa::avx512);
    STATIC_CHECK(plan.loops[0].extent == 4 && plan.loops[1].extent == 196);
    STATIC_CHECK(part_of(plan, {1, 2}) == plan_part{0, 2, 4});
    STATIC_CHECK(part_of(plan, {3, 4}) == plan_part{0, 3, 4});
    // Two of four blocks would be half of the work; 66 of 196 tiles are a third.
    STATIC_CHECK(part_of(plan, {0, 3}) == plan_part{1, 0, 66});
    STATIC_CHECK(part_of(plan, {2, 3}) == plan_part{1, 131, 196});
}

TEST_CASE("split_plan: no cache line of the destination is in two chunks if that costs little") {
    // Rows of 104 bytes: every eighth begins at a line.
    constexpr reorder_plan rows =
        *make_plan(layout({4096, 26}, strides{32, 1}), layout({4096, 26}, "ab"), element_sizes(4), isa::avx512);
    constexpr plan_split split = split_plan(rows, 3);
    STATIC_CHECK(lines_at_border(rows, split) == 0);
    STATIC_CHECK(rows.loops[split.loop].dst * split.unit * 4 % cache_line_bytes == 0);
    STATIC_CHECK(split.unit > 1);

    // Split along the channels of nhwc, every place would have a line in two chunks; along places, one at most.
    constexpr reorder_plan last =
        *make_plan(layout({1, 1000, 32, 32}, "nchw"), layout({1, 1000, 32, 32}, "nhwc"), element_sizes(1), isa::avx512);
    STATIC_CHECK(last.loops[split_plan(last, 2).loop].dst >= 1000);
}

TEST_CASE("split_plan: sizes beyond 2^31 do not overflow") {
    constexpr dim_t large = dim_t{1} << 33;
    constexpr layout src({3, large}, "ab"), dst({3, large}, "ba");
    constexpr reorder_plan plan = *make_plan(src, dst, element_sizes(8), isa::avx2);
    constexpr plan_split split = split_plan(plan, 2);
    STATIC_CHECK(part_of(plan, split, 1, 2).end == plan.loops[split.loop].extent);
    STATIC_CHECK(part_of(plan, split, 1, 2).begin >= plan.loops[split.loop].extent / 2);
    // Periods with a least common multiple above 64 bits: one unit.
    reorder_plan carrying;
    plan_loop loop;
    loop.extent = dim_t{1} << 40;
    loop.is_uneven = true;
    loop.axis = 0;
    carrying.loops.push_back(loop);
    carrying.uneven_steps.push_back({0, (dim_t{1} << 39) - 1, 0, 0});
    carrying.uneven_steps.push_back({0, (dim_t{1} << 39) - 7, 0, 0});
    CHECK(units_of(carrying, 0, 1).units == 1);
}

}}  // namespace test_engine_plan_split_plan
