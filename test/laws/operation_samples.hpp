#pragma once
// An operand and arguments for each operation of the algebra: for the tests that call every operation on every kind of
// operand. A rule without a sample does not compile, so an operation cannot be left out.

#include <plait/layouts.hpp>

#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <string>
#include <tuple>

namespace plait_test {

using plait::axis_map_c;
using plait::layout, plait::layout_c, plait::dims_c, plait::permutation_c, plait::position_c, plait::strides_c;
template <int N>
inline constexpr std::integral_constant<int, N> number{};

/// Arguments as constants. Tests pass the constants for operations on types, and their values for those at run time.
template <class Rule>
struct sample;

struct three_axes {
    static constexpr plait::dims extents{2, 6, 4};
    static constexpr plait::format_tag tag{"bca"};
};
struct one_axis {
    static constexpr plait::dims extents{12};
    static constexpr plait::format_tag tag{"a"};
};
struct blocked_axes {
    static constexpr plait::dims extents{2, 6, 4};
    static constexpr plait::format_tag tag{"aBc4b"};
};
struct dense_axes {
    static constexpr plait::dims extents{2, 6, 4};
    static constexpr plait::format_tag tag{"abc"};
};
struct a_unit_axis {
    static constexpr plait::dims extents{1, 6};
    static constexpr plait::format_tag tag{"ab"};
};

#define PLAIT_SAMPLE(name, operand, ...)                           \
    template <>                                                    \
    struct sample<plait::detail::name##_rule> : operand {          \
        static constexpr auto arguments = std::tuple(__VA_ARGS__); \
    };

PLAIT_SAMPLE(adapt, blocked_axes, axis_map_c<2, 0, 1>, axis_map_c<0, 1, 2>)
PLAIT_SAMPLE(bind, blocked_axes, dims_c<>)
PLAIT_SAMPLE(broadcast_axis, a_unit_axis, number<0>, number<3>)
PLAIT_SAMPLE(canonical_form, blocked_axes)
PLAIT_SAMPLE(complement, one_axis, number<48>)
PLAIT_SAMPLE(compose, dense_axes, layout_c<layout({4}, plait::strides{6})>)
PLAIT_SAMPLE(concatenate, three_axes, layout_c<layout({3, 2}, plait::strides{1000, 100})>)
PLAIT_SAMPLE(concatenate_along, dense_axes, layout_c<plait::submemory(layout({5, 6, 4}, "abc"), {3, 6, 4}, {2, 0, 0})>,
             number<0>)
PLAIT_SAMPLE(divide, one_axis, layout_c<layout({3}, plait::strides{4})>)
PLAIT_SAMPLE(extended_reshape, three_axes, dims_c<2, 24>,
             plait::reshape_flags_c<plait::reshape_flags::allow_order_mismatch>)
PLAIT_SAMPLE(flatten, dense_axes, number<1>)
PLAIT_SAMPLE(forget_padding, blocked_axes)
PLAIT_SAMPLE(inverse, three_axes)
PLAIT_SAMPLE(join_axes, dense_axes, number<0>, number<1>)
PLAIT_SAMPLE(left_inverse, three_axes)
PLAIT_SAMPLE(permute_axes, blocked_axes, permutation_c<2, 0, 1>)
PLAIT_SAMPLE(product, one_axis, layout_c<layout({2}, "a")>)
PLAIT_SAMPLE(rename_axes, blocked_axes, permutation_c<2, 0, 1>)
PLAIT_SAMPLE(repeat, three_axes, number<1>, number<2>)
PLAIT_SAMPLE(reshape, three_axes, dims_c<2, 3, 2, 4>)
PLAIT_SAMPLE(right_inverse, three_axes)
PLAIT_SAMPLE(slice, blocked_axes, number<1>, number<5>)
PLAIT_SAMPLE(split_axis, three_axes, number<1>, dims_c<3, 2>)
PLAIT_SAMPLE(strided_slice, blocked_axes, number<1>, number<0>, number<6>, number<2>)
PLAIT_SAMPLE(submemory, blocked_axes, dims_c<1, 2, 3>, position_c<1, 4, 0>)
PLAIT_SAMPLE(tile, three_axes, dims_c<1, 3, 2>)
PLAIT_SAMPLE(view, blocked_axes, dims_c<2, 6, 2, 2>)
PLAIT_SAMPLE(with_strides, blocked_axes, strides_c<100, 50, 4>)

template <class Rule>
inline constexpr layout sample_operand{sample<Rule>::extents, sample<Rule>::tag};

/// Each pattern of rearrange also has a rule, but for_each_operation does not list it.
template <>
struct sample<plait::detail::rearrange_by<"a b c -> c (a b)">> : dense_axes {
    static constexpr auto arguments = std::tuple();
};

/// Calls check(operation, constants...) for each operation. Messages of doctest contain its name.
template <class Check>
void for_each_sample(Check check) {
    const auto call = [&]<class Rule>(const char* name, plait::operation<Rule> operation) {
        INFO(std::string(name));
        std::apply([&](const auto&... constants) { check(operation, constants...); }, sample<Rule>::arguments);
    };
    plait::for_each_operation(call);
    call("rearrange", plait::operation<plait::detail::rearrange_by<"a b c -> c (a b)">>());
}

}  // namespace plait_test
