#include <plait/algebra/same_memory.hpp>
#include <plait/algebra/submemory.hpp>

#include "laws/part_rules.hpp"
#include "laws/view_laws.hpp"

namespace test_algebra_submemory { namespace {

using namespace plait;
using plait_test::advance, plait_test::by_hand, plait_test::is_part, plait_test::may_be_part, plait_test::origin;

constexpr bool refused(const layout& parent, const dims& extents, const position& offsets, const verdict& why) {
    return check_submemory(parent, extents, offsets) == why && !try_submemory(parent, extents, offsets).has_value();
}

/// Calls visit(extents, offsets) for every part of a layout with these dims, including empty parts.
template <class Visit>
constexpr bool for_each_part(const dims& whole, const Visit& visit) {
    dims ends = whole;
    for (dim_t& end : ends) ++end;
    position offsets = origin(whole.size());
    do {
        dims rest = whole;
        for (int a = 0; a < whole.size(); ++a) rest[a] -= offsets[a] - 1;
        position extent = origin(whole.size());
        do {
            dims extents = whole;
            for (int a = 0; a < whole.size(); ++a) extents[a] = extent[a];
            if (!visit(extents, offsets)) return false;
        } while (advance(extent, rest));
    } while (advance(offsets, ends));
    return true;
}

/// Checks that every part has its elements in the parent, and that only parts refused by semantics 8 are refused.
constexpr bool parts_are_in_the_parent(const layout& parent) {
    return for_each_part(parent.dims, [&](const dims& extents, const position& offsets) {
        const expected<layout> part = try_submemory(parent, extents, offsets);
        if (part ? !is_part(*part, parent, extents, offsets)
                 : check_submemory(parent, extents, offsets).reason != reason::part_cuts_a_block)
            return false;
        return part.has_value() == may_be_part(parent, extents, offsets);
    });
}

/// Checks that a part of a part is the direct part, and allowed if that is. If the first part is not made of the
/// parent's blocks, they are equal except for the blocks.
bool parts_compose(const layout& parent) {
    return for_each_part(parent.dims, [&](const dims& extents, const position& offsets) {
        const expected<layout> part = try_submemory(parent, extents, offsets);
        if (!part || volume(extents) == 0) return true;
        return for_each_part(extents, [&](const dims& inner, const position& further) {
            position sum = offsets;
            for (int a = 0; a < sum.size(); ++a) sum[a] += further[a];
            const expected<layout> once = try_submemory(parent, inner, sum),
                                   twice = try_submemory(*part, inner, further);
            // The beginning of a part without elements is not compared.
            if (volume(inner) == 0 || !once || !twice) return once.has_value() == twice.has_value();
            return part->digits.size() == parent.digits.size() ? *once == *twice : same_memory(*once, *twice);
        });
    });
}

constexpr layout parent({4, 32, 6, 6}, "nChw16c");

TEST_CASE("submemory: whole blocks, the parent's end, and parts of one block") {
    STATIC_CHECK(submemory(parent, {2, 16, 3, 6}, {1, 16, 2, 0}) ==
                 by_hand({2, 16, 3, 6}, {2, 16, 3, 6}, parent.strides(), {{1, 16}}, {}, 1152 + 576 + 2 * 96));
    constexpr layout padded({2, 17, 5}, "aBc8b");
    // A part at the end includes the padding; other parts have none.
    STATIC_CHECK(submemory(padded, {2, 9, 5}, {0, 8, 0}) ==
                 by_hand({2, 9, 5}, {2, 16, 5}, padded.strides(), {{1, 8}}, {}, 40));
    STATIC_CHECK(submemory(padded, {2, 16, 5}, {0, 0, 0}) ==
                 by_hand({2, 16, 5}, {2, 16, 5}, padded.strides(), {{1, 8}}));
    STATIC_CHECK(submemory(padded, {2, 3, 5}, {0, 8, 0}) ==
                 by_hand({2, 3, 5}, {2, 3, 5}, padded.strides(), {{1, 8}}, {}, 40));
    // Inside a block, starting in the middle.
    STATIC_CHECK(submemory(padded, {2, 3, 5}, {0, 13, 0}) ==
                 by_hand({2, 3, 5}, {2, 3, 5}, padded.strides(), {{1, 8}}, {}, 45));
    // Inside the block of 4 in a block of 2, but not across blocks that are not adjacent in memory.
    constexpr layout twice({16, 2}, "AB2a2b4a");
    STATIC_CHECK(submemory(twice, {2, 2}, {13, 0}) ==
                 by_hand({2, 2}, {2, 2}, {16, 16}, {{0, 2}, {1, 2}, {0, 4}}, {}, 16 + 8 + 1));
    STATIC_CHECK(submemory(twice, {4, 2}, {4, 0}).offset(3, 0) == 11);
    STATIC_CHECK(refused(twice, {4, 2}, {2, 0}, {reason::part_cuts_a_block, 0, 2, 8}));
    // Before the tensor in its padding there may be a block boundary outside the tensor.
    constexpr layout shifted = by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5);
    STATIC_CHECK(submemory(shifted, {1, 2}, {1, 1}) == by_hand({1, 2}, {2, 2}, {8, 8}, {{1, 8}}, {}, 5 + 16 + 3));
}

TEST_CASE("submemory: digits that chain count as one, in every description of the layout") {
    // Nested blocks of 2 are equivalent to one of 8, and the part keeps them.
    constexpr layout one({8, 2}, "Ab8a"), three({8, 2}, "Ab2a2a2a");
    STATIC_CHECK(submemory(one, {5, 2}, {3, 0}) == by_hand({5, 2}, {5, 2}, {16, 8}, {{0, 8}}, {}, 3));
    STATIC_CHECK(submemory(three, {5, 2}, {3, 0}) == by_hand({5, 2}, {5, 2}, {16, 8}, {{0, 2}, {0, 2}, {0, 2}}, {}, 3));
    STATIC_CHECK(submemory(three, {3, 2}, {2, 0}).inner_blocks() == three.inner_blocks());
    // With one axis "A8a" is "a". A part that is not whole blocks has no blocks.
    constexpr layout row({2, 21}, "aB2b4b");
    STATIC_CHECK(submemory(row, {2, 7}, {0, 3}) == by_hand({2, 7}, {2, 7}, {24, 1}, {}, {}, 3));
    STATIC_CHECK(submemory(row, {2, 16}, {0, 3}) == by_hand({2, 16}, {2, 16}, {24, 1}, {}, {}, 3));
    // A part at the parent's end includes the padding, three places here.
    STATIC_CHECK(submemory(row, {2, 18}, {0, 3}) == by_hand({2, 18}, {2, 21}, {24, 1}, {}, {}, 3));
    // The blocks of 2a chain with the outermost digit, those of 4a with nothing: 12 elements would be three of them,
    // and the layout has no such block.
    constexpr layout half({16, 2}, "AB2a2b4a");
    STATIC_CHECK(submemory(half, {12, 2}, {4, 0}) == by_hand({12, 2}, {12, 2}, {8, 16}, {{1, 2}, {0, 4}}, {}, 8));
    STATIC_CHECK(submemory(half, {12, 2}, {0, 0}).digits[0] == digit{0, 3, 8});
    STATIC_CHECK(refused(half, {10, 2}, {0, 0}, {reason::part_cuts_a_block, 0, 10, 8}));
    STATIC_CHECK(refused(half, {4, 2}, {6, 0}, {reason::part_cuts_a_block, 0, 6, 8}));
    // From the second one to the end: 9 elements and the padding.
    constexpr layout padded({13, 2}, "AB2a2b4a");
    STATIC_CHECK(submemory(padded, {9, 2}, {4, 0}) == by_hand({9, 2}, {12, 2}, {8, 16}, {{1, 2}, {0, 4}}, {}, 8));
}

TEST_CASE("submemory: the part that is the whole equals the parent, and a part of a part is a part") {
    STATIC_CHECK(submemory(parent, parent.dims, {0, 0, 0, 0}) == parent);
    STATIC_CHECK(submemory(submemory(parent, {2, 16, 3, 6}, {1, 16, 2, 0}), {1, 3, 2, 2}, {1, 4, 0, 3}) ==
                 submemory(parent, {1, 3, 2, 2}, {2, 20, 2, 3}));
    for (const layout& l : plait_test::varied_layouts) {
        CAPTURE(l);
        CHECK(parts_compose(l));
        layout same = l;
        same = submemory(same, same.dims, origin(same.ndims()));
        CHECK(is_part(same, l, l.dims, origin(l.ndims())));
        bool begins_at_0 = true;
        for (dim_t offset : l.padded_offsets) begins_at_0 = begins_at_0 && offset == 0;
        CHECK((same == l) == begins_at_0);
    }
}

TEST_CASE("submemory: every part of small layouts has its elements in the parent") {
    STATIC_CHECK(parts_are_in_the_parent(layout({3}, "A2a")));
    CHECK(parts_are_in_the_parent(layout({2, 5}, "aB4b")));
    CHECK(parts_are_in_the_parent(layout({7}, "A2a2a")));
    for (const layout& l : plait_test::varied_layouts) CHECK(parts_are_in_the_parent(l));
    for (const layout& l : plait_test::broadcast_layouts) CHECK(parts_are_in_the_parent(l));
    CHECK(parts_are_in_the_parent(layout({30}, "A2a3a2a")));
    CHECK(parts_are_in_the_parent(layout({13, 3}, "BA2a3b4a")));
    CHECK(parts_are_in_the_parent(layout({0, 3}, "ab")));
    CHECK(parts_are_in_the_parent(by_hand({5}, {12}, {4}, {{0, 4}}, {3}, 2)));
}

TEST_CASE("submemory: empty parts") {
    STATIC_CHECK(submemory(layout({2, 17}, "aB8b"), {2, 0}, {0, 3}).dims == dims{2, 0});
    STATIC_CHECK(submemory(layout({2, 17}, "aB8b"), {2, 0}, {0, 17}).padded_dims == dims{2, 0});
    STATIC_CHECK(submemory(layout({2, 16}, "aB8b"), {2, 0}, {0, 16}).offset0 == 32 - 16);
    // An empty part after the last element has no place that must fit in 63 bits, nor one before the memory.
    STATIC_CHECK(check_layout(submemory(layout({1, 2}, strides{INT64_MAX, 1}), {0, 0}, {1, 2})).ok());
    STATIC_CHECK(submemory(layout({1, 3}, strides{-5, 1}), {0, 3}, {1, 0}).offset0 == 0);
    constexpr dim_t far = INT64_MAX;
    STATIC_CHECK(submemory(layout({1, 1, 1}, strides{far, far, far}), {0, 0, 0}, {1, 1, 1}).offset0 == 0);
    // An axis that loses its one place keeps its stride if that nests.
    STATIC_CHECK(submemory(layout({1, 3}, "ab"), {0, 3}, {1, 0}).strides() == strides{3, 1});
    STATIC_CHECK(submemory(layout({1, 3}, strides{2, 1}), {0, 3}, {1, 0}).strides() == strides{2, 1});
    STATIC_CHECK(submemory(layout({INT64_MAX}, "a"), {1}, {INT64_MAX - 1}).offset0 == INT64_MAX - 1);
}

TEST_CASE("submemory: parts outside the parent are refused first") {
    STATIC_CHECK(refused(parent, {2, 16, 3, 6}, {3, 16, 2, 0}, {reason::part_is_outside_parent, 0, 5, 4}));
    STATIC_CHECK(refused(parent, {2, 16, 3, 6}, {1, 17, 2, 0}, {reason::part_is_outside_parent, 1, 33, 32}));
    STATIC_CHECK(refused(parent, {2, 16, -3, 6}, {1, 16, 2, 0}, {reason::part_is_outside_parent, 2, -3, 6}));
    STATIC_CHECK(refused(parent, {2, 16, 3, 6}, {1, 16, 2, -1}, {reason::part_is_outside_parent, 3, -1, 6}));
    STATIC_CHECK(refused(parent, {INT64_MAX, 16, 3, 6}, {INT64_MAX, 16, 2, 0},
                         {reason::part_is_outside_parent, 0, INT64_MAX, 4}));
    STATIC_CHECK(refused(parent, {2, 16}, {1, 16, 2, 0}, {reason::rank_differs, -1, 2, 4}));
    STATIC_CHECK(refused(parent, {2, 16, 3, 6}, {1, 16}, {reason::rank_differs, -1, 2, 4}));
    STATIC_CHECK(check_submemory(parent, {5, 16, 3, 6}, {0, 0, 0, 0}).status() == status::invalid_arguments);
}

TEST_CASE("submemory: parents that are opaque or undefined, or partly known only at run time") {
    constexpr layout any({2, 3}, "any");
    STATIC_CHECK(refused(any, {2, 4}, {0, 0}, {reason::part_is_outside_parent, 1, 4, 3}));
    STATIC_CHECK(refused(any, {2, 3}, {0, 0}, {reason::parent_is_not_blocked}));
    STATIC_CHECK(refused(layout(), {}, {}, {reason::parent_is_not_blocked}));
    STATIC_CHECK(refused(layout(), {1}, {0}, {reason::parent_is_not_blocked}));
    STATIC_CHECK(refused(plait_test::opaque_layout({2}), {1}, {1}, {reason::parent_is_not_blocked}));
    STATIC_CHECK(refused(plait_test::opaque_layout({2}), {2}, {1}, {reason::part_is_outside_parent, 0, 3, 2}));
    constexpr layout unknown({2, dynamic, 3}, "abc");
    STATIC_CHECK(refused(unknown, {2, 1, 4}, {0, 0, 0}, {reason::part_is_outside_parent, 2, 4, 3}));
    STATIC_CHECK(refused(unknown, {2, -1, 3}, {0, 0, 0}, {reason::part_is_outside_parent, 1, -1, dynamic}));
    STATIC_CHECK(refused(unknown, {2, 1, 3}, {0, 0, 0}, {reason::parent_is_dynamic, 0}));
    STATIC_CHECK(refused(layout({dynamic, 3}, "ab"), {2, 3}, {0, 0}, {reason::parent_is_dynamic, 0}));
    STATIC_CHECK(refused(layout({2, 3}, strides{3, dynamic}), {2, 3}, {0, 0}, {reason::parent_is_dynamic, 1}));
    STATIC_CHECK(refused(parent, {2, dynamic, 3, 6}, {1, 16, 2, 0}, {reason::parent_is_dynamic, 1}));
    STATIC_CHECK(refused(parent, {2, 16, 3, 6}, {1, 16, 2, dynamic}, {reason::parent_is_dynamic, 3}));
    STATIC_CHECK(check_submemory(unknown, {2, 1, 3}, {0, 0, 0}).status() == status::unimplemented);
    STATIC_CHECK(check_submemory(any, {2, 3}, {0, 0}).status() == status::unimplemented);
}

TEST_CASE("submemory: parts that begin or end inside a block are refused with the index and the block") {
    STATIC_CHECK(refused(parent, {2, 16, 3, 6}, {1, 15, 2, 0}, {reason::part_cuts_a_block, 1, 15, 16}));
    STATIC_CHECK(refused(parent, {2, 17, 3, 6}, {1, 0, 2, 0}, {reason::part_cuts_a_block, 1, 17, 16}));
    STATIC_CHECK(check_submemory(parent, {2, 17, 3, 6}, {1, 0, 2, 0}).status() == status::unimplemented);
    CHECK((plait_test::refusal_of([] {
               return submemory(parent, {2, 17, 3, 6}, {1, 0, 2, 0});
           }) == verdict{reason::part_cuts_a_block, 1, 17, 16}));
}

TEST_CASE("submemory: hand-made parents that break an invariant are refused") {
    layout broken = parent;
    broken.digits.count = 3;
    CHECK(check_submemory(broken, {1, 1, 1, 1}, {0, 0, 0, 0}).reason == reason::layout_is_malformed);
    broken = parent;
    broken.dims.count = 99;
    CHECK(check_submemory(broken, {1, 1, 1, 1}, {0, 0, 0, 0}).reason == reason::rank_differs);
    broken = parent;
    broken.dims[1] = 99;
    CHECK(check_submemory(broken, {1, 16, 1, 1}, {0, 80, 0, 0}).reason == reason::padded_dim_does_not_fit);
    broken = parent;
    broken.padded_offsets[1] = INT64_MAX;
    CHECK(check_submemory(broken, {1, 1, 1, 1}, {0, 1, 0, 0}).reason == reason::padded_dim_does_not_fit);
    broken = parent;
    broken.digits[0].stride = INT64_MAX;
    CHECK(check_submemory(broken, {1, 1, 1, 1}, {3, 0, 0, 0}).reason == reason::size_overflows);
}

}}  // namespace test_algebra_submemory
