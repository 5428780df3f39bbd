#include <plait/algebra/with_strides.hpp>
#include <plait/typed/concepts.hpp>
#include <plait/typed/with_format.hpp>

#include "support/static_check.hpp"

#include <type_traits>

namespace test_typed_with_format { namespace {

using namespace plait;
using namespace plait::detail;

// Returns the number of the format that the action was called with, or -1 if it was not called. Returns -2 if the
// result of with_format or the layout passed to the action is wrong.
constexpr int place_of(const format_tag& tag) {
    int called = -1;
    const bool found = with_format<"nchw", "nhwc", "nChw16c">(tag, [&](auto format) {
        called = format.tag == format_tag("nchw") ? 0 : format.tag == format_tag("nhwc") ? 1 : 2;
    });
    return found == (called >= 0) ? called : -2;
}
constexpr int place_of(const layout& l) {
    int called = -1, calls = 0;
    const bool found = with_format<"nchw", "nhwc", "nChw16c">(l, [&](auto known) {
        using type = decltype(known);
        called = matches<type, "nchw"> ? 0 : matches<type, "nhwc"> ? 1 : matches<type, "nChw16c"> ? 2 : 3;
        calls += static_cast<layout>(known) == l && with_axes<type, "nchw">;
    });
    return found == (calls == 1) ? called : -2;
}

TEST_CASE("with_format: a tag known at run time") {
    STATIC_CHECK(place_of(format_tag("nchw")) == 0);
    STATIC_CHECK(place_of(format_tag("acdb")) == 1);
    STATIC_CHECK(place_of(format_tag("aBcd16b")) == 2);
    STATIC_CHECK(place_of(format_tag("nChw8c")) == -1);
    STATIC_CHECK(place_of(format_tag("nc")) == -1);
    STATIC_CHECK(place_of(format_tag("any")) == -1);
    STATIC_CHECK(place_of(format_tag()) == -1);
    STATIC_CHECK(place_of(*parse_format_tag("nhwc")) == 1);
}

TEST_CASE("with_format: a layout known at run time must match completely") {
    STATIC_CHECK(place_of(layout({2, 17, 5, 4}, "nchw")) == 0);
    STATIC_CHECK(place_of(layout({2, 17, 5, 4}, "nhwc")) == 1);
    STATIC_CHECK(place_of(layout({2, 17, 5, 4}, "nChw16c")) == 2);
    STATIC_CHECK(place_of(layout({0, 17, 5, 4}, "nhwc")) == 1);
    STATIC_CHECK(place_of(layout({1, 1, 1, 1}, "nhwc")) == 0);
    STATIC_CHECK(place_of(layout({2, 17, 5, 4}, "nChw8c")) == -1);
    STATIC_CHECK(place_of(layout({2, 17, 5}, "abc")) == -1);
    STATIC_CHECK(place_of(layout({2, dynamic, 5, 4}, "nchw")) == -1);
    STATIC_CHECK(place_of(layout({2, 17, 5, 4}, "any")) == -1);
    STATIC_CHECK(place_of(layout()) == -1);
    STATIC_CHECK(place_of(layout({2, 3, 5, 4}, strides{64, 20, 4, 1})) == -1);
    STATIC_CHECK([] {
        layout later({2, 3, 5, 4}, "nchw");
        later.offset0 = 1;
        return place_of(later) == -1;
    }());
}

TEST_CASE("with_format: the layout passed to the action has the same offsets") {
    const layout l({2, 17, 5, 4}, "nChw16c");
    int wrong = 0, seen = 0;
    CHECK(with_format<"nhwc", "nChw16c">(l, [&](const auto& known) {
        static_assert(bound_layout_type<std::remove_cvref_t<decltype(known)>>);
        for (dim_t number = 0; number < l.volume(); ++number, ++seen) {
            const position at = unravel(l.dims, number);
            wrong += known.offset(at[0], at[1], at[2], at[3]) != l.offset(at);
        }
    }));
    CHECK(wrong == 0);
    CHECK(seen == l.volume());
    CHECK(format_case<"nChw16c">::layout_of({2, 17, 5, 4}).offset(1, 16, 4, 3) == l.offset(1, 16, 4, 3));
}

}}  // namespace test_typed_with_format
