// The law of every try_NAME: it returns the result of NAME, or the verdict of check_NAME if that is a refusal.

#include "support/small_layouts.hpp"

#include <plait/algebra/axis_map.hpp>
#include <plait/algebra/bind.hpp>
#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/canonical_form.hpp>
#include <plait/algebra/complement.hpp>
#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/divide.hpp>
#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/forget_padding.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/left_inverse.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/rearrange_copy.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/repeat.hpp>
#include <plait/algebra/right_inverse.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/algebra/v0_blocking.hpp>
#include <plait/algebra/view.hpp>
#include <plait/algebra/with_strides.hpp>

namespace test_laws_answers {

using namespace plait;

namespace {

struct tally {
    int allowed = 0, refused = 0;
};

template <class T, class Make>
void check_answer(tally& count, const char* name, const verdict& why, const expected<T>& answer, Make make) {
    INFO(name);
    REQUIRE(answer.error() == why);
    REQUIRE(answer.has_value() == why.ok());
    REQUIRE(plait_test::refusal_of([&] { return answer.value(); }) == why);
    REQUIRE(plait_test::refusal_of([&] { return make(); }) == why);
    if (why.ok()) REQUIRE(*answer == make());
    ++(why.ok() ? count.allowed : count.refused);
}

}  // namespace

#define PLAIT_ANSWERS(name, ...)                                                          \
    check_answer(counts[at++], #name, check_##name(__VA_ARGS__), try_##name(__VA_ARGS__), \
                 [&] { return name(__VA_ARGS__); })

TEST_CASE("try_...: returns the result of the operation, or the verdict of its check") {
    const layout layouts[] = {
        layout({2, 3}, "ab"),
        layout({4, 6}, "ba"),
        layout({4, 6}, "aB4b"),
        layout({4, 6}, "AB4b2b2a"),
        layout({1, 6}, "ab"),
        layout({4, 6}, strides{16, 2}),
        layout({4, 6}, strides{0, 1}),
        layout({6}, "a"),
        layout({4}, strides{6}),
        submemory(layout({4, 12}, "ab"), {4, 6}, {0, 0}),
        submemory(layout({4, 12}, "ab"), {4, 6}, {0, 6}),
        layout({dynamic, 6}, "ab"),
        layout({2, 3}, "any"),
        layout(),
        plait_test::opaque_layout({2, 3}),
        plait_test::by_hand({2, 3}, {1, 3}, {3, 1}),
    };
    tally counts[32];
    int kinds = 0;
    for (const layout& l : layouts)
        for (const layout& other : layouts) {
            int at = 0;
            const axis_map straight{0, 1}, turned{1, 0};
            PLAIT_ANSWERS(permute_axes, l, permutation{1, 0});
            PLAIT_ANSWERS(rename_axes, l, permutation{1, 0});
            PLAIT_ANSWERS(adapt, l, straight, turned);
            PLAIT_ANSWERS(reshape, l, other.dims);
            PLAIT_ANSWERS(view, l, other.dims);
            PLAIT_ANSWERS(extended_reshape, l, dims{24}, reshape_flags::allow_order_mismatch);
            PLAIT_ANSWERS(split_axis, l, 1, dims{2, 3});
            PLAIT_ANSWERS(join_axes, l, 0, 1);
            PLAIT_ANSWERS(flatten, l);
            PLAIT_ANSWERS(flatten, l, 0, 1);
            PLAIT_ANSWERS(bind, l, dims{5});
            PLAIT_ANSWERS(submemory, l, dims{2, 3}, position{0, 0});
            PLAIT_ANSWERS(slice, l, 1, 4);
            PLAIT_ANSWERS(broadcast_axis, l, 0, 5);
            PLAIT_ANSWERS(repeat, l, 0, 5);
            PLAIT_ANSWERS(with_strides, l, strides{30, 2});
            PLAIT_ANSWERS(concatenate_along, l, other, 1);
            PLAIT_ANSWERS(canonical_form, l);
            PLAIT_ANSWERS(forget_padding, l);
            PLAIT_ANSWERS(compose, l, other);
            PLAIT_ANSWERS(inverse, l);
            PLAIT_ANSWERS(left_inverse, l);
            PLAIT_ANSWERS(right_inverse, l);
            PLAIT_ANSWERS(complement, l, 48);
            PLAIT_ANSWERS(divide, l, other);
            PLAIT_ANSWERS(product, l, other);
            PLAIT_ANSWERS(concatenate, l, other);
            PLAIT_ANSWERS(tile, l, dims{2, 3});
            PLAIT_ANSWERS(v0_blocking_of, l);
            PLAIT_ANSWERS(rearrange, l, "a b -> (b a)");
            PLAIT_ANSWERS(rearrange_copy, l, "a b -> (b a)");
            kinds = at;
        }
    // Each operation must be allowed for some layouts and refused for others, so that the law is tested.
    for (int k = 0; k < kinds; ++k) {
        INFO("number ", k, " of the list: ", counts[k].allowed, " allowed, ", counts[k].refused, " refused");
        CHECK(counts[k].allowed > 0);
        CHECK(counts[k].refused > 0);
    }
}

}  // namespace test_laws_answers
