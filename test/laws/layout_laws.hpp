#pragma once
// Laws: equations that hold for every layout, as constexpr functions that return true if they hold. They define the
// operations without repeating the algorithms.

#include <plait/algebra/compose.hpp>
#include <plait/algebra/inverse.hpp>
#include "support/small_layouts.hpp"

#include <plait/algebra/bind.hpp>
#include <plait/algebra/format_name.hpp>
#include <plait/algebra/is_injective.hpp>
#include <plait/algebra/matches_tag.hpp>
#include <plait/algebra/position_of.hpp>
#include <plait/algebra/rename_axes.hpp>

namespace plait_test {

using plait::layout, plait::permutation, plait::position;

/// Advances to the next index in row-major order. Returns false after the last one.
constexpr bool advance(position& at, const plait::dims& extents) {
    for (int a = extents.size() - 1; a >= 0; --a) {
        if (++at[a] < extents[a]) return true;
        at[a] = 0;
    }
    return false;
}

constexpr position origin(int ndims) {
    position out;
    for (int a = 0; a < ndims; ++a) out.push_back(0);
    return out;
}

/// True if the padded elements take each place from span_begin() on exactly once. For up to 512 elements.
constexpr bool fills_memory(const layout& l) {
    const dim_t n = l.padded_volume();
    if (n == 0) return l.element_span() == 0;
    bool taken[512]{};
    if (n > 512 || l.element_span() != static_cast<std::size_t>(n)) return false;
    position at = origin(l.ndims());
    do {
        const dim_t place = l.padded_offset(at) - l.span_begin();
        if (place < 0 || place >= n || taken[place]) return false;
        taken[place] = true;
    } while (advance(at, l.padded_dims));
    return true;
}

/// True if the span begins at the first offset and ends at the last, if is_injective is true exactly if all offsets
/// differ, and if is_dense is true exactly if in addition there is no gap. For up to 512 places.
constexpr bool spans_what_it_touches(const layout& l) {
    const auto span = static_cast<dim_t>(l.element_span());
    if (l.padded_volume() == 0) return span == 0;
    if (span > 512) return false;
    int touched[512]{};
    dim_t lowest = span, largest = 0, places = 0;
    bool shared = false;
    position at = origin(l.ndims());
    do {
        const dim_t place = l.padded_offset(at) - l.span_begin();
        if (place < 0 || place >= span) return false;
        lowest = place < lowest ? place : lowest;
        largest = place > largest ? place : largest;
        places += touched[place] == 0;
        shared = shared || ++touched[place] > 1;
    } while (advance(at, l.padded_dims));
    return lowest == 0 && largest == span - 1 && is_injective(l) == !shared &&
           l.is_dense() == (!shared && places == span);
}

/// True if position_of returns each position for its offset, and nothing for all other offsets.
constexpr bool position_of_inverts_offset(const layout& l) {
    if (!check_position_of(l).ok()) return false;
    if (l.volume() == 0) return !position_of(l, l.offset0).has_value();
    position at = origin(l.ndims());
    do
        if (position_of(l, l.offset(at)) != at) return false;
    while (advance(at, l.dims));
    // Each offset with a position is the offset of that position, so there are as many as positions.
    dim_t found = 0;
    const dim_t end = l.span_begin() + static_cast<dim_t>(l.element_span());
    for (dim_t offset = l.span_begin() - 1; offset <= end; ++offset) {
        const std::optional<position> there = position_of(l, offset);
        if (there.has_value() && l.offset(*there) != offset) return false;
        found += there.has_value();
    }
    return found == l.volume();
}

/// True if linear_offset numbers positions in row-major order. The tensor begins at padded_offsets in the padded one.
constexpr bool linear_offsets_count_positions(const layout& l) {
    if (l.volume() == 0) return true;
    position at = origin(l.ndims());
    dim_t number = 0;
    do {
        position inside = at;
        for (int a = 0; a < l.ndims(); ++a) inside[a] += l.padded_offsets[a];
        const dim_t offset = l.linear_offset(number++);
        if (offset != l.offset(at) || offset != l.padded_offset(inside)) return false;
    } while (advance(at, l.dims));
    return number == l.volume();
}

/// True if block_offset is the offset of the first element of each outermost block.
constexpr bool blocks_begin_at_their_first_element(const layout& l) {
    plait::dims blocks = l.dims;
    for (int a = 0; a < l.ndims(); ++a) blocks[a] = plait::detail::divide_up(l.padded_dims[a], l.block_size(a));
    if (volume(blocks) == 0) return true;
    position at = origin(l.ndims());
    do {
        position first = at;
        for (int a = 0; a < l.ndims(); ++a) first[a] *= l.block_size(a);
        if (l.block_offset(at) != l.padded_offset(first)) return false;
    } while (advance(at, blocks));
    return true;
}

/// True if the name of a layout is a tag whose layout has the same offsets. For dense layouts with static strides.
template <class Same>
constexpr bool name_round_trips(const layout& l, const Same& same_offsets) {
    const plait::layout_name name = format_name(l);
    const plait::expected<plait::format_tag> tag =
        plait::parse_format_tag({name.c_str(), static_cast<std::size_t>(name.size())});
    if (!tag.has_value()) return false;
    const layout again(l.dims, *tag);
    return again.padded_dims == l.padded_dims && again.inner_blocks() == l.inner_blocks() && same_offsets(l, again);
}

constexpr bool same_offsets_everywhere(const layout& l, const layout& other) {
    if (l.padded_volume() == 0) return other.padded_volume() == 0;
    position at = origin(l.ndims());
    do
        if (l.padded_offset(at) - l.offset0 != other.padded_offset(at) - other.offset0) return false;
    while (advance(at, l.padded_dims));
    return true;
}

/// True if an axis has no padding, and its extent is a product of its innermost digits. Digits that chain are one.
constexpr bool is_whole_digits(const layout& l, int axis) {
    const dim_t extent = l.dims[axis];
    if (l.padded_dims[axis] != extent) return false;
    const auto offset = [&](dim_t index) {
        position at = origin(l.ndims());
        at[axis] = index;
        return plait::detail::evaluate_digits(l, at);
    };
    dim_t inside = 1;
    while (inside < extent) {
        dim_t values = 1;
        while (inside * values < extent && offset(inside * values) == values * offset(inside)) ++values;
        inside *= values;
    }
    return extent == 0 || inside == extent;
}

/// True if each element has its offset in the permuted layout, at the permuted position.
constexpr bool permuting_keeps_the_data(const layout& l, const permutation& p) {
    const layout out = plait::permute_axes(l, p);
    if (l.volume() == 0) return out.volume() == 0;
    position at = origin(l.ndims());
    do
        if (out.offset(plait::permute_axes(at, p)) != l.offset(at)) return false;
    while (advance(at, l.dims));
    return true;
}

// The laws below compare layouts, so they hold for any kind, for dynamic extents, and at any size.

constexpr bool permuting_back_is_identity(const layout& l, const permutation& p) {
    return plait::permute_axes(plait::permute_axes(l, p), plait::inverse(p)) == l &&
           plait::permute_axes(plait::permute_axes(l, plait::inverse(p)), p) == l;
}
constexpr bool renaming_is_permuting_by_the_inverse(const layout& l, const permutation& p) {
    return plait::rename_axes(l, p) == plait::permute_axes(l, plait::inverse(p)) &&
           plait::rename_axes(l, plait::inverse(p)) == plait::permute_axes(l, p);
}
/// True if permuting by q and then by p is permuting by compose(p, q). Names compose in reverse order.
constexpr bool permuting_composes(const layout& l, const permutation& p, const permutation& q) {
    return plait::permute_axes(plait::permute_axes(l, q), p) == plait::permute_axes(l, plait::compose(p, q)) &&
           plait::rename_axes(plait::rename_axes(l, q), p) == plait::rename_axes(l, plait::compose(q, p));
}
constexpr bool permuting_keeps_the_invariants(const layout& l, const permutation& p) {
    const layout out = plait::permute_axes(l, p);
    return check_layout(l).ok() && check_layout(out).ok() && out.volume() == l.volume() &&
           out.padded_volume() == l.padded_volume() && out.is_dense() == l.is_dense() &&
           is_injective(out) == is_injective(l);
}

/// True if a layout with dynamic extents, bound to their values, is the static layout.
constexpr bool binding_restores(const plait::dims& extents, const plait::format_tag& tag, unsigned dynamic_axes) {
    plait::dims partly = extents, values;
    for (int a = 0; a < extents.size(); ++a)
        if ((dynamic_axes >> a & 1U) != 0) {
            values.push_back(extents[a]);
            partly[a] = plait::dynamic;
        }
    const layout open(partly, tag), full(extents, tag), bound = plait::bind(open, values);
    return plait::detail::dynamic_extents(open) == values.size() && bound == full &&
           bound.strides() == full.strides() && check_layout(bound).ok();
}

}  // namespace plait_test
