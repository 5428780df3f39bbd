#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

namespace test_graph_views {

using namespace plait;
using namespace plait::detail;

namespace {

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

}  // namespace

TEST_CASE("views: permuted and reshaped tensors need no copy, at run time and in a constant expression") {
    CHECK(choose_formats(permuted_and_joined()) == chosen);
    // The image and the result of the relu have 1536 bytes each. Views take no memory.
    CHECK(chosen.peak_bytes == 2 * 1536);
    CHECK(chosen.parts.size() == 2);
    CHECK(chosen.parts[0] == graph_part{0, 1, 0});
}

TEST_CASE("views: if the algebra refuses a view, the source is reordered to a form that has it") {
    large_graph g;
    const dims shape{1, 17, 5, 4};
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), blocked = open(g, shape);
    const tensor_id flat = open(g, {1, 340}), out = open(g, {1, 340});
    kernel(g, image, "nchw", blocked, "nChw16c");
    const int step = g.reshape(blocked, flat);
    kernel(g, flat, "ab", out, "ab");
    const auto made = choose_formats(g);
    // In blocks of 16, 17 channels are padded to 32: 2560 bytes. The plain format has 1360.
    CHECK(made.cost == 2560 + 1360);
    CHECK(made.reorders.size() == 1);
    CHECK(made.to(made.reorders[0]) == layout(shape, "nchw"));
    CHECK(made.layout_of(flat) == layout({1, 340}, "ab"));
    CHECK(made.parts[0] == graph_part{step, 1, 0});
    // `view` also handles blocks, if they divide the extents.
    large_graph h;
    const tensor_id whole = h.tensor({1, 32, 5, 4}, data_type::f32, "nChw16c"), split = open(h, {1, 2, 16, 20});
    const tensor_id same = open(h, {1, 2, 16, 20});
    h.view(whole, split);
    kernel(h, split, "abdc", same, "abdc");
    CHECK(choose_formats(h).cost == 0);
    CHECK(choose_formats(h).reorders.size() == 0);
}

TEST_CASE("views: a wanted format reaches the source through the view") {
    large_graph g;
    const tensor_id image = g.tensor({1, 16, 2, 2}, data_type::f32, "nchw"), made = open(g, {1, 16, 2, 2});
    const tensor_id wanted = g.tensor({1, 2, 2, 16}, data_type::f32, "abcd");
    g.operation(primitive_kind::convolution, {image}, {made})
        .accepts({"nchw"}, {"nchw"}, 1)
        .accepts({"nchw"}, {"nhwc"}, 2);
    g.permute_axes(made, {0, 3, 1, 2}, wanted);
    const auto chosen_here = choose_formats(g);
    CHECK(chosen_here.cost == 2);
    CHECK(chosen_here.layout_of(made) == layout({1, 16, 2, 2}, "nhwc"));
}

TEST_CASE("views: a part is in its parent's memory, from its offset on, and keeps that memory alive") {
    large_graph g;
    const tensor_id image = g.tensor({2, 32, 2, 2}, data_type::f32, "nchw"), made = open(g, {2, 32, 2, 2});
    const tensor_id part = open(g, {2, 16, 2, 2}), out = open(g, {2, 16, 2, 2}), last = open(g, {2, 16, 2, 2});
    kernel(g, image, "nchw", made, "nchw");
    const int step = g.submemory(made, {0, 16, 0, 0}, part);
    g.operation(primitive_kind::eltwise, {part}, {out});
    kernel(g, out, "nchw", last, "nchw");
    const auto found = choose_formats(g);
    CHECK(found.parts[0] == graph_part{step, 1, 64});
    // One reorder of 512 bytes into a dense layout, before or after the eltwise.
    CHECK(found.cost == 2 * 512);
    CHECK(found.reorders.size() == 1);
    layout expected_part = submemory(layout({2, 32, 2, 2}, "nchw"), {2, 16, 2, 2}, {0, 16, 0, 0});
    expected_part.offset0 = 0;
    CHECK(found.layout_of(part) == expected_part);
    // The image and its copy have 1024 bytes each. The copy lives as long as its part.
    CHECK(found.peak_bytes == 2048);
}

TEST_CASE("views: an operation makes its result in the memory of a concatenation, but only of one") {
    const auto make = [](dim_t images, bool twice, bool given) {
        large_graph g;
        const dims half{images, 16, 2, 2}, whole{images, 32, 2, 2};
        const tensor_id image = g.tensor(half, data_type::f32, "nchw");
        const tensor_id a = open(g, half), b = given ? image : open(g, half), both = open(g, whole),
                        out = open(g, whole);
        kernel(g, image, "nchw", a, "nchw");
        if (!given) kernel(g, image, "nchw", b, "nchw");
        g.concatenate({a, b}, 1, both);
        if (twice) {
            const tensor_id other = open(g, whole), end = open(g, whole);
            g.concatenate({b, a}, 1, other);
            kernel(g, other, "nchw", end, "nchw");
        }
        kernel(g, both, "nchw", out, "nchw");
        return g;
    };
    const auto one = choose_formats(make(1, false, false));
    CHECK(one.cost == 0);  // one image: one half follows the other
    CHECK(one.parts[0] == graph_part{2, 0, 0});
    CHECK(one.parts[1] == graph_part{2, 1, 64});
    // First the image with 256 bytes, and the whole with 512 once its first half is made. Then the whole and the
    // result.
    CHECK(one.peak_bytes == 1024);
    CHECK(choose_formats(make(2, false, false)).cost == 2 * 2 * 512);  // two images: both halves are copied
    CHECK(choose_formats(make(1, true, false)).cost == 2 * 512);       // the second whole gets copies
    CHECK(choose_formats(make(1, false, true)).cost == 512);           // a given tensor is not in the whole
}

TEST_CASE(
    "views: a concatenation may have the format of its sources, and the source of a part the format of the part") {
    large_graph g;
    const dims half{1, 16, 2, 2}, whole{1, 32, 2, 2};
    const tensor_id image = g.tensor(half, data_type::f32, "nChw16c"), a = open(g, half), b = open(g, half);
    const tensor_id both = open(g, whole), part = open(g, half), out = open(g, half);
    kernel(g, image, "nChw16c", a, "nChw16c");
    kernel(g, image, "nChw16c", b, "nChw16c");
    g.concatenate({a, b}, 1, both);
    g.submemory(both, {0, 16, 0, 0}, part);
    kernel(g, part, "nChw16c", out, "nChw16c");
    CHECK(choose_formats(g).cost == 0);
    CHECK(choose_formats(g).layout_of(both) == layout(whole, "nChw16c"));
}

TEST_CASE("views: the same source twice in one concatenation is copied once") {
    large_graph g;
    const tensor_id image = g.tensor({1, 16, 2, 2}, data_type::f32, "nchw"), a = open(g, {1, 16, 2, 2});
    const tensor_id both = g.tensor({1, 32, 2, 2}, data_type::f32, "nchw");
    kernel(g, image, "nchw", a, "nchw");
    g.concatenate({a, a}, 1, both);
    CHECK(choose_formats(g).cost == 512);
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

}  // namespace test_graph_views
