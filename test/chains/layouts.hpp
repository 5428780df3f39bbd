#pragma once
// Layouts to begin chains with, and other descriptions of the same memory.

#include "chains/brute_force.hpp"
#include "laws/random_layouts.hpp"

#include <plait/core/layout.hpp>

namespace chains {

using plait::digit, plait_test::random_source;

/// True if the elements are few enough to check all of them, and there is room for the digits that operations add.
inline bool is_small(const layout& l) {
    return l.kind == plait::format_kind::blocked && l.padded_volume() <= 400 && l.digits.size() <= 14 &&
           l.offset0 < 1'000'000;
}

/// Returns how many indices the digits of an axis can count.
inline dim_t room_of(const layout& l, int axis) { return l.digits[axis].extent * l.block_size(axis); }

/// Returns a layout that is filled in by hand. Its digits are in any order in memory, sometimes with outer digits
/// inside inner ones, with gaps, with shared places, or running backwards. A digit of one value may have any stride. An
/// axis may be padded beyond whole blocks, also in front, or be a part of one block.
inline layout hand_filled(random_source& random) {
    for (;;) {
        layout out;
        out.kind = plait::format_kind::blocked;
        const int n = static_cast<int>(random.between(1, 4)), inner = static_cast<int>(random.between(0, 4));
        for (int a = 0; a < n; ++a) out.digits.push_back({a, random.once_in(4) ? 1 : random.between(1, 5), 0});
        for (int k = 0; k < inner; ++k)
            out.digits.push_back({static_cast<int>(random.between(0, n - 1)), random.between(2, 4), 0});
        // Strides from the innermost digit in memory outwards: each steps over the digits inside it.
        const permutation order = random.order(out.digits.size());
        const bool gaps = random.once_in(2), in_order = random.once_in(3);
        dim_t next = random.once_in(4) ? random.between(1, 3) : 1, reach = 0;
        for (int i = order.size() - 1; i >= 0; --i) {
            digit& d = out.digits[in_order ? i : static_cast<int>(order[i])];
            if (d.extent == 1) {
                d.stride = random.once_in(2) ? next : random.between(-20, 200);
                continue;
            }
            if (random.once_in(25)) continue;
            // The smallest stride that nests is one more than the largest offset so far; most strides step over
            // everything inside.
            d.stride = random.once_in(6) ? reach + 1 : next;
            if (gaps && random.once_in(2)) d.stride += random.between(0, 3);
            reach += (d.extent - 1) * d.stride;
            next = std::max(next, d.stride * d.extent);
        }
        for (int a = 0; a < n; ++a) {
            const dim_t block = out.block_size(a), room = room_of(out, a);
            const bool part = block > 1 && out.digits[a].extent == 1 && random.once_in(2);
            const dim_t padded = part ? random.between(0, block) : room;
            dim_t extent = part ? padded : random.once_in(2) ? room : random.between(std::min<dim_t>(1, room), room);
            if (random.once_in(50)) extent = padded == extent && part ? extent : 0;
            out.padded_dims.push_back(padded);
            out.dims.push_back(extent);
            out.padded_offsets.push_back(random.once_in(4) ? random.between(0, padded - extent) : 0);
        }
        if (random.once_in(3)) out.offset0 = random.between(0, 30);
        if (!check_layout(out).ok()) continue;
        if (random.once_in(4)) out = random.turned(out);
        if (is_small(out) && check_layout(out).ok()) return out;
    }
}

/// Returns a layout to begin a chain with: of a tag, a view, or filled in by hand.
inline layout first_layout(random_source& random) {
    for (;;) {
        const layout out = random.once_in(2) ? hand_filled(random) : random.small_layout();
        if (is_small(out)) return out;
    }
}

/// Inserts an inner digit at position `at` of the list.
inline void insert_digit(layout& l, int at, const digit& d) {
    l.digits.push_back(d);
    for (int k = l.digits.size() - 1; k > at; --k) l.digits[k] = l.digits[k - 1];
    l.digits[at] = d;
}

/// Returns the position of the next digit of the same axis inside digit k, or -1 if there is none.
inline int next_inside(const layout& l, int k) {
    const int axis = l.digits[k].axis;
    for (int i = k < l.ndims() ? l.ndims() : k + 1; i < l.digits.size(); ++i)
        if (l.digits[i].axis == axis) return i;
    return -1;
}

/// Returns the layout with at most one change of its digits that moves no element. With `padding`, the change may add
/// or remove padding.
inline layout changed_digits(layout l, random_source& random, bool padding) {
    const int k = static_cast<int>(random.between(0, l.digits.size() - 1)), axis = l.digits[k].axis;
    const digit d = l.digits[k];
    const dim_t by = random.between(2, 4);
    const bool outermost = k < l.ndims(), unpadded = l.padded_dims[axis] == l.dims[axis];
    switch (random.between(0, padding ? 5 : 4)) {
        case 0:  // split one digit into two
            if (d.extent % by != 0 || d.extent < 2 || (!outermost && d.extent == by)) break;
            l.digits[k] = {axis, d.extent / by, d.stride * by};
            insert_digit(l, outermost ? l.ndims() : k + 1, {axis, by, d.stride});
            break;
        case 1: {  // join two digits
            const int i = next_inside(l, k);
            if (i < 0 || d.stride != l.digits[i].stride * l.digits[i].extent) break;
            l.digits[k] = {axis, d.extent * l.digits[i].extent, l.digits[i].stride};
            l.digits.erase(i);
            break;
        }
        case 2:  // make the outermost digit an inner one, so that the axis is one block
            if (!outermost || d.extent < 2) break;
            l.digits[k] = {axis, 1, random.once_in(2) ? d.stride * d.extent : random.between(-9, 99)};
            insert_digit(l, l.ndims(), d);
            break;
        case 3:  // a digit of one value may have any stride
            if (outermost && d.extent == 1) l.digits[k].stride = random.between(-9, 199);
            break;
        case 4:  // add a block around an axis of one value, or enlarge one; the axis is a part of it
            if (!outermost || d.extent > 1 || !unpadded || l.dims[axis] == 0) break;
            if (const int i = next_inside(l, k); i >= 0 && random.once_in(2))
                l.digits[i].extent += random.between(1, 3);
            else insert_digit(l, l.ndims(), {axis, by, random.between(1, 300)});
            break;
        default:  // add outermost padding
            if (!outermost || room_of(l, axis) != l.padded_dims[axis]) break;
            l.digits[k].extent += 1;
            l.padded_dims[axis] = room_of(l, axis);
            break;
    }
    return l;
}

/// Returns another description of the same elements in the same places.
inline layout said_otherwise(const layout& l, random_source& random, bool padding) {
    layout out = l;
    const element_map elements = map_of(l);
    for (int times = 0; times < 6; ++times) {
        const layout other = changed_digits(out, random, padding);
        if (other.digits.size() <= 14 && other.padded_volume() <= 800 && check_layout(other).ok() &&
            map_of(other) == elements)
            out = other;
    }
    return out;
}

}  // namespace chains
