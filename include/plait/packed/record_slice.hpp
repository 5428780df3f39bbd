#pragma once
// A part of a record that is a record: whole panels of the loop outside.

#include <plait/packed/record_regroup.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A part of a record, as a record of its own, and the byte of the whole at which it begins.
///
/// Post:    bytes first_byte to first_byte + part.size_in_bytes() of the whole are the part
struct record_slice {
    record part;
    std::size_t first_byte = 0;
    constexpr bool operator==(const record_slice&) const = default;
};

namespace detail {
/// The loops around all fields of a record, from the outermost to the innermost.
struct outer_loops {
    inline_list<int, max_piece_digits> nodes;

    constexpr explicit outer_loops(const record_tag& tag) {
        int i = 0;
        if (tag.nodes.size() > 0 && tag.nodes[0].part == record_part::field) i = 1;
        for (; i < tag.nodes.size() && tag.nodes[i].part == record_part::loop && !nodes.full(); ++i) nodes.push_back(i);
    }
};

/// Finds whether the panels of a part follow each other in memory, and where the first one begins.
class panel_finder {
public:
    constexpr explicit panel_finder(const record& r) : r_(r), loops_(r.tag) {}

    /// Refused: part_cuts_a_panel (the axis, where the part begins or ends, the panel, the next multiple);
    ///          chunk_ends_inside_a_byte
    constexpr verdict find(const dims& extents, const position& offsets) {
        for (int a = 0; a < r_.ndims(); ++a) panels_[a] = r_.dims[a];
        bool one = true;  // the part is in one block of each loop so far
        for (int i = 0; one && i < loops_.nodes.size(); ++i) {
            const record_node& n = r_.tag.nodes[loops_.nodes[i]];
            const dim_t stride = stride_of(i);
            if (n.extent != 0 || n.backwards || n.turned_by >= 0 || has_range(n.axis)) break;
            panels_[n.axis] = n.step;
            const dim_t begin = offsets[n.axis] / n.step;
            first_bit_ += begin * stride;
            if (divide_up(offsets[n.axis] + extents[n.axis], n.step) - begin == 1) continue;
            one = false;
        }
        for (int a = 0; a < r_.ndims(); ++a) {
            const dim_t end = offsets[a] + extents[a];
            if (offsets[a] % larger_of(panels_[a], 1) != 0) return cut(a, offsets[a]);
            if (end % larger_of(panels_[a], 1) != 0 && end != r_.dims[a]) return cut(a, end);
        }
        return {};
    }

    /// Checks that a part of this many bits begins and ends between bytes.
    constexpr verdict check_bytes(dim_t bits) const {
        const bool to_the_end = first_bit_ + bits == r_.size_in_bits;
        if (first_bit_ % 8 == 0 && (bits % 8 == 0 || to_the_end)) return {};
        return {reason::chunk_ends_inside_a_byte, -1, short_name(r_.tag.fields[0].name),
                first_bit_ % 8 != 0 ? first_bit_ : bits};
    }
    constexpr std::size_t first_byte() const { return static_cast<std::size_t>(first_bit_ / 8); }
    /// Returns how many indices of an axis a part has a multiple of.
    constexpr dim_t panel(int axis) const { return panels_[axis]; }

private:
    constexpr verdict cut(int axis, dim_t at) const {
        const dim_t panel = larger_of(panels_[axis], 1);
        return {reason::part_cuts_a_panel, axis, at, panel, divide_up(at, panel) * panel};
    }
    constexpr bool has_range(int axis) const {
        for (const record_node& n : r_.tag.nodes)
            if (n.part == record_part::range && n.axis == axis) return true;
        return false;
    }
    /// Returns how far a loop steps, in bits. The first piece has a digit for each loop around it.
    constexpr dim_t stride_of(int loop) const {
        if (r_.pieces.empty()) return 0;
        const record_piece& piece = r_.pieces[0];
        return piece.digits[piece.digits.size() - 1 - loop].stride;
    }

    const record& r_;
    outer_loops loops_;
    dim_t panels_[max_ndims]{};
    dim_t first_bit_ = 0;
};

constexpr verdict check_part_of_record(const record& r, const dims& extents, const position& offsets) {
    if (extents.size() != r.ndims()) return {reason::rank_differs, -1, extents.size(), r.ndims()};
    if (offsets.size() != r.ndims()) return {reason::rank_differs, -1, offsets.size(), r.ndims()};
    for (int a = 0; a < r.ndims(); ++a) {
        const dim_t extent = extents[a], begin = offsets[a], whole = r.dims[a];
        for (const dim_t number : {extent, begin})
            if (number < 0 || number > whole) return {reason::part_is_outside_parent, a, number, whole};
        if (begin + extent > whole) return {reason::part_is_outside_parent, a, begin + extent, whole};
    }
    return {};
}

constexpr expected<record_slice> slice_of(const record& r, const dims& extents, const position& offsets) {
    if (const verdict why = check_part_of_record(r, extents, offsets); !why.ok()) return why;
    panel_finder panels(r);
    if (const verdict why = panels.find(extents, offsets); !why.ok()) return why;
    const expected<record> part = try_record(r.tag, extents);
    if (!part) return part.error();
    return {{*part, panels.first_byte()}, panels.check_bytes(part->size_in_bits)};
}

/// Returns the part of a record with one index of an axis, without the axis.
constexpr expected<record_slice> slice_of(const record& r, int axis, dim_t index) {
    if (axis < 0 || axis >= r.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, r.ndims()};
    if (r.ndims() == 1) return verdict{reason::record_is_malformed, -1, 1};
    if (index < 0 || index >= r.dims[axis]) return verdict{reason::position_is_out_of_range, axis, index, r.dims[axis]};
    dims extents = r.dims;
    position offsets;
    for (int a = 0; a < r.ndims(); ++a) offsets.push_back(a == axis ? index : 0);
    extents[axis] = 1;
    const expected<record_slice> part = slice_of(r, extents, offsets);
    if (!part) return part.error();
    // Only one loop may go over the axis, outside of all fields.
    int loops = 0;
    dim_t panel = 1;
    for (const record_node& n : r.tag.nodes)
        if (n.axis == axis) {
            ++loops;
            panel = larger_of(panel, n.step * larger_of(n.extent, 1));
        }
    if (loops != 1) return verdict{reason::part_cuts_a_panel, axis, index, panel, divide_up(index, panel) * panel};
    const expected<record_tag> tag = tag_rewriter(r).without(axis);
    if (!tag) return tag.error();
    extents.erase(axis);
    const expected<record> out = try_record(*tag, extents);
    return {{*out, part->first_byte}, out.error()};
}

/// Returns the column at which the texts of two tags begin to differ, counted from 1; 0 if they are equal.
constexpr dim_t first_difference(const record_tag& a, const record_tag& b) {
    if (a == b) return 0;
    const record_text one = a.text(), two = b.text();
    dim_t column = 1;
    for (int i = 0; i < one.size() && i < two.size() && one[i] == two[i]; ++i) ++column;
    return column;
}

constexpr expected<record> concatenated(const record& a, const record& b, int axis) {
    if (const dim_t column = first_difference(a.tag, b.tag); column != 0)
        return verdict{reason::record_tags_differ, -1, column};
    if (axis < 0 || axis >= a.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, a.ndims()};
    dims whole = a.dims;
    for (int k = 0; k < a.ndims(); ++k)
        if (k != axis && a.dims[k] != b.dims[k]) return verdict{reason::dims_differ, k, a.dims[k], b.dims[k]};
    whole[axis] += b.dims[axis];
    const expected<record> out = try_record(a.tag, whole);
    if (!out) return out.error();
    position begin;
    for (int k = 0; k < a.ndims(); ++k) begin.push_back(0);
    panel_finder first(*out), second(*out);
    if (const verdict why = first.find(a.dims, begin); !why.ok()) return why;
    if (const verdict why = first.check_bytes(a.size_in_bits); !why.ok()) return why;
    begin[axis] = a.dims[axis];
    return {*out, second.find(b.dims, begin)};
}
}  // namespace detail
}  // namespace plait
