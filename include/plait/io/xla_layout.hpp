#pragma once
// XLA's layouts: "{1,0:T(8,128)(2,1)}", the axes from the innermost in memory on, and tiles.

#include <plait/io/notation.hpp>

namespace plait {

/// Cuts the last digits of the list into tiles: the numbers of tiles, then what is inside of one.
///
/// An extent that a tile does not divide is padded where it is the outermost digit of its axis.
///
/// Refused: notation_is_malformed (a tile of more axes than the shape), extents_do_not_divide
constexpr verdict cut_into_tiles(memory_digits& list, int* outermost, const inline_list<dim_t, max_ndims>& tile,
                                 const verdict& malformed) {
    const int first = list.size() - tile.size();
    if (first < 0 || list.size() + tile.size() > list.capacity()) return malformed;
    for (int k = 0; k < tile.size(); ++k) {
        digit& d = list[first + k];
        if (d.extent % tile[k] != 0 && outermost[d.axis] != first + k)
            return {reason::extents_do_not_divide, d.axis, d.extent, tile[k], divisor_at_most(d.extent, tile[k])};
        d.extent = divide_up(d.extent, tile[k]);
        list.push_back({d.axis, tile[k], 0});
    }
    return {};
}

/// A layout as XLA writes it behind a shape: minor to major, then tiles, the first one of the whole.
///
/// A tile of k extents is of the k innermost axes, and extents are padded to whole tiles; each further tile is of what
/// the one before has made.
///
/// Pre:     none; any text
/// Refused: notation_is_malformed; notation_says_more (what follows the tiles: memory spaces, element sizes; a `*`,
/// which combines axes); rank_differs, not_a_permutation; extents_do_not_divide (a tile within a tile); as check_layout
/// Post:    parse_xla_layout("{1,0:T(8,128)}", d) == layout(d, "AB8a128b")
/// Cost:    O(length of the text + digits squared) steps
/// Source:  openxla.org, Tiled layout
/// Example: parse_xla_layout("{1,0:T(2,2)}", {3, 5})
[[nodiscard]] constexpr expected<layout> parse_xla_layout(std::string_view text, const dims& extents) {
    if (const verdict why = check_known_dims(extents); !why.ok()) return {{}, why};
    notation_reader in(text);
    if (!in.take("{")) return {{}, in.malformed()};
    permutation minor_to_major;
    while (in.next() != ':' && in.next() != '}') {
        dim_t axis = 0;
        if (!minor_to_major.empty() && !in.take(",")) return {{}, in.malformed()};
        if (const verdict why = in.take_number(axis); !why.ok()) return {{}, why};
        if (minor_to_major.full()) return {{}, {reason::too_many_axes, -1, max_ndims + 1, max_ndims}};
        minor_to_major.push_back(axis);
    }
    if (const verdict why = check_permutation(minor_to_major, extents.size()); !why.ok()) return {{}, why};
    memory_digits list;
    int outermost[max_ndims]{};
    for (int k = extents.size() - 1; k >= 0; --k) {
        const int axis = static_cast<int>(minor_to_major[k]);
        outermost[axis] = list.size();
        list.push_back({axis, extents[axis], 0});
    }
    if (in.take(":")) {
        if (!in.take("T")) return {{}, in.next() >= 'A' && in.next() <= 'Z' ? in.says_more() : in.malformed()};
        if (in.next() != '(') return {{}, in.malformed()};
    }
    while (in.next() == '(') {
        const verdict place = in.malformed();
        inline_list<dim_t, max_ndims> tile;
        do {
            in.advance();
            dim_t size = 0;
            if (in.next() == '*') return {{}, in.says_more()};
            const verdict here = in.malformed();
            if (const verdict why = in.take_number(size); !why.ok()) return {{}, why};
            if (size < 1 || tile.full()) return {{}, here};
            tile.push_back(size);
        } while (in.next() == ',');
        if (!in.take(")")) return {{}, in.malformed()};
        if (const verdict why = cut_into_tiles(list, outermost, tile, place); !why.ok()) return {{}, why};
    }
    if (in.next() >= 'A' && in.next() <= 'Z') return {{}, in.says_more()};
    if (!in.take("}") || !in.done()) return {{}, in.malformed()};
    return make_from_digits(extents, list, outermost);
}

/// The tiles of a layout whose inner blocks follow each other: each says a run of blocks of different axes, in the
/// order of the axes; its sizes are the products of the blocks from there on.
///
/// Example: of the blocks 4y 128x 2y: (8,128), then (2,1)
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

/// The layout as XLA writes it.
///
/// Pre:     none; any layout
/// Refused: check_said; notation_has_no_padding (but to whole blocks), notation_has_no_strides
/// Post:    same_memory(*parse_xla_layout(*result, l.dims), l)
/// Cost:    twice that of canonical_form, and of reading what was written
/// Source:  as parse_xla_layout
/// Example: *format_xla_layout(layout({1, 32, 8, 8}, "nChw16c")) == "{3,2,1,0:T(16,1,1)}"
[[nodiscard]] constexpr expected<layout_name> format_xla_layout(const layout& l) {
    return write_either(l, [](const layout& form) -> expected<layout_name> {
        if (const verdict why = check_said(form); !why.ok()) return {{}, why};
        const inline_list<int, max_ndims> order = memory_order(form);
        layout_name out;
        for (int k = order.size() - 1; k >= 0; --k) (out += k == order.size() - 1 ? '{' : ',') += dim_t{order[k]};
        append_xla_tiles(out, form, order);
        out += '}';
        return {out,
                check_read_back(form, parse_xla_layout({out.data(), static_cast<std::size_t>(out.size())}, form.dims))};
    });
}

}  // namespace plait
