#pragma once
// Each operation on a layout, against tables: what it promises if it is allowed, and whether there is a result if it is
// refused.

#include "world.hpp"

#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/forget_padding.hpp>
#include <plait/algebra/inverse.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/repeat.hpp>
#include <plait/algebra/reshape.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/strided_slice.hpp>
#include <plait/algebra/view.hpp>

namespace small_world {

/// The decision about one operation with one layout and arguments.
struct decision {
    const char* operation = "";
    plait::reason why = plait::reason::none;   ///< of the refusal
    bool is_right = true;                      ///< the promise holds
    representable result = representable::no;  ///< of a refusal: whether a layout does it
    bool is_explained = false;                 ///< the program found that another operation, or a rule, is the reason
};

/// Adds to a refusal of what could be a layout whether `explains()` is true.
template <class Explains>
constexpr decision explained_by(decision d, const Explains& explains) {
    if (d.why != plait::reason::none && d.result == representable::yes) d.is_explained = explains();
    return d;
}

/// Decides one case: the result, or the refusal, and the function that the result must be.
constexpr decision decide(const char* operation, const plait::expected<layout>& made, const table& wanted) {
    if (!made) return {operation, made.error().reason, true, is_layout(wanted)};
    return {operation, plait::reason::none, plait::check_layout(*made).ok() && table_of(*made) == wanted, {}};
}

/// Calls visit(decision) for each operation on l, with all arguments of the small world.
template <class Visit>
constexpr void decide_operations(const layout& l, Visit& visit) {
    const table own = table_of(l);
    const int axes = l.dims.size();
    const auto of_position = [&](const plait::position& at) { return own.at(number_of(own.extents, at)); };

    if (axes > 1) {
        plait::permutation p;  // turns the axes by one
        plait::dims turned;
        for (int a = 0; a < axes; ++a) {
            p.push_back((a + 1) % axes);
            turned.push_back(l.dims[(a + axes - 1) % axes]);
        }
        visit(decide("permute_axes", plait::try_permute_axes(l, p), make_table(turned, [&](const plait::position& at) {
                         plait::position from;
                         for (int a = 0; a < axes; ++a) from.push_back(at[(a + 1) % axes]);
                         return of_position(from);
                     })));
    }

    const dim_t volume = volume_of(l.dims);
    for (dim_t outer = 1; outer <= volume; ++outer) {
        if (volume % outer != 0) continue;
        for (const bool one_axis : {true, false}) {
            if (one_axis && outer != 1) continue;
            plait::dims to;
            if (!one_axis) to.push_back(outer);
            to.push_back(volume / outer);
            const table wanted = make_table(to, [&](const plait::position& at) { return own.at(number_of(to, at)); });
            visit(decide("view", plait::try_view(l, to), wanted));
            visit(decide("reshape", plait::try_reshape(l, to), wanted));
        }
    }

    for (int axis = 0; axis < axes; ++axis) {
        const dim_t extent = l.dims[axis];
        if (axes > 1)
            for (dim_t index = 0; index < extent; ++index) {
                plait::dims rest;
                for (int a = 0; a < axes; ++a)
                    if (a != axis) rest.push_back(l.dims[a]);
                visit(
                    decide("slice", plait::try_slice(l, axis, index), make_table(rest, [&](const plait::position& at) {
                               plait::position from;
                               for (int a = 0, k = 0; a < axes; ++a) from.push_back(a == axis ? index : at[k++]);
                               return of_position(from);
                           })));
            }
        for (dim_t begin = 0; begin < extent; ++begin)
            for (const dim_t step : {-2, -1, 1, 2, 3}) {
                const dim_t end = step > 0 ? extent : -1;
                plait::dims part = l.dims;
                part[axis] = (end - begin + step - (step > 0 ? 1 : -1)) / step;
                visit(decide("strided_slice", plait::try_strided_slice(l, axis, begin, end, step),
                             make_table(part, [&](const plait::position& at) {
                                 plait::position from = at;
                                 from[axis] = begin + at[axis] * step;
                                 return of_position(from);
                             })));
            }
        if (extent == 1) {
            plait::dims more = l.dims;
            more[axis] = 3;
            visit(decide("broadcast_axis", plait::try_broadcast_axis(l, axis, 3),
                         make_table(more, [&](const plait::position& at) {
                             plait::position from = at;
                             from[axis] = 0;
                             return of_position(from);
                         })));
        }
        if (volume * 2 <= most_positions) {
            plait::dims more = l.dims;
            more[axis] *= 2;
            visit(decide("repeat", plait::try_repeat(l, axis, 2), make_table(more, [&](const plait::position& at) {
                             plait::position from = at;
                             from[axis] %= extent;
                             return of_position(from);
                         })));
        }
    }
    visit(decide("forget_padding", plait::try_forget_padding(l), own));

    // The inverse of a function that is one: each offset from 0 on has exactly one element.
    bool is_onto = true;
    table back;
    back.extents.push_back(volume);
    back.count = own.count;
    for (dim_t& number : back.offsets) number = -1;
    for (int i = 0; i < own.count; ++i) {
        const dim_t offset = own.at(i);
        if (offset < 0 || offset >= volume || back.offsets[static_cast<std::size_t>(offset)] >= 0) {
            is_onto = false;
            break;
        }
        back.offsets[static_cast<std::size_t>(offset)] = i;
    }
    const auto inverted = plait::try_inverse(l);
    if (is_onto) visit(decide("inverse", inverted, back));
    else visit(decision{"inverse", inverted.error().reason, !inverted.has_value(), representable::no});
}

/// Decides compose(a, b), if the offsets of b are numbers of elements of a.
template <class Visit>
constexpr void decide_composition(const layout& a, const table& of_a, const layout& b, Visit& visit) {
    const table inside = table_of(b);
    bool has_all = true;
    for (int i = 0; i < inside.count; ++i) has_all = has_all && inside.at(i) >= 0 && inside.at(i) < of_a.count;
    const auto made = plait::try_compose(a, b);
    const char* const name = b.padded_dims == b.dims ? "compose" : "compose, b padded";
    if (!has_all) return visit(decision{name, made.error().reason, !made.has_value(), representable::no});
    visit(decide(name, made, make_table(b.dims, [&](const plait::position& at) {
                     return of_a.at(inside.at(number_of(b.dims, at)));
                 })));
}

}  // namespace small_world
