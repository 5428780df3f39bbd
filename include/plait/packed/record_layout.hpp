#pragma once
// A field of a record as a layout, in elements of its type.

#include <plait/core/layout.hpp>
#include <plait/packed/record.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the only piece of a field, or why there is none.
constexpr expected<int> only_piece_of(const record& r, std::string_view name) {
    int found = -1, count = 0;
    for (int p = 0; p < r.pieces.size(); ++p)
        if (has_name(r.field_of(r.pieces[p]).name, name)) found = ++count == 1 ? p : found;
    if (count == 0) return no_field(name);
    if (count > 1) return verdict{reason::field_is_in_pieces, -1, short_name(field_name_of(name)), count};
    return found;
}

/// The digits of one axis of a layout, the innermost first. Between the digits of a piece, those that its values share
/// have stride 0.
struct layout_axis {
    inline_list<digit, 2 * max_piece_digits + 2> chain;

    constexpr layout_axis() = default;
    /// Pre:     the digits chain, and none is fixed; width divides the strides
    constexpr layout_axis(const record_piece& piece, int axis, dim_t width) {
        dim_t counted = 1;
        for (const axis_digit& d : axis_digits(piece, axis).list) {
            if (d.step > counted) chain.push_back({axis, d.step / counted, 0});
            chain.push_back({axis, d.extent, piece.digits[d.place].stride / width});
            counted = d.step * d.extent;
        }
        const dim_t extent = piece.extents[axis];
        // A loop over one block is a digit, too: the blocks are inside of it.
        for (const piece_digit& d : piece.digits)
            if (d.axis == axis && d.extent == 1 && d.step == counted && counted > 1 && counted == extent)
                chain.push_back({axis, 1, d.stride / width});
        if (chain.empty() || counted < extent) chain.push_back({axis, divide_up(extent, larger_of(counted, 1)), 0});
    }

    /// Removes the outermost digit, and returns it.
    constexpr digit take() {
        const digit out = chain.back();
        chain.erase(chain.size() - 1);
        return out;
    }
};

/// Adds the digits of a piece to a layout: the outermost of each axis, then the others in the order of memory, as far
/// as an axis has its digits in order.
constexpr verdict add_digits(layout& l, const record_piece& piece, dim_t width) {
    layout_axis axes[max_ndims];
    int count = 0;
    for (int a = 0; a < l.ndims(); ++a) {
        axes[a] = layout_axis(piece, a, width);
        count += axes[a].chain.size();
    }
    if (count > max_digits) return {reason::too_many_digits, -1, count, max_digits};
    bool met[max_ndims]{};
    for (int a = 0; a < l.ndims(); ++a) {
        l.digits.push_back(axes[a].take());
        met[a] = l.digits[a].stride == 0 || l.digits[a].extent == 1;
    }
    for (int k = piece.digits.size() - 1; k >= 0; --k) {
        const piece_digit& d = piece.digits[k];
        if (d.extent == 1) continue;
        bool placed = !met[d.axis];  // as the outermost
        met[d.axis] = true;
        while (!placed && !axes[d.axis].chain.empty()) {
            l.digits.push_back(axes[d.axis].take());
            placed = l.digits.back().stride != 0;
        }
    }
    for (int a = 0; a < l.ndims(); ++a)
        while (!axes[a].chain.empty()) l.digits.push_back(axes[a].take());
    return {};
}
}  // namespace detail

/// Returns the layout of a field of a record, in elements of the field's type, or why there is none.
///
/// Refused: field_is_missing; field_is_in_pieces (how many); field_is_turned (the axis of the digit);
///          field_is_not_a_layout (what it begins with or steps by in bits, the width); too_many_digits
/// Pre:     r is the result of try_record
/// Post:    has the value of layout_of(r, name)
/// Cost:    O(digits squared) steps; no allocation
/// Source:  docs/packed.md
/// Example: try_layout_of(r, "d")->offset(8, 0)
[[nodiscard]] constexpr expected<layout> try_layout_of(const record& r, std::string_view name) {
    const expected<int> found = detail::only_piece_of(r, name);
    if (!found) return found.error();
    const record_piece& piece = r.pieces[*found];
    const record_field& field = r.field_of(piece);
    const dim_t short_name = detail::short_name(field.name), width = field.width;
    const auto no_layout = [&](dim_t bits) {
        return verdict{reason::field_is_not_a_layout, -1, short_name, bits, width};
    };
    if (piece.at % width != 0) return no_layout(piece.at);
    for (const piece_digit& d : piece.digits) {
        if (d.turned_by >= 0 && d.extent > 1) return verdict{reason::field_is_turned, d.axis, short_name};
        if (d.stride % width != 0) return no_layout(d.stride);
    }
    layout out;
    out.kind = format_kind::blocked;
    out.dims = r.dims;
    out.offset0 = piece.at / width;
    out.padded_dims = piece.extents;
    for (int a = 0; a < r.ndims(); ++a) {
        out.padded_offsets.push_back(0);
        const detail::axis_digits digits(piece, a);
        bool whole = digits.chains() && piece.origin[a] == 0;
        for (const detail::axis_digit& d : digits.list) whole = whole && d.place >= 0;
        if (!whole) return verdict{reason::field_is_in_pieces, -1, short_name, 1};
    }
    if (const verdict why = detail::add_digits(out, piece, width); !why.ok()) return why;
    return {out, check_layout(out)};
}

/// Returns the layout of a field of a record, in elements of the field's type, so that the operations, views and
/// pictures of layouts apply to it. An axis whose indices share a value has digits of stride 0.
///
/// Pre:     try_layout_of(r, name) has a value, otherwise fails with its reason
/// Post:    layout_of(r, name).offset(index) * width == r.bit_offset(name, index) for every index, where `width` is
///          that of the type; padded_dims include the padding of the field
/// Cost:    O(digits squared) steps
/// Source:  docs/packed.md
/// Example: layout_of(record("nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", {64, 256}), "d").offset(8, 0) == 8 * 72
[[nodiscard]] constexpr layout layout_of(const record& r, std::string_view name) {
    return try_layout_of(r, name).value();
}

}  // namespace plait
