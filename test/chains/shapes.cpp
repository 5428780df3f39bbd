// Reshape, view and related operations, and tiles.

#include "chains/arguments.hpp"
#include "chains/judge.hpp"

#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/algebra/view.hpp>

using namespace plait;
using namespace plait::detail;

namespace chains {
namespace {

bool is_padded_there(const layout& l, const verdict& why) {
    const bool about = why.reason == reason::axis_is_padded || why.reason == reason::unit_axis_is_padded;
    return about && (l.padded_dims[why.axis] != l.dims[why.axis] || l.padded_offsets[why.axis] != 0);
}

/// An operation that can split and join blocks refuses only padding, which another description of the same memory may
/// lack.
const char* view_excuse(const layout& l, const verdict& why, const layout&) {
    return is_padded_there(l, why) ? "semantics 5: an axis with padding is not split or joined" : nullptr;
}

/// Reshape, as defined in the RFC, refuses blocks as well.
const char* reshape_excuse(const layout& l, const verdict& why, const layout& other) {
    const bool about = why.reason == reason::axis_is_blocked || why.reason == reason::unit_axis_is_padded;
    if (about && l.block_size(why.axis) > 1)
        return "semantics 5: reshape does not look through blocks, nor drop an axis of one element that has one";
    return view_excuse(l, why, other);
}

bool keeps_elements(const layout& before, const layout& after) {
    return map_of(after) == reshaped(map_of(before), after.dims) && owns_no_more(before, after);
}

void ask_reshape(layout& l, random_source& random, judge& by) {
    const dims to = random_shape(random, l.dims);
    const std::string arguments = "to " + to_text(to);
    expected<layout> made;
    if (random.once_in(2)) {
        made = by.ask(
            "view", arguments, l,
            [&](const layout& x) {
                return answer{check_view(x, to), try_view(x, to)};
            },
            [&](const layout& x, const layout& y) {
                const auto plain = try_reshape(x, to);
                // A tensor without elements has more than one layout.
                return keeps_elements(x, y) && y.dims == to && (!plain || *plain == y || x.volume() == 0);
            },
            view_excuse);
    } else {
        made = by.ask(
            "reshape", arguments, l,
            [&](const layout& x) {
                return answer{check_reshape(x, to), try_reshape(x, to)};
            },
            [&](const layout& x, const layout& y) {
                return keeps_elements(x, y) && y.dims == to && places_of(x) == places_of(y);
            },
            reshape_excuse);
    }
    if (made) l = *made;
}

void ask_extended(layout& l, random_source& random, judge& by) {
    const auto flags = static_cast<reshape_flags>(random.between(1, 3));
    const bool padding = has_flag(flags, reshape_flags::allow_padding_mismatch);
    const dims to = random_shape(random, padding ? l.padded_dims : l.dims);
    const auto excuse = [&](const layout& x, const verdict& why, const layout& other) -> const char* {
        if (padding && x.padded_dims != other.padded_dims)
            return "semantics 7: padded extents are matched, and the same memory may have others";
        return view_excuse(x, why, other);
    };
    const auto made = by.ask(
        "extended_reshape", "to " + to_text(to) + (padding ? " with padding" : ""), l,
        [&](const layout& x) {
            return answer{check_extended_reshape(x, to, flags), try_extended_reshape(x, to, flags)};
        },
        [&](const layout& x, const layout& y) { return y.dims == to && places_of(y) == places_of(x); }, excuse);
    if (made) l = *made;
}

void ask_axes(layout& l, random_source& random, judge& by) {
    const int axis = static_cast<int>(random.between(0, l.ndims() - 1)),
              last = static_cast<int>(random.between(axis, l.ndims() - 1));
    const auto holds = [](const layout& x, const layout& y) {
        return keeps_elements(x, y) && places_of(x) == places_of(y);
    };
    expected<layout> made;
    if (random.once_in(2)) {
        dims one;
        one.push_back(l.dims[axis]);
        const dims parts = random_shape(random, one);
        made = by.ask(
            "split_axis", std::to_string(axis) + " into " + to_text(parts), l,
            [&](const layout& x) {
                return answer{check_split_axis(x, axis, parts), try_split_axis(x, axis, parts)};
            },
            holds, reshape_excuse);
        if (made && !check_join_axes(*made, axis, axis + parts.size() - 1).ok())
            by.fail("what was split is not joined again", l);
    } else if (random.once_in(3)) {
        made = by.ask(
            "flatten", "from " + std::to_string(axis), l,
            [&](const layout& x) {
                return answer{check_flatten(x, axis), try_flatten(x, axis)};
            },
            holds, reshape_excuse);
    } else {
        made = by.ask(
            "join_axes", std::to_string(axis) + " to " + std::to_string(last), l,
            [&](const layout& x) {
                return answer{check_join_axes(x, axis, last), try_join_axes(x, axis, last)};
            },
            holds, reshape_excuse);
    }
    if (made) l = *made;
}

void ask_tile(layout& l, random_source& random, judge& by) {
    dims extents;
    for (const dim_t extent : l.dims) {
        dim_t size = random.between(1, std::max<dim_t>(extent, 1));
        while (extent % size != 0 && !random.once_in(10)) --size;
        extents.push_back(size);
    }
    const auto made = by.ask(
        "tile", to_text(extents), l,
        [&](const layout& x) {
            return answer{check_tile(x, extents), try_tile(x, extents)};
        },
        [&](const layout& x, const layout& y) { return map_of(y) == tiled(map_of(x), extents) && owns_no_more(x, y); },
        view_excuse);
    if (made) l = *made;
}

}  // namespace

void ask_shape(layout& l, random_source& random, judge& by) {
    switch (random.between(0, 5)) {
        case 0: return ask_tile(l, random, by);
        case 1: return ask_axes(l, random, by);
        case 2: return ask_extended(l, random, by);
        default: return ask_reshape(l, random, by);
    }
}

}  // namespace chains
