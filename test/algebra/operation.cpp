#include <plait/algebra/operation.hpp>

#include <plait/plait.hpp>

#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <vector>

namespace test_algebra_operation { namespace {

using namespace plait;
using namespace plait::detail;

/// Swaps the axes `first` and `second`, by permute_axes. The rule defines `attempt` alone.
struct swap_axes_rule {
    static constexpr expected<layout> attempt(const layout& l, int first, int second) {
        for (const int axis : {first, second})
            if (axis < 0 || axis >= l.ndims()) return {{}, {reason::axis_is_out_of_range, -1, axis, l.ndims()}};
        permutation order = identity_permutation(l.ndims());
        order[first] = second, order[second] = first;
        return try_permute_axes(l, order);
    }
};
constexpr operation<swap_axes_rule> swap_axes;

/// Swaps two axes. The rule defines every optional member.
struct exchange_axes_rule {
    static constexpr expected<layout> attempt(const layout& l, int first, int second) {
        return swap_axes.attempt(l, first, second);
    }
    static constexpr axis_list axes(int ndims, int first, int second) {
        axis_list out = all_axes(ndims);
        out[first] = second, out[second] = first;
        return out;
    }
    static constexpr sums_rule sums = sums_rule::keep;
    static constexpr bool commutes_with_bind = true;
};
constexpr operation<exchange_axes_rule> exchange_axes;

template <int N>
constexpr std::integral_constant<int, N> number{};
constexpr layout image({1, 3, 4, 6}, "nchw");
using image_type = nchw<1, 3, 4, 6>;

TEST_CASE("operation: a user's rule has all forms of an operation") {
    STATIC_CHECK(swap_axes(image, 1, 3).dims == dims{1, 6, 4, 3});
    STATIC_CHECK(swap_axes.check(image, 1, 4) == verdict{reason::axis_is_out_of_range, -1, 4, 4});
    STATIC_CHECK(swap_axes.attempt(image, 1, 3) == swap_axes(image, 1, 3));
    STATIC_CHECK(swap_axes(layout_c<image>, number<1>, number<3>).value == swap_axes(image, 1, 3));
    STATIC_CHECK(swap_axes(layout_c<image>, 1, 3) == swap_axes(image, 1, 3));
    CHECK(plait_test::refusal_of([] { return swap_axes(image, 4, 0); }) ==
          verdict{reason::axis_is_out_of_range, -1, 4, 4});
}

TEST_CASE("operation: without optional members names are dropped, compensation is refused, bound types become values") {
    STATIC_CHECK(same_axes<axis_letters_of<decltype(swap_axes(image_type(), number<1>, number<3>))>, axis_letters<>>);
    const descriptor weights(data_type::s8, image, {.s8s8_compensation = true, .s8s8_mask = 2});
    CHECK(swap_axes.check(weights, 1, 3) == verdict{reason::descriptor_has_extra});
    const auto bound = bind(layout_c<layout({dynamic, 3, 4, 6}, "nchw")>, 2);
    static_assert(std::same_as<decltype(swap_axes(bound, number<1>, number<3>)), layout>);
    CHECK(swap_axes(bound, number<1>, number<3>) == swap_axes(static_cast<layout>(bound), 1, 3));
}

TEST_CASE("operation: with its optional members, names and masks follow the axes, and bound layouts stay bound") {
    STATIC_CHECK(with_axes<std::remove_cvref_t<decltype(exchange_axes(image_type(), number<1>, number<3>))>, "nwhc">);
    const descriptor weights(data_type::s8, image, {.s8s8_compensation = true, .s8s8_mask = 2});
    CHECK(exchange_axes(weights, 1, 3).extra.s8s8_mask == 8);
    CHECK(exchange_axes.check(weights, 1, 9).reason == reason::axis_is_out_of_range);
    const auto bound = bind(layout_c<layout({dynamic, 3, 4, 6}, "nchw")>, 2);
    static_assert(bound_layout_type<decltype(exchange_axes(bound, number<1>, number<3>))>);
    CHECK(static_cast<layout>(exchange_axes(bound, number<1>, number<3>)) ==
          swap_axes(static_cast<layout>(bound), 1, 3));
}

TEST_CASE("operation: is a value that can be passed to a function and works on every kind of operand") {
    const auto twice = [](auto apply, const auto& x, const auto&... arguments) {
        return apply(apply(x, arguments...), arguments...);
    };
    std::vector<float> memory(72);
    const tensor_view v(memory.data(), layout_c<image>);
    CHECK(twice(swap_axes, image, 1, 3) == image);
    CHECK(twice(swap_axes, layout_c<image>, number<1>, number<3>).value == image);
    CHECK(&twice(exchange_axes, v, number<1>, number<3>)(0, 2, 3, 5) == &v(0, 2, 3, 5));
    CHECK(twice(permute_axes, image, permutation{0, 2, 3, 1}) == permute_axes(image, permutation{0, 3, 1, 2}));
    descriptor d(data_type::f32, image);
    CHECK(swap_axes(d, d, 1, 3).ok());
    CHECK(d.layout == swap_axes(image, 1, 3));
}

TEST_CASE("operation: calls `axes` of a rule only if its attempt succeeds") {
    // exchange_axes would write past the end of its list, which does not compile in a constant expression.
    const auto allowed_one = exchange_axes.attempt(image_type(), number<1>, number<3>);
    CHECK(allowed_one.has_value());
    CHECK(exchange_axes.check(image_type(), number<1>, number<9>) == verdict{reason::axis_is_out_of_range, -1, 9, 4});
    CHECK(exchange_axes.check(descriptor(data_type::s8, image), 9, 1) ==
          verdict{reason::axis_is_out_of_range, -1, 9, 4});
}

}}  // namespace test_algebra_operation
