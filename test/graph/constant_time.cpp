// 16 operations of 4 alternatives, under the compilers' default step limits.
#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

namespace test_graph_constant_time {

using namespace plait;

namespace {
// 16 operations of 4 alternatives: kernels with constants, in a chain with skips.
constexpr graph make() {
    graph g;
    tensor_id before = g.tensor({1, 64, 28, 28}, data_type::f32, "nhwc"), earlier = before;
    for (int i = 0; i < 16; ++i) {
        const tensor_id after =
            g.tensor({1, 64, 28, 28}, data_type::f32, i == 15 ? format_tag("nhwc") : format_tag("any"));
        if (i % 4 == 3) {
            g.operation(primitive_kind::binary, {before, earlier}, {after})
                .accepts({"nhwc", "nhwc"}, {"nhwc"}, 1000)
                .accepts({"nchw", "nchw"}, {"nchw"}, 900)
                .accepts({"nChw8c", "nChw8c"}, {"nChw8c"}, 800)
                .accepts({"nChw16c", "nChw16c"}, {"nChw16c"}, 700);
            earlier = after;
        } else {
            const tensor_id weights = g.constant({64, 64, 3, 3}, data_type::f32, "oihw");
            g.operation(primitive_kind::convolution, {before, weights}, {after})
                .accepts({"nhwc", "hwio"}, {"nhwc"}, 300'000)
                .accepts({"nchw", "oihw"}, {"nchw"}, 900'000)
                .accepts({"nChw8c", "OIhw8i8o"}, {"nChw8c"}, 200'000 + 100'000 * (i % 3))
                .accepts({"nChw16c", "OIhw16i16o"}, {"nChw16c"}, 100'000 + 150'000 * (i % 2));
        }
        before = after;
    }
    return g;
}
constexpr graph g = make();
constexpr auto chosen = choose_formats(g, {.runs = 100});
static_assert(chosen.is_optimal && chosen.lower_bound == chosen.cost);
}  // namespace

TEST_CASE("choose_formats: 16 operations of 4 alternatives in a constant expression, as at run time") {
    CHECK(choose_formats(make(), {.runs = 100}) == chosen);
}

}  // namespace test_graph_constant_time
