#include <plait/algebra/concatenate_along.hpp>

#include "laws/layout_laws.hpp"

namespace test_algebra_concatenate_along { namespace {

using namespace plait;
using plait_test::by_hand;

/// Checks the law: the elements of a, followed by those of b.
constexpr bool is_both(const layout& whole, const layout& a, const layout& b, int axis) {
    dims extents = a.dims;
    extents[axis] += b.dims[axis];
    if (!check_layout(whole).ok() || whole.dims != extents) return false;
    if (whole.volume() == 0) return true;
    position at = plait_test::origin(a.ndims());
    do {
        const bool behind = at[axis] >= a.dims[axis];
        position there = at;
        if (behind) there[axis] -= a.dims[axis];
        if (whole.offset(at) != (behind ? b : a).offset(there)) return false;
    } while (plait_test::advance(at, extents));
    return true;
}

/// Cuts l along every axis at every place, and checks that concatenating restores it.
constexpr bool parts_make_a_whole(const layout& l) {
    for (int axis = 0; axis < l.ndims(); ++axis)
        for (dim_t cut = 0; cut <= l.dims[axis]; ++cut) {
            dims first = l.dims, second = l.dims;
            first[axis] = cut;
            second[axis] -= cut;
            position begin = plait_test::origin(l.ndims());
            const expected<layout> a = try_submemory(l, first, begin);
            begin[axis] = cut;
            const expected<layout> b = try_submemory(l, second, begin);
            if (!a || !b) continue;
            if (!check_concatenate_along(*a, *b, axis).ok()) return false;
            if (!is_both(concatenate_along(*a, *b, axis), *a, *b, axis)) return false;
            // However the two say their memory; but how far two blocks lie apart only a block around them says.
            if (a->volume() * b->volume() == 0 || l.digits[axis].stride == 0) continue;
            const layout simple = canonical_form(*a), behind = canonical_form(*b);
            for (const layout* x : {&*a, second[axis] > cut ? &simple : &*a})
                for (const layout* y : {&*b, &behind})
                    if (!check_concatenate_along(*x, *y, axis).ok() ||
                        !is_both(concatenate_along(*x, *y, axis), *x, *y, axis))
                        return false;
        }
    return true;
}

TEST_CASE("concatenate_along: a whole that needs one digit more than a layout has is refused") {
    // Two blocks of axis 0, and one element of the third: the result has a block of one index around them.
    constexpr auto joined = [](const layout& all) {
        dims first = all.dims, second = all.dims;
        first[0] = 4;
        second[0] = 1;
        position begin = plait_test::origin(all.ndims());
        const layout a = submemory(all, first, begin);
        begin[0] = 4;
        return try_concatenate_along(a, submemory(all, second, begin), 0);
    };
    constexpr layout fits({6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, "ABCDEFGHIJK2a2b2c2d2e2f2g2h2i2j2k");
    STATIC_CHECK(joined(fits)->digits.size() == max_digits - 1);
    constexpr layout full({6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, "ABCDEFGHIJKL2a2b2c2d2e2f2g2h2i2j2k2l");
    STATIC_CHECK(full.digits.size() == max_digits);
    STATIC_CHECK(joined(full).error().reason == reason::parts_do_not_meet);
}

TEST_CASE("concatenate_along: two halves of a tensor are the tensor") {
    constexpr layout l({2, 32, 5, 4}, "nChw16c");
    constexpr layout a = submemory(l, {2, 16, 5, 4}, {0, 0, 0, 0}), b = submemory(l, {2, 16, 5, 4}, {0, 16, 0, 0});
    STATIC_CHECK(concatenate_along(a, b, 1) == l);
    STATIC_CHECK(check_concatenate_along(b, a, 1) == verdict{reason::parts_do_not_meet, 1, 0, 640});
    STATIC_CHECK(!try_concatenate_along(b, a, 1));
    STATIC_CHECK(is_both(concatenate_along(layout({1, 3}, "ab"), submemory(layout({5, 3}, "ab"), {4, 3}, {1, 0}), 0),
                         layout({1, 3}, "ab"), submemory(layout({5, 3}, "ab"), {4, 3}, {1, 0}), 0));
}

TEST_CASE("concatenate_along: two parts of one element each may be at any distance, which becomes the stride") {
    layout second({1, 3}, "ab");
    second.offset0 = 100;
    const layout whole = concatenate_along(layout({1, 3}, "ab"), second, 0);
    CHECK(whole == layout({2, 3}, strides{100, 1}));
    second.offset0 = 2;
    CHECK(concatenate_along(layout({1, 3}, "ab"), second, 0) == layout({2, 3}, strides{2, 1}));
    // Rows of six elements that begin 3 apart: they share three.
    second = layout({2, 3}, "ab");
    second.offset0 = 3;
    CHECK(concatenate_along(layout({2, 3}, "ab"), second, 1) == layout({2, 6}, strides{3, 1}));
    // The second is before the first: the axis runs backwards.
    second = layout({1, 3}, "ab");
    layout first = second;
    first.offset0 = 9;
    const layout backwards = concatenate_along(first, second, 0);
    CHECK((backwards.offset(0, 2) == 11 && backwards.offset(1, 2) == 2 && backwards.strides() == strides{-9, 1}));
}

TEST_CASE("concatenate_along: parts that are not made of blocks") {
    // Three and three elements of a block of 16, described as four times four: the whole has six.
    constexpr layout block({16}, "A4a4a");
    constexpr layout a = submemory(block, {3}, {0}), b = submemory(block, {3}, {3});
    STATIC_CHECK(is_both(concatenate_along(a, b, 0), a, b, 0));
    constexpr layout blocks({16}, "A4a");
    STATIC_CHECK(concatenate_along(submemory(blocks, {3}, {0}), submemory(blocks, {3}, {3}), 0) == layout({6}, "a"));
    // 4 elements of a block and the next 12, in blocks that are apart.
    constexpr layout apart({16, 2}, "AB2a2b4a");
    constexpr layout first = submemory(apart, {4, 2}, {0, 0}), rest = submemory(apart, {12, 2}, {4, 0});
    STATIC_CHECK(same_memory(concatenate_along(first, rest, 0), apart));
    STATIC_CHECK(same_memory(concatenate_along(canonical_form(first), rest, 0), apart));
    // Two blocks with another between them do not meet, although one more digit could describe them.
    STATIC_CHECK(check_concatenate_along(first, submemory(apart, {4, 2}, {8, 0}), 0) ==
                 verdict{reason::parts_do_not_meet, 0, 16, 8});
    // If the last block is not full, it is a part of a block: the places after it do not belong to the tensor.
    constexpr layout some = submemory(apart, {2, 2}, {4, 0});
    STATIC_CHECK(concatenate_along(first, some, 0).padded_dims == dims{6, 2});
}

TEST_CASE("concatenate_along: the whole owns no more than both parts do") {
    // Rows of 5 with 3 places of padding; those after the second row are not the tensor's.
    constexpr layout rows({2, 5}, "aB8b");
    constexpr layout first = submemory(rows, {1, 5}, {0, 0}), second = submemory(rows, {1, 5}, {1, 0});
    STATIC_CHECK(concatenate_along(first, second, 0) == rows);
    constexpr layout alone = by_hand({1, 5}, {1, 5}, {8, 8}, {{1, 8}}, {}, 8);
    STATIC_CHECK(same_memory(alone, second));
    for (const layout& whole :
         {concatenate_along(first, alone, 0), concatenate_along(first, canonical_form(alone), 0)}) {
        CHECK(is_both(whole, first, alone, 0));
        CHECK(whole.padded_dims == dims{2, 5});
    }
    // The padding after the last element along the axis comes from the second part.
    constexpr layout l({5}, "A4a");
    STATIC_CHECK(concatenate_along(submemory(l, {4}, {0}), submemory(l, {1}, {4}), 0) == l);
    constexpr layout one = by_hand({1}, {1}, {4}, {{0, 4}}, {}, 4);
    // Refused if the first part's blocks have it elsewhere: at 102 and 103 instead of 150 and 151.
    constexpr layout four = by_hand({4}, {4}, {100}, {{0, 4}}), two = by_hand({2}, {4}, {50}, {{0, 2}}, {}, 100);
    STATIC_CHECK(is_both(concatenate_along(four, two, 0), four, two, 0));
    STATIC_CHECK(concatenate_along(four, two, 0).padded_dims == dims{6});
    STATIC_CHECK(concatenate_along(submemory(l, {4}, {0}), one, 0).padded_dims == dims{5});
}

TEST_CASE("concatenate_along: restores every layout from every cut") {
    for (const layout& l : plait_test::varied_layouts) CHECK_MESSAGE(parts_make_a_whole(l), to_string(l));
    for (const layout& l : plait_test::broadcast_layouts) CHECK_MESSAGE(parts_make_a_whole(l), to_string(l));
    STATIC_CHECK(parts_make_a_whole(layout({2, 4}, "aB2b")));
}

TEST_CASE("concatenate_along: each refusal, with the numbers") {
    constexpr layout l({2, 3}, "ab");
    STATIC_CHECK(check_concatenate_along(l, l, 0) == verdict{reason::parts_do_not_meet, 0, 0, 6});
    STATIC_CHECK(check_concatenate_along(l, layout({2, 3, 1}, "abc"), 0) == verdict{reason::rank_differs, -1, 3, 2});
    STATIC_CHECK(check_concatenate_along(l, l, 2) == verdict{reason::axis_is_out_of_range, -1, 2, 2});
    STATIC_CHECK(check_concatenate_along(l, l, -1) == verdict{reason::axis_is_out_of_range, -1, -1, 2});
    STATIC_CHECK(check_concatenate_along(l, layout({2, 4}, "ab"), 0) == verdict{reason::dims_differ, 1, 3, 4});
    STATIC_CHECK(check_concatenate_along(l, layout({2, dynamic}, "ab"), 1).reason == reason::dim_is_dynamic);
    STATIC_CHECK(check_concatenate_along(l, layout(), 1).reason == reason::layout_is_undefined);
    STATIC_CHECK(concatenate_along(layout({2, 0}, "ab"), layout({3, 0}, "ab"), 0) == layout({5, 0}, "ab"));
    // The same memory, but the padding lies between.
    layout behind({2, 16}, "aB16b");
    behind.offset0 = 32;
    CHECK((check_concatenate_along(layout({2, 5}, "aB16b"), behind, 1).reason == reason::parts_do_not_meet));
    // Other steps.
    CHECK((check_concatenate_along(l, by_hand({2, 3}, {2, 3}, {4, 1}, {}, {}, 6), 0).reason ==
           reason::parts_do_not_meet));
    layout far({1, 3}, "ab");
    far.offset0 = INT64_MAX - 2;
    CHECK(!check_concatenate_along(layout({1, 3}, "ab"), far, 0).ok());
    // Whole digits of 4 for these elements would exceed 63 bits, although the elements do not.
    constexpr dim_t many = INT64_MAX - 5;
    STATIC_CHECK(
        check_concatenate_along(by_hand({4}, {4}, {20}, {{0, 4}}), by_hand({many}, {many}, {0}, {}, {}, 9), 0).reason ==
        reason::parts_do_not_meet);
}

}}  // namespace test_algebra_concatenate_along
