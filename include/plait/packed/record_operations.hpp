#pragma once
// The algebra on records: operations that say which index becomes which apply to all fields alike.

#include <plait/algebra/concatenate_along.hpp>
#include <plait/algebra/index_map.hpp>
#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/product.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/reshape.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/strided_slice.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/packed/record_regroup.hpp>
#include <plait/packed/record_slice.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
constexpr expected<record> permuted(const record& r, const permutation& p) {
    if (const verdict why = check_permutation(p, r.ndims()); !why.ok()) return why;
    const expected<record_tag> tag = tag_rewriter(r).permuted(p);
    if (!tag) return tag.error();
    dims extents = r.dims;
    for (int i = 0; i < r.ndims(); ++i) extents[static_cast<int>(p[i])] = r.dims[i];
    return try_record(*tag, extents);
}

/// Moves the indices of a record by the steps of a map: cuts axes, puts the factors in order, joins.
///
/// Pre:     r has the extents of the part that the map is of
constexpr expected<record> moved_by(const record& r, const index_map& map) {
    if (map.is_plain) return reshaped(r, map.to);
    expected<record> out = r;
    if (map.factors != r.dims) out = reshaped(*out, map.factors);
    if (out) out = permuted(*out, map.order);
    if (out && map.in_order != map.to) out = reshaped(*out, map.to);
    return out;
}
/// Returns the first axis along which two extents differ.
constexpr int first_difference_of(const dims& a, const dims& b) {
    int axis = 0;
    while (a[axis] == b[axis]) ++axis;
    return axis;
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
/// Splits one axis of a record into several, the last the fastest. The last part keeps the letter of the axis; each
/// other part has the first letter that no axis has.
///
/// Refused: axis_is_out_of_range, volumes_differ, zero_extent_is_not_matched, too_many_axes; field_is_not_regrouped
///          (the field, what it steps by, the parts) if a digit, a range or blocks with a shorter last one are cut;
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
///          the first, unless those in front of it have one place each); field_is_not_regrouped if an axis that is not
///          the first has a range, or one that turns digits
/// Post:    split_axis(result, first, the extents of the axes joined) has the places of r
/// Example: join_axes(record("nhk: w:u4 nhk", {2, 3, 4}), 1, 2) == record("nk: w:u4 nk", {2, 12})
constexpr expected<record> attempt_on(const record& r, operation<detail::join_axes_rule>, int first, int last) {
    return detail::joined(r, first, last);
}

/// Splits and joins axes of a record, so that it has the extents `to`. The letters are those of join_axes and
/// split_axis. view is the same operation, because both go through blocks.
///
/// Refused: rank_differs (`to` is empty), too_many_axes, dim_is_dynamic, dim_is_negative, volumes_differ,
///          size_overflows, record_is_too_large; zero_extent_is_not_matched; as join_axes of the smallest groups of
///          neighbours that become axes with the same product, and as split_axis of those groups
/// Post:    the places of the index with row-major number i among `to` are those of number i among r.dims
/// Example: reshape(record("nhk: w:u4 nhk", {2, 3, 4}), {6, 4}) == record("hk: w:u4 hk", {6, 4})
template <class Rule>
    requires std::same_as<Rule, detail::reshape_rule> || std::same_as<Rule, detail::view_rule>
constexpr expected<record> attempt_on(const record& r, operation<Rule>, const dims& to) {
    return detail::reshaped(r, to);
}

/// Returns copies of a record one after the other, at the places that a layout gives: one for each of its indices, for
/// example one for each expert of a model. The axes of the layout come first, with the first letters that no axis has.
///
/// Refused: undefined, any, opaque and dynamic layouts; too_many_axes; as as_record of the layout, for example
///          layout_is_not_dense; size_overflows, record_is_too_large; ragged_loop_is_not_outermost if r has blocks of
///          which the last one is shorter
/// Post:    bit_offset(name, (q, p)) of the result is copies.offset(q) * r.size_in_bits + r.bit_offset(name, p)
/// Example: product(record("nk: w:u4 nk", {2, 6}), layout({3}, "a")) == record("ank: w:u4 ank", {3, 2, 6})
constexpr expected<record> attempt_on(const record& r, operation<detail::product_rule>, const layout& copies) {
    return detail::copied(r, copies);
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

/// Returns the part of a record with the indices from `begin` to `end` of an axis, if the step is 1 or selects one
/// index. The bytes of a part are one run, so that other steps are refused.
///
/// Refused: axis_is_out_of_range, part_is_outside_parent, step_leads_away; part_cuts_a_panel; as submemory
/// Post:    first_byte * 8 + bit_offset(name, index) of the part is that of r, with `begin` added along the axis
/// Example: strided_slice(record("nk: NK(d:f16 4n /32k, q:u4 2k 4n 8k 2k@16)", {8, 64}), 0, 4, 8, 1).first_byte == 144
constexpr expected<record_slice> attempt_on(const record& r, operation<detail::strided_slice_rule>, int axis,
                                            dim_t begin, dim_t end, dim_t step) {
    // What a dense layout refuses is wrong with the arguments.
    const expected<layout> plain = detail::identity_of(r.dims);
    if (!plain) return plain.error();
    const expected<layout> dense = try_strided_slice(*plain, axis, begin, end, step);
    if (!dense) return dense.error();
    const dim_t count = dense->dims[axis], extent = r.dims[axis];
    if (step != 1 && count > 1)
        return verdict{reason::part_cuts_a_panel, axis, begin + 1 < extent ? begin + 1 : begin, extent, extent};
    position offsets;
    for (int a = 0; a < r.ndims(); ++a) offsets.push_back(a == axis ? begin : 0);
    return detail::slice_of(r, dense->dims, offsets);
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

/// Applies any other operation that says which index becomes which to a record, one of your own too: each field
/// follows. The map of the operation is a reshape that cuts axes, permute_axes, and a reshape that joins; letters are
/// those of these. If the operation makes parts (submemory, slice), the result is a record_slice.
///
/// Refused: what the operation refuses of a dense layout of these dims; layout_is_not_injective if it repeats an index;
///          extents_do_not_divide if it leaves out indices between others; as submemory, reshape and permute_axes
/// Post:    if the result has at index q what the operand has at p, then bit_offset(name, q) of the result is that of p
/// Cost:    that of the reshapes
/// Example: flatten(record("nk: w:u4 nk", {2, 6})) == record("k: w:u4 k", {12})
template <class Rule, class... Arguments>
    requires(detail::moves_indices<Rule>&& detail::makes_layout<Rule>&& requires(const layout& l,
                                                                                 const Arguments&... arguments) {
        Rule::attempt(l, arguments...);
    })
constexpr auto attempt_on(const record& r, operation<Rule>, const Arguments&... arguments) {
    using made = std::conditional_t<detail::makes_part<Rule>, expected<record_slice>, expected<record>>;
    const expected<detail::index_map> map = detail::index_map_of<Rule>(r.dims, arguments...);
    if (!map) return made(map.error());
    if constexpr (detail::makes_part<Rule>) {
        const expected<record_slice> part = attempt_on(r, operation<detail::submemory_rule>(), map->part, map->begin);
        if (!part) return part;
        const expected<record> moved = detail::moved_by(part->part, *map);
        return made{{*moved, part->first_byte}, moved.error()};
    } else {
        if (map->is_part_of(r.dims)) {
            const int axis = detail::first_difference_of(map->part, r.dims);
            return made(verdict{reason::extents_do_not_divide, axis, map->part[axis], r.dims[axis]});
        }
        return detail::moved_by(r, *map);
    }
}

}  // namespace plait
