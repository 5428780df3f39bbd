#pragma once
// The algebra on records: operations that say which index becomes which apply to all fields alike.

#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/packed/record_slice.hpp>

namespace plait {
namespace detail {
constexpr expected<record> permuted(const record& r, const permutation& p) {
    if (const verdict why = check_permutation(p, r.ndims()); !why.ok()) return why;
    const expected<record_tag> tag = tag_rewriter(r).permuted(p);
    if (!tag) return tag.error();
    dims extents = r.dims;
    for (int i = 0; i < r.ndims(); ++i) extents[static_cast<int>(p[i])] = r.dims[i];
    return try_record(*tag, extents);
}

/// Returns the first piece that has padding along an axis, or null. With `only_repeated`, the padding repeats values.
constexpr const record_piece* padded_piece(const record& r, int axis, bool only_repeated) {
    for (const record_piece& piece : r.pieces) {
        dim_t extent = r.dims[axis];
        for (const piece_condition& c : piece.where)
            if (c.axis == axis && c.extent == 0) extent = c.last - c.first;
        const bool repeats = (r.field_of(piece).repeated_axes >> axis & 1) != 0;
        if (piece.extents[axis] != extent && (repeats || !only_repeated)) return &piece;
    }
    return nullptr;
}

/// Returns a record with an axis in two parts, of which the second has the extent `inside`.
///
/// Pre:     inside > 0 divides the extent of the axis
constexpr expected<record> split_in_two(const record& r, int axis, dim_t inside) {
    if (const record_piece* piece = padded_piece(r, axis, true); piece != nullptr && inside > 1)
        return verdict{reason::axis_is_padded, axis, piece->extents[axis], r.dims[axis]};
    if (r.ndims() == max_ndims) return verdict{reason::too_many_axes, -1, max_ndims + 1, max_ndims};
    const expected<record_tag> tag = tag_rewriter(r).split(axis, inside);
    if (!tag) return tag.error();
    dims extents;
    for (int a = 0; a < r.ndims(); ++a) {
        extents.push_back(a == axis ? r.dims[a] / inside : r.dims[a]);
        if (a == axis) extents.push_back(inside);
    }
    return try_record(*tag, extents);
}

constexpr expected<record> split(const record& r, int axis, const dims& parts) {
    if (axis < 0 || axis >= r.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, r.ndims()};
    if (const verdict why = check_volume(parts); !why.ok()) return why;
    for (const dim_t part : parts)
        if (part == dynamic) return verdict{reason::dim_is_dynamic, axis};
    const dim_t before = r.dims[axis], after = volume(parts);
    if (before != after || parts.empty()) return verdict{reason::volumes_differ, axis, before, after};
    if (before == 0 && parts.size() > 1) return verdict{reason::zero_extent_is_not_matched, axis, 0, parts[0]};
    expected<record> out = r;
    dim_t inside = before;
    for (int k = 0; k + 1 < parts.size() && out.has_value(); ++k) {
        inside /= parts[k];
        out = split_in_two(*out, axis + k, inside);
    }
    return out;
}

constexpr expected<record> join_two(const record& r, int axis) {
    const dim_t outside = r.dims[axis], inside = r.dims[axis + 1];
    if (inside == 0) return verdict{reason::zero_extent_is_not_matched, axis + 1, 0, outside};
    if (const record_piece* piece = padded_piece(r, axis + 1, false); piece != nullptr)
        return verdict{reason::axis_is_padded, axis + 1, piece->extents[axis + 1], inside};
    if (const record_piece* piece = padded_piece(r, axis, true); piece != nullptr && inside > 1)
        return verdict{reason::axis_is_padded, axis, piece->extents[axis], outside};
    dims extents = r.dims;
    if (multiply_overflows(outside, inside, extents[axis]))
        return verdict{reason::size_overflows, axis, outside, inside};
    extents.erase(axis + 1);
    const expected<record_tag> tag = tag_rewriter(r).joined(axis, inside);
    return tag.has_value() ? try_record(*tag, extents) : expected<record>(tag.error());
}

constexpr expected<record> joined(const record& r, int first, int last) {
    for (const int axis : {first, last})
        if (axis < 0 || axis >= r.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, r.ndims()};
    if (first > last) return verdict{reason::axis_is_out_of_range, -1, first, last + 1};
    expected<record> out = r;
    for (int a = last - 1; a >= first && out.has_value(); --a) out = join_two(*out, a);
    return out;
}
}  // namespace detail

/// Moves axis i of a record to place p[i]. The letters of the axes move with them; no bit moves.
///
/// Refused: rank_differs, not_a_permutation
/// Post:    bit_offset(name, index permuted by p) of the result is bit_offset(name, index) of r
/// Example: permute_axes(record("nk: w:u4 nk", {2, 3}), {1, 0}) == record("kn: w:u4 nk", {3, 2})
constexpr expected<record> attempt_on(const record& r, operation<detail::permute_axes_rule>, const permutation& p) {
    return detail::permuted(r, p);
}
/// Returns the record whose axis i is axis names[i] of r. Refused as permute_axes.
constexpr expected<record> attempt_on(const record& r, operation<detail::rename_axes_rule>, const permutation& names) {
    if (const verdict why = check_permutation(names, r.ndims()); !why.ok()) return why;
    return detail::permuted(r, detail::inverse_permutation(names));
}

/// Splits one axis of a record into several, the last the fastest. The last part keeps the letter of the axis; each
/// other part has the first letter that no axis has.
///
/// Refused: axis_is_out_of_range, volumes_differ, zero_extent_is_not_matched, too_many_axes; field_is_not_regrouped (the
///          field, what it steps by, the parts) if a digit, a range or blocks with a shorter last one are cut;
///          axis_is_padded if padding has the value of the last index
/// Post:    each index of the axis has its places at the indices of the parts that it is made of
/// Example: split_axis(record("nk: w:u4 nk", {2, 12}), 1, {3, 4}) == record("nak: w:u4 nak", {2, 3, 4})
constexpr expected<record> attempt_on(const record& r, operation<detail::split_axis_rule>, int axis,
                                      const dims& parts) {
    return detail::split(r, axis, parts);
}
/// Joins the axes first to last of a record into one axis, which has the letter of the last one.
///
/// Refused: axis_is_out_of_range, zero_extent_is_not_matched, size_overflows; axis_is_padded (of an axis that is not
///          the first); field_is_not_regrouped if an axis that is not the first has a range, or one that turns digits
/// Post:    split_axis(result, first, the extents of the axes joined) has the places of r
/// Example: join_axes(record("nhk: w:u4 nhk", {2, 3, 4}), 1, 2) == record("nk: w:u4 nk", {2, 12})
constexpr expected<record> attempt_on(const record& r, operation<detail::join_axes_rule>, int first, int last) {
    return detail::joined(r, first, last);
}

/// Returns the part of a record that begins at `offsets`, and the byte at which it begins, if its bytes are a run of
/// the record's: whole panels of the outermost loop, for example the rows of a rank.
///
/// Refused: rank_differs, part_is_outside_parent; part_cuts_a_panel (the axis, where the part begins or ends, how many
///          indices a panel has, the next multiple), also if the bytes of the part are not one run: then a panel is the
///          whole axis; chunk_ends_inside_a_byte
/// Post:    first_byte * 8 + bit_offset(name, index) of the part is bit_offset(name, index + offsets) of r
/// Example: submemory(record("nk: NK(d:f16 4n /32k, q:u4 2k 4n 8k 2k@16)", {8, 64}), {4, 64}, {4, 0}).first_byte == 144
constexpr expected<record_slice> attempt_on(const record& r, operation<detail::submemory_rule>, const dims& extents,
                                            const position& offsets) {
    return detail::slice_of(r, extents, offsets);
}
/// Returns the part of a record with one index of an axis, without the axis, and the byte at which it begins. The loop
/// over the axis has to be the outermost, and the only one: for example over the experts of a model.
///
/// Refused: axis_is_out_of_range, position_is_out_of_range; as submemory
/// Post:    first_byte * 8 + bit_offset(name, index) of the part is that of r, with the index inserted
/// Example: slice(record("enk: e(w:u4 nk, s:f32 n /k)", {4, 2, 6}), 0, 3).first_byte == 3 * 14
constexpr expected<record_slice> attempt_on(const record& r, operation<detail::slice_rule>, int axis, dim_t index) {
    return detail::slice_of(r, axis, index);
}

/// Returns the record of two that follow each other in memory, along the axis of the outermost loop.
///
/// Refused: record_tags_differ (the column of the texts), axis_is_out_of_range, dims_differ (of another axis),
///          part_cuts_a_panel if the first has padding or bytes that are apart, chunk_ends_inside_a_byte
/// Post:    its bytes are those of a and then those of b
/// Example: concatenate_along(record("nk: w:u8 nk", {2, 3}), record("nk: w:u8 nk", {4, 3}), 0).dims == dims{6, 3}
constexpr expected<record> attempt_on(const record& a, operation<detail::concatenate_along_rule>, const record& b,
                                      int axis) {
    return detail::concatenated(a, b, axis);
}

}  // namespace plait
