// What kernels with attributes are planned like; what they do is in kernels_attributes.cpp.

#include <plait/engine/quantize/attributed_kernel.hpp>

#include "engine/plan/run_plan.hpp"
#include "support/static_check.hpp"

using namespace plait;
using namespace plait::engine;

namespace {

/// Where the destination is read before it is written, nothing may be stored twice.
void stores_once(const layout& src, const layout& dst) {
    const std::vector<int> in(src.element_span(), 1);
    std::vector<int> times(dst.element_span());
    for (dim_t number = 0; number < dst.padded_volume(); ++number)
        ++times[static_cast<std::size_t>(dst.padded_linear_offset(number))];
    for (const isa which : every_isa) {
        const auto plan = make_attributed_plan(src, dst, 4, which, true);
        REQUIRE(plan);
        INFO(to_string(src), " -> ", to_string(dst), ' ', name(which));
        std::vector<int> out(dst.element_span());
        CHECK(plait_test::run_plan(*plan, dst, in, out).stored == times);
    }
}

}  // namespace

TEST_CASE("make_attributed_plan: by position, stores once") {
    for (const char* from : {"abcd", "acdb", "aBcd8b"})
        for (const char* to : {"abcd", "acdb", "aBcd16b", "ABcd8b4a"})
            for (const dims& extents : {dims{2, 17, 7, 7}, dims{20, 3, 3, 11}, dims{1, 48, 1, 33}})
                stores_once(layout(extents, *parse_format_tag(from)), layout(extents, *parse_format_tag(to)));
}

TEST_CASE("make_attributed_plan: axes with values stay apart, those without become one") {
    constexpr layout plain({2, 32, 7, 7}, "abcd");
    constexpr reorder_plan by_position = *make_attributed_plan(plain, plain, 4, isa::avx512, true);
    STATIC_CHECK(by_position.loops.size() == 3 && by_position.loops[0].axis == 0 && by_position.loops[1].axis == 1);
    STATIC_CHECK(by_position.loops[1].index_step == 1 && by_position.loops[2].extent == 2);
    STATIC_CHECK(by_position.loops[2].axis > 1 && by_position.bits[0].axis > 1);
    constexpr reorder_plan by_tensor = *make_attributed_plan(plain, plain, 4, isa::avx512, false);
    STATIC_CHECK(by_tensor.loops.size() == 1);
    STATIC_CHECK(axes_with_values(2) == 3 && axes_with_values(3) == 7 && axes_with_values(5) == 3);
}
