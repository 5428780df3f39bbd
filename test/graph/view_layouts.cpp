#include <plait/graph/view_layouts.hpp>

#include <plait/io/print.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_graph_view_layouts {

using namespace plait;
using namespace plait::detail;

namespace {

tensor_id open(large_graph& g, const dims& extents, data_type type = data_type::f32) {
    return g.tensor(extents, type, "any");
}
/// The extents of the source of each view.
constexpr dims shape{2, 16, 4, 3};
large_graph view_of_shape(const graph_view& what, const dims& result, data_type type = data_type::f32) {
    large_graph g;
    const tensor_id source = open(g, shape);
    static_cast<void>(g.add_view(std::initializer_list<tensor_id>{source}, what, open(g, result, type)));
    return g;
}
/// Returns a graph with one concatenation of tensors of these extents.
large_graph joined(std::initializer_list<dims> parts, const position& axis, const dims& whole) {
    large_graph g;
    std::vector<tensor_id> sources;
    for (const dims& part : parts) sources.push_back(open(g, part));
    static_cast<void>(g.add_view(sources, {view_kind::concatenate, axis}, open(g, whole)));
    return g;
}
verdict does_not_fit(int axis, dim_t has, dim_t wanted) { return {reason::view_does_not_fit, axis, 0, has, wanted}; }

}  // namespace

TEST_CASE("view_layouts: a given tensor has a layout, or a verdict with the reason") {
    large_graph g;
    layout rows({2, 3}, strides{8, 1});
    rows.offset0 = 5;
    layout broadcast({2, 3}, strides{0, 1});
    const auto given = [&g](tensor_id t) { return given_layout(g, g.tensors[t.number], g.tensors[t.number].format); };
    CHECK(*given(g.tensor({2, 3}, data_type::f32, "ba")) == layout({2, 3}, "ba"));
    CHECK(*given(g.tensor(rows, data_type::f32)) == rows);
    CHECK(given(g.tensor({2, 3}, data_type::f32, format_tag())).error() == verdict{reason::layout_is_undefined});
    CHECK(given(g.tensor({2, 3}, data_type::f32, "abc")).error() == make_layout({2, 3}, "abc").error());
    CHECK(!given(g.tensor({2, 3}, data_type::f32, "abc")).has_value());
    CHECK(given(g.tensor(broadcast, data_type::f32)).error() == verdict{reason::layout_is_not_injective, 0, 2, 0});
}

TEST_CASE("view_layouts: the layout at the other end of a view addresses the same memory") {
    const layout image(shape, "nchw");  // strides 192, 12, 3, 1
    const large_graph permuted = view_of_shape({view_kind::permute_axes, {0, 3, 1, 2}}, {2, 4, 3, 16});
    CHECK(*view_of_layout(permuted, 0, image, 1) == layout({2, 4, 3, 16}, strides{192, 3, 1, 12}));
    const large_graph reshaped = view_of_shape({view_kind::reshape, {}}, {2, 16, 12});
    CHECK(*view_of_layout(reshaped, 0, image, 1) == layout({2, 16, 12}, strides{192, 12, 1}));
    const large_graph part = view_of_shape({view_kind::submemory, {1, 4, 0, 2}}, {1, 8, 4, 1});
    layout inside({1, 8, 4, 1}, strides{192, 12, 3, 1});
    inside.offset0 = 192 + 4 * 12 + 2;
    CHECK(*view_of_layout(part, 0, image, 1) == inside);
}

TEST_CASE(
    "view_layouts: if the algebra refuses a view, its verdict is returned, and `view` accepts more than reshape") {
    const layout image(shape, "nhwc");
    const large_graph mixed = view_of_shape({view_kind::reshape, {}}, {2, 192});  // channels are innermost
    CHECK(!view_of_layout(mixed, 0, image, 1).has_value());
    CHECK(view_of_layout(mixed, 0, image, 1).error() == try_reshape(image, dims{2, 192}).error());

    const dims half{2, 2, 8, 12};
    const layout blocked(shape, "nChw4c");
    const large_graph reshaped = view_of_shape({view_kind::reshape, {}}, half);
    const large_graph viewed = view_of_shape({view_kind::view, {}}, half);
    CHECK(view_of_layout(reshaped, 0, blocked, 1).error() == try_reshape(blocked, half).error());
    CHECK(!view_of_layout(reshaped, 0, blocked, 1).has_value());
    CHECK(*view_of_layout(viewed, 0, blocked, 1) == layout(half, "abCd4c"));
    const large_graph cut = view_of_shape({view_kind::submemory, {0, 2, 0, 0}}, {2, 4, 4, 3});
    CHECK(view_of_layout(cut, 0, blocked, 1).error().reason == reason::part_cuts_a_block);
}

TEST_CASE("view_layouts: the sources of a concatenation begin one after the other along its axis") {
    const large_graph g = joined({{2, 3, 4}, {2, 5, 4}, {2, 0, 4}, {2, 8, 4}}, {1}, {2, 16, 4});
    CHECK(begin_of_part(g, 0, 0) == position{0, 0, 0});
    CHECK(begin_of_part(g, 0, 1) == position{0, 3, 0});
    CHECK(begin_of_part(g, 0, 2) == position{0, 8, 0});
    CHECK(begin_of_part(g, 0, 3) == position{0, 8, 0});  // after a part without elements
    layout second({2, 5, 4}, strides{64, 4, 1});
    second.offset0 = 3 * 4;
    CHECK(*view_of_layout(g, 0, layout({2, 16, 4}, "abc"), 1) == second);
}

TEST_CASE("view_layouts: the source of a view is found from its result, except for parts") {
    const layout image(shape, "nchw");
    const large_graph permuted = view_of_shape({view_kind::permute_axes, {0, 3, 1, 2}}, {2, 4, 3, 16});
    CHECK(*source_of_view(permuted, 0, layout({2, 4, 3, 16}, strides{192, 3, 1, 12})) == image);
    for (const view_kind kind : {view_kind::reshape, view_kind::view}) {
        const large_graph reshaped = view_of_shape({kind, {}}, {2, 16, 12});
        CHECK(*source_of_view(reshaped, 0, layout({2, 16, 12}, "abc")) == image);
    }
    const large_graph part = view_of_shape({view_kind::submemory, {0, 0, 0, 0}}, shape);
    CHECK(source_of_view(part, 0, image).error().reason == reason::parent_is_not_blocked);
    const large_graph one = joined({shape}, {1}, shape);
    CHECK(source_of_view(one, 0, image).error().reason == reason::parent_is_not_blocked);
}

TEST_CASE("check_view_of: views that fit are accepted, also if a part is empty or the whole") {
    const auto ok = [](const large_graph& g) { return check_view_of(g, 0).ok(); };
    CHECK(ok(view_of_shape({view_kind::permute_axes, {0, 3, 1, 2}}, {2, 4, 3, 16})));
    CHECK(ok(view_of_shape({view_kind::reshape, {}}, {384})));
    CHECK(ok(view_of_shape({view_kind::submemory, {0, 0, 0, 0}}, shape)));          // the whole
    CHECK(ok(view_of_shape({view_kind::submemory, {2, 16, 4, 3}}, {0, 0, 0, 0})));  // an empty part at the end
    CHECK(ok(joined({shape}, {0}, shape)));                                         // one source
    CHECK(ok(joined({{0, 4}, {3, 4}}, {0}, {3, 4})));
}

TEST_CASE("check_view_of: a verdict names the axis, the operation, and the extents of the view and of its tensor") {
    const auto why = [](const large_graph& g) { return check_view_of(g, 0); };
    CHECK(why(joined({}, {0}, {3})) == does_not_fit(-1, 0, 1));  // no source
    CHECK(
        why(view_of_shape({view_kind::reshape, {}}, {384}, data_type::s8)) ==
        verdict{reason::data_types_differ, -1, static_cast<dim_t>(data_type::f32), static_cast<dim_t>(data_type::s8)});
    CHECK(why(view_of_shape({view_kind::permute_axes, {0, 3, 1, 2}}, {2, 4, 48})) == does_not_fit(-1, 4, 3));
    CHECK(why(view_of_shape({view_kind::permute_axes, {0, 3, 1, 2}}, {2, 4, 3, 15})) == does_not_fit(3, 16, 15));
    CHECK(why(view_of_shape({view_kind::permute_axes, {1, 0}}, shape)) == does_not_fit(-1, 2, 4));
    CHECK(why(view_of_shape({view_kind::view, {}}, {2, 191})) == does_not_fit(-1, 384, 382));
    CHECK(why(view_of_shape({view_kind::submemory, {0, 0, 0, 0}}, {2, 16})) == does_not_fit(-1, 2, 4));
    CHECK(why(view_of_shape({view_kind::submemory, {0, 0, 0, 1}}, shape)) == does_not_fit(3, 4, 3));
    CHECK(why(view_of_shape({view_kind::submemory, {0, -1, 0, 0}}, shape)) == does_not_fit(1, -1, 16));
    CHECK(why(joined({{3, 4}, {3, 4}}, {}, {6, 4})) == does_not_fit(-1, -1, 2));  // no axis
    CHECK(why(joined({{3, 4}, {3, 4}}, {-1}, {6, 4})) == does_not_fit(-1, -1, 2));
    CHECK(why(joined({{3, 4}, {3, 4}}, {2}, {6, 4})) == does_not_fit(-1, 2, 2));
    CHECK(why(joined({{3, 4}, {3}}, {0}, {6, 4})) == does_not_fit(-1, 1, 2));
    CHECK(why(joined({{3, 4}, {3, 5}}, {0}, {6, 4})) == does_not_fit(1, 5, 4));
    CHECK(why(joined({{3, 4}, {2, 4}}, {0}, {6, 4})) == does_not_fit(0, 5, 6));
    const dim_t half = dim_t{1} << 40;
    CHECK(why(view_of_shape({view_kind::reshape, {}}, {half, half})).reason == reason::size_overflows);
}

}  // namespace test_graph_view_layouts
