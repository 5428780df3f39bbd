// Extents and strides known only at run time: an operation followed by bind gives the same layout as bind followed by
// the operation.

#include "chains/arguments.hpp"
#include "chains/judge.hpp"

#include <plait/algebra/operations.hpp>

using namespace plait;
using namespace plait::detail;

namespace chains {
namespace {

/// A layout with dynamic extents, and the layout that results if they are bound.
struct partly_known {
    layout before, bound;
    dims values;
};

/// True if an axis is padded to whole blocks and no further, as bind pads it.
bool is_padded_as_bound(const layout& l, int axis) {
    return l.padded_offsets[axis] == 0 && room_of(l, axis) == l.padded_dims[axis] &&
           l.padded_dims[axis] == divide_up(l.dims[axis], l.block_size(axis)) * l.block_size(axis);
}

/// Returns a dense layout of a tag, with strides that depend on dynamic extents; or any layout with known strides.
partly_known random_partly_known(random_source& random) {
    for (;;) {
        partly_known out;
        const bool dense = random.once_in(2);
        out.bound = first_layout(random);
        const format_tag tag = random.tag(out.bound.ndims(), 2, 4);
        if (dense) out.bound = layout(out.bound.dims, tag);
        dims partly = out.bound.dims;
        out.before = out.bound;
        for (int a = 0; a < partly.size(); ++a) {
            if (!random.once_in(2) || !is_padded_as_bound(out.bound, a)) continue;
            out.values.push_back(partly[a]);
            partly[a] = out.before.dims[a] = out.before.padded_dims[a] = out.before.digits[a].extent = dynamic;
        }
        if (dense) out.before = layout(partly, tag);
        if (!out.values.empty() && out.bound.padded_volume() <= 800 && check_layout(out.before).ok() &&
            try_bind(out.before, out.values) == out.bound)
            return out;
    }
}

dims filled_in(dims extents, const dims& values) {
    int next = 0;
    for (dim_t& extent : extents)
        if (extent == dynamic) extent = values[next++];
    return extents;
}

/// True if the layouts are equal, except for the strides of outermost digits of one value, which have no effect.
bool is_same_layout(layout a, layout b) {
    for (layout* l : {&a, &b})
        for (int k = 0; k < l->ndims(); ++k)
            if (l->digits[k].extent == 1) l->digits[k].stride = 0;
    return a == b;
}

/// Checks if a dynamic extent is bound to 1 while an axis of one element has a block. Before bind, it is unknown which
/// of several axes of one element has the block.
bool has_blocked_unit(const partly_known& p) {
    bool becomes_one = false, blocked = false;
    for (int a = 0; a < p.bound.ndims(); ++a) {
        if (p.bound.dims[a] != 1) continue;
        becomes_one = becomes_one || p.before.dims[a] == dynamic;
        blocked = blocked || p.bound.padded_dims[a] != 1 || p.bound.block_size(a) != 1;
    }
    return becomes_one && blocked;
}

void compare(judge& by, const partly_known& p, const char* name, const std::string& arguments, const answer& before,
             const answer& after) {
    by.count(name, arguments);
    if (before.why.ok() != before.made.has_value()) return by.fail("the check and the operation disagree", p.before);
    // Before the extents are bound, less is known, so the operation may be refused.
    if (!before.made) return;
    if (!check_layout(*before.made).ok()) return by.fail("the result is no layout", p.before, *before.made);
    if (!after.made && p.bound.volume() == 0)
        return by.by_rule("semantics 5: that a zero is joined is not known before it is bound");
    if (!after.made) return by.fail("allowed, but not when it is bound", p.before, p.bound);
    dims values;
    for (int a = 0; a < before.made->ndims(); ++a)
        if (before.made->dims[a] == dynamic) values.push_back(after.made->dims[a]);
    const expected<layout> bound = try_bind(*before.made, values);
    if (!bound) return by.fail("allowed, but the result cannot be bound", p.before, *before.made);
    if (bound->is_dynamic()) {
        // The operation reports a stride as dynamic without the axes that it depends on, so only the extents are
        // compared.
        if (bound->dims != after.made->dims) by.fail("other extents", *bound, *after.made);
        return;
    }
    if (map_of(*bound) != map_of(*after.made) || places_of(*bound) != places_of(*after.made))
        return by.fail("bound afterwards it is another layout", *bound, *after.made);
    if (is_same_layout(*bound, *after.made)) return;
    if (has_blocked_unit(p) && same_memory(*bound, *after.made))
        return by.by_rule("semantics 5: which of several axes of one element has the block is known when it is bound");
    if (lack_elements(p.bound, after.made->dims) && *after.made == *regroup_empty(p.bound, after.made->dims))
        return by.by_rule("semantics 5: without elements axes are joined densely, which is known when it is bound");
    by.fail("bound afterwards it is said otherwise", *bound, *after.made);
}

void ask_shape(const partly_known& p, random_source& random, judge& by) {
    const dims to = shape_around(random, p.before.dims);
    if (to.size() > max_ndims) return;
    const dims bound = filled_in(to, p.values);
    const std::string arguments = to_text(p.before) + " to " + to_text(to);
    switch (random.between(0, 2)) {
        case 0:
            return compare(by, p, "bind, view", arguments, {check_view(p.before, to), try_view(p.before, to)},
                           {check_view(p.bound, bound), try_view(p.bound, bound)});
        case 1:
            return compare(by, p, "bind, reshape", arguments, {check_reshape(p.before, to), try_reshape(p.before, to)},
                           {check_reshape(p.bound, bound), try_reshape(p.bound, bound)});
        default: {
            const auto flags = reshape_flags::allow_order_mismatch;
            return compare(
                by, p, "bind, extended", arguments,
                {check_extended_reshape(p.before, to, flags), try_extended_reshape(p.before, to, flags)},
                {check_extended_reshape(p.bound, bound, flags), try_extended_reshape(p.bound, bound, flags)});
        }
    }
}

/// Compares operations on one axis; their arguments are the same before and after binding.
void ask_axis(const partly_known& p, random_source& random, judge& by) {
    const layout &l = p.before, &b = p.bound;
    const int axis = static_cast<int>(random.between(0, l.ndims() - 1)),
              last = static_cast<int>(random.between(axis, l.ndims() - 1));
    const dim_t number = random.between(0, 3);
    const std::string arguments = to_text(l) + " axis " + std::to_string(axis) + ", " + std::to_string(number);
    switch (random.between(0, 5)) {
        case 0:
            return compare(by, p, "bind, join_axes", arguments,
                           {check_join_axes(l, axis, last), try_join_axes(l, axis, last)},
                           {check_join_axes(b, axis, last), try_join_axes(b, axis, last)});
        case 1:
            return compare(by, p, "bind, slice", arguments, {check_slice(l, axis, number), try_slice(l, axis, number)},
                           {check_slice(b, axis, number), try_slice(b, axis, number)});
        case 2:
            return compare(by, p, "bind, repeat", arguments,
                           {check_repeat(l, axis, number), try_repeat(l, axis, number)},
                           {check_repeat(b, axis, number), try_repeat(b, axis, number)});
        case 3:
            return compare(by, p, "bind, broadcast", arguments,
                           {check_broadcast_axis(l, axis, number), try_broadcast_axis(l, axis, number)},
                           {check_broadcast_axis(b, axis, number), try_broadcast_axis(b, axis, number)});
        case 4: {
            dims extents;
            for (int a = 0; a < l.ndims(); ++a)
                extents.push_back(l.dims[a] == dynamic || !random.once_in(2) ? 1 : std::max<dim_t>(1, l.dims[a] / 2));
            return compare(by, p, "bind, tile", arguments + to_text(extents),
                           {check_tile(l, extents), try_tile(l, extents)},
                           {check_tile(b, extents), try_tile(b, extents)});
        }
        default: {
            const permutation order = random.order(l.ndims());
            return compare(by, p, "bind, permute_axes", to_text(l) + to_text(order),
                           {check_permute_axes(l, order), try_permute_axes(l, order)},
                           {check_permute_axes(b, order), try_permute_axes(b, order)});
        }
    }
}

}  // namespace

void ask_dynamic(random_source& random, judge& by) {
    const partly_known p = random_partly_known(random);
    if (random.once_in(2)) return ask_shape(p, random, by);
    ask_axis(p, random, by);
}

}  // namespace chains
