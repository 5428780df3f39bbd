#include <plait/descriptor/check_bound.hpp>

#include "support/static_check.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/algebra/with_strides.hpp>

namespace test_descriptor_check_bound { namespace {

using namespace plait;
using namespace plait::detail;

constexpr descriptor f32_of(const layout& l) { return {data_type::f32, l}; }
constexpr descriptor unbound = f32_of(layout({dynamic, 17, dynamic}, "aBc8b"));

constexpr verdict differs(descriptor_part part, int axis, dim_t found, dim_t wanted) {
    return {reason::bound_descriptor_differs, axis, found, wanted, static_cast<dim_t>(part)};
}

TEST_CASE("fill_dynamic: the extents of bind, and dense strides if they are dynamic") {
    STATIC_CHECK(fill_dynamic(unbound.layout, {2, 17, 5}, {}) == bind(unbound.layout, {2, 5}));
    STATIC_CHECK(fill_dynamic(unbound.layout, {2, 99, 5}, {}) == bind(unbound.layout, {2, 5}));
    STATIC_CHECK(fill_dynamic(unbound.layout, {2, 17, -1}, {}).error() == verdict{reason::dim_is_negative, 2, -1, 0});
    constexpr layout strided({dynamic, 3}, strides{dynamic, 1});
    STATIC_CHECK(fill_dynamic(strided, {2, 3}, {7, 9}) == layout({2, 3}, strides{7, 1}));
    STATIC_CHECK(fill_dynamic(strided, {2, 3}, {}).value().strides() == strides{dynamic, 1});
}

TEST_CASE("check_bound: accepts the layout of the extents, with any offset0") {
    STATIC_CHECK(check_bound(unbound, f32_of(layout({2, 17, 5}, "aBc8b"))).ok());
    STATIC_CHECK(check_bound(unbound, f32_of(layout({0, 17, 5}, "aBc8b"))).ok());
    STATIC_CHECK(check_bound(unbound, f32_of(layout({1, 17, 1}, "aBc8b"))).ok());
    // An axis of one element may have any stride.
    STATIC_CHECK(check_bound(unbound, f32_of(layout({1, 17, 5}, "aBc8b", strides{999, 40, 8}))).ok());
    STATIC_CHECK(check_bound(unbound, f32_of(submemory(layout({4, 17, 5}, "aBc8b"), {2, 17, 5}, {1, 0, 0}))).ok());
    STATIC_CHECK(check_bound(unbound, f32_of(layout({2, 17, 5}, "aBc8b", strides{999, 40, 8}))) ==
                 differs(descriptor_part::stride, 0, 999, 120));
    STATIC_CHECK(check_bound(unbound, f32_of(layout({2, 17, 5}, "aBc4b"))) ==
                 differs(descriptor_part::inner_block, 1, 4, 8));
    STATIC_CHECK(check_bound(unbound, f32_of(layout({2, 17, 5}, "abc"))) ==
                 differs(descriptor_part::inner_blocks, -1, 0, 1));
    STATIC_CHECK(check_bound(unbound, f32_of(layout({2, 17, 8}, "abC8c"))) ==
                 differs(descriptor_part::inner_axis, -1, 2, 1));
    constexpr descriptor two = f32_of(layout({dynamic, dynamic}, "AB2a4b"));
    constexpr layout wide = with_strides(layout({4, 8}, "AB2a4b"), {16, 8});
    STATIC_CHECK(check_bound(two, f32_of(wide)).ok());
}

TEST_CASE("check_bound: refuses another type, rank or extent, and descriptors that are dynamic themselves") {
    STATIC_CHECK(check_bound(unbound, {data_type::s8, layout({2, 17, 5}, "aBc8b")}) ==
                 verdict{reason::data_types_differ, -1, 8, 2});
    STATIC_CHECK(check_bound(unbound, f32_of(layout({2, 17}, "ab"))) == verdict{reason::rank_differs, -1, 2, 3});
    STATIC_CHECK(check_bound(unbound, f32_of(layout({2, 16, 5}, "aBc8b"))) == verdict{reason::dims_differ, 1, 16, 17});
    STATIC_CHECK(check_bound(unbound, unbound) == verdict{reason::dim_is_dynamic, 0});
    STATIC_CHECK(check_bound(unbound, descriptor()) == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_bound(unbound, f32_of(layout({2, 17, 5}, "any"))) == verdict{reason::layout_is_any});
}

TEST_CASE("check_bound: refuses other compensation and another scale_adjust") {
    constexpr layout weights({dynamic, 3}, "ab"), bound({2, 3}, "ab");
    constexpr descriptor with(data_type::s8, weights,
                              {.s8s8_compensation = true, .s8s8_mask = 1, .scale_adjust = 0.5f});
    STATIC_CHECK(check_bound(with, {data_type::s8, bound, with.extra}).ok());
    STATIC_CHECK(check_bound(with, {data_type::s8, bound}) == verdict{reason::compensation_is_missing, -1, 0, 1});
    STATIC_CHECK(check_bound(with, {data_type::s8, bound, {.s8s8_compensation = true, .s8s8_mask = 3}}) ==
                 verdict{reason::compensation_mask_differs, -1, 3, 1, 1});
    STATIC_CHECK(check_bound(with, {data_type::s8, bound, {.s8s8_compensation = true, .s8s8_mask = 1}}) ==
                 differs(descriptor_part::scale_adjust, -1, 0x3f800000, 0x3f000000));
}

}}  // namespace test_descriptor_check_bound
