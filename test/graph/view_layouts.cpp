#include <plait/graph/view_layouts.hpp>

#include <plait/io/print.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_graph_view_layouts { namespace {

using namespace plait;
using namespace plait::detail;

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

}}  // namespace test_graph_view_layouts
