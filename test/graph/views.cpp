#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

namespace test_graph_views { namespace {

using namespace plait;
using namespace plait::detail;

tensor_id open(large_graph& g, const dims& shape) { return g.tensor(shape, data_type::f32, "any"); }
// Adds an operation with one kernel, which costs 0.
void kernel(large_graph& g, tensor_id from, const format_tag& in, tensor_id to, const format_tag& out) {
    g.operation(primitive_kind::convolution, {from}, {to}).accepts({in}, {out});
}

// Views of nchw as n, h, w, c, and as n, c, hw. The graph is also a structural value.
constexpr graph permuted_and_joined() {
    graph g;
    const tensor_id image = g.tensor({2, 16, 4, 3}, data_type::f32, "nchw");
    const tensor_id permuted = g.tensor({2, 4, 3, 16}, data_type::f32, "any");
    const tensor_id joined = g.tensor({2, 16, 12}, data_type::f32, "abc");
    const tensor_id relu = g.tensor({2, 4, 3, 16}, data_type::f32, "any");
    g.permute_axes(image, {0, 3, 1, 2}, permuted);
    g.operation(primitive_kind::eltwise, {permuted}, {relu});
    g.reshape(image, joined);
    return g;
}
constexpr graph constant = permuted_and_joined();
constexpr auto chosen = choose_formats(constant);
static_assert(chosen.cost == 0 && chosen.is_optimal && chosen.reorders.size() == 0);
static_assert(chosen.layout_of({1}) == permute_axes(layout({2, 16, 4, 3}, "nchw"), {0, 3, 1, 2}));
static_assert(chosen.layout_of({3}) == chosen.layout_of({1}));
static_assert(chosen.layout_of({2}) == layout({2, 16, 12}, "abc"));

TEST_CASE("views: permuted and reshaped tensors need no copy, at run time and in a constant expression") {
    CHECK(choose_formats(permuted_and_joined()) == chosen);
    // The image and the result of the relu have 1536 bytes each. Views take no memory.
    CHECK(chosen.peak_bytes == 2 * 1536);
    CHECK(chosen.parts.size() == 2);
    CHECK(chosen.parts[0] == graph_part{0, 1, 0});
}

TEST_CASE("views: a view of a constant is constant, and is reordered ahead of time") {
    large_graph g;
    const tensor_id image = g.tensor({1, 16, 2, 2}, data_type::f32, "nchw"), out = open(g, {1, 16, 2, 2});
    const tensor_id weights = g.constant({32, 16, 3, 3}, data_type::f32, "oihw"), half = open(g, {16, 16, 3, 3});
    g.submemory(weights, {16, 0, 0, 0}, half);
    g.operation(primitive_kind::convolution, {image, half}, {out}).accepts({"nchw", "OIhw16i16o"}, {"nchw"});
    const auto found = choose_formats(g, {.runs = 100});
    CHECK(found.cost == divide_up(2 * 4 * 2304, 100));  // the reorder of the half; the whole would cost twice as much
    CHECK(found.reorders[0].is_ahead);
    CHECK(found.bytes_moved() == 0);
}

TEST_CASE("a tensor with a layout: its strides are kept, or reordered for a kernel with other formats, at any offset") {
    large_graph g;
    layout rows({1, 16, 2, 2}, strides{256, 8, 4, 1});  // rows of 2 elements, 4 apart
    rows.offset0 = 5;
    const tensor_id image = g.tensor(rows, data_type::f32), out = open(g, rows.dims);
    kernel(g, image, "nchw", out, "nchw");
    const auto found = choose_formats(g);
    CHECK(found.layout_of(image) == rows);
    CHECK(found.cost == 512);                               // 64 elements; the gaps between them do not count
    CHECK(found.peak_bytes == 4 * (15 * 8 + 4 + 2) + 256);  // the tensor with its gaps, and the reordered tensor

    large_graph dense;
    layout shifted({1, 16, 2, 2}, "nchw");
    shifted.offset0 = 7;
    kernel(dense, dense.tensor(shifted, data_type::f32), "nchw", open(dense, shifted.dims), "nchw");
    CHECK(choose_formats(dense).cost == 0);

    const auto refused = [](const layout& l) {
        large_graph of_one;
        kernel(of_one, of_one.tensor(l, data_type::f32), "ab", open(of_one, l.dims), "ab");
        return check_graph(of_one);
    };
    CHECK(refused(layout({2, 16}, strides{0, 1})) == verdict{reason::layout_is_not_injective, 0, 2, 0});
    CHECK(refused(layout({2, 16}, strides{1, 0})) == verdict{reason::layout_is_not_injective, 1, 16, 0});
    const layout crossing({2, 16}, strides{8, 1});  // the indices 1, 0 and 0, 8 have one offset
    CHECK(refused(crossing) == verdict{reason::layout_is_not_injective, 0, 2, 8});
}

}}  // namespace test_graph_views
