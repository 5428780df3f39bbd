// Every operation on every kind of view: the elements are at the offsets of the operation on the layout.

#include "laws/operation_samples.hpp"

#include <plait/bridge/shaped_operations.hpp>
#include <plait/contents/held_operations.hpp>

#include <vector>

namespace test_laws_operations_on_views { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::sample, plait_test::sample_operand;

/// True if each element of the view is at its offset from `data`.
template <class T, class L>
bool is_at(const tensor_view<T, L>& v, const std::remove_const_t<T>* data, const layout& wanted) {
    const layout seen = v.plain_layout();
    if (seen.dims != wanted.dims || seen.padded_dims != wanted.padded_dims) return false;
    for (dim_t number = 0; number < wanted.volume(); ++number) {
        const position at = unravel(wanted.dims, number);
        if (v.data() + seen.offset(at) != data + wanted.offset(at)) return false;
    }
    return true;
}
constexpr dim_t room = 4096;
constexpr tensor_compensation sums{.s8s8 = true, .s8s8_mask = 1};

TEST_CASE(
    "every operation on views: keeps the elements, and the result is static if the layout and the arguments are") {
    std::vector<float> memory(room);
    plait_test::for_each_sample([&]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const layout wanted = apply(sample_operand<Rule>, constants.value...);
        const tensor_view fixed(memory.data(), layout_c<sample_operand<Rule>>);
        const auto made = apply(fixed, constants...);
        static_assert(layout_type<typename std::remove_const_t<decltype(made)>::layout_in_type>);
        CHECK(is_at(made, memory.data(), wanted));
        CHECK(is_at(apply(fixed, constants.value...), memory.data(), wanted));
        const tensor_view at_run_time(memory.data(), sample_operand<Rule>);
        CHECK(is_at(apply(at_run_time, constants...), memory.data(), wanted));
        CHECK(is_at(apply(at_run_time, constants.value...), memory.data(), wanted));
        CHECK(apply.check(fixed, constants.value...).ok());
        const auto attempt = apply.attempt(at_run_time, constants.value...);
        REQUIRE(attempt.has_value());
        CHECK(is_at(*attempt, memory.data(), wanted));
    });
}

TEST_CASE("every operation on views with known contents: zero padding stays zero") {
    std::vector<std::int8_t> memory(room);
    plait_test::for_each_sample([&]<class Rule>(operation<Rule> apply, const auto&... constants) {
        const layout wanted = apply(sample_operand<Rule>, constants.value...);
        const auto held = assume_zero_padding(tensor_view(memory.data(), layout_c<sample_operand<Rule>>));
        const auto made = apply(held, constants...);
        CHECK(is_at(made.stored(), memory.data(), wanted));
        static_assert(contents_of<decltype(made)>.padding == padding_state::zero);
        CHECK(is_at(apply(held, constants.value...).stored(), memory.data(), wanted));
        CHECK(apply.check(held, constants.value...).ok());
        // Compensation follows the rule for descriptors. A refused operation on constants does not compile.
        const auto weights = held_as<padding_state::zero, sums>(held.stored());
        const descriptor d(data_type::s8, sample_operand<Rule>, {.s8s8_compensation = true, .s8s8_mask = 1});
        CHECK(apply.check(weights, constants.value...) == apply.check(d, constants.value...));
        if constexpr (detail::sums_of<Rule> != sums_rule::refuse) {
            const auto kept = apply(weights, constants...);
            CHECK(extra_of(contents_of<decltype(kept)>.compensation) == apply(d, constants.value...).extra);
        }
    });
}

TEST_CASE("every operation on shaped buffers: is the operation on the framework's axes") {
    std::vector<float> memory(room);
    plait_test::for_each_sample([&]<class Rule>(operation<Rule> apply, const auto&... constants) {
        using in_framework = operation<typename framework_rule<Rule>::type>;
        const layout wanted = in_framework()(sample_operand<Rule>, constants.value...);
        const tensor_view v(memory.data(), layout_c<sample_operand<Rule>>);
        const shaped_buffer buffer(v, axis_map_constant<identity_axis_map(sample_operand<Rule>.ndims())>());
        CHECK(is_at(apply(buffer, constants...).memory(), memory.data(), wanted));
        CHECK(is_at(apply(buffer, constants.value...).memory(), memory.data(), wanted));
        CHECK(apply.check(buffer, constants.value...).ok());
    });
}

}}  // namespace test_laws_operations_on_views
