#include <plait/graph/formats_in_reach.hpp>

#include <doctest/doctest.h>

namespace test_graph_formats_in_reach {

using namespace plait;
using namespace plait::detail;

namespace {

constexpr dims shape{2, 16, 2, 2};
tensor_id open(large_graph& g, const dims& extents = shape) { return g.tensor(extents, data_type::f32, "any"); }

/// The formats in reach, with the order and the forms that they refer to. Views add layouts to the forms.
struct found_formats_of {
    graph_order order;
    graph_forms forms;
    formats_in_reach<heap_storage> reach;
    explicit found_formats_of(const large_graph& g) : order(order_of(g)), forms(g), reach(g, order, forms) {
        REQUIRE(order.why.ok());
    }
    format_set tags(tensor_id t) const { return reach[t.number].tags; }
    int layouts(tensor_id t) const { return reach[t.number].layouts.size(); }
    layout layout_at(tensor_id t, int k) const { return forms.layout_at(reach[t.number].layouts[k]); }
};

}  // namespace

TEST_CASE("reached_formats: each format and each layout is in the set once") {
    reached_formats set;
    for (const int number : {0, 63, 64, 70}) CHECK(!set.has(number));
    for (const int number : {0, 63, 64, 70}) {
        CHECK(set.add(number));
        CHECK(set.has(number));
        CHECK(!set.add(number));
    }
    CHECK(set.tags == (format_set{1} | format_set{1} << 63));  // the last format is the last bit
    CHECK(set.layouts.size() == 2);
    CHECK(!set.has(62));
    CHECK(!set.has(65));
}

TEST_CASE(
    "formats_in_reach: formats pass through operations that follow, in both directions, but not through kernels") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), middle = open(g), next = open(g), last = open(g);
    const tensor_id behind = open(g);
    g.operation(primitive_kind::eltwise, {next}, {last});  // added before the operation that makes its source
    g.operation(primitive_kind::eltwise, {image}, {middle});
    g.operation(primitive_kind::eltwise, {middle}, {next});
    g.operation(primitive_kind::convolution, {last}, {behind}).accepts({"nhwc"}, {"chwn"});
    const found_formats_of found(g);
    CHECK(found.reach.why.ok());
    const format_set nchw = 1, nhwc = 2, chwn = 4;
    for (const tensor_id t : {image, middle, next, last}) CHECK(found.tags(t) == (nchw | nhwc));
    CHECK(found.tags(behind) == chwn);
    for (const tensor_id t : {image, middle, next, last, behind}) CHECK(found.layouts(t) == 0);
}

TEST_CASE(
    "formats_in_reach: a tensor that no format can reach has none, and a wanted format reaches the source of its "
    "producer") {
    large_graph g;
    const tensor_id a = open(g), b = open(g), wanted = g.tensor(shape, data_type::f32, "nhwc"), c = open(g);
    g.operation(primitive_kind::eltwise, {a}, {b});
    g.operation(primitive_kind::eltwise, {c}, {wanted});
    const found_formats_of found(g);
    CHECK(found.tags(a) == 0);
    CHECK(found.tags(b) == 0);
    CHECK(found.tags(c) == 1);
}

TEST_CASE("formats_in_reach: a given layout passes to tensors of its extents only") {
    large_graph g;
    const layout rows({2, 3}, strides{8, 1});
    const tensor_id given = g.tensor(rows, data_type::f32), same = open(g, {2, 3}), other = open(g, {2, 1});
    const tensor_id out = open(g, {2, 3});
    g.operation(primitive_kind::eltwise, {given}, {same});
    g.operation(primitive_kind::binary, {same, other}, {out});
    const found_formats_of found(g);
    for (const tensor_id t : {given, same, out}) {
        REQUIRE(found.layouts(t) == 1);
        CHECK(found.layout_at(t, 0) == rows);
    }
    CHECK(found.layouts(other) == 0);
}

TEST_CASE("formats_in_reach: layouts pass through a permutation in both directions") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), seen = open(g, {2, 2, 2, 16});
    g.permute_axes(image, {0, 3, 1, 2}, seen);  // as n, h, w, c
    g.operation(primitive_kind::convolution, {seen}, {open(g)}).accepts({"abcd"}, {"nchw"});
    const found_formats_of found(g);
    const format_set plain = 1;  // nchw and abcd are one format
    CHECK(found.tags(image) == plain);
    CHECK(found.tags(seen) == plain);
    REQUIRE(found.layouts(image) == 1);
    CHECK(found.layout_at(image, 0) == layout(shape, "nhwc"));
    REQUIRE(found.layouts(seen) == 1);
    CHECK(found.layout_at(seen, 0) == layout({2, 2, 2, 16}, strides{64, 2, 1, 4}));
}

TEST_CASE("formats_in_reach: a view that may refuse a layout also gets the plain one, and a part has its strides") {
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nChw16c"), flat = open(g, {2, 64});
    const tensor_id half = open(g, {2, 8, 2, 2});
    g.reshape(image, flat);
    g.submemory(image, {0, 8, 0, 0}, half);
    const found_formats_of found(g);
    CHECK(found.tags(image) == 1);
    REQUIRE(found.layouts(image) == 1);
    CHECK(found.layout_at(image, 0) == layout(shape, "nchw"));
    REQUIRE(found.layouts(flat) == 1);  // blocks have no such view
    CHECK(found.layout_at(flat, 0) == layout({2, 64}, "ab"));
    REQUIRE(found.layouts(half) == 2);
    for (int k = 0; k < 2; ++k) {  // 8 of 16 channels: 64 elements from image to image
        CHECK(found.layout_at(half, k).offset0 == 0);
        CHECK(found.layout_at(half, k).digits[0].stride == 64);
    }
    // From a part to its whole, only formats without strides pass.
    large_graph back;
    const tensor_id whole = open(back), part = open(back, {2, 8, 2, 2});
    back.submemory(whole, {0, 0, 0, 0}, part);
    back.operation(primitive_kind::convolution, {part}, {open(back)}).accepts({"nhwc"}, {"chwn"});
    CHECK(found_formats_of(back).tags(whole) == 1);
}

}  // namespace test_graph_formats_in_reach
