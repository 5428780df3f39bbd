#pragma once
// Plain tensors of fields as the pieces of a record; and what a field is as a plain tensor: its type, its extents, how
// many pieces hold it.

#include <plait/descriptor/descriptor.hpp>
#include <plait/packed/record.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The digits of one axis that a field has values for, and those that its values share, from the innermost.
struct value_digits {
    struct part {
        dim_t step = 0, extent = 0;  // of the index; extent 0: up to the end
        dim_t value_step = 0;        // of the index that counts values; 0: shared
    };
    inline_list<part, 2 * max_piece_digits> parts;

    /// Returns how many values the first `indices` indices have.
    constexpr dim_t count(dim_t indices) const { return indices <= 0 ? 0 : last(indices - 1, parts.size() - 1) + 1; }

private:
    /// Returns the largest value index of the indices up to `index` in the digits up to `i`.
    constexpr dim_t last(dim_t index, int i) const {
        if (i < 0) return 0;
        const part& p = parts[i];
        const dim_t value = index / p.step, most = p.extent == 0 || value < p.extent ? value : p.extent - 1;
        const dim_t here = most * p.value_step + last(index - most * p.step, i - 1);
        if (most == 0) return here;
        const dim_t before = (most - 1) * p.value_step + last(p.step - 1, i - 1);
        return larger_of(here, before);
    }
};

/// Returns the digits of one axis for a field of a record: those of its piece with the most indices, because pieces of
/// one field share values between the same indices.
constexpr value_digits value_digits_of(const record& r, const field_name& name, int axis) {
    const record_piece* longest = nullptr;
    dim_t length = 0;
    for (const record_piece& piece : r.pieces) {
        const dim_t indices = r.field_of(piece).name == name ? indices_of(piece, axis, r.dims[axis]) : 0;
        if (indices > length) longest = &piece, length = indices;
    }
    value_digits out;
    dim_t step = 1, value_step = 1;  // where the next part begins
    const auto add_stored = [&](dim_t end) {
        if (end > step) out.parts.push_back({step, end / step, value_step});
        if (end > step) value_step *= end / step;
    };
    if (longest != nullptr)
        for (const step_range& steps : axis_digits(*longest, axis).shared(length)) {
            add_stored(steps.first);
            out.parts.push_back({steps.first, steps.last / steps.first, 0});
            step = steps.last;
        }
    // The last part goes on behind the indices.
    if (step < length || out.parts.empty()) out.parts.push_back({step, 0, value_step});
    else out.parts[out.parts.size() - 1].extent = 0;
    return out;
}

/// Adds a digit of a plain layout to a piece, in steps of the record's index. Returns false if a digit
/// of the layout and one of the record do not divide each other.
constexpr bool add_plain_digit(record_piece& out, const value_digits& values, int axis, dim_t begin, dim_t extent,
                               dim_t stride, bool outermost) {
    const dim_t end = begin * extent;
    for (const value_digits::part& p : values.parts) {
        if (p.value_step == 0) continue;
        const dim_t part_end = p.extent == 0 ? end : p.value_step * p.extent;
        const dim_t from = larger_of(begin, p.value_step), to = smaller_of(end, part_end);
        if (from >= to) continue;
        if (from % begin != 0 || from % p.value_step != 0 || (to % from != 0 && !outermost) || out.digits.full())
            return false;
        if (stride != 0)
            out.digits.push_back(
                {axis, -1, divide_up(to, from), from / p.value_step * p.step, stride * (from / begin)});
    }
    return true;
}

/// Adds a plain tensor to a record of plain tensors, which has a buffer for each field.
constexpr verdict add_plain(record& out, const record& r, std::string_view text, const descriptor& what,
                            std::size_t bytes) {
    const field_name name = field_name_of(text);
    bool known = false;
    for (const record_field& f : r.tag.fields) known = known || has_name(f.name, text);
    if (!known) return no_field(text);
    const layout& l = what.layout;
    if (const verdict why = check_static(l); !why.ok()) return why;
    if (l.ndims() != r.ndims())
        return detail::ranks_differ(detail::counted::field, l.ndims(), detail::counted::record, r.ndims());
    record_piece piece;
    piece.field = out.tag.fields.size();
    const int width = size_in_bits(what.type);
    const auto needed = static_cast<dim_t>(what.buffer_size_in_bytes());
    // Without elements the steps may be of any size, and none is made.
    const bool is_empty = needed == 0;
    dim_t bits = 0;
    if (multiply_overflows(needed, dim_t{8}, bits)) return {reason::size_overflows, -1, needed, 8};
    piece.at = is_empty ? 0 : l.offset0 * width;
    for (int a = 0; a < l.ndims(); ++a) {
        const value_digits values = value_digits_of(r, name, a);
        if (values.parts.size() > 1) piece.open_axes |= 1u << a;
        const dim_t extent = values.count(r.dims[a]);
        if (l.dims[a] != extent) return {reason::dims_differ, a, l.dims[a], extent};
        if (l.padded_offsets[a] != 0) return {reason::part_is_outside_parent, a, l.padded_offsets[a], 0};
        piece.origin.push_back(0);
        piece.extents.push_back(r.dims[a]);
        dim_t step = 1;
        for (int k = l.digits.size() - 1; k >= 0; --k) {
            const digit& d = l.digits[k];
            if (d.axis != a) continue;
            // A part of one block has fewer indices than its digits count. Nothing steps by the stride of a digit with
            // one value, which may be of any size.
            const dim_t padded = l.padded_dims[a];
            const dim_t reached = step < padded ? smaller_of(d.extent, divide_up(padded, step)) : 1;
            if (reached > 1 && reached > padded / step) piece.open_axes |= 1u << a;
            const dim_t stride = is_empty || reached <= 1 ? 0 : d.stride * width;
            if (reached > 1 && !add_plain_digit(piece, values, a, step, reached, stride, k == a || reached < d.extent))
                return {reason::extents_do_not_divide, a, d.extent, step};
            step *= d.extent;
        }
    }
    if (static_cast<dim_t>(bytes) < needed) return {reason::buffer_is_too_small, -1, static_cast<dim_t>(bytes), needed};
    record_field plain;
    plain.name = name;
    plain.type = what.type;
    plain.width = width;
    out.tag.fields.push_back(plain);
    out.pieces.push_back(piece);
    out.size_in_bits += bits;
    return {};
}

/// A field of a record, with all of its pieces, as programs outside of the record hold it.
struct plain_field {
    field_name name;
    data_type type = data_type::undef;  ///< of a plain tensor: that of the tag, u8 or s32 if the library has none
    int bits = 0;                       ///< of a value
    int pieces = 0;
    dims extents;            ///< of a plain tensor: one index for each value
    bool is_sum = false;     ///< computed from another field, and never given
    bool adds_sum = false;   ///< given, and a sum is added
    bool is_mapped = false;  ///< stored with inverted bits, multiplied, or minus a number
};

/// Returns the fields of a record by name, in the order of the tag.
constexpr inline_list<plain_field, max_record_pieces> plain_fields_of(const record& r) {
    inline_list<plain_field, max_record_pieces> out;
    for (const record_field& f : r.tag.fields) {
        int at = 0;
        while (at < out.size() && !(out[at].name == f.name)) ++at;
        if (at == out.size()) {
            plain_field made;
            made.name = f.name;
            made.type = f.type;
            for (int a = 0; a < r.ndims(); ++a) made.extents.push_back(value_digits_of(r, f.name, a).count(r.dims[a]));
            out.push_back(made);
        }
        plain_field& found = out[at];
        ++found.pieces;
        if (f.low != 0 || f.type != found.type) found.type = data_type::undef;
        found.bits = static_cast<int>(larger_of(dim_t{found.bits}, dim_t{f.low + f.width}));
        found.is_sum = found.is_sum || f.content.kind == field_content::sum;
        found.adds_sum = found.adds_sum || f.content.kind == field_content::added_sum;
        found.is_mapped = found.is_mapped || f.flipped != 0 || f.subtracted != 0 || f.factor != 1;
    }
    for (plain_field& found : out)
        if (found.type == data_type::undef) found.type = found.bits <= 8 ? data_type::u8 : data_type::s32;
    return out;
}

}  // namespace plait::detail
