#include <plait/contract/reference.hpp>
#include <plait/graph/graph_constant.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_graph_graph_constant { namespace {

using namespace plait;

constexpr graph two_kernels() {
    graph g;
    const tensor_id image = g.tensor({1, 17, 5, 3}, data_type::f32, "nhwc");
    const tensor_id middle = g.tensor({1, 17, 5, 3}, data_type::f32, "any");
    const tensor_id out = g.tensor({1, 17, 5, 3}, data_type::f32, "nchw");
    g.operation(primitive_kind::convolution, {image}, {middle}).accepts({"nChw8c"}, {"nChw8c"});
    g.operation(primitive_kind::eltwise, {middle}, {out});
    return g;
}
constexpr auto chosen = choose_formats(graph_c<two_kernels()>);

TEST_CASE("choose_formats: the choice for a constant graph equals that for its value, and its reorders are kernels") {
    static_assert(chosen.value == choose_formats(two_kernels()));
    static_assert(chosen.reorders.size() == 2);
    static_assert(chosen.reorders[0].tensor == tensor_id{0} && chosen.reorders[0].behind == -1);
    constexpr layout from = chosen.value.from(chosen.value.reorders[0]), to = chosen.value.to(chosen.value.reorders[0]);
    static_assert(from == layout({1, 17, 5, 3}, "nhwc") && to == layout({1, 17, 5, 3}, "nChw8c"));
    static_assert(chosen.value.reorders[0].bytes == 4 * (17 * 15 + 24 * 15));
    std::vector<float> in(from.element_span()), out(to.element_span(), -1), expected = out;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i) + 1;
    chosen.run<0>(in.data(), out.data());
    reference_reorder(from, in.data(), to, expected.data());
    CHECK(out == expected);
}

}}  // namespace test_graph_graph_constant
