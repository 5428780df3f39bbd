#include <plait/algebra/find_gap.hpp>
#include <plait/algebra/is_nested.hpp>

#include "laws/hand_made_layouts.hpp"

#include <plait/algebra/is_injective.hpp>

namespace test_algebra_find_gap { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr bool has_no_gap(const layout& l) { return check_find_gap(l).ok() && !find_gap(l).has_value(); }

/// Checks the law on all elements: the gap is within the span and has no element; if there is no gap,
/// every place of the span is taken; and is_dense is that together with is_injective.
bool gap_law_holds(const layout& l) {
    if (l.padded_volume() == 0) return has_no_gap(l);
    const std::vector<dim_t> offsets = plait_test::all_offsets(l);
    const auto distinct = [&] {
        std::vector<dim_t> once = offsets;
        once.erase(std::unique(once.begin(), once.end()), once.end());
        return static_cast<dim_t>(once.size());
    }();
    const std::optional<dim_t> gap = find_gap(l);
    const auto span = static_cast<dim_t>(l.element_span());
    if (gap.has_value() != (distinct < span)) return false;
    if (gap && (*gap < l.span_begin() || *gap >= l.span_begin() + span ||
                std::binary_search(offsets.begin(), offsets.end(), *gap)))
        return false;
    return l.is_dense() == (is_injective(l) && !gap);
}

bool is_part_of_a_block(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_dims[a] < l.block_size(a)) return true;
    return false;
}

TEST_CASE("find_gap: empty for dense layouts, and for layouts that share places without a gap") {
    STATIC_CHECK(has_no_gap(layout({2, 17, 5, 4}, "nChw8c")));
    STATIC_CHECK(has_no_gap(layout({1, 3}, strides{-5, 1})));
    STATIC_CHECK(has_no_gap(layout({4, 3}, strides{0, 1})));
    STATIC_CHECK(has_no_gap(by_hand({3, 4}, {3, 4}, {2, 1})));
    STATIC_CHECK(has_no_gap(layout({0, 3}, strides{10, 2})));
    STATIC_CHECK(has_no_gap(layout({1}, strides{7})));
}

TEST_CASE("find_gap: returns the first gap, counted from offset0") {
    STATIC_CHECK(find_gap(layout({2, 3}, strides{10, 2})) == 1);
    STATIC_CHECK(find_gap(layout({2, 3}, strides{5, 1})) == 3);
    STATIC_CHECK(find_gap(by_hand({2, 3}, {2, 3}, {5, 1}, {}, {}, 40)) == 43);
    STATIC_CHECK(find_gap(layout({2, 5}, "aB4b", strides{0, 6})) == 4);
    STATIC_CHECK(find_gap(layout({2, 3}, strides{-5, 1})) == 3 && has_no_gap(layout({2, 3}, strides{-3, 1})));
    STATIC_CHECK(find_gap(layout({2, 3}, strides{-10, -2})) == 1);
    STATIC_CHECK(find_gap(by_hand({3, 2}, {3, 2}, {2, 3})) == 1);
    constexpr dim_t huge = dim_t{1} << 30;
    STATIC_CHECK(has_no_gap(layout({huge, huge}, "ba")));
    STATIC_CHECK(find_gap(layout({huge, huge}, strides{huge + 1, 1})) == huge);
}

TEST_CASE("find_gap: in a view of a part of one block the rest of the block is a gap") {
    STATIC_CHECK(find_gap(by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}}, {}, 11)) == 14);
    STATIC_CHECK(find_gap(by_hand({2, 3}, {2, 3}, {8, 8}, {{1, 8}})) == 3);
    // The part is outermost in memory, so the rest of the block is after the span.
    STATIC_CHECK(has_no_gap(by_hand({1, 3}, {1, 3}, {8, 8}, {{1, 8}})));
    STATIC_CHECK(has_no_gap(by_hand({5}, {5}, {8}, {{0, 2}, {0, 4}})));
    // Digits that continue each other are one, of which the part has all values, also backwards, or if strides overlap.
    STATIC_CHECK(has_no_gap(by_hand({4, 5}, {4, 5}, {1, 8}, {{1, 2}, {1, 4}})));
    STATIC_CHECK(has_no_gap([] {
        layout back = by_hand({5}, {5}, {8}, {{0, 2}, {0, 4}}, {}, 4);
        back.digits[1].stride = -4;
        back.digits[2].stride = -1;
        return back;
    }()));
    // 2 x 4 reversed in memory: the first five of 0 2 4 6 1 3 5 7.
    layout l = by_hand({5}, {5}, {8}, {{0, 2}, {0, 4}});
    l.digits[1].stride = 1;
    l.digits[2].stride = 2;
    CHECK(check_layout(l).ok());
    CHECK(find_gap(l) == 3);
    // 2 x 3 x 4, the last two reversed: the first gap in memory is not the first by index.
    l = by_hand({17}, {17}, {24}, {{0, 2}, {0, 3}, {0, 4}});
    l.digits[2].stride = 1;
    l.digits[3].stride = 3;
    CHECK(check_layout(l).ok());
    CHECK(gap_law_holds(l));
    CHECK(find_gap(l) == 14);
}

TEST_CASE("find_gap: layouts that cannot be decided are refused") {
    STATIC_CHECK(check_find_gap(layout()) == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_find_gap(layout({2}, "any")) == verdict{reason::layout_is_any});
    STATIC_CHECK(check_find_gap(plait_test::opaque_layout({2})) == verdict{reason::layout_is_opaque});
    STATIC_CHECK(check_find_gap(layout({dynamic, 2}, "ab")) == verdict{reason::dim_is_dynamic, 0, 0, 0});
    STATIC_CHECK(check_find_gap(layout({2, 2}, strides{dynamic, 1})) == verdict{reason::stride_is_dynamic, 0, 0, 0});
    // A part of a block that runs backwards.
    layout backwards = by_hand({5}, {5}, {8}, {{0, 2}, {0, 4}}, {}, 4);
    backwards.digits[1].stride = -4;
    CHECK(check_find_gap(backwards) == verdict{reason::digits_do_not_cover_axis, 0, 8, 5});
    STATIC_CHECK(check_find_gap(by_hand({3, 4}, {3, 4}, {INT64_MAX, 1})).reason == reason::size_overflows);
    STATIC_CHECK(check_find_gap(by_hand({2}, {2}, {1}, {}, {}, INT64_MAX)) ==
                 verdict{reason::size_overflows, -1, INT64_MAX, 1});
    // Digits of more values than a number can count: the layout is not valid.
    layout huge = by_hand({5}, {5}, {1}, {{0, 6}});
    huge.digits[0].extent = INT64_MAX / 2;
    CHECK(check_find_gap(huge) == verdict{reason::size_overflows, 0, 6, INT64_MAX / 2});
    // A part of a block with gaps that other elements may fill.
    static constexpr layout part = [] {
        layout l = by_hand({4, 5}, {4, 5}, {1, 8}, {{1, 2}, {1, 4}});
        l.digits[2].stride = 1;
        l.digits[3].stride = 2;
        return l;
    }();
    STATIC_CHECK(check_find_gap(part).reason == reason::strides_do_not_nest);
    CHECK((plait_test::refusal_of([] { return find_gap(part); }) == check_find_gap(part)));
}

TEST_CASE("find_gap: agrees with a search of all elements, as do is_injective and is_dense") {
    for (const layout& l : plait_test::varied_layouts) CHECK(gap_law_holds(l));
    for (const layout& l : plait_test::broadcast_layouts) CHECK(gap_law_holds(l));
    plait_test::random_source random(77);
    for (int i = 0; i < 4000; ++i)
        if (const layout l = random.small_layout();
            check_find_gap(l).ok() ? !gap_law_holds(l) : is_nested(l) && !runs_backwards(l))
            FAIL_CHECK(i);
    int refused = 0, filled = 0, dense = 0;
    for (int i = 0; i < 8000; ++i) {
        const layout l = plait_test::hand_made_layout(random, i % 4 == 0 ? 200 : i % 4 == 1 ? 2 : i % 4 == 2 ? 5 : 20);
        if (!check_find_gap(l).ok()) {
            ++refused;
            if (!is_part_of_a_block(l) || (is_nested(l) && !runs_backwards(l))) FAIL_CHECK(i);
            // Undecided layouts are never called dense unless they are.
            if (l.is_dense()) FAIL_CHECK(i);
        } else if (!gap_law_holds(l)) {
            FAIL_CHECK(i);
        } else {
            filled += !find_gap(l);
            dense += l.is_dense();
        }
    }
    MESSAGE(refused, " not decided, ", filled, " without a gap, ", dense, " dense");
    CHECK(filled > 500);
    CHECK(dense > 20);
    CHECK(refused < 400);
}

}}  // namespace test_algebra_find_gap
