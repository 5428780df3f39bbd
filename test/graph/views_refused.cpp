// Graphs whose views are refused: the numbers and the sentence of each refusal.

#include <plait/graph/choose_formats.hpp>

#include <doctest/doctest.h>

#include <string>

namespace test_graph_views_refused { namespace {

using namespace plait;
using namespace plait::detail;

tensor_id open(large_graph& g, const dims& shape) { return g.tensor(shape, data_type::f32, "any"); }

TEST_CASE("views: the message of a refusal names the operation") {
    const dims shape{1, 16, 2, 2};
    const auto said = [](const auto& add) {
        large_graph g;
        add(g, g.tensor({1, 16, 2, 2}, data_type::f32, "nchw"));
        return std::string(describe(check_graph(g)).c_str());
    };
    CHECK(said([](auto& g, tensor_id t) {
              g.reshape(t, open(g, {1, 63}));
          }) ==
          "view_does_not_fit: the view of operation 0 has 64 (an extent, elements, or axes), which does not fit the 63 "
          "of its source or result");
    CHECK(said([](auto& g, tensor_id t) {
              g.permute_axes(t, {0, 2, 1, 3}, open(g, {1, 16, 2, 2}));
          }) ==
          "view_does_not_fit: the view of operation 0 has 2 at axis 1 (an extent, elements, or axes), which does not "
          "fit the 16 of its source or result");
    CHECK(said([](auto& g, tensor_id t) {
              g.permute_axes(t, {0, 2, 2, 3}, open(g, {1, 16, 2, 2}));
          }) ==
          "view_does_not_fit: the view of operation 0 has 2 at axis 2 (an extent, elements, or axes), which does not "
          "fit the 4 of its source or result");
    CHECK(said([](auto& g, tensor_id t) {
              g.submemory(t, {0, 8, 0, 0}, open(g, {1, 9, 2, 2}));
          }) ==
          "view_does_not_fit: the view of operation 0 has 17 at axis 1 (an extent, elements, or axes), which does not "
          "fit the 16 of its source or result");
    CHECK(said([](auto& g, tensor_id t) {
              g.concatenate({t, t}, 1, open(g, {1, 31, 2, 2}));
          }) ==
          "view_does_not_fit: the view of operation 0 has 32 at axis 1 (an extent, elements, or axes), which does not "
          "fit the 31 of its source or result");
    CHECK(said([](auto& g, tensor_id t) {
              g.concatenate({t}, 4, open(g, {1, 31, 2, 2}));
          }) ==
          "view_does_not_fit: the view of operation 0 has 4 (an extent, elements, or axes), which does not fit the 4 "
          "of its source or result");
    CHECK(said([](auto& g, tensor_id t) { g.reshape(t, g.tensor({64}, data_type::s8, "any")); }) ==
          "data_types_differ: elements of type f32 meet elements of type s8, but both must have the same type");
    // The operation would write in place into a view, but other operations may read the viewed tensor.
    large_graph g;
    const tensor_id image = g.tensor(shape, data_type::f32, "nchw"), seen = open(g, {1, 64}), out = open(g, {1, 64});
    g.reshape(image, seen);
    g.operation(primitive_kind::eltwise, {seen}, {out}).in_place();
    CHECK(check_graph(g) == verdict{reason::in_place_does_not_fit, -1, 1, 0, 1});
}

TEST_CASE("views: a graph in which too many layouts reach a tensor is refused before all of them are tried") {
    // A rotation and a swap make every order of twelve axes.
    constexpr dims shape{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    permutation rotation, swap = identity_permutation(12);
    for (int a = 0; a < 12; ++a) rotation.push_back((a + 1) % 12);
    swap[0] = 1;
    swap[1] = 0;
    large_graph g;
    const tensor_id t = g.tensor(shape, data_type::f32, "abcdefghijkl");
    const tensor_id a = g.tensor(shape, data_type::f32, "any"), b = g.tensor(shape, data_type::f32, "any"),
                    sum = g.tensor(shape, data_type::f32, "any");
    g.permute_axes(t, rotation, a);
    g.permute_axes(t, swap, b);
    g.operation(primitive_kind::sum, {t, a, b}, {sum});
    CHECK(check_graph(g) == verdict{reason::graph_is_full, -1, 512});
}

}}  // namespace test_graph_views_refused
