#pragma once
// The operations of operations.hpp are those whose result is a table of the operand. Here are the others of the
// algebra: those with two operands, those that give up the order of elements, and those that are relations of places.

#include "operations.hpp"

#include <plait/algebra/axis_map.hpp>
#include <plait/algebra/canonical_form.hpp>
#include <plait/algebra/complement.hpp>
#include <plait/algebra/concatenate.hpp>
#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/divide.hpp>
#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/left_inverse.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/rearrange.hpp>
#include <plait/algebra/recast.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/right_inverse.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/algebra/with_strides.hpp>

#include <algorithm>

namespace small_world {

/// Decides an operation whose promise is not a table: `is_right` is what the program found about the result.
constexpr decision decide_promise(const char* operation, const plait::expected<layout>& made, bool is_right,
                                  representable if_refused) {
    if (!made) return {operation, made.error().reason, true, if_refused};
    return {operation, plait::reason::none, plait::check_layout(*made).ok() && is_right, {}};
}

/// True if a refusal is about padding, which is not dropped silently.
constexpr bool is_about_padding(plait::reason why) {
    return why == plait::reason::axis_is_padded || why == plait::reason::unit_axis_is_padded;
}

/// Returns the layout whose elements are all places of l, padding included.
constexpr layout with_padding_as_elements(const layout& l) {
    layout out = l;
    out.dims = l.padded_dims;
    for (int a = 0; a < l.dims.size(); ++a) out.padded_offsets[a] = 0;
    return out;
}

/// Returns the offsets of a table in rising order, along one axis.
constexpr table sorted(table f) {
    std::sort(f.offsets.begin(), f.offsets.begin() + f.count);
    f.extents = {static_cast<dim_t>(f.count)};
    return f;
}

/// Returns the table with the offsets that complete those of `taken` to 0, 1, 2, ...: each of these is exactly once the
/// sum of an offset of both. The offsets are unique: the least place that is left is the next. There are `count` of
/// them, or all that are below `size`; none if two sums are equal, or one is beyond `size`.
constexpr table completed(const table& taken, dim_t size, int count) {
    constexpr int most = 4 * most_positions;
    std::array<bool, most> is_taken{};
    table out;
    for (dim_t next = 0; next < size && out.count < count; ++next) {
        if (is_taken[static_cast<std::size_t>(next)]) continue;
        out.offsets[static_cast<std::size_t>(out.count++)] = next;
        for (int i = 0; i < taken.count; ++i) {
            const dim_t at = next + taken.at(i);
            if (at >= size || is_taken[static_cast<std::size_t>(at)]) return {};
            is_taken[static_cast<std::size_t>(at)] = true;
        }
    }
    out.extents = {static_cast<dim_t>(out.count)};
    return out;
}
constexpr dim_t least_of(const table& f) { return *std::min_element(f.offsets.begin(), f.offsets.begin() + f.count); }
constexpr dim_t greatest_of(const table& f) {
    return *std::max_element(f.offsets.begin(), f.offsets.begin() + f.count);
}

/// Calls visit(decision) for what changes only axes.
template <class Visit>
constexpr void decide_axes(const layout& l, const table& own, Visit& visit) {
    const int axes = l.dims.size();
    const auto of_position = [&](const plait::position& at) { return own.at(number_of(own.extents, at)); };

    for (int turn = 0; turn < axes; ++turn)
        for (const bool backwards : {false, true}) {
            plait::permutation p;  // axis i of the result is axis p[i]
            plait::axis_map have, need;
            plait::dims to;
            for (int a = 0; a < axes; ++a) {
                const int from = (backwards ? axes - 1 - a + turn : a + turn) % axes;
                p.push_back(from);
                have.push_back((a + 1) % axes);
                need.push_back((from + 1) % axes);
                to.push_back(l.dims[from]);
            }
            const table wanted = make_table(to, [&](const plait::position& at) {
                plait::position from = at;
                for (int a = 0; a < axes; ++a) from[static_cast<int>(p[a])] = at[a];
                return of_position(from);
            });
            visit(decide("rename_axes", plait::try_rename_axes(l, p), wanted));
            visit(decide("adapt", plait::try_adapt(l, have, need), wanted));
        }

    const auto as = [&](const plait::dims& to) {
        return make_table(to, [&](const plait::position& at) { return own.at(number_of(to, at)); });
    };
    // Joins and splits are those of oneDNN, without blocks: view does them.
    const auto is_view = [&](const plait::dims& to) {
        const auto viewed = plait::try_view(l, to);
        return viewed.has_value() ? table_of(*viewed) == as(to) : is_about_padding(viewed.error().reason);
    };
    for (int first = 0; first < axes; ++first)
        for (int last = first; last < axes; ++last) {
            plait::dims to;
            for (int a = 0; a < axes; ++a) {
                if (a > first && a <= last) to[first] *= l.dims[a];
                else to.push_back(l.dims[a]);
            }
            const auto viewed = [&] { return is_view(to); };
            visit(explained_by(decide("join_axes", plait::try_join_axes(l, first, last), as(to)), viewed));
            visit(explained_by(decide("flatten", plait::try_flatten(l, first, last), as(to)), viewed));
        }
    for (int axis = 0; axis < axes; ++axis)
        for (dim_t inner = 1; inner <= l.dims[axis]; ++inner) {
            if (l.dims[axis] % inner != 0) continue;
            const dim_t outer = l.dims[axis] / inner;
            plait::dims to, tiles, counts;
            for (int a = 0; a < axes; ++a) {
                if (a == axis) to.push_back(outer);
                to.push_back(a == axis ? inner : l.dims[a]);
                tiles.push_back(a == axis ? inner : 1);
                counts.push_back(a == axis ? outer : l.dims[a]);
            }
            visit(explained_by(decide("split_axis", plait::try_split_axis(l, axis, {outer, inner}), as(to)),
                               [&] { return is_view(to); }));
            plait::dims cut = counts;
            for (int a = 0; a < axes; ++a) cut.push_back(tiles[a]);
            visit(decide("tile", plait::try_tile(l, tiles), make_table(cut, [&](const plait::position& at) {
                             plait::position from;
                             for (int a = 0; a < axes; ++a) from.push_back(at[a] * tiles[a] + at[axes + a]);
                             return of_position(from);
                         })));
        }
}

/// A pattern of einops for two axes, of which the first is split: a and b are its parts, c is the other axis.
struct small_pattern {
    std::string_view text;
    int order[3];   ///< the axis, a = 0, b = 1, c = 2, of each part of the right side
    int groups[3];  ///< how many parts each axis of the right side has
};
inline constexpr small_pattern patterns[] = {
    {"(a b) c -> a b c", {0, 1, 2}, {1, 1, 1}},   {"(a b) c -> b a c", {1, 0, 2}, {1, 1, 1}},
    {"(a b) c -> c (b a)", {2, 1, 0}, {1, 2, 0}}, {"(a b) c -> a (c b)", {0, 2, 1}, {1, 2, 0}},
    {"(a b) c -> (b a) c", {1, 0, 2}, {2, 1, 0}}, {"(a b) c -> (a c b)", {0, 2, 1}, {3, 0, 0}},
};
template <class Visit>
constexpr void decide_rearrange(const layout& l, const table& own, Visit& visit) {
    if (l.dims.size() != 2) return;
    for (const small_pattern& p : patterns) {
        const auto pattern = plait::parse_axis_pattern(p.text);
        for (dim_t inner = 1; inner <= l.dims[0]; ++inner) {
            if (l.dims[0] % inner != 0) continue;
            const dim_t extents[] = {l.dims[0] / inner, inner, l.dims[1]};
            plait::dims to;
            for (int group = 0, part = 0; group < 3 && p.groups[group] > 0; ++group) {
                to.push_back(1);
                for (int k = 0; k < p.groups[group]; ++k) to[group] *= extents[p.order[part++]];
            }
            const plait::dims parts{extents[p.order[0]], extents[p.order[1]], extents[p.order[2]]};
            const table wanted = make_table(to, [&](const plait::position& at) {
                const plait::position of_parts = position_of(parts, number_of(to, at));
                dim_t values[3]{};
                for (int k = 0; k < 3; ++k) values[p.order[k]] = of_parts[k];
                return own.at(number_of(l.dims, {values[0] * inner + values[1], values[2]}));
            });
            // The parts that are joined again must be a layout, too.
            const plait::dims split{extents[0], extents[1], extents[2]};
            const auto has_no_parts = [&] {
                return is_layout(make_table(split, [&](const plait::position& at) {
                           return own.at(number_of(split, at));
                       })) != representable::yes;
            };
            visit(explained_by(decide("rearrange", plait::try_rearrange(l, *pattern, {{"b", inner}}), wanted),
                               has_no_parts));
        }
    }
}

/// Calls visit(decision) for parts of l, and for parts that are joined.
template <class Visit>
constexpr void decide_parts(const layout& l, const table& own, Visit& visit) {
    const int axes = l.dims.size();
    const auto part_of = [&](int axis, dim_t begin, const plait::dims& extents) {
        return make_table(extents, [&](const plait::position& at) {
            plait::position from = at;
            from[axis] += begin;
            return own.at(number_of(own.extents, from));
        });
    };
    for (int axis = 0; axis < axes; ++axis)
        for (dim_t begin = 0; begin < l.dims[axis]; ++begin) {
            plait::position offsets;
            for (int a = 0; a < axes; ++a) offsets.push_back(a == axis ? begin : 0);
            const dim_t rest = l.dims[axis] - begin;
            for (dim_t extent = 1; extent <= rest; extent = extent < 4 || extent == rest ? extent + 1 : rest) {
                plait::dims extents = l.dims;
                extents[axis] = extent;
                // A part keeps the blocks of its parent; a slice of step 1 does not.
                const table wanted = part_of(axis, begin, extents);
                const auto is_slice = [&] {
                    const auto sliced = plait::try_strided_slice(l, axis, begin, begin + extent, 1);
                    return sliced.has_value() && table_of(*sliced) == wanted;
                };
                visit(explained_by(decide("submemory", plait::try_submemory(l, extents, offsets), wanted), is_slice));
            }
            if (begin == 0) continue;
            plait::dims front = l.dims, behind = l.dims;
            front[axis] = begin;
            behind[axis] = rest;
            plait::position from_0 = offsets;
            from_0[axis] = 0;
            const auto a = plait::try_submemory(l, front, from_0);
            const auto b = plait::try_submemory(l, behind, offsets);
            if (!a || !b) continue;
            for (const dim_t gap : {0, 1}) {
                layout moved = *b;
                moved.offset0 += gap;
                table wanted = own;
                for (int i = 0; i < own.count; ++i)
                    if (position_of(own.extents, i)[axis] >= begin) wanted.offsets[static_cast<std::size_t>(i)] += gap;
                // The distance of the parts must be a stride of one of them: any two parts are some distance apart.
                const auto made = plait::try_concatenate_along(*a, moved, axis);
                visit(explained_by(decide(gap == 0 ? "concatenate_along" : "concatenate_along, apart", made, wanted),
                                   [&] { return made.error().reason == plait::reason::parts_do_not_meet; }));
            }
        }
}

/// Calls visit(decision) for what keeps places and gives up the order of elements, and for other strides.
template <class Visit>
constexpr void decide_places(const layout& l, const table& own, Visit& visit) {
    const table all = table_of(with_padding_as_elements(l));
    const auto canonical = plait::try_canonical_form(l);
    visit(decide("canonical_form", canonical, own));
    if (canonical.has_value())
        visit(decision{
            "canonical_form, twice", plait::reason::none, plait::try_canonical_form(*canonical) == canonical, {}});

    using enum plait::reshape_flags;
    const auto places_of = [&](const char* name, plait::reshape_flags flags, const table& places) {
        const auto made = plait::try_extended_reshape(l, {static_cast<dim_t>(places.count)}, flags);
        const table in_order = sorted(places);
        // Only a chunk without gaps, in which no elements share a place, has an order of memory.
        const auto is_no_chunk = [&] { return greatest_of(in_order) - least_of(in_order) != in_order.count - 1; };
        visit(explained_by(
            decide_promise(name, made, made.has_value() && sorted(table_of(*made)) == in_order, is_layout(in_order)),
            is_no_chunk));
    };
    places_of("extended_reshape, order", allow_order_mismatch, own);
    if (all.count != own.count)
        places_of("extended_reshape, padding", allow_order_mismatch | allow_padding_mismatch, all);

    for (int axis = 0; axis < l.dims.size(); ++axis)
        for (const dim_t factor : {0, 1, 2, 3}) {
            layout changed = l;
            plait::strides steps;
            changed.digits[axis].stride = factor == 3 ? 17 : factor * l.digits[axis].stride;
            for (int a = 0; a < l.dims.size(); ++a) steps.push_back(changed.digits[a].stride);
            const table wanted = table_of(changed);
            if (least_of(table_of(with_padding_as_elements(changed))) >= 0)
                visit(decide("with_strides", plait::try_with_strides(l, steps), wanted));
        }
}

/// Calls visit(decision) for the operations that see a layout as a function.
template <class Visit>
constexpr void decide_function(const layout& l, const table& own, Visit& visit) {
    const table all = table_of(with_padding_as_elements(l));
    if (least_of(all) == 0) {
        const dim_t span = greatest_of(all) + 1;
        for (const dim_t size : {span, span + 1, 2 * span}) {
            if (size > 2 * most_positions) continue;
            const table free = completed(all, size, most_positions);
            const auto made = plait::try_complement(l, size);
            if (free.count > 0) visit(decide("complement", made, free));
            else visit(decision{"complement", made.error().reason, !made.has_value(), representable::no});
        }
    }
    const dim_t least = least_of(own), greatest = greatest_of(own);
    const auto left = plait::try_left_inverse(l);
    bool is_right = left.has_value() && left->dims.size() == 1 && left->dims[0] > greatest - least;
    for (int i = 0; i < own.count && is_right; ++i) {
        const dim_t number = place(*left, {own.at(i) - least});
        is_right = number >= 0 && number < own.count && own.at(number) == own.at(i);
    }
    visit(decide_promise("left_inverse", left, is_right, representable::no));
    const auto right = plait::try_right_inverse(l);
    is_right = right.has_value() && right->dims.size() == 1;
    for (dim_t x = 0; is_right && x < right->dims[0]; ++x) {
        const dim_t number = place(*right, {x});
        is_right = number >= 0 && number < own.count && own.at(number) == l.offset0 + x;
    }
    visit(decide_promise("right_inverse", right, is_right, representable::no));
}

/// Calls visit(decision) for elements of half and of twice the size.
template <class Visit>
constexpr void decide_recast(const layout& l, const table& own, Visit& visit) {
    using plait::data_type;
    const auto place_of = [&](plait::position at, int axis, dim_t index) {
        at[axis] = index;
        return own.at(number_of(own.extents, at));
    };
    // Twice as many elements along the axis that got more of them; elements must lie side by side there.
    const auto smaller = plait::try_recast(l, data_type::f16, data_type::u8);
    bool is_right = false;
    for (int axis = 0; axis < l.dims.size() && smaller.has_value() && own.count * 2 <= most_positions; ++axis) {
        plait::dims to = l.dims;
        to[axis] *= 2;
        is_right = is_right || table_of(*smaller) == make_table(to, [&](const plait::position& at) {
                                   return place_of(at, axis, at[axis] / 2) * 2 + at[axis] % 2;
                               });
    }
    if (own.count * 2 <= most_positions) visit(decide_promise("recast, smaller", smaller, is_right, representable::no));
    // Half as many: pairs along an axis that lie side by side, each at an even offset.
    const auto larger = plait::try_recast(l, data_type::u8, data_type::f16);
    is_right = false;
    representable result = representable::no;
    for (int axis = 0; axis < l.dims.size(); ++axis) {
        if (l.dims[axis] % 2 != 0) continue;
        plait::dims to = l.dims;
        to[axis] /= 2;
        bool pairs = true;
        const table wanted = make_table(to, [&](const plait::position& at) {
            const dim_t first = place_of(at, axis, at[axis] * 2), second = place_of(at, axis, at[axis] * 2 + 1);
            pairs = pairs && first % 2 == 0 && second == first + 1;
            return first / 2;
        });
        if (!pairs) continue;
        is_right = is_right || (larger.has_value() && table_of(*larger) == wanted);
        result = std::max(result, is_layout(wanted));
    }
    // Padding must be whole elements, too.
    const auto has_half_padding = [&] {
        bool has_half = false;
        for (int a = 0; a < l.dims.size(); ++a)
            has_half = has_half ||
                       (l.padded_dims[a] != l.dims[a] && (l.padded_dims[a] % 2 != 0 || l.padded_offsets[a] % 2 != 0));
        return has_half;
    };
    visit(explained_by(decide_promise("recast, larger", larger, is_right, result), has_half_padding));
}

/// Calls visit(decision) for each other operation on l.
template <class Visit>
constexpr void decide_more(const layout& l, Visit& visit) {
    const table own = table_of(l);
    decide_axes(l, own, visit);
    decide_rearrange(l, own, visit);
    decide_parts(l, own, visit);
    decide_places(l, own, visit);
    decide_function(l, own, visit);
    decide_recast(l, own, visit);
}

/// Decides the operations with two operands, except compose. `of_a` is the table of a.
template <class Visit>
constexpr void decide_pair(const layout& a, const table& of_a, const layout& b, Visit& visit) {
    const table of_b = table_of(b), all_of_b = table_of(with_padding_as_elements(b));
    plait::dims both = a.dims;
    for (const dim_t extent : b.dims) both.push_back(extent);
    if (of_a.count * of_b.count <= most_positions)
        visit(decide("concatenate", plait::try_concatenate(a, b), make_table(both, [&](const plait::position& at) {
                         const dim_t number = number_of(both, at);
                         return of_a.at(number / of_b.count) + of_b.at(number % of_b.count);
                     })));

    // The tiles b in a: the places that b leaves free among the elements of a, and those of b.
    if (least_of(all_of_b) == 0) {
        const table tiles = completed(all_of_b, of_a.count, most_positions);
        const auto made = plait::try_divide(a, b);
        if (tiles.count > 0) {
            plait::dims to{static_cast<dim_t>(tiles.count)};
            for (const dim_t extent : b.dims) to.push_back(extent);
            // The places that b leaves must be a layout. A composition with padded b is not: see compose.
            const auto has_no_tiles = [&] {
                return !plait::check_complement(b, of_a.count).ok() || b.padded_dims != b.dims;
            };
            visit(explained_by(decide("divide", made,
                                      make_table(to,
                                                 [&](const plait::position& at) {
                                                     const dim_t number = number_of(to, at);
                                                     return of_a.at(tiles.at(number / of_b.count) +
                                                                    of_b.at(number % of_b.count));
                                                 })),
                               has_no_tiles));
        } else {
            visit(decision{"divide", made.error().reason, !made.has_value(), representable::no});
        }
    }
    // A copy of the tile a for each element of b: in the places that a leaves free.
    const table all_of_a = table_of(with_padding_as_elements(a));
    const dim_t copies = greatest_of(of_b) + 1;
    if (least_of(all_of_a) != 0 || copies > most_positions || of_a.count * of_b.count > most_positions) return;
    const auto made = plait::try_product(a, b);
    const table free = completed(all_of_a, 4 * most_positions, static_cast<int>(copies));
    plait::dims to = b.dims;
    for (const dim_t extent : a.dims) to.push_back(extent);
    if (free.count < copies)
        return visit(decision{"product", made.error().reason, !made.has_value(), representable::no});
    const auto has_no_places = [&] {
        if (b.padded_dims != b.dims) return true;
        // Of the sizes that have room for all copies.
        for (dim_t size = copies; size <= 4 * most_positions; ++size)
            if (const auto places = plait::try_complement(a, size); places.has_value() && places->dims[0] >= copies)
                return false;
        return true;
    };
    visit(explained_by(decide("product", made,
                              make_table(to,
                                         [&](const plait::position& at) {
                                             const dim_t number = number_of(to, at);
                                             return free.at(of_b.at(number / of_a.count)) +
                                                    of_a.at(number % of_a.count);
                                         })),
                       has_no_places));
}

}  // namespace small_world
