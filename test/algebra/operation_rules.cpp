#include <plait/algebra/operation_rules.hpp>

#include <plait/algebra/operations.hpp>

#include "support/static_check.hpp"

namespace test_algebra_operation_rules { namespace {

using namespace plait;
using namespace plait::detail;

struct silent_rule {};

constexpr axis_list listed(std::initializer_list<int> axes) {
    axis_list out;
    for (const int axis : axes) out.push_back(axis);
    return out;
}

TEST_CASE("axis lists: all, all but one, or permuted; an invalid permutation gives no axes") {
    STATIC_CHECK(all_axes(3) == listed({0, 1, 2}));
    STATIC_CHECK(all_axes_but(3, 1) == listed({0, 2}));
    STATIC_CHECK(all_axes_but(3, 7) == listed({0, 1, 2}));
    STATIC_CHECK(axes_in_order(3, {2, 0, 1}) == listed({2, 0, 1}));
    STATIC_CHECK(axes_in_order(3, {2, 0, 0}) == listed({}));
    STATIC_CHECK(axes_in_order(2, {2, 0, 1}) == listed({}));
}

TEST_CASE("operation_rules: a rule without optional members refuses sums, has no axes, does not commute with bind") {
    STATIC_CHECK(detail::sums_of<silent_rule> == sums_rule::refuse);
    STATIC_CHECK(!detail::makes_part<silent_rule>);
    STATIC_CHECK(!detail::is_true_for_all_values<silent_rule>);
    STATIC_CHECK(detail::axes_after<silent_rule>(4).empty());
    STATIC_CHECK(detail::letters_after<silent_rule>("nchw").empty());
    STATIC_CHECK(detail::check_letters_before<silent_rule>("nchw").ok());
}

TEST_CASE("operation_rules: names follow the axes that a rule returns") {
    STATIC_CHECK(detail::letters_after<detail::permute_axes_rule>("nchw", permutation{0, 3, 1, 2}) ==
                 letter_list("nhwc"));
    STATIC_CHECK(detail::letters_after<detail::rename_axes_rule>("nchw", permutation{0, 2, 3, 1}) ==
                 letter_list("nhwc"));
    STATIC_CHECK(detail::letters_after<detail::slice_rule>("nchw", 1, dim_t{0}) == letter_list("nhw"));
    STATIC_CHECK(detail::letters_after<detail::reshape_rule>("nchw", dims{4}).empty());
    STATIC_CHECK(detail::letters_after<detail::permute_axes_rule>("nchw", permutation{0, 0, 1, 2}).empty());
}

}}  // namespace test_algebra_operation_rules
