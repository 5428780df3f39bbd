#pragma once
// Laws of views: the places of the elements of parts, slices, broadcasts and repetitions.

#include "laws/layout_laws.hpp"

#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/repeat.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/v0_blocking.hpp>

namespace plait_test {

using plait::dims, plait::v0_blocking;

/// True if position p of the part is position p + offsets of the parent, padding included.
constexpr bool is_part(const layout& part, const layout& parent, const dims& extents, const position& offsets) {
    if (!check_layout(part).ok() || part.dims != extents || part.padded_offsets != origin(parent.ndims())) return false;
    if (part.padded_volume() == 0) return true;
    position at = origin(parent.ndims());
    do {
        position there = at;
        bool logical = true;
        for (int a = 0; a < at.size(); ++a) {
            logical = logical && at[a] < extents[a];
            there[a] += offsets[a] + parent.padded_offsets[a];
        }
        if (part.padded_offset(at) != parent.padded_offset(there)) return false;
        if (logical && part.offset(at) != part.padded_offset(at)) return false;
    } while (advance(at, part.padded_dims));
    return true;
}

constexpr position inserted(const position& at, int axis, dim_t index) {
    position out;
    for (int a = 0; a <= at.size(); ++a) out.push_back(a < axis ? at[a] : a == axis ? index : at[a - 1]);
    return out;
}

/// True if each position of a slice is the position of the layout with the index inserted, padding included.
constexpr bool slices_are_the_elements(const layout& l) {
    for (int axis = 0; axis < l.ndims(); ++axis)
        for (dim_t index = 0; index < l.dims[axis]; ++index) {
            const layout out = plait::slice(l, axis, index);
            if (out.ndims() != l.ndims() - 1 || !check_layout(out).ok()) return false;
            if (out.padded_volume() == 0) continue;
            position at = origin(out.ndims());
            do
                if (out.padded_offset(at) != l.padded_offset(inserted(at, axis, index + l.padded_offsets[axis])))
                    return false;
            while (advance(at, out.padded_dims));
            if (out.volume() == 0) continue;
            at = origin(out.ndims());
            do
                if (out.offset(at) != l.offset(inserted(at, axis, index))) return false;
            while (advance(at, out.dims));
        }
    return true;
}

/// True if all indices of a broadcast axis have the place of its one element.
constexpr bool shares_the_element(const layout& l, int axis, dim_t extent) {
    const layout out = plait::broadcast_axis(l, axis, extent);
    if (out.dims[axis] != extent || !check_layout(out).ok()) return false;
    if (out.padded_volume() == 0) return true;
    position at = origin(out.ndims());
    do {
        position one = at;
        one[axis] = 0;
        if (out.padded_offset(at) != l.padded_offset(one)) return false;
    } while (advance(at, out.padded_dims));
    return out.element_span() == l.element_span();
}

constexpr bool broadcasts_every_unit_axis(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        for (const dim_t extent : {0, 1, 2, 5}) {
            const bool one = l.dims[a] == 1 && l.padded_dims[a] == 1;
            if (plait::check_broadcast_axis(l, a, extent).ok() != one) return false;
            if (one && !shares_the_element(l, a, extent)) return false;
        }
    return true;
}

/// True if `out` repeats the places of l along the axis `count` times.
constexpr bool starts_over(const layout& out, const layout& l, int axis, dim_t count) {
    if (out.dims[axis] != l.dims[axis] * count || !check_layout(out).ok()) return false;
    if (out.padded_volume() == 0) return true;
    position at = origin(out.ndims());
    do {
        position once = at;
        once[axis] %= l.dims[axis];
        if (out.padded_offset(at) != l.padded_offset(once)) return false;
    } while (advance(at, out.padded_dims));
    return out.element_span() == l.element_span();
}

constexpr bool repeats_every_axis(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        for (const dim_t count : {0, 1, 2, 3}) {
            if (plait::check_repeat(l, a, count).ok() != is_whole_digits(l, a)) return false;
            if (is_whole_digits(l, a) && !starts_over(plait::repeat(l, a, count), l, a, count)) return false;
        }
    return true;
}

/// Returns the offset of a position in a v0_blocking.
constexpr dim_t offset_in(const v0_blocking& v, const position& at) {
    dim_t offset = v.offset_padding;
    for (int a = 0; a < at.size(); ++a) {
        const dim_t index = at[a] + v.offset_padding_to_data[a];
        offset += index / v.block_dims[a] * v.strides[0][a] + index % v.block_dims[a] * v.strides[1][a];
    }
    return offset;
}

constexpr bool describes(const v0_blocking& v, const layout& l) {
    if (v.padding_dims != l.padded_dims || v.block_dims.size() != l.ndims()) return false;
    if (l.volume() == 0) return true;
    position at = origin(l.ndims());
    do
        if (offset_in(v, at) != l.offset(at)) return false;
    while (advance(at, l.dims));
    return true;
}

}  // namespace plait_test
