#pragma once
// Splits and joins of the axes of a record, and other extents as joins followed by splits.

#include <plait/core/layout_rules.hpp>
#include <plait/packed/record_regroup.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Writes the nodes of a tag again, for an axis of one element next to another one.
class tag_unit_writer : tag_rewriter {
public:
    constexpr explicit tag_unit_writer(const record& r) : tag_rewriter(r) {}

    /// Returns the tag with an axis of one element in front of `axis`, whose padding and digits stay.
    constexpr expected<record_tag> in_front_of(int axis) {
        for (int a = 0; a < r_.ndims(); ++a) {
            to_[a] = a < axis ? a : a + 1;
            if (a == axis) out_.axes += unused_letter();
            out_.axes += r_.tag.axes[a];
        }
        for (const record_node& n : r_.tag.nodes) {
            begin(n);
            // The loop over shorter blocks must stay the outermost.
            if (n.axis == axis && n.part == record_part::ragged) stop(n, n.extent, r_.dims[axis]);
            const bool is_all = (n.part == record_part::loop || n.part == record_part::shared) && n.extent == 0;
            if (is_all && n.axis == axis) add_part(n, axis, 1, 0, 0);
            add(relabelled(n));
        }
        for (record_field& f : out_.fields) relabel(f);
        return finish();
    }
};

/// Returns true if an axis has one place, over which the loops go that all of an axis has, and nothing else.
constexpr bool is_plain_unit(const record& r, int axis) {
    bool plain = r.dims[axis] == 1;
    for (const record_piece& piece : r.pieces) plain = plain && piece.extents[axis] == 1;
    for (const record_node& n : r.tag.nodes)
        plain = plain && n.turned_by != axis && (n.axis != axis || n.part != record_part::range);
    return plain;
}

/// Returns the first piece that has padding along an axis, or null. With `only_told`, the tag says what the padding
/// has.
constexpr const record_piece* padded_piece(const record& r, int axis, bool only_told) {
    for (const record_piece& piece : r.pieces) {
        dim_t extent = r.dims[axis];
        for (const piece_condition& c : piece.where)
            if (c.axis == axis && c.extent == 0) extent = c.last - c.first;
        const record_field& field = r.field_of(piece);
        const bool is_told = ((field.repeated_axes | field.valued_axes) >> axis & 1) != 0;
        if (piece.extents[axis] != extent && (is_told || !only_told)) return &piece;
    }
    return nullptr;
}

/// Returns a record with an axis in two parts, of which the second has the extent `inside`.
///
/// Pre:     inside > 0 divides the extent of the axis
constexpr expected<record> split_in_two(const record& r, int axis, dim_t inside) {
    // If the first part has one index, the padding is that of the second.
    const bool is_all = inside == r.dims[axis];
    if (const record_piece* piece = padded_piece(r, axis, true); piece != nullptr && inside > 1 && !is_all)
        return verdict{reason::axis_is_padded, axis, piece->extents[axis], r.dims[axis]};
    if (r.ndims() == max_ndims) return verdict{reason::too_many_axes, -1, max_ndims + 1, max_ndims};
    const expected<record_tag> tag =
        is_all ? tag_unit_writer(r).in_front_of(axis) : tag_rewriter(r).split(axis, inside);
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
    if (is_plain_unit(r, axis)) {
        const expected<record_tag> tag = tag_rewriter(r).without(axis);
        dims extents = r.dims;
        extents.erase(axis);
        return tag.has_value() ? try_record(*tag, extents) : expected<record>(tag.error());
    }
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

/// Neighbouring axes first to last - 1 of a record that become the axes to_first to to_last - 1 of the result.
struct record_axis_group {
    int first = 0, last = 0, to_first = 0, to_last = 0;
};

/// Finds the smallest groups of neighbouring axes with equal products, the first axes first. An axis of one element is
/// matched with one of the result, or is part of the next group, or at the end of the last.
///
/// Pre:     volume(from) == volume(to), check_volume allows both; both have axes, and no negative extent
/// Refused: zero_extent_is_not_matched
constexpr expected<inline_list<record_axis_group, max_ndims>> axis_groups_of(const dims& from, const dims& to) {
    inline_list<record_axis_group, max_ndims> groups;
    for (int in = 0, out = 0; in < from.size() || out < to.size();) {
        if (in < from.size() && out < to.size()) groups.push_back({in, in, out, out});
        record_axis_group& group = groups[groups.size() - 1];
        dim_t have = in < from.size() ? from[in++] : 1, want = out < to.size() ? to[out++] : 1;
        while (have != want) {
            // Only products with a zero do not meet.
            if (have < want ? in == from.size() : out == to.size())
                return verdict{reason::zero_extent_is_not_matched, in - 1, from[in - 1], to[out - 1]};
            if (have < want) have *= from[in++];
            else want *= to[out++];
        }
        group.last = in;
        group.to_last = out;
    }
    return groups;
}

/// Returns a record with other extents: each group of axes is joined, and then split.
constexpr expected<record> reshaped(const record& r, const dims& to) {
    if (to.empty()) return ranks_differ(counted::extents, 0, counted::record, r.ndims());
    for (int a = 0; a < to.size(); ++a)
        if (to[a] < 0) return verdict{to[a] == dynamic ? reason::dim_is_dynamic : reason::dim_is_negative, a, to[a], 0};
    for (const dims* extents : {&r.dims, &to})
        if (const verdict why = check_volume(*extents); !why.ok()) return why;
    if (volume(r.dims) != volume(to)) return verdict{reason::volumes_differ, -1, volume(r.dims), volume(to)};
    const auto groups = axis_groups_of(r.dims, to);
    if (!groups) return groups.error();
    expected<record> out = r;
    // All joins come first, so that there are never more axes than before or after.
    for (int g = groups->size() - 1; g >= 0 && out.has_value(); --g)
        out = joined(*out, (*groups)[g].first, (*groups)[g].last - 1);
    int axis = 0;
    for (int g = 0; g < groups->size() && out.has_value(); ++g) {
        dims parts;
        for (int b = (*groups)[g].to_first; b < (*groups)[g].to_last; ++b) parts.push_back(to[b]);
        out = split(*out, axis, parts);
        // A refusal names the axis of r.
        if (!out && out.error().axis >= 0) out.error().axis = (*groups)[g].last - 1;
        axis += parts.size();
    }
    return out;
}

}  // namespace plait::detail
