#pragma once
// XLA's layouts: "{1,0:T(8,128)(2,1)}", the axes from the innermost in memory to the outermost, and tiles.

#include <plait/io/xla_tiles.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Parses a layout as XLA writes it after a shape: the axes from minor to major, followed by tiles.
///
/// A tile with k extents covers the k innermost axes, whose extents are padded to whole tiles. Each further tile
/// applies to the dimensions that the previous one made: the numbers of its tiles, followed by its extents.
///
/// Pre:     none; any text
/// Refused: notation_is_malformed; notation_says_more (what follows the tiles: memory spaces, element sizes; a `*`,
///          which combines axes); rank_differs, not_a_permutation; extents_do_not_divide (a tile that would pad inside
///          each previous tile, as the 3 of T(4)(3), because a layout is only padded at the end of an axis);
///          size_overflows; as check_layout
/// Post:    parse_xla_layout("{1,0:T(8,128)}", d) == layout(d, "AB8a128b"); index 4 of "{0:T(4)(2,1)}" of {8} is at 1
/// Cost:    O(length of the text + digits squared) steps
/// Source:  openxla.org, Tiled layout
/// Example: parse_xla_layout("{1,0:T(2,2)}", {3, 5})
[[nodiscard]] constexpr expected<layout> parse_xla_layout(std::string_view text, const dims& extents) {
    if (const verdict why = detail::check_known_dims(extents); !why.ok()) return why;
    detail::notation_reader in(text);
    if (!in.take("{")) return in.malformed();
    permutation minor_to_major;
    while (in.next() != ':' && in.next() != '}') {
        dim_t axis = 0;
        if (!minor_to_major.empty() && !in.take(",")) return in.malformed();
        if (const verdict why = in.take_number(axis); !why.ok()) return why;
        if (minor_to_major.full()) return verdict{reason::too_many_axes, -1, max_ndims + 1, max_ndims};
        minor_to_major.push_back(axis);
    }
    if (const verdict why = check_permutation(minor_to_major, extents.size()); !why.ok()) return why;
    detail::tiled_digits digits;
    for (int k = extents.size() - 1; k >= 0; --k) {
        const int axis = static_cast<int>(minor_to_major[k]);
        digits.push_back(axis, extents[axis], 1);
    }
    if (in.take(":")) {
        if (!in.take("T")) return in.next() >= 'A' && in.next() <= 'Z' ? in.says_more() : in.malformed();
        if (in.next() != '(') return in.malformed();
    }
    while (in.next() == '(') {
        const verdict place = in.malformed();
        detail::xla_tile sizes;
        do {
            in.advance();
            dim_t size = 0;
            if (in.next() == '*') return in.says_more();
            const verdict here = in.malformed();
            if (const verdict why = in.take_number(size); !why.ok()) return why;
            if (size < 1 || sizes.full()) return here;
            sizes.push_back(size);
        } while (in.next() == ',');
        if (!in.take(")")) return in.malformed();
        if (const verdict why = digits.cut(sizes, place); !why.ok()) return why;
    }
    if (in.next() >= 'A' && in.next() <= 'Z') return in.says_more();
    if (!in.take("}") || !in.done()) return in.malformed();
    return digits.layout_of(extents);
}

namespace detail {
/// Appends the tiles of a layout whose inner blocks nest in memory. Each tile is a run of blocks of different axes, in
/// the order of the axes; its sizes are the products of the remaining blocks.
///
/// Example: for the blocks 4y 128x 2y: (8,128), then (2,1)
constexpr void append_xla_tiles(layout_name& out, const layout& l, const inline_list<int, max_ndims>& order) {
    int place[max_ndims]{};
    for (int k = 0; k < order.size(); ++k) place[order[k]] = k;
    dim_t left[max_ndims]{};
    for (int a = 0; a < l.ndims(); ++a) left[a] = l.block_size(a);
    for (int k = l.ndims(); k < l.digits.size();) {
        int first = 0;
        while (left[order[first]] == 1) ++first;
        out += k == l.ndims() ? ":T(" : "(";
        for (int i = first; i < order.size(); ++i) (out += i == first ? "" : ",") += left[order[i]];
        out += ')';
        for (int before = -1; k < l.digits.size() && place[l.digits[k].axis] > before; ++k) {
            before = place[l.digits[k].axis];
            left[l.digits[k].axis] /= l.digits[k].extent;
        }
    }
}

/// Returns the text of a layout, with tiles that may cut the previous tiles in any order.
///
/// Pre:     check_said(l).ok()
constexpr layout_name write_xla_layout(const layout& l) {
    const inline_list<int, max_digits> all = digits_in_order(l);
    inline_list<int, max_ndims> order;
    bool is_in_order[max_ndims]{};
    int leading = 0;  // number of outermost digits that are outside all others in memory
    for (; leading < all.size() && all[leading] < l.ndims(); ++leading) {
        order.push_back(all[leading]);
        is_in_order[all[leading]] = true;
    }
    for (int a = 0; a < l.ndims(); ++a)
        if (!is_in_order[a]) order.push_back(a);
    layout_name out;
    for (int k = order.size() - 1; k >= 0; --k) (out += k == order.size() - 1 ? '{' : ',') += dim_t{order[k]};
    xla_tile_writer tiles(out, l, order);
    bool fits = true;
    for (int i = leading; i < all.size() && fits; ++i) {
        const digit& d = l.digits[all[i]];
        dim_t weight = 1;
        for (int k = l.digits.size() - 1; k >= l.ndims() && k != all[i]; --k)
            if (l.digits[k].axis == d.axis) weight *= l.digits[k].extent;
        if (d.extent > 1) fits = tiles.add(d.axis, weight, d.extent);
    }
    if (fits) tiles.write_tile();
    out += '}';
    return out;
}
}  // namespace detail

/// Returns the layout as XLA writes it.
///
/// Pre:     none; any layout
/// Refused: check_said; notation_has_no_padding (unless it completes blocks), notation_has_no_strides
/// Post:    same_memory(*parse_xla_layout(*result, l.dims), l)
/// Cost:    three times canonical_form, and parsing of the result
/// Source:  as parse_xla_layout
/// Example: *format_xla_layout(layout({1, 32, 8, 8}, "nChw16c")) == "{3,2,1,0:T(16,1,1)}"
[[nodiscard]] constexpr expected<layout_name> format_xla_layout(const layout& l) {
    return detail::write_either(l, [](const layout& form) -> expected<layout_name> {
        if (const verdict why = detail::check_said(form); !why.ok()) return why;
        const inline_list<int, max_ndims> order = detail::memory_order(form);
        const auto read = [&form](const layout_name& text) {
            return parse_xla_layout({text.data(), static_cast<std::size_t>(text.size())}, form.dims);
        };
        layout_name out;
        for (int k = order.size() - 1; k >= 0; --k) (out += k == order.size() - 1 ? '{' : ',') += dim_t{order[k]};
        detail::append_xla_tiles(out, form, order);
        out += '}';
        const verdict why = detail::check_read_back(form, read(out));
        if (why.ok()) return {out, why};
        const layout_name other = detail::write_xla_layout(form);
        return detail::check_read_back(form, read(other)).ok() ? expected<layout_name>{other, {}}
                                                               : expected<layout_name>(why);
    });
}

}  // namespace plait
