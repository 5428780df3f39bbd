// Graphs, and the choice of their formats.
#include <plait/graph/choose_formats.hpp>
#include <plait/graph/graph_constant.hpp>

using plait::data_type, plait::primitive_kind, plait::propagation;

/// Returns a graph of two tensors, one given and one open, after `add` has added to it.
constexpr plait::graph graph_of(auto add) {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
    const auto b = g.tensor({1, 32, 4, 4}, data_type::f32, "any");
    add(g, a, b);
    return g;
}

// EXPECT: cost_option_is_negative (-1, 3, -1)
constexpr plait::dim_t runs = -1;
// FIXED: constexpr plait::dim_t runs = 1;
constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({4, 2}, data_type::f32, "ab");
    const auto b = g.tensor({4, 2}, data_type::f32, "any");
    g.operation(primitive_kind::matmul, {a}, {b}).accepts({"ba"}, {"ba"});
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole, {.runs = runs});

// EXPECT: costs_overflow (-1, 0, -1)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nhwc"}, -1);
    // FIXED: g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nhwc"}, 1);
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: graph_has_cycle (-1, 0, 1)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
#ifdef FIXED
    g.operation(primitive_kind::sum, {a, a}, {b});
#else
    const auto c = g.tensor({1, 32, 4, 4}, data_type::f32, "any");
    g.operation(primitive_kind::sum, {a, c}, {b});
    g.operation(primitive_kind::eltwise, {b}, {c});
#endif
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: graph_is_full (-1, 160, 0)
constexpr int tensors = 161;
// FIXED: constexpr int tensors = 160;
constexpr plait::graph refused = [] {
    plait::graph g;
    for (int t = 0; t < tensors; ++t) static_cast<void>(g.tensor({2, 3}, data_type::f32, "ab"));
    return g;
}();

// EXPECT: hint_does_not_fit (-1, 1, 1)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::eltwise, {a}, {b});
    const auto c = g.tensor({1, 32, 4, 4}, data_type::f32, "any");
    g.operation(primitive_kind::eltwise, propagation::backward, {b}, {c}).hint(1);
    // FIXED: g.operation(primitive_kind::eltwise, propagation::backward, {b}, {c}).hint(0);
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: in_place_does_not_fit (-1, 0, 0)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nhwc"}).in_place();
    // FIXED: g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nchw"}).in_place();
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: operation_has_no_alternative (-1, 0, 2)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::convolution, {a}, {b});
    // FIXED: g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nhwc"});
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: port_cannot_have_format (1, 0, 1, 1)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nChw4611686018427387904c"});
    // FIXED: g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nChw16c"});
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: port_extents_differ (1, 0, 33, 32)
constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
    g.operation(primitive_kind::eltwise, {a}, {g.tensor({1, 33, 4, 4}, data_type::f32, "any")});
    // FIXED: g.operation(primitive_kind::eltwise, {a}, {g.tensor({1, 32, 4, 4}, data_type::f32, "any")});
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: port_has_no_format (1, 0, 0)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"any"});
    // FIXED: g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nhwc"});
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: port_rank_differs (1, 0, 3, 4)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nwc"});
    // FIXED: g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nhwc"});
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: ports_do_not_match (-1, 0, 1, 2)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
#ifdef FIXED
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nchw"}).accepts({"nhwc"}, {"nhwc"});
#else
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nchw"}).accepts({"nhwc", "nhwc"}, {});
#endif
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: propagation_does_not_apply (-1, 0, 5, 2)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::pooling, propagation::none, {a}, {b});
    // FIXED: g.operation(primitive_kind::pooling, propagation::forward, {a}, {b});
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: reorder_is_unknown (-1, 1, 1)
constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
    const auto b = g.tensor({1, 32, 4, 4}, data_type::f32, "nhwc");
    g.operation(primitive_kind::eltwise, {a}, {b});
    return g;
}
void move(const float* in, float* out) {
    plait::choose_formats(plait::graph_c<make()>).run<1>(in, out);
    // FIXED: plait::choose_formats(plait::graph_c<make()>).run<0>(in, out);
}

// EXPECT: tensor_cost_overflows (-1, 0, 0)
constexpr plait::dim_t rows = plait::dim_t{1} << 58;
// FIXED: constexpr plait::dim_t rows = 1;
constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({rows, 2}, data_type::f32, "ab");
    const auto b = g.tensor({rows, 2}, data_type::f32, "any");
    g.operation(primitive_kind::matmul, {a}, {b}).accepts({"ba"}, {"ba"});
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: tensor_format_is_open (-1, 1, 0)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
#ifdef FIXED
    g.operation(primitive_kind::eltwise, {a}, {b});
#else
    static_cast<void>(a);
    static_cast<void>(b);
#endif
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: tensor_has_two_producers (-1, 1, 0, 1)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
#ifdef FIXED
    g.operation(primitive_kind::eltwise, {a}, {b});
#else
    g.operation(primitive_kind::eltwise, {a}, {b});
    g.operation(primitive_kind::eltwise, {a}, {b});
#endif
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: tensor_is_given_and_made (-1, 2, 1)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::eltwise, {a}, {b});
    g.operation(primitive_kind::eltwise, {b}, {g.constant({1, 32, 4, 4}, data_type::f32, "nchw")});
    // FIXED: g.operation(primitive_kind::eltwise, {b}, {g.tensor({1, 32, 4, 4}, data_type::f32, "any")});
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: tensor_is_unknown (1, 0, 7, 2)
constexpr plait::graph whole = graph_of([](auto& g, auto a, auto b) {
    g.operation(primitive_kind::eltwise, {a}, {plait::tensor_id{7}});
    // FIXED: g.operation(primitive_kind::eltwise, {a}, {b});
});
constexpr auto refused = plait::choose_formats(whole);

// EXPECT: view_does_not_fit (1, 0, 4, 5)
constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
    const auto b = g.tensor({1, 5, 4, 32}, data_type::f32, "any");
    // FIXED: const auto b = g.tensor({1, 4, 4, 32}, data_type::f32, "any");
    g.permute_axes(a, {0, 3, 1, 2}, b);
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);
