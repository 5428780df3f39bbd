// Equal layouts are the same template argument, whichever operations made them: a kernel for a layout is instantiated
// once, and constants of equal layouts have one type. Compilers compare template arguments in their own representation.

#include "support/small_layouts.hpp"

#include <plait/plait.hpp>

#include <type_traits>

namespace test_laws_one_type { namespace {

using namespace plait;

template <layout A, layout B>
constexpr bool one_type = std::is_same_v<layout_constant<A>, layout_constant<B>>;

constexpr layout base({2, 16, 12}, "aBc8b");

TEST_CASE("law: equal layouts are one type, whichever operations made them") {
    STATIC_CHECK(one_type<(reshape(base, {2, 16, 3, 4})), (layout({2, 16, 3, 4}, "aBcd8b"))>);
    STATIC_CHECK(one_type<(view(view(base, {2, 192}), {2, 16, 12})), (layout({2, 16, 12}, "aBc8b"))>);
    STATIC_CHECK(
        one_type<(view(layout({2, 32, 12}, "aBc8b"), {2, 4, 8, 12})), (layout({2, 4, 8, 12}, strides{384, 96, 1, 8}))>);
    STATIC_CHECK(one_type<(submemory(base, {1, 8, 12}, {1, 8, 0})),
                          (submemory(submemory(base, {2, 8, 12}, {0, 8, 0}), {1, 8, 12}, {1, 0, 0}))>);
    STATIC_CHECK(one_type<(slice(layout({3, 2, 16, 12}, "abCd8c"), 0, 0)), (base)>);
    STATIC_CHECK(one_type<(permute_axes(permute_axes(base, {2, 0, 1}), {1, 2, 0})), (base)>);
    STATIC_CHECK(one_type<(canonical_form(base)), (base)>);
    STATIC_CHECK(
        one_type<(concatenate_along(submemory(base, {2, 8, 12}, {0, 0, 0}), submemory(base, {2, 8, 12}, {0, 8, 0}), 1)),
                 (base)>);
    STATIC_CHECK(one_type<(compose(layout({384}, "a"), base)), (base)>);
    STATIC_CHECK(one_type<(repeat(base, 0, 1)), (base)>);
    STATIC_CHECK(one_type<(with_strides(base, base.strides())), (base)>);
    STATIC_CHECK(one_type<(concatenate(layout({2}, strides{192}), layout({16, 12}, "Ab8a"))), (base)>);
    STATIC_CHECK(one_type<(bind(layout({2, dynamic, 12}, "aBc8b"), {16})), (base)>);
    STATIC_CHECK(one_type<(tile(layout({4, 4}, "ab"), {2, 2})), (layout({2, 2, 2, 2}, strides{8, 2, 4, 1}))>);
    STATIC_CHECK(one_type<(divide(layout({24}, "a"), layout({4}, "a"))), (layout({6, 4}, "ab"))>);
    STATIC_CHECK(one_type<(product(layout({4}, "a"), layout({6}, "a"))), (layout({6, 4}, "ab"))>);
    STATIC_CHECK(one_type<(inverse(layout({4, 6}, "ba"))), (inverse(layout({4, 6}, "ba")))>);
    STATIC_CHECK(one_type<(complement(layout({4}, strides{2}), 8)), (layout({2}, "a"))>);
    STATIC_CHECK(
        one_type<(extended_reshape(layout({2, 16, 5, 4}, "nChw8c"), {2, 320}, reshape_flags::allow_order_mismatch)),
                 (layout({2, 320}, "ab"))>);
    STATIC_CHECK(one_type<(broadcast_axis(layout({1, 4}, "ab"), 0, 3)), (layout({3, 4}, strides{0, 1}))>);
    STATIC_CHECK(one_type<(adapt(base, axis_map{0, 1, 2}, axis_map{0, 2, 1})), (permute_axes(base, {0, 2, 1}))>);
    STATIC_CHECK(one_type<(flatten(layout({2, 3, 4}, "abc"))), (layout({24}, "a"))>);
    STATIC_CHECK(one_type<(split_axis(layout({24}, "a"), 0, {2, 3, 4})), (layout({2, 3, 4}, "abc"))>);
    STATIC_CHECK(one_type<(*try_reshape(base, {2, 16, 3, 4})), (layout({2, 16, 3, 4}, "aBcd8b"))>);
}

}}  // namespace test_laws_one_type
