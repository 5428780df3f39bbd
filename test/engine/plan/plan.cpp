// Queries of a plan.

#include <plait/engine/plan/make_plan.hpp>

#include "support/static_check.hpp"

namespace test_engine_plan_plan { namespace {

using namespace plait;
using namespace plait::engine;

constexpr dims extents{1, 64, 56, 56};
constexpr layout nchw(extents, "nchw"), nhwc(extents, "nhwc"), blocked(extents, "nChw16c");
constexpr reorder_plan to_blocks = *make_plan(nchw, blocked, element_sizes(4), isa::avx512),
                       to_nhwc = *make_plan(nchw, nhwc, element_sizes(4), isa::avx512);

TEST_CASE("run_of_tile: the elements that a tile reads and writes without a gap") {
    STATIC_CHECK(to_blocks.contiguous_bytes() == 1024 && to_blocks.source_run_bytes() == 64);
    STATIC_CHECK(to_nhwc.contiguous_bytes() == 64);
}

TEST_CASE("line_alignment: runs begin at multiples of the lowest bit of any step") {
    STATIC_CHECK(to_blocks.line_alignment() == 256 && to_blocks.writes_whole_lines());
    STATIC_CHECK(to_nhwc.line_alignment() == 16 && to_nhwc.writes_whole_lines());
    constexpr layout behind = [] {
        layout l({1, 64, 56, 56}, "nhwc");
        l.offset0 = 4;
        return l;
    }();
    constexpr reorder_plan from_four = *make_plan(nchw, behind, element_sizes(4), isa::avx512);
    STATIC_CHECK(from_four.line_alignment() == 4 && !from_four.writes_whole_lines());
}

TEST_CASE("bytes_moved: read and written, padding included") {
    STATIC_CHECK(to_blocks.bytes_moved() == 2 * 4 * 64 * 56 * 56);
    constexpr reorder_plan padded =
        *make_plan(layout({1, 17, 5, 5}, "nchw"), layout({1, 17, 5, 5}, "nChw16c"), element_sizes(4), isa::avx512);
    STATIC_CHECK(padded.bytes_moved() == 2 * 4 * 32 * 5 * 5 && !may_stream(padded));
}

}}  // namespace test_engine_plan_plan
