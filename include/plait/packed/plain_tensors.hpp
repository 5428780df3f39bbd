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

/// Returns the step of the values behind those that the last parts have.
constexpr dim_t next_value_step(const value_digits& digits) {
    for (int i = digits.parts.size() - 1; i >= 0; --i)
        if (digits.parts[i].value_step != 0) return digits.parts[i].value_step * digits.parts[i].extent;
    return 1;
}

/// Returns the digits of one axis for a field of a record. All of its pieces say them: behind the end of one, others
/// may have digits.
constexpr value_digits value_digits_of(const record& r, const field_name& name, int axis) {
    inline_list<dim_t, 4 * max_piece_digits> borders;
    insert_sorted(borders, 1);
    const auto for_each_digit = [&](const auto& what) {
        for (const record_piece& piece : r.pieces) {
            const dim_t length = r.field_of(piece).name == name ? indices_of(piece, axis, r.dims[axis]) : 0;
            if (length <= 0) continue;
            for (const piece_digit& d : piece.digits)
                if (d.axis == axis && d.extent > 0) what(d.step, d.extent, d.step * d.extent >= length, length);
            for (const piece_condition& c : piece.where)
                if (c.axis == axis && c.extent != 0) what(c.step, c.extent, false, length);
        }
    };
    dim_t longest = 0;
    for (const record_piece& piece : r.pieces)
        if (r.field_of(piece).name == name) longest = larger_of(longest, indices_of(piece, axis, r.dims[axis]));
    for_each_digit([&](dim_t step, dim_t extent, bool, dim_t) {
        insert_sorted(borders, step), insert_sorted(borders, step * extent);
    });
    value_digits out;
    bool shares = false;
    for (int i = 0; i < borders.size() && !out.parts.full(); ++i) {
        const dim_t step = borders[i], extent = i + 1 < borders.size() ? borders[i + 1] / step : 0;
        bool stored = false;
        // A piece tells nothing about steps that are larger than it is.
        for_each_digit([&](dim_t first, dim_t count, bool to_end, dim_t length) {
            const bool is_told = step < length ? step < first * count : step >= longest && to_end;
            stored = stored || (first <= step && is_told);
        });
        const int last = out.parts.size() - 1;
        const bool goes_on = last >= 0 && (out.parts[last].value_step != 0) == stored;
        if (goes_on && extent == 0) out.parts[last].extent = 0;
        if (goes_on && extent != 0) out.parts[last].extent = borders[i + 1] / out.parts[last].step;
        if (goes_on) continue;
        out.parts.push_back({step, extent, stored ? next_value_step(out) : 0});
        shares = shares || !stored;
    }
    if (!shares) out.parts = {};
    if (!shares) out.parts.push_back({1, 0, 1});
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
