// Every operation on every kind of run-time operand.

#include "laws/operation_samples.hpp"

#include <plait/bridge/shaped_descriptor.hpp>

namespace test_laws_operations_on_descriptors { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::sample, plait_test::sample_operand;

/// Returns the result of the operation that has this meaning in frameworks.
template <class Rule>
expected<layout> in_framework(const layout& l, const auto&... constants) {
    return operation<typename framework_rule<Rule>::type>::attempt(l, constants.value...);
}

TEST_CASE(
    "every operation on descriptors: has the layout of the operation on the layout and keeps the type, in four forms") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const descriptor d(data_type::bf16, sample_operand<Rule>);
        const descriptor wanted(data_type::bf16, apply(sample_operand<Rule>, constants.value...));
        CHECK(apply(d, constants...) == wanted);
        CHECK(apply(d, constants.value...) == wanted);
        CHECK(apply.attempt(d, constants.value...) == wanted);
        CHECK(apply.check(d, constants.value...).ok());
        descriptor out;
        CHECK(apply(out, d, constants.value...).ok());
        CHECK(out == wanted);
        out = d;
        CHECK(apply(out, out, constants.value...).ok());
        CHECK(out == wanted);
        // A refused operation does not change its output. The form that returns a descriptor throws.
        const descriptor none;
        if (apply.check(none, constants.value...).ok()) return;  // canonical_form accepts an undefined layout
        out = d;
        CHECK(!apply(out, none, constants.value...).ok());
        CHECK(out == d);
        CHECK(!plait_test::refusal_of([&] { return apply(none, constants.value...); }).ok());
    });
}

TEST_CASE("every operation on descriptors with compensation: keeps, drops or refuses it, as its rule defines") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const extra sums{.s8s8_compensation = true, .s8s8_mask = 1};
        const descriptor d(data_type::s8, sample_operand<Rule>, sums);
        const expected<descriptor> made = apply.attempt(d, constants.value...);
        const axis_list axes = detail::axes_after<Rule>(d.ndims(), constants.value...);
        if (detail::sums_of<Rule> == sums_rule::refuse) CHECK(made.error() == verdict{reason::descriptor_has_extra});
        else REQUIRE(made.has_value());
        if (detail::sums_of<Rule> == sums_rule::drop) CHECK(made->extra.empty());
        if (detail::sums_of<Rule> == sums_rule::keep)
            for (int i = 0; i < axes.size(); ++i) CHECK((made->extra.s8s8_mask >> i & 1) == (axes[i] == 0 ? 1 : 0));
    });
}

TEST_CASE("every operation on shaped layouts and descriptors: is the operation on the framework's axes") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const layout& l = sample_operand<Rule>;
        axis_map turned = identity_axis_map(l.ndims());
        for (int a = 0; a < l.ndims(); ++a) turned[a] = l.ndims() - 1 - a;
        for (const axis_map& map : {identity_axis_map(l.ndims()), turned}) {
            const shaped_layout s(l, map);
            const expected<layout> wanted = in_framework<Rule>(framework_layout(s), constants...);
            CHECK(apply.check(s, constants.value...) == wanted.error());
            const expected<shaped_layout> made = apply.attempt(s, constants.value...);
            CHECK(made.error() == wanted.error());
            const shaped_descriptor d(descriptor(data_type::f16, l), map);
            const expected<shaped_descriptor> also = apply.attempt(d, constants.value...);
            CHECK(also.error() == wanted.error());
            if (!wanted) continue;
            CHECK(framework_layout(*made) == *wanted);
            CHECK(apply(s, constants.value...) == *made);
            CHECK(also->shaped() == *made);
            CHECK(also->descriptor.type == data_type::f16);
            CHECK(apply(d, constants.value...) == *also);
        }
    });
}

TEST_CASE("operations on two descriptors: require equal types, and refuse compensation") {
    plait_test::for_each_sample([]<class Rule>(operation<Rule> apply, const auto&... constants) {
        if constexpr (detail::takes_two_operands<Rule>) {
            const auto on_both = [&](const auto& other, const auto&... rest) {
                const descriptor d(data_type::s8, sample_operand<Rule>), second(data_type::s8, other.value);
                const descriptor wanted(data_type::s8, apply(sample_operand<Rule>, other.value, rest.value...));
                CHECK(apply(d, second, rest.value...) == wanted);
                CHECK(apply.attempt(d, second, rest.value...) == wanted);
                descriptor out;
                CHECK(apply(out, d, second, rest.value...).ok());
                CHECK(out == wanted);
                const descriptor of_another_type(data_type::u8, other.value);
                CHECK(apply.check(d, of_another_type, rest.value...).reason == reason::data_types_differ);
                descriptor with_sums = second;
                with_sums.extra = {.s8s8_compensation = true, .s8s8_mask = 1};
                CHECK(!apply.check(d, with_sums, rest.value...).ok());
            };
            on_both(constants...);
        }
    });
}

}}  // namespace test_laws_operations_on_descriptors
