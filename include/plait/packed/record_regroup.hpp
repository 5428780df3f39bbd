#pragma once
// The tag of a record with other axes: relabelled, split in two, joined to one, inside the loops of a layout. The
// places stay. Other extents are joins, followed by splits.

#include <plait/core/layout_rules.hpp>
#include <plait/packed/record.hpp>
#include <plait/packed/record_descriptor.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Writes the nodes of a tag again, for other axes.
class tag_rewriter {
public:
    constexpr explicit tag_rewriter(const record& r) : r_(r) { out_.fields = r.tag.fields; }

    /// Returns the tag whose axis p[i] is axis i.
    constexpr expected<record_tag> permuted(const permutation& p) {
        for (int i = 0; i < p.size(); ++i) to_[i] = static_cast<int>(p[i]);
        const permutation from = inverse_permutation(p);
        for (const dim_t axis : from) out_.axes += r_.tag.axes[static_cast<int>(axis)];
        for (const record_node& n : r_.tag.nodes) add(relabelled(n));
        for (record_field& f : out_.fields) relabel(f);
        return finish();
    }

    /// Returns the tag without an axis that has one place, or one loop around all fields.
    constexpr expected<record_tag> without(int axis) {
        remove_axis(axis);
        for (const record_node& n : r_.tag.nodes)
            if (n.axis != axis) add(relabelled(n));
        for (record_field& f : out_.fields) {
            for (const auto axes : padded_axes) f.*axes &= ~(1u << axis);
            for (int i = f.content.first_digits.size() - 1; i >= 0; --i)
                if (f.content.first_digits[i].axis == axis) {
                    f.content.first_digits.erase(i);
                    f.content.first_steps.erase(i);
                }
            relabel(f);
        }
        return finish();
    }

    /// Returns the tag in which `axis` is two axes, the second of extent `inside`. The first has a letter of its own.
    constexpr expected<record_tag> split(int axis, dim_t inside) {
        insert_axis(axis);
        to_[outer_of_split] = axis;
        for (const record_node& n : r_.tag.nodes) {
            begin(n);
            if (n.axis == axis) split_node(n, axis, inside);
            else add(relabelled(n));
            if (n.turned_by != axis || inside % n.extent == 0) continue;
            return refuse(axis, n.extent, inside);
        }
        for (record_field& f : out_.fields) {
            split_sum(f, axis, inside);
            relabel(f);
            // Only the outer part is padded.
            for (const auto axes : padded_axes)
                if ((f.*axes >> (axis + 1) & 1) != 0) f.*axes ^= 3u << axis;
        }
        return finish();
    }

    /// Returns the tag with an axis of one element in front of `axis`, whose padding and digits stay.
    constexpr expected<record_tag> with_unit(int axis) {
        insert_axis(axis);
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

    /// Returns the tag in which `axis` and the next one, of extent `inside`, are one axis.
    constexpr expected<record_tag> joined(int axis, dim_t inside) {
        remove_axis(axis);
        for (const record_node& n : r_.tag.nodes) {
            begin(n);
            if (n.axis == axis) join_outer(n, inside);
            else if (n.axis == axis + 1) join_inner(n, inside);
            else add(relabelled(n));
            const bool among = n.turned_by >= 0 && to_[n.axis] == to_[n.turned_by];
            const bool turns = n.turned_by == axis + 1 ? inside % n.extent != 0 : n.turned_by == axis && inside > 1;
            if (among || turns) return refuse(n.turned_by, n.extent, 0);
        }
        for (record_field& f : out_.fields) {
            give_steps(f.content);
            for (int i = 0; i < f.content.first_digits.size(); ++i)
                if (f.content.first_digits[i].axis == axis) f.content.first_steps[i] *= inside;
            for (const auto axes : padded_axes) f.*axes &= ~(2u << axis);
            relabel(f);
        }
        return finish();
    }

    /// Returns the tag with the loops of `copies` around all that it has. The axes of `copies` come first.
    constexpr expected<record_tag> inside(const record_tag& copies) {
        for (int a = 0; a < copies.ndims(); ++a) out_.axes += unused_letter();
        for (int a = 0; a < r_.ndims(); ++a) {
            to_[a] = copies.ndims() + a;
            out_.axes += r_.tag.axes[a];
        }
        const bool is_group = r_.tag.nodes[0].part != record_part::field;
        if (is_group) add_loops(copies);
        for (int i = 0; i < r_.tag.nodes.size(); ++i) {
            add(relabelled(r_.tag.nodes[i]));
            // Without a group, the loops are marks of the field.
            if (i == 0 && !is_group) add_loops(copies);
        }
        for (record_field& f : out_.fields) relabel(f);
        return finish();
    }

private:
    /// The masks of a field for axes whose padding is not zero.
    static constexpr unsigned record_field::*padded_axes[] = {&record_field::repeated_axes, &record_field::valued_axes};

    /// Numbers and names the axes of the result, with a new one in front of `axis`.
    constexpr void insert_axis(int axis) {
        for (int a = 0; a < r_.ndims(); ++a) {
            to_[a] = a < axis ? a : a + 1;
            if (a == axis) out_.axes += unused_letter();
            out_.axes += r_.tag.axes[a];
        }
    }
    /// Numbers and names the axes of the result, which has not `axis`.
    constexpr void remove_axis(int axis) {
        for (int a = 0; a < r_.ndims(); ++a) {
            to_[a] = a <= axis ? a : a - 1;
            if (a != axis) out_.axes += r_.tag.axes[a];
        }
    }
    constexpr void add_loops(const record_tag& copies) {
        for (const record_node& n : copies.nodes)
            if (n.part == record_part::loop) add(n);
    }
    constexpr expected<record_tag> finish() {
        if (why_.ok()) why_ = resolve_steps(out_);
        forget_zero_padding(out_);
        return {out_, why_};
    }
    constexpr verdict refuse(int axis, dim_t by, dim_t inside) const {
        return {reason::field_is_not_regrouped, axis, short_name(out_.fields[field_].name), by, inside};
    }
    constexpr void stop(const record_node& n, dim_t by, dim_t inside) {
        if (why_.ok()) why_ = refuse(n.axis, by, inside);
    }

    /// Finds the field that a node belongs to: that whose marks it is among, or the first inside the loop.
    constexpr void begin(const record_node& n) {
        if (n.part == record_part::field) field_ = n.field;
        if (n.part == record_part::end) field_ = n.field + 1 < out_.fields.size() ? n.field + 1 : n.field;
    }
    constexpr void add(record_node n) {
        const bool is_digit =
            n.part == record_part::loop || n.part == record_part::shared || n.part == record_part::fixed;
        n.marked = is_digit && n.extent > 0;
        if (n.part == record_part::loop) n.value = n.extent == 0 && n.step > 1;  // the case of the letter
        if (out_.nodes.full()) why_ = {reason::record_is_too_large, -1, n.column, max_record_nodes};
        else out_.nodes.push_back(n);
    }
    constexpr record_node relabelled(record_node n) const {
        if (n.axis >= 0) n.axis = to_[n.axis];
        if (n.turned_by >= 0) n.turned_by = to_[n.turned_by];
        return n;
    }
    constexpr void relabel(record_field& f) const {
        for (const auto axes : padded_axes) {
            unsigned moved = 0;
            for (int a = 0; a < r_.ndims(); ++a)
                if ((f.*axes >> a & 1) != 0) moved |= 1u << to_[a];
            f.*axes = moved;
        }
        for (inner_block& digit : f.content.first_digits) digit.axis = to_[digit.axis];
    }
    constexpr char unused_letter() const {
        char out = 'a';
        const auto is_in = [&](const inline_text<max_ndims>& axes) {
            bool found = false;
            for (int a = 0; a < axes.size(); ++a) found = found || axes[a] == out;
            return found;
        };
        while (is_in(r_.tag.axes) || is_in(out_.axes)) ++out;
        return out;
    }

    /// Adds a part of a digit: `extent` values of it, of which one is `step` indices of the axis.
    constexpr void add_part(record_node n, int axis, dim_t step, dim_t extent, dim_t value) {
        n.axis = axis;
        n.step = step;
        n.extent = extent;
        n.value = value;
        add(n);
    }
    constexpr void split_node(const record_node& from, int axis, dim_t inside) {
        record_node n = relabelled(from);
        n.axis = axis;
        if (from.part == record_part::range) return split_range(n, inside);
        if (from.part == record_part::ragged) return stop(n, n.extent, inside);
        const dim_t step = n.step, end = step * n.extent;
        if (n.extent == 0) {
            if (step < inside ? inside % step != 0 : step % inside != 0) return stop(n, step, inside);
            add_part(n, axis, step < inside ? 1 : step / inside, 0, 0);
            return add_part(n, axis + 1, step < inside ? step : inside, 0, 0);
        }
        if (end <= inside) return add_part(n, axis + 1, step, n.extent, n.value);
        if (step >= inside)
            return step % inside != 0 ? stop(n, step, inside) : add_part(n, axis, step / inside, n.extent, n.value);
        if (inside % step != 0 || end % inside != 0 || n.turned_by >= 0) return stop(n, step, inside);
        const dim_t low = inside / step;
        add_part(n, axis, 1, end / inside, n.value / low);
        add_part(n, axis + 1, step, low, n.value % low);
    }
    constexpr void split_range(record_node n, dim_t inside) {
        if (n.value % inside != 0) return stop(n, n.value, inside);
        if (n.last != range_bound::whole && n.extent % inside != 0) return stop(n, n.extent, inside);
        n.value /= inside;
        n.extent /= inside;
        add(n);
    }
    constexpr void split_sum(record_field& f, int axis, dim_t inside) {
        field_content& c = f.content;
        give_steps(c);
        for (int i = c.first_digits.size() - 1; i >= 0; --i) {
            const dim_t step = c.first_steps[i], end = step * c.first_digits[i].size;
            if (c.first_digits[i].axis != axis || end <= inside) continue;
            const bool nests = step < inside ? inside % step == 0 && end % inside == 0 : step % inside == 0;
            if (!nests || (step < inside && c.first_digits.full())) {
                if (why_.ok()) why_ = {reason::field_is_not_regrouped, axis, short_name(f.name), step, inside};
                return;
            }
            c.first_digits[i] = {outer_of_split, step < inside ? end / inside : c.first_digits[i].size};
            c.first_steps[i] = step < inside ? 1 : step / inside;
            if (step < inside) {
                c.first_digits.push_back({axis, inside / step});
                c.first_steps.push_back(step);
            }
        }
    }
    /// Gives to each digit that is summed first the step that the rule gives to it.
    static constexpr void give_steps(field_content& c) {
        const field_content given = c;
        for (int i = 0; i < c.first_digits.size(); ++i) c.first_steps[i] = given.first_step(i);
    }

    constexpr void join_outer(record_node n, dim_t inside) {
        if (n.part == record_part::ragged && inside > 1) return stop(n, n.extent, 0);
        n = relabelled(n);
        if (n.part == record_part::range) {
            if (multiply_overflows(n.value, inside, n.value) || multiply_overflows(n.extent, inside, n.extent))
                why_ = {reason::size_overflows, n.axis, n.extent, inside};
        } else if (multiply_overflows(n.step, inside, n.step)) {
            why_ = {reason::size_overflows, n.axis, n.step, inside};
        }
        if (n.part == record_part::ragged) n.step = 1;
        add(n);
        outer_ = out_.nodes.size() - 1;
    }
    constexpr void join_inner(const record_node& from, dim_t inside) {
        if (from.part == record_part::range) return stop(from, from.value, 0);
        if (from.part == record_part::ragged) return stop(from, from.extent, 0);
        record_node n = relabelled(from);
        if (n.extent == 0) n.extent = inside / n.step;
        if (n.extent == 1) return;
        const bool follows = outer_ == out_.nodes.size() - 1 && out_.nodes[outer_].part == n.part;
        return follows && continues(out_.nodes[outer_], n) ? merge(out_.nodes[outer_], n) : add(n);
    }
    /// Returns true if a digit of the outer axis counts on where one of the inner axis ends, directly inside it.
    static constexpr bool continues(const record_node& outer, const record_node& n) {
        return outer.step == n.step * n.extent && outer.backwards == n.backwards && outer.turned_by < 0 &&
               n.turned_by < 0;
    }
    static constexpr void merge(record_node& outer, const record_node& n) {
        outer.value = outer.part == record_part::fixed ? outer.value * n.extent + n.value : n.step > 1;
        outer.step = n.step;
        outer.extent *= n.extent;
    }

    static constexpr int outer_of_split = max_ndims;

    const record& r_;
    record_tag out_;
    verdict why_;
    int field_ = 0;
    int outer_ = -1;           // the node that was added last for the outer one of two axes
    int to_[max_ndims + 1]{};  // the new number of each axis
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
        const piece_condition range = piece.range(axis, r.dims);
        const record_field& field = r.field_of(piece);
        const bool is_told = ((field.repeated_axes | field.valued_axes) >> axis & 1) != 0;
        if (piece.extents[axis] != range.last - range.first && (is_told || !only_told)) return &piece;
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
    const expected<record_tag> tag = is_all ? tag_rewriter(r).with_unit(axis) : tag_rewriter(r).split(axis, inside);
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

/// Returns a copy of a record for each index of a layout.
constexpr expected<record> copied(const record& r, const layout& copies) {
    if (const verdict why = check_static_layout(copies); !why.ok()) return why;
    const int ndims = copies.ndims() + r.ndims();
    if (ndims > max_ndims) return verdict{reason::too_many_axes, -1, ndims, max_ndims};
    const expected<record> places = as_record({data_type::u8, copies});
    if (!places) return places.error();
    const expected<record_tag> tag = tag_rewriter(r).inside(places->tag);
    if (!tag) return tag.error();
    dims extents = copies.dims;
    for (const dim_t extent : r.dims) extents.push_back(extent);
    return try_record(*tag, extents);
}

}  // namespace plait::detail
