// Every operation on every kind of layout: values, constants, partly static ones, and those whose axes have names.

#include "laws/operation_samples.hpp"

namespace test_laws_operations_on_layouts { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::sample, plait_test::sample_operand;

/// Returns the operand with a dynamic extent of the first axis.
template <class Rule>
constexpr layout open_operand() {
    dims extents = sample<Rule>::extents;
    extents[0] = dynamic;
    return layout(extents, sample<Rule>::tag);
}
constexpr letter_list names_of(int ndims) {
    letter_list out;
    for (int a = 0; a < ndims; ++a) out.push_back(static_cast<char>('u' + a));
    return out;
}

TEST_CASE("every operation on layouts: its check, its attempt and its result agree") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const layout l = sample_operand<Rule>;
        const expected<layout> wanted = apply.attempt(l, constants.value...);
        REQUIRE(wanted.has_value());
        CHECK(apply.check(l, constants.value...).ok());
        CHECK(apply(l, constants.value...) == *wanted);
        CHECK(apply(l, constants...) == *wanted);
        CHECK(operation_check<Rule>()(l, constants...).ok());
        CHECK(operation_attempt<Rule>()(l, constants...) == wanted);
        // All forms have the same verdict for layouts that most of the arguments do not fit.
        const dims extents = sample<Rule>::extents;
        for (const layout& other :
             {layout(), layout(extents, "any"), plait_test::opaque_layout(extents), layout({4, 6}, "aB4b"),
              layout({12}, strides{2}), layout({2, 6, 4}, strides{0, 8, 1}), layout({dynamic, 6, 4}, "cab"),
              plait_test::by_hand({2, 3, 4}, {1, 3, 4}, {12, 4, 1})}) {
            const verdict why = apply.check(other, constants.value...);
            const expected<layout> answer = apply.attempt(other, constants.value...);
            CHECK(answer.error() == why);
            CHECK(answer.has_value() == why.ok());
            CHECK(plait_test::refusal_of([&] { return answer.value(); }) == why);
            CHECK(plait_test::refusal_of([&] { return apply(other, constants.value...); }) == why);
            if (why.ok()) CHECK(apply(other, constants.value...) == *answer);
        }
    });
}

TEST_CASE("every operation on layouts without digits: refuses them by their kind, or keeps the kind") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const dims extents = sample<Rule>::extents;
        const auto keeps_or = [&](const layout& l, const verdict& wanted, const auto&... rest) {
            const expected<layout> made = apply.attempt(l, rest...);
            if (made) CHECK((l.kind != format_kind::blocked && made->kind == l.kind));
            else CHECK((made.error() == wanted || made.error() == verdict{reason::parent_is_not_blocked}));
        };
        keeps_or(layout(), {reason::layout_is_undefined}, constants.value...);
        keeps_or(layout(extents, "any"), {reason::layout_is_any}, constants.value...);
        keeps_or(plait_test::opaque_layout(extents), {reason::layout_is_opaque}, constants.value...);
        if constexpr (detail::takes_two_operands<Rule>) {
            const auto on_second = [&](const auto& other, const auto&... rest) {
                const dims same = other.value.dims;
                for (const layout& wrong : {layout(), layout(same, "any"), plait_test::opaque_layout(same)}) {
                    const verdict why = apply.check(sample_operand<Rule>, wrong, rest.value...);
                    CHECK((why.reason == reason::layout_is_undefined || why.reason == reason::layout_is_any ||
                           why.reason == reason::layout_is_opaque || why.reason == reason::rank_differs));
                }
            };
            on_second(constants...);
        }
    });
}

TEST_CASE("every operation on constants: returns a constant with the layout of the operation on values") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const auto made = apply(layout_c<sample_operand<Rule>>, constants...);
        static_assert(layout_type<std::remove_const_t<decltype(made)>>);
        CHECK(made.value == apply(sample_operand<Rule>, constants.value...));
        CHECK(apply.check(layout_c<sample_operand<Rule>>, constants...).ok());
    });
}

TEST_CASE(
    "every operation on partly static layouts: returns that of the operation on values, in the type of its rule") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const bound_layout<open_operand<Rule>()> bound(dims{sample<Rule>::extents[0]});
        const layout whole = bound;
        const expected<layout> wanted = apply.attempt(whole, constants.value...);
        REQUIRE(wanted.has_value());
        CHECK(static_cast<layout>(apply(bound, constants...)) == *wanted);
        if constexpr (!detail::is_true_for_all_values<Rule>)
            static_assert(std::same_as<decltype(apply(bound, constants...)), layout>);
    });
}

TEST_CASE("every operation on layouts with names: returns the same layout, and names follow the operation's rule") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        constexpr letter_list have = names_of(sample_operand<Rule>.ndims());
        if constexpr (std::same_as<Rule, rearrange_by<"a b c -> c (a b)">>) {
            // The letters of the pattern must be the names of the axes.
            CHECK(apply.check(name_axes<have>(layout_c<sample_operand<Rule>>)).reason ==
                  reason::axis_is_named_otherwise);
        } else {
            const auto made = apply(name_axes<have>(layout_c<sample_operand<Rule>>), constants...);
            CHECK(static_cast<layout>(made) == apply(sample_operand<Rule>, constants.value...));
            const letter_list names = axis_letters_of<std::remove_const_t<decltype(made)>>::list();
            const letter_list wanted = detail::letters_after<Rule>(have, constants.value...);
            CHECK(names == (wanted.size() == static_cast<layout>(made).ndims() ? wanted : letter_list()));
            // Each name stays with its axis.
            const axis_list axes = detail::axes_after<Rule>(have.size(), constants.value...);
            for (int i = 0; i < names.size(); ++i)
                CHECK(
                    (names[i] == have[axes[i]] &&
                     (detail::makes_part<Rule> || static_cast<layout>(made).dims[i] == sample<Rule>::extents[axes[i]] ||
                      sample<Rule>::extents[axes[i]] == 1 || std::same_as<Rule, detail::repeat_rule>)));
        }
    });
}

}}  // namespace test_laws_operations_on_layouts
