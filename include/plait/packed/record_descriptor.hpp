#pragma once
// A descriptor with compensation as a record, and back: both say where the weights and their sums lie.

#include <plait/descriptor/descriptor.hpp>
#include <plait/packed/record.hpp>
#include <plait/packed/record_layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Writes the tag of a descriptor.
class descriptor_tag_writer {
public:
    constexpr explicit descriptor_tag_writer(const descriptor& d) : d_(d) {
        const layout& l = d.layout;
        for (int k = 0; k < l.digits.size(); ++k) {
            order_.push_back(k);
            for (int i = order_.size() - 1; i > 0 && is_outside(order_[i], order_[i - 1]); --i) {
                const int swapped = order_[i];
                order_[i] = order_[i - 1];
                order_[i - 1] = swapped;
            }
        }
    }
    constexpr record_text write() {
        for (int a = 0; a < d_.ndims(); ++a) out_ += letter(a);
        out_ += ": (w:";
        out_ += to_string(d_.type);
        write_loops((1 << d_.ndims()) - 1);
        if (d_.extra.has_buffers()) out_ += ", _:%4";
        if (d_.extra.s8s8_compensation) write_sums("compensation", d_.extra.s8s8_mask, " =sum(w)*-128");
        if (d_.extra.asymmetric_source_compensation)
            write_sums("zero_points", d_.extra.asymmetric_source_mask, " =sum(w)*-1");
        out_ += ')';
        return out_;
    }

private:
    static constexpr char letter(int axis) { return static_cast<char>('a' + axis); }
    constexpr bool is_outside(int a, int b) const {
        const digit &x = d_.layout.digits[a], &y = d_.layout.digits[b];
        return x.stride > y.stride || (x.stride == y.stride && x.extent > y.extent);
    }
    constexpr dim_t step_of(int digit) const {
        dim_t step = 1;
        for (int k = digit + 1; k < d_.layout.digits.size(); ++k)
            if (k >= d_.ndims() && d_.layout.digits[k].axis == d_.layout.digits[digit].axis)
                step *= d_.layout.digits[k].extent;
        return step;
    }
    constexpr void write_loops(int mask) {
        for (const int k : order_) {
            const digit& d = d_.layout.digits[k];
            if ((mask >> d.axis & 1) == 0) continue;
            out_ += ' ';
            if (k < d_.ndims()) {
                out_ +=
                    static_cast<char>(d_.layout.block_size(d.axis) > 1 ? letter(d.axis) - 'a' + 'A' : letter(d.axis));
            } else if (d.extent > 1) {
                ((out_ += d.extent) += letter(d.axis)) += '@';
                out_ += step_of(k);
            }
        }
    }
    constexpr void write_sums(const char* name, int mask, const char* content) {
        ((out_ += ", ") += name) += ":s32";
        write_loops(mask);
        for (int a = 0; a < d_.ndims(); ++a)
            if ((mask >> a & 1) == 0) (out_ += " /") += letter(a);
        out_ += content;
    }

    const descriptor& d_;
    inline_list<int, max_digits> order_;  // the digits, from the outermost in memory
    record_text out_;
};

/// True if two layouts have the same digits along each axis, whatever the order in which the axes are listed.
constexpr bool same_digits(const layout& a, const layout& b) {
    if (a.dims != b.dims || a.padded_dims != b.padded_dims || a.padded_offsets != b.padded_offsets ||
        a.offset0 != b.offset0)
        return false;
    for (int axis = 0; axis < a.ndims(); ++axis) {
        int j = 0;
        for (const digit& x : a.digits) {
            if (x.axis != axis || x.extent == 1) continue;
            while (j < b.digits.size() && (b.digits[j].axis != axis || b.digits[j].extent == 1)) ++j;
            if (j == b.digits.size() || b.digits[j] != x) return false;
            ++j;
        }
        for (; j < b.digits.size(); ++j)
            if (b.digits[j].axis == axis && b.digits[j].extent != 1) return false;
    }
    return true;
}

/// Lists the inner digits of a layout in the order of memory, as a format tag does, where that keeps those of each axis
/// in order.
constexpr layout in_memory_order(layout l) {
    for (int i = l.ndims() + 1; i < l.digits.size(); ++i)
        for (int k = i; k > l.ndims(); --k) {
            const digit &inner = l.digits[k], &outer = l.digits[k - 1];
            if (inner.axis == outer.axis || inner.stride <= outer.stride) break;
            const digit swapped = inner;
            l.digits[k] = outer;
            l.digits[k - 1] = swapped;
        }
    return l;
}

/// True if two records have the same places, whatever the names of their fields.
constexpr bool same_pieces(const record& a, const record& b) {
    if (a.dims != b.dims || a.pieces.size() != b.pieces.size()) return false;
    for (int p = 0; p < a.pieces.size(); ++p) {
        const record_piece &x = a.pieces[p], &y = b.pieces[p];
        if (x.at != y.at || x.digits != y.digits || x.extents != y.extents) return false;
    }
    return true;
}
}  // namespace detail

/// Returns the record of a descriptor: its weights `w`, and the sums `compensation` and `zero_points` behind them.
///
/// Refused: as check_size; layout_is_not_dense if the layout is no order of blocks without gaps that begins at offset 0;
///          scale_adjust_is_invalid if scale_adjust is not 1, which is a factor of the values and no place
/// Pre:     check_extra(d.extra, d.ndims()).ok()
/// Post:    bit_offset("w", index) == layout.offset(index) times the size of an element; pack gives the bytes of a
///          reorder to the descriptor
/// Cost:    writes and reads a tag; no allocation
/// Source:  docs/packed.md
/// Example: as_record({data_type::s8, layout({64, 64}, "BA16a64b4a"), {.s8s8_compensation = true, .s8s8_mask = 2}})
[[nodiscard]] constexpr expected<record> as_record(const descriptor& d) {
    if (const verdict why = check_size(d); !why.ok()) return why;
    if (d.layout.kind != format_kind::blocked) return verdict{reason::layout_is_undefined};
    if (d.extra.scale_adjust != 1) return verdict{reason::scale_adjust_is_invalid, -1, 0, 0};
    const detail::record_text text = detail::descriptor_tag_writer(d).write();
    const expected<record> out = parse_record(detail::view_of(text), d.dims());
    if (!out.has_value()) return out.error();
    const expected<layout> places = try_layout_of(*out, "w");
    if (!places.has_value()) return places.error();
    if (!detail::same_digits(*places, d.layout))
        return verdict{reason::layout_is_not_dense, -1, 0, d.layout.padded_volume() - 1};
    return out;
}

/// Returns the descriptor that has the places of a record: of one field of values, with sums of oneDNN's compensation.
///
/// Refused: record_tags_differ if the record has other fields, or other places
/// Pre:     r is the result of try_record
/// Post:    as_record(*as_descriptor(r)) has the pieces of r
/// Cost:    that of as_record
/// Source:  docs/packed.md
/// Example: as_descriptor(*as_record(d)) == d
[[nodiscard]] constexpr expected<descriptor> as_descriptor(const record& r) {
    const verdict other{reason::record_tags_differ, -1, 1, 1};
    descriptor out;
    const record_field* weights = nullptr;
    for (const record_piece& piece : r.pieces) {
        const record_field& field = r.field_of(piece);
        if (field.content.kind == field_content::given) {
            if (weights != nullptr || field.flipped != 0 || field.subtracted != 0 || field.factor != 1 ||
                field.repeated_axes != 0 || field.valued_axes != 0)
                return other;
            weights = &field;
            continue;
        }
        if (field.content.kind != field_content::sum || field.type != data_type::s32 || field.repeated_axes != 0 ||
            field.valued_axes != 0 || field.content.parameter.size() > 0 || field.content.subtracted != 0)
            return other;
        int mask = 0;
        for (const piece_digit& d : piece.digits) mask |= 1 << d.axis;
        const bool is_s8s8 = field.content.factor == -128, is_asymmetric = field.content.factor == -1;
        bool& wanted = is_s8s8 ? out.extra.s8s8_compensation : out.extra.asymmetric_source_compensation;
        if ((!is_s8s8 && !is_asymmetric) || wanted) return other;
        wanted = true;
        (is_s8s8 ? out.extra.s8s8_mask : out.extra.asymmetric_source_mask) = mask;
    }
    if (weights == nullptr || (out.extra.has_buffers() && weights->type != data_type::s8)) return other;
    const expected<layout> places = try_layout_of(r, detail::view_of(weights->name));
    if (!places.has_value()) return places.error();
    out.type = weights->type;
    out.layout = detail::in_memory_order(*places);
    const expected<record> again = as_record(out);
    if (!again.has_value()) return again.error();
    return {out, detail::same_pieces(*again, r) ? verdict() : other};
}

}  // namespace plait
