// The half of north star 07 that is about graphs, as it stands there.
#include <plait/algebra/matches_tag.hpp>
#include <plait/graph/choose_formats.hpp>
#include <plait/typed/concepts.hpp>

#include <doctest/doctest.h>

using plait::data_type, plait::layout, plait::primitive_kind, plait::propagation;

static_assert(plait::format_rule(primitive_kind::convolution, propagation::forward).source ==
              plait::operand_format::any);
static_assert(plait::format_rule(primitive_kind::pooling, propagation::forward).source ==
              plait::operand_format::preceding);
static_assert(plait::format_rule(primitive_kind::pooling, propagation::forward).destination ==
              plait::operand_format::any);
static_assert(plait::format_rule(primitive_kind::softmax, propagation::backward).gradient ==
              plait::operand_format::any);
static_assert(plait::format_rule(primitive_kind::softmax, propagation::backward).data == plait::operand_format::actual);

namespace {
// image -> conv -> relu -> conv -> sum with the relu's result -> out
struct network {
    plait::graph graph;
    plait::tensor_id image, first_weights, first, active, second_weights, second, sum;

    constexpr network() {
        image = graph.tensor({1, 64, 56, 56}, data_type::f32, "nhwc");           // given
        first_weights = graph.constant({64, 64, 3, 3}, data_type::f32, "hwio");  // reordered once, ahead of time
        first = graph.tensor({1, 64, 56, 56}, data_type::f32, "any");
        active = graph.tensor({1, 64, 56, 56}, data_type::f32, "any");
        second_weights = graph.constant({64, 64, 3, 3}, data_type::f32, "hwio");
        second = graph.tensor({1, 64, 56, 56}, data_type::f32, "any");
        sum = graph.tensor({1, 64, 56, 56}, data_type::f32, "nhwc");  // wanted

        convolve(image, first_weights, first);
        convolve(active, second_weights, second);
        graph.operation(primitive_kind::eltwise, {first}, {active});  // follows its source
        graph.operation(primitive_kind::sum, {second, active}, {sum});
    }
    // The formats that the kernels of this operation have, and what each costs: in bytes that could be moved meanwhile.
    constexpr void convolve(plait::tensor_id source, plait::tensor_id weights, plait::tensor_id result) {
        graph.operation(primitive_kind::convolution, {source, weights}, {result})
            .accepts({"nhwc", "hwio"}, {"nhwc"}, 30'000'000)
            .accepts({"nChw16c", "OIhw16i16o"}, {"nChw16c"}, 18'000'000);
    }
};
constexpr network net;
constexpr auto chosen = plait::choose_formats(net.graph);

static_assert(chosen.is_optimal && chosen.cost == chosen.lower_bound);
static_assert(chosen.layout_of(net.active) == layout({1, 64, 56, 56}, "nChw16c"));
static_assert(chosen.reorders.size() == 4);  // image and sum once, both weights ahead
static_assert(plait::matches<plait::layout_constant<chosen.layout_of(net.first)>, "nChw16c">);
}  // namespace

TEST_CASE("choose_formats: north star 07, the same at run time as in a constant expression") {
    const network late;
    CHECK(plait::choose_formats(late.graph).cost == chosen.cost);
    CHECK(plait::choose_formats(late.graph) == chosen);
}
