#include <plait/core/expected.hpp>

#include "support/small_layouts.hpp"

#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/reshape.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace test_core_expected { namespace {

using namespace plait;

constexpr expected<layout> made = try_layout({2, 3}, "ab");
constexpr expected<layout> refused = try_layout({2, 3}, "abc");
constexpr verdict why_refused{reason::rank_differs, -1, 3, 2};

// A value that may only be moved.
struct unique_number {
    std::unique_ptr<int> number;
};

template <layout L>
struct of_layout {};

TEST_CASE("expected: a value, or the verdict that refuses it") {
    STATIC_CHECK(made.has_value() && static_cast<bool>(made) && made.error().ok());
    STATIC_CHECK(*made == layout({2, 3}, "ab") && made->ndims() == 2 && made.value() == *made);
    STATIC_CHECK(!refused.has_value() && !static_cast<bool>(refused) && refused.error() == why_refused);
    STATIC_CHECK(refused.error() == check_layout({2, 3}, "abc"));
    STATIC_CHECK(!std::is_convertible_v<expected<layout>, bool>);
    STATIC_CHECK(std::is_same_v<expected<layout>::value_type, layout>);
    STATIC_CHECK(std::is_same_v<expected<layout>::error_type, verdict>);
}

TEST_CASE("expected: value() throws what the operation throws") {
    CHECK(plait_test::refusal_of([] { return refused.value(); }) == why_refused);
    CHECK(plait_test::refusal_of([] { return try_layout({2, 3}, "abc").value(); }) == why_refused);
    CHECK(plait_test::refusal_of([] { return made.value(); }).ok());
    try {
        static_cast<void>(refused.value());
        CHECK(false);
    } catch (const rejection& thrown) {
        CHECK(std::string_view(thrown.what()) == "rank_differs: the format tag has 3 axes, but the extents have 2");
    }
}

TEST_CASE("expected<void>: success, or the verdict that refuses it") {
    constexpr expected<void> is_done{}, is_refused{why_refused};
    STATIC_CHECK(is_done.has_value() && static_cast<bool>(is_done) && is_done.error().ok() && is_done.value().ok());
    STATIC_CHECK(!is_refused.has_value() && !static_cast<bool>(is_refused) && is_refused.error() == why_refused);
    STATIC_CHECK(is_done == expected<void>{} && is_done != is_refused);
    STATIC_CHECK(!std::is_convertible_v<expected<void>, bool>);
    STATIC_CHECK(std::is_same_v<expected<void>::value_type, void>);
    CHECK((plait_test::refusal_of([&] { return is_refused.value(); }) == why_refused));
}

TEST_CASE("expected: value_or, and_then, transform, or_else") {
    STATIC_CHECK(made.value_or(layout({7}, "a")) == *made);
    STATIC_CHECK(refused.value_or(layout({7}, "a")) == layout({7}, "a"));
    constexpr auto flat = [](const layout& l) { return try_reshape(l, {6}); };
    constexpr auto five = [](const layout& l) { return try_reshape(l, {5}); };
    STATIC_CHECK(made.and_then(flat) == layout({6}, "a"));
    STATIC_CHECK(made.and_then(five).error() == check_reshape(*made, {5}));
    STATIC_CHECK(refused.and_then(flat).error() == why_refused);
    constexpr auto volume = [](const layout& l) { return l.volume(); };
    STATIC_CHECK(made.transform(volume) == dim_t{6});
    STATIC_CHECK(refused.transform(volume).error() == why_refused);
    STATIC_CHECK(std::is_same_v<decltype(made.transform(volume)), expected<dim_t>>);
    constexpr auto another = [](const verdict& why) { return try_layout({why.first}, "a"); };
    STATIC_CHECK(made.or_else(another) == made);
    STATIC_CHECK(refused.or_else(another) == layout({3}, "a"));
}

TEST_CASE("expected: equal values are equal, and so are equal refusals") {
    STATIC_CHECK(made == try_layout({2, 3}, strides{3, 1}) && made == layout({2, 3}, "ab"));
    STATIC_CHECK(made != try_layout({2, 3}, "ba") && made != layout({2, 3}, "ba"));
    STATIC_CHECK(refused == try_layout({4, 3}, "abc") && refused != try_layout({2, 3}, "a"));
    STATIC_CHECK(made != refused && refused != layout());
    // The storage after a refusal is not compared: one has a half-built layout, the other none.
    STATIC_CHECK(expected<layout>{*made, why_refused} == expected<layout>{{}, why_refused});
    STATIC_CHECK(expected<layout>{*made, why_refused} != *made);
}

TEST_CASE("expected: a value that changes, moves, or is a template argument") {
    expected<layout> changed = made;
    changed->offset0 = 5;
    (*changed).offset0 += 1;
    changed.value().offset0 += 1;
    CHECK(changed->offset0 == 7);
    expected<unique_number> number{{std::make_unique<int>(7)}, {}};
    const unique_number taken = *std::move(number);
    CHECK(*taken.number == 7);
    CHECK(*expected<unique_number>{{std::make_unique<int>(8)}, {}}.value().number == 8);
    // The value is a template argument; its members are nobody's, so that the result is none.
    STATIC_CHECK(std::is_same_v<of_layout<*made>, of_layout<layout({2, 3}, "ab")>>);
    STATIC_CHECK(std::is_trivially_copyable_v<expected<layout>>);
}

}}  // namespace test_core_expected
