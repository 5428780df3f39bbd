#pragma once
// The rules by which oneDNN's reshape differs from plait's, for recorded cases and for the live comparison. The result
// of oneDNN is computed by its algorithm, in the terms of semantics 5, so each rule also predicts cases that were never
// recorded.

#include <plait/algebra/regroup.hpp>

namespace plait_test {

using plait::dim_t, plait::dims, plait::layout, plait::reason, plait::verdict;

/// The result of oneDNN's algorithm, which visits the axes of a layout and its new dims from the last to the first.
struct reference_walk {
    bool succeeds = true;
    bool drops_block = false;      ///< D2: it removes an axis of one element and one place, but not its inner block
    bool joins_unchecked = false;  ///< D1: it checks only the leftmost axis of a group for blocks and padding
    bool unit_in_group = false;    ///< D3: an axis of one element in a group has to chain like any other axis
};

/// Visits a group that changes: the axes first to last - 1 of l.
constexpr void walk_group(reference_walk& out, const layout& l, int first, int last) {
    for (int a = first; a < last; ++a) {
        const bool plain = l.block_size(a) == 1 && l.padded_dims[a] == l.dims[a] && l.padded_offsets[a] == 0;
        if (a == first && !plain) out.succeeds = false;
        if (a > first && !plain) out.joins_unchecked = true;
        if (l.dims[a] == 1) out.unit_in_group = true;
        if (a > first && l.dims[a] * l.strides()[a] != l.strides()[a - 1]) out.succeeds = false;
    }
}

/// Pre:     l is blocked and static; the volumes are equal if an extent of 0 counts as 1
constexpr reference_walk walk_reshape(const layout& l, const dims& to) {
    reference_walk out;
    int in = l.ndims(), left = to.size();
    while (in > 0 || left > 0) {
        if (in > 0 && l.dims[in - 1] == 1) {
            if (l.padded_dims[in - 1] == 1) {
                out.drops_block = out.drops_block || l.block_size(in - 1) > 1;
                --in;
                continue;
            }
            if (left == 0 || to[left - 1] != 1) return {.succeeds = false};
            --in, --left;
            continue;
        }
        if (left > 0 && to[left - 1] == 1) {
            --left;
            continue;
        }
        if (in == 0 || left == 0) return {.succeeds = false};
        int first = in - 1, to_first = left - 1;
        dim_t have = l.dims[first], want = to[to_first];
        while (have != want) {
            int& next = have < want ? first : to_first;
            if (next == 0) return {.succeeds = false};
            --next;
            (have < want ? have : want) *= have < want ? l.dims[next] : to[next];
            if (have == 0 || want == 0) return {.succeeds = false};
        }
        if (in - first != 1 || left - to_first != 1) walk_group(out, l, first, in);
        in = first;
        left = to_first;
    }
    return out;
}

/// Returns the number of elements as oneDNN counts them: an extent of 0 counts as 1.
constexpr dim_t volume_with_zeros_as_ones(const dims& extents) {
    dim_t product = 1;
    for (dim_t extent : extents) product *= extent == 0 ? 1 : extent;
    return product;
}

constexpr bool refuses_block_or_padding(reason why) {
    return why == reason::axis_is_blocked || why == reason::axis_is_padded || why == reason::unit_axis_is_padded;
}

/// Returns the rule by which the results of reshape(l, to) may differ, or null if no rule applies.
///
/// Pre:     as walk_reshape; `why` is plait's verdict, and plait's result, if any, keeps the elements
constexpr const char* reshape_rule(const layout& l, const dims& to, const verdict& why, bool done_there,
                                   bool sound_there) {
    const reference_walk there = walk_reshape(l, to);
    if (there.succeeds != done_there) return nullptr;
    if (done_there && there.drops_block && (why.ok() || refuses_block_or_padding(why.reason)))
        return sound_there ? "semantics 5: an axis of one element that carries a block is kept, at the nearest one of "
                             "the result; oneDNN drops it"
                           : "D2: oneDNN drops an axis of one element whose block stays behind, and loses elements";
    if (done_there && there.joins_unchecked && refuses_block_or_padding(why.reason))
        return sound_there ? "semantics 5: an axis with padding or a block cannot be part of a join, not even of one "
                             "element; oneDNN looks at the leftmost only"
                           : "D1: oneDNN joins a padded or blocked axis, and loses elements: refused here";
    if (!done_there && there.unit_in_group && why.ok())
        return "D3, semantics 5: the stride of an axis with one place does not keep its neighbours from being joined";
    return nullptr;
}

}  // namespace plait_test
