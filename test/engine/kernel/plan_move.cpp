// Moves that tiles do alone, without a block copy.

#include <plait/engine/kernel/plan_move.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace test_engine_kernel_plan_move {

using namespace plait;

TEST_CASE("find_factors: only f32 on both sides with per-tensor scales that keep zeros") {
    const descriptor f32(data_type::f32, layout({2, 3}, "ab")), s8(data_type::s8, layout({2, 3}, "ab"));
    engine::move_factors found;
    const auto of = [&](const descriptor& src, const descriptor& dst, const reorder_attributes& how) {
        found = {};
        return engine::find_factors(found, src, dst, how);
    };
    CHECK(of(f32, f32, {.src_scale = 0.5f, .dst_scale = 4.0f}));
    CHECK(found == engine::move_factors{0.5f, 0.25f});
    CHECK(of(f32, f32, {}));
    CHECK(found == engine::move_factors{1, 1});
    CHECK_FALSE(engine::move_factors{}.changes);
    CHECK(engine::move_factors{1, 0.5f}.changes);
    CHECK_FALSE(of(f32, s8, {.src_scale = 0.5f}));
    CHECK_FALSE(of(s8, f32, {.src_scale = 0.5f}));
    CHECK_FALSE(of(f32, f32, {.src_scale = 0.5f, .src_zero_point = 1}));
    CHECK_FALSE(of(f32, f32, {.src_scale = 0.5f, .dst_zero_point = 1}));
    CHECK_FALSE(of(f32, f32, {.src_scale = 0.5f, .beta = 1}));
    // Per-tensor values behind a pointer are accepted too.
    const float half = 0.5f;
    const std::int32_t zero = 0, one = 1;
    CHECK(of(f32, f32, {.src_scale = {{&half, 1}, 0}, .dst_zero_point = {{&zero, 1}, 0}}));
    CHECK(found == engine::move_factors{0.5f, 1});
    CHECK_FALSE(of(f32, f32, {.src_scale = {{&half, 1}, 0}, .dst_zero_point = {{&one, 1}, 0}}));
    const std::vector<float> scales{1, 2};
    reorder_attributes by_row;
    by_row.src_scale = {scales, 1};
    CHECK_FALSE(of(f32, f32, by_row));
    reorder_attributes by_dst_row;
    by_dst_row.dst_scale = {scales, 1};
    CHECK_FALSE(of(f32, f32, by_dst_row));
    // Padding after an end is multiplied like elements, and must stay +0.
    for (const float scale : {0.0f, -1.0f, 1.0e-40f, 1.0e38f, std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN()}) {
        CHECK_FALSE(of(f32, f32, {.src_scale = scale}));
        CHECK_FALSE(of(f32, f32, {.dst_scale = scale}));
    }
    descriptor adjusted = s8;
    adjusted.extra.scale_adjust = 0.5f;
    CHECK_FALSE(of(f32, adjusted, {}));
}

#if defined(__x86_64__)
TEST_CASE("plan_move: tiles of a large source of which little is moved prefetch it") {
    const auto bytes_ahead = [](dim_t channels) {
        const dims extents{2, channels, 1024, 512};
        const layout src(extents, "aBcd32b"), dst(extents, "abcd");
        engine::planned_tiles out;
        constexpr isa instructions = least_isa() > isa::sse41 ? least_isa() : isa::sse41;
        REQUIRE(engine::plan_move(out, {data_type::u8, src}, {data_type::u8, dst},
                                  static_cast<dim_t>(src.element_span()), engine::compiled_kernels<instructions>()));
        dim_t span = 1;
        for (const engine::tile_bit& bit : out.plan.bits) span += bit.src;
        return out.plan.sparse_bytes == 0 ? dim_t{0} : out.plan.sparse_bytes / span;
    };
    CHECK(bytes_ahead(3) == 1);
    CHECK(bytes_ahead(31) == 0);
}
#endif

}  // namespace test_engine_kernel_plan_move
