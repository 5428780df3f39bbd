#include <plait/algebra/forget_padding.hpp>

#include <plait/algebra/rearrange.hpp>
#include <plait/algebra/view.hpp>

#include "laws/layout_laws.hpp"
#include "laws/random_layouts.hpp"
#include "support/hand_filled_layout.hpp"

namespace test_algebra_forget_padding { namespace {

using namespace plait;
using namespace plait_test;

constexpr bool refused(const layout& l, const verdict& why) {
    return check_forget_padding(l) == why && !try_forget_padding(l).has_value();
}

/// Checks that each element keeps its offset and that there is no padding.
constexpr bool forgets(const layout& l) {
    const expected<layout> out = try_forget_padding(l);
    if (!out || !check_layout(*out).ok() || out->dims != l.dims || out->padded_dims != l.dims) return false;
    for (dim_t i = 0; i < l.volume(); ++i)
        if (out->linear_offset(i) != l.linear_offset(i)) return false;
    return try_forget_padding(*out) == out;
}

TEST_CASE("forget_padding: the elements stay, and the padding becomes gaps") {
    STATIC_CHECK(forgets(layout({3, 4}, "Ab4a")));
    STATIC_CHECK(forgets(layout({2, 17, 2, 2}, "nChw8c")));
    STATIC_CHECK(forgets(layout({17, 5}, "BA4b16a2b")));
    STATIC_CHECK(forget_padding(layout({2, 16}, "aB16b")) == layout({2, 16}, "aB16b"));
    STATIC_CHECK(forget_padding(layout({2, dynamic}, "ab")) == layout({2, dynamic}, "ab"));
    STATIC_CHECK(forget_padding(layout({3, 0}, "Ab4a")) == layout({3, 0}, "ab"));
    random_source random(5);
    int padded = 0;
    for (int i = 0; i < 4000; ++i) {
        const layout l =
            i % 2 == 0 ? random.small_layout() : hand_filled_layout(random, {random.between(1, 9), 5}, 4000);
        padded += l.is_padded();
        // Padding in front is removed unless its digits carry.
        if (check_forget_padding(l).reason == reason::axis_is_padded ? l.padded_offsets == position{} : !forgets(l))
            FAIL_CHECK(i);
    }
    CHECK(padded > 1000);
}

TEST_CASE("forget_padding: an axis that was padded can be split and joined like any other") {
    constexpr layout rows({3, 4}, "Ab4a");
    STATIC_CHECK(check_view(rows, {12}) == verdict{reason::axis_is_padded, 0, 4, 3});
    constexpr layout joined = view(forget_padding(rows), {12});
    STATIC_CHECK(joined.offset(0) == 0 && joined.offset(1) == 4 && joined.offset(4) == 1 && joined.offset(11) == 14);
    STATIC_CHECK(check_rearrange<"a b -> (a b)">(rows).reason == reason::axis_is_padded);
    STATIC_CHECK(rearrange<"a b -> (a b)">(forget_padding(rows)).linear_offset(11) == 14);
    // 6 elements of a block of 8, as 2 times 3.
    constexpr layout split = rearrange<"(p q) c -> p q c", 2>(forget_padding(layout({6, 3}, "Ab8a")));
    STATIC_CHECK(split.dims == dims{2, 3, 3} && split.offset(1, 2, 1) == 13);
    // If the elements are not whole digits, no unpadded layout exists: 17 rows in blocks of 16.
    STATIC_CHECK(check_view(forget_padding(layout({17, 2}, "Ab16a")), {34}) ==
                 verdict{reason::axis_is_padded, 0, 32, 17});
}

TEST_CASE("forget_padding: each refusal") {
    STATIC_CHECK(refused(layout({2, dynamic}, "aB8b"), {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(layout({dynamic, 3}, "aB8b"), {reason::dim_is_dynamic, 0}));
    // Padded offset 3 in a digit of 4 that is apart from the next digit: the third element carries.
    STATIC_CHECK(refused(by_hand({3}, {8}, {10}, {{0, 4}}, {3}), {reason::axis_is_padded, 0, 8, 3}));
}

}}  // namespace test_algebra_forget_padding
