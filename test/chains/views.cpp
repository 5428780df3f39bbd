// Permutations, parts, slices, repetitions and concatenations.

#include "chains/judge.hpp"
#include "laws/part_rules.hpp"
#include "laws/stepped_rules.hpp"

#include <plait/algebra/operations.hpp>

using namespace plait;
using namespace plait::detail;

namespace chains {
namespace {

/// Names the rule if only a description by blocks refuses the part, because the part ends inside a value of a digit.
const char* part_excuse(const layout& l, const verdict& why, const dims& extents, const position& offsets) {
    if (why.reason != reason::part_cuts_a_block) return nullptr;
    const std::vector<dim_t> along = along_axis(l, why.axis);
    const dim_t first = l.padded_offsets[why.axis];
    const bool whole_digits =
        plait_test::may_be_part([&](dim_t i) { return along[static_cast<std::size_t>(i)]; }, first + l.dims[why.axis],
                                1, first + offsets[why.axis], extents[why.axis]);
    return whole_digits ? nullptr : "semantics 8: what is no whole digits is a part of a block, if the layout says one";
}

void ask_part(layout& l, random_source& random, judge& by) {
    dims extents;
    position offsets;
    for (int a = 0; a < l.ndims(); ++a) {
        dim_t first = random.once_in(2) ? 0 : random.between(0, l.dims[a]);
        dim_t end = random.once_in(2) ? l.dims[a] : random.between(first, l.dims[a]);
        const dim_t block = l.block_size(a);
        if (random.once_in(2)) first -= first % block;
        if (random.once_in(2) && end - end % block > first) end -= end % block;
        extents.push_back(end - first);
        offsets.push_back(first);
    }
    const auto made = by.ask(
        "submemory", to_text(extents) + " at " + to_text(offsets), l,
        [&](const layout& x) {
            return answer{check_submemory(x, extents, offsets), try_submemory(x, extents, offsets)};
        },
        [&](const layout& x, const layout& y) {
            return map_of(y) == part(map_of(x), extents, offsets) && owns_no_more(x, y);
        },
        [&](const layout& x, const verdict& why, const layout&) { return part_excuse(x, why, extents, offsets); });
    if (l.volume() > 0 && made.has_value() != plait_test::may_be_part(l, extents, offsets))
        by.fail("the rule for parts says otherwise", l);
    if (made) l = *made;
}

void ask_slice(layout& l, random_source& random, judge& by) {
    const int axis = static_cast<int>(random.between(0, l.ndims() - 1));
    const dim_t where = l.dims[axis] == 0 ? 0 : random.between(0, l.dims[axis] - 1);
    const auto made = by.ask(
        "slice", std::to_string(axis) + " at " + std::to_string(where), l,
        [&](const layout& x) {
            return answer{check_slice(x, axis, where), try_slice(x, axis, where)};
        },
        [&](const layout& x, const layout& y) {
            return map_of(y) == sliced(map_of(x), axis, where) && owns_no_more(x, y);
        },
        no_excuse);
    if (!made && l.ndims() > 1 && l.dims[axis] > 0 && l.volume() > 0) by.fail("a slice is refused", l);
    if (made) l = *made;
}

/// Names the rule if only one description refuses a slice with a step: another one may have more padding behind the
/// last element, which fills the last block.
const char* step_excuse(const layout& l, const verdict& why, const layout& other) {
    const bool about = why.reason == reason::part_cuts_a_block || why.reason == reason::step_cuts_a_block;
    const bool has_less = about && l.padded_dims[why.axis] < other.padded_dims[why.axis];
    return has_less ? "semantics 11: only padding fills the last block" : nullptr;
}

void ask_step(layout& l, random_source& random, judge& by) {
    const int axis = static_cast<int>(random.between(0, l.ndims() - 1));
    const dim_t n = l.dims[axis];
    dim_t step = random.once_in(2) ? random.between(1, 4) : random.between(1, n + 1);
    dim_t begin = random.between(0, n), end = random.once_in(2) ? n : random.between(begin, n);
    if (random.once_in(3) && begin < n) {
        step = -step;
        end = random.once_in(2) ? -1 : random.between(-1, begin);
    }
    const dim_t length = step > 0 ? end - begin : begin - end, pace = step > 0 ? step : -step;
    const dim_t count = length <= 0 ? 0 : (length - 1) / pace + 1;
    const auto made = by.ask(
        "strided_slice",
        std::to_string(axis) + " from " + std::to_string(begin) + " to " + std::to_string(end) + " by " +
            std::to_string(step),
        l,
        [&](const layout& x) {
            return answer{check_strided_slice(x, axis, begin, end, step), try_strided_slice(x, axis, begin, end, step)};
        },
        [&](const layout& x, const layout& y) {
            return map_of(y) == stepped(map_of(x), axis, begin, count, step) && owns_no_more(x, y);
        },
        step_excuse);
    if (!made && l.volume() > 0 && count > 0 && plait_test::may_be_stepped(l, axis, begin, count, step))
        by.fail("a slice with a step is refused", l);
    if (made) l = *made;
}

/// The places of the padding of an axis would be repeated too.
const char* padding_excuse(const layout& l, const verdict& why, const layout&) {
    const bool about = why.reason == reason::axis_is_padded || why.reason == reason::axis_is_not_one_element;
    const bool padded = about && l.padded_dims[why.axis] != l.dims[why.axis];
    return padded ? "semantics 11: padding is not repeated, nor does it go away" : nullptr;
}

void ask_repetition(layout& l, random_source& random, judge& by) {
    int axis = static_cast<int>(random.between(0, l.ndims() - 1));
    const dim_t count = random.between(0, 3);
    if (random.once_in(2)) {
        const auto made = by.ask(
            "repeat", std::to_string(axis) + " times " + std::to_string(count), l,
            [&](const layout& x) {
                return answer{check_repeat(x, axis, count), try_repeat(x, axis, count)};
            },
            [&](const layout& x, const layout& y) {
                return map_of(y) == starting_over(map_of(x), axis, x.dims[axis] * count) && owns_no_more(x, y);
            },
            padding_excuse);
        if (made) l = *made;
        return;
    }
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == 1) axis = a;
    const auto made = by.ask(
        "broadcast_axis", std::to_string(axis) + " to " + std::to_string(count), l,
        [&](const layout& x) {
            return answer{check_broadcast_axis(x, axis, count), try_broadcast_axis(x, axis, count)};
        },
        [&](const layout& x, const layout& y) {
            return map_of(y) == starting_over(map_of(x), axis, count) && owns_no_more(x, y);
        },
        padding_excuse);
    if (made) l = *made;
}

/// Joins the two parts of a tensor that was cut, or a tensor with itself at a slightly larger offset.
void ask_both_parts(layout& l, random_source& random, judge& by) {
    const int axis = static_cast<int>(random.between(0, l.ndims() - 1));
    layout first = l, second = l;
    if (random.once_in(4)) {
        second.offset0 += random.between(0, 40);
    } else {
        dims extents = l.dims, rest = l.dims;
        position begin, behind;
        for (int a = 0; a < l.ndims(); ++a) {
            begin.push_back(0);
            behind.push_back(0);
        }
        extents[axis] = behind[axis] = random.between(0, l.dims[axis]);
        rest[axis] -= extents[axis];
        const auto there = try_submemory(l, extents, begin), beyond = try_submemory(l, rest, behind);
        if (!there || !beyond) return;
        first = *there;
        second = beyond->volume() > 0 ? said_otherwise(*beyond, random, true) : *beyond;
    }
    const auto excuse = [&](const layout& x, const verdict&, const layout&) {
        // In this case each digit of b has a counterpart in a.
        return x.dims[axis] > 1 && second.dims[axis] <= x.dims[axis]
                   ? "how far behind a block the next one lies, a block around both says, and not the memory of one"
                   : nullptr;
    };
    const bool cut = l.volume() > 0 && l.padded_offsets[axis] == 0 &&
                     (first.dims[axis] != l.dims[axis] || second.dims[axis] != l.dims[axis]);
    const auto made = by.ask(
        "concatenate_along", std::to_string(axis) + " and" + to_text(second), first,
        [&](const layout& x) {
            return answer{check_concatenate_along(x, second, axis), try_concatenate_along(x, second, axis)};
        },
        [&](const layout& x, const layout& y) {
            // The padding of the result is padding of a part, and not an element of either.
            std::vector<dim_t> theirs = padding_of(x), more = padding_of(second);
            theirs.insert(theirs.end(), more.begin(), more.end());
            theirs = sorted(theirs);
            const std::vector<dim_t> ours = padding_of(y);
            return std::includes(theirs.begin(), theirs.end(), ours.begin(), ours.end()) &&
                   map_of(y) == joined(map_of(x), map_of(second), axis);
        },
        excuse);
    if (cut && !made) by.fail("the parts of a tensor are no tensor", l);
    if (made) l = *made;
}

void ask_order(layout& l, random_source& random, judge& by) {
    const permutation p = random.order(l.ndims());
    const bool renames = random.once_in(2);
    const auto made = by.ask(
        renames ? "rename_axes" : "permute_axes", to_text(p), l,
        [&](const layout& x) {
            return renames ? answer{check_rename_axes(x, p), try_rename_axes(x, p)}
                           : answer{check_permute_axes(x, p), try_permute_axes(x, p)};
        },
        [&](const layout& x, const layout& y) {
            const bool same_padding = places_of(x) == places_of(y);
            return same_padding &&
                   (renames ? permuted(map_of(y), p) == map_of(x) : permuted(map_of(x), p) == map_of(y));
        },
        no_excuse);
    if (!made) by.fail("a permutation is refused", l);
    else l = *made;
}

}  // namespace

void ask_view(layout& l, random_source& random, judge& by) {
    switch (random.between(0, 7)) {
        case 7: return ask_step(l, random, by);
        case 0: return ask_order(l, random, by);
        case 1:
        case 2: return ask_part(l, random, by);
        case 3: return ask_slice(l, random, by);
        case 4: return ask_repetition(l, random, by);
        default: return ask_both_parts(l, random, by);
    }
}

}  // namespace chains
