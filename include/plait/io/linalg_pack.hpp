#pragma once
// The attributes of MLIR's linalg.pack, e.g. "outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32]".

#include <plait/io/notation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Reads a list of numbers in brackets: [0, 1].
constexpr verdict read_pack_list(notation_reader& in, inline_list<dim_t, max_ndims>& out) {
    in.skip_blanks();
    if (!in.take("=")) return in.malformed();
    in.skip_blanks();
    if (!in.take("[")) return in.malformed();
    in.skip_blanks();
    if (in.take("]")) return {};
    do {
        in.skip_blanks();
        dim_t number = 0;
        if (in.next() == '%' || in.next() == '?') return in.says_more();
        if (const verdict why = in.take_number(number); !why.ok()) return why;
        if (out.full()) return in.malformed();
        out.push_back(number);
        in.skip_blanks();
    } while (in.take(","));
    return in.take("]") ? verdict{} : in.malformed();
}
}  // namespace detail

/// Parses attributes of linalg.pack: returns the layout of a row-major tensor with these dims after packing.
///
/// The axes are those of the source. Outer dimension i of the result is axis outer_dims_perm[i]; tile i splits axis
/// inner_dims_pos[i]. Attributes may be in any order; without outer_dims_perm the axes keep their order.
///
/// Pre:     none; any text
/// Refused: notation_is_malformed; notation_says_more (run-time tile sizes, %n); rank_differs, not_a_permutation,
///          axis_is_out_of_range; as check_layout
/// Post:    parse_linalg_pack("inner_dims_pos = [1] inner_tiles = [16]", d) == layout(d, "aBcd16b")
/// Cost:    O(length of the text + digits squared) steps
/// Source:  MLIR, linalg.pack
/// Example: parse_linalg_pack("outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 32]", {128, 256})
[[nodiscard]] constexpr expected<layout> parse_linalg_pack(std::string_view text, const dims& extents) {
    if (const verdict why = detail::check_known_dims(extents); !why.ok()) return why;
    constexpr std::string_view names[] = {"outer_dims_perm", "inner_dims_pos", "inner_tiles"};
    inline_list<dim_t, max_ndims> lists[3];
    bool said[3]{};
    detail::notation_reader in(text);
    for (in.skip_blanks(); !in.done(); in.skip_blanks()) {
        int which = 0;
        const verdict here = in.malformed();
        while (which < 3 && !in.take(names[which])) ++which;
        if (which == 3 || said[which]) return here;
        said[which] = true;
        if (const verdict why = detail::read_pack_list(in, lists[which]); !why.ok()) return why;
    }
    const auto& [perm, pos, tiles] = lists;
    if (pos.size() != tiles.size())
        return detail::ranks_differ(detail::counted::tiles, tiles.size(), detail::counted::tiled, pos.size());
    permutation order = identity_permutation(extents.size());
    if (!perm.empty()) order = permutation(perm.begin(), static_cast<std::size_t>(perm.size()));
    if (const verdict why = check_permutation(order, extents.size()); !why.ok()) return why;
    dim_t block[max_ndims]{};
    for (int k = 0; k < pos.size(); ++k) {
        if (pos[k] >= extents.size()) return verdict{reason::axis_is_out_of_range, -1, pos[k], extents.size()};
        if (tiles[k] < 1 || block[pos[k]] != 0) return in.malformed();
        block[pos[k]] = tiles[k];
    }
    detail::memory_digits list;
    int outermost[max_ndims]{};
    for (dim_t at : order) {
        const int axis = static_cast<int>(at);
        outermost[axis] = list.size();
        list.push_back({axis, detail::divide_up(extents[axis], block[axis] == 0 ? 1 : block[axis]), 0});
    }
    for (int k = 0; k < pos.size(); ++k) list.push_back({static_cast<int>(pos[k]), tiles[k], 0});
    return detail::make_from_digits(extents, list, outermost);
}

/// Returns the layout as attributes of linalg.pack; outer_dims_perm is omitted if it is the identity.
///
/// Pre:     none; any layout
/// Refused: check_said; notation_has_no_blocks (two blocks of one axis), notation_has_no_padding (unless it completes
///          blocks), notation_has_no_strides
/// Post:    same_memory(*parse_linalg_pack(*result, l.dims), l)
/// Cost:    twice canonical_form, and parsing of the result
/// Source:  as parse_linalg_pack
/// Example: *format_linalg_pack(layout({1, 32, 8, 8}, "nChw16c")) == "inner_dims_pos = [1] inner_tiles = [16]"
[[nodiscard]] constexpr expected<layout_name> format_linalg_pack(const layout& l) {
    return detail::write_either(l, [](const layout& form) -> expected<layout_name> {
        if (const verdict why = detail::check_said(form); !why.ok()) return why;
        if (const verdict why = detail::check_block_count(form, 1); !why.ok()) return why;
        layout_name out;
        const inline_list<int, max_ndims> order = detail::memory_order(form);
        bool straight = true;
        for (int k = 0; k < order.size(); ++k) straight = straight && order[k] == k;
        for (int k = 0; !straight && k < order.size(); ++k)
            (out += k == 0 ? "outer_dims_perm = [" : ", ") += dim_t{order[k]};
        out += straight ? "inner_dims_pos = [" : "] inner_dims_pos = [";
        for (int k = form.ndims(); k < form.digits.size(); ++k)
            (out += k == form.ndims() ? "" : ", ") += dim_t{form.digits[k].axis};
        out += "] inner_tiles = [";
        for (int k = form.ndims(); k < form.digits.size(); ++k)
            (out += k == form.ndims() ? "" : ", ") += form.digits[k].extent;
        out += ']';
        return {out, detail::check_read_back(
                         form, parse_linalg_pack({out.data(), static_cast<std::size_t>(out.size())}, form.dims))};
    });
}

}  // namespace plait
