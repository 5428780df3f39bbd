#pragma once
// Two pieces as layouts of one tensor, for a planned reorder.

#include <plait/descriptor/descriptor.hpp>
#include <plait/packed/piece_pair.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Two pieces as tensors of the indices that they have in common, or none.
struct pair_layouts {
    bool found = false;
    descriptor dst, src;
};

/// Returns the element type of so many bits that is moved without a conversion.
constexpr data_type type_of_bits(int bits) {
    switch (bits) {
        case 1: return data_type::u1;
        case 2: return data_type::u2;
        case 4: return data_type::u4;
        case 8: return data_type::u8;
        case 16: return data_type::f16;
        case 32: return data_type::s32;
        case 64: return data_type::f64;
        default: return data_type::undef;
    }
}

/// Makes layouts of the pieces of a pair. An axis has the indices of which the destination has a value of its own.
class pair_layout_maker {
public:
    constexpr explicit pair_layout_maker(const piece_pair& pair) : pair_(pair) {}

    /// Makes layouts of the largest parts of values that all places are multiples of.
    constexpr pair_layouts make_moved() {
        int unit = pair_.width % 8 == 0 && pair_.width > 64 ? 64 : pair_.width;
        while (unit > 1 && (pair_.width % unit != 0 || (unit & (unit - 1)) != 0 || !divides(unit, pair_.dst) ||
                            !divides(unit, pair_.src)))
            --unit;
        return make(type_of_bits(unit), unit, type_of_bits(unit), unit, pair_.width / unit);
    }
    /// Makes layouts of values that have other sizes in the two pieces.
    constexpr pair_layouts make_converted(const record_field& dst, const record_field& src) {
        if (!divides(dst.width, pair_.dst) || !divides(src.width, pair_.src)) return {};
        return make(dst.type, dst.width, src.type, src.width, 1);
    }

private:
    static constexpr bool is_regular(const record_piece& piece) {
        for (const piece_condition& c : piece.where)
            if (c.extent != 0) return false;
        for (const piece_digit& d : piece.digits)
            if (d.turned_by >= 0) return false;
        return true;
    }
    static constexpr bool divides(dim_t unit, const record_piece& piece) {
        if (piece.at % unit != 0) return false;
        for (const piece_digit& d : piece.digits)
            if (d.stride % unit != 0) return false;
        return true;
    }
    constexpr pair_layouts make(data_type dst_type, int dst_unit, data_type src_type, int src_unit, int parts) const {
        pair_layouts out;
        if (dst_type == data_type::undef || src_type == data_type::undef) return out;
        if (!is_regular(pair_.dst) || !is_regular(pair_.src) || pair_.dst_low != 0 || pair_.src_low != 0) return out;
        out.dst.type = dst_type;
        out.src.type = src_type;
        position shared;
        for (int a = 0; a < pair_.last.size(); ++a) shared.push_back(shared_by_destination(a));
        out.found = fill(out.dst.layout, pair_.dst, shared, parts, true, dst_unit) &&
                    fill(out.src.layout, pair_.src, shared, parts, false, src_unit);
        return out;
    }
    /// How many indices in a row share a value of the destination, if these are its innermost digits.
    constexpr dim_t shared_by_destination(int axis) const {
        dim_t least = 0;
        for (const piece_digit& d : pair_.dst.digits)
            if (d.axis == axis && (least == 0 || d.step < least)) least = d.step;
        const dim_t length = pair_.last[axis] - pair_.first[axis];
        return least == 0 ? larger_of(length, 1) : least;
    }

    struct chain_digit {
        dim_t step = 0, extent = 0, stride = 0;
    };
    using chain = inline_list<chain_digit, 2 * max_piece_digits>;

    /// Lists the digits of one axis from the innermost, with digits of stride 0 between them, in steps of `shared`.
    constexpr bool list_digits(const record_piece& piece, int axis, dim_t shared, bool is_destination,
                               chain& out) const {
        const dim_t length = divide_up(pair_.last[axis] - pair_.first[axis], shared);
        dim_t step = 1;
        for (const axis_digit& next : axis_digits(piece, axis).list) {
            if (next.end() <= step * shared) continue;
            // A digit that begins inside the indices that share a value: the value is that of its first index.
            dim_t first = next.step / shared, extent = next.extent, stride = piece.digits[next.place].stride;
            if (next.step % shared != 0) {
                if (is_destination || shared % next.step != 0 || next.end() % shared != 0) return false;
                stride *= shared / next.step;
                extent /= shared / next.step;
                first = 1;
            }
            if (first < step || first % step != 0) return false;
            if (first > step) {
                if (is_destination) return false;
                out.push_back({step, first / step, 0});
            }
            out.push_back({first, extent, stride});
            step = first * extent;
            if (out.size() + 2 > out.capacity()) return false;
        }
        if (step < length) {
            if (is_destination && step != 1) return false;
            out.push_back({step, divide_up(length, step), 0});
        }
        if (out.empty()) out.push_back({1, 1, 0});
        return true;
    }

    /// Removes what no index reaches from the digits of a source.
    static constexpr void cut(chain& digits, dim_t length) {
        while (digits.size() > 1 && digits.back().step >= length) digits.erase(digits.size() - 1);
        chain_digit& top = digits[digits.size() - 1];
        const dim_t needed = divide_up(length, top.step);
        if (top.extent > needed) top.extent = larger_of(needed, 1);
    }

    constexpr bool fill(layout& out, const record_piece& piece, const position& shared, int parts, bool is_destination,
                        int unit) const {
        out.kind = format_kind::blocked;
        const int axes = shared.size(), all_axes = axes + (parts > 1 ? 1 : 0);
        if (all_axes > max_ndims) return false;
        // The outermost digits come first.
        for (int a = 0; a < all_axes; ++a) out.digits.push_back({axes, parts, 1});
        dim_t begin = piece.at;
        for (int a = 0; a < axes; ++a) {
            const dim_t length = divide_up(pair_.last[a] - pair_.first[a], shared[a]);
            chain digits;
            if (!list_digits(piece, a, shared[a], is_destination, digits)) return false;
            // The common indices begin at a multiple of the outermost step, or at the origin. The values that they
            // share with indices before them, outside of that digit, begin again at its place 0.
            const dim_t offset = pair_.first[a] - piece.origin[a];
            const chain_digit top = digits.back();
            if (offset % (top.step * shared[a]) != 0) return false;
            const dim_t steps = offset / (top.step * shared[a]) + divide_up(length, top.step);
            if (offset != 0 && top.stride != 0 && steps > top.extent) return false;
            begin += offset / (top.step * shared[a]) * top.stride;
            if (!is_destination) cut(digits, length);
            else if (!pair_.covers(a) && !cut_destination(digits, a, length)) return false;
            dim_t padded = 1;
            for (const chain_digit& d : digits) padded *= d.extent;
            out.dims.push_back(length);
            out.padded_dims.push_back(padded);
            out.padded_offsets.push_back(0);
            out.digits[a] = {a, digits.back().extent, digits.back().stride / unit};
            for (int i = digits.size() - 2; i >= 0; --i) {
                if (out.digits.full()) return false;
                out.digits.push_back({a, digits[i].extent, digits[i].stride / unit});
            }
        }
        if (parts > 1) {
            out.dims.push_back(parts);
            out.padded_dims.push_back(parts);
            out.padded_offsets.push_back(0);
        }
        out.offset0 = begin / unit;
        return true;
    }
    /// Drops outermost steps without a common index. Returns false if a step that stays has other indices, too.
    constexpr bool cut_destination(chain& digits, int axis, dim_t length) const {
        chain_digit& top = digits[digits.size() - 1];
        if (length % top.step != 0 && pair_.last[axis] != pair_.dst.end(axis, pair_.dims)) return false;
        top.extent = larger_of(smaller_of(top.extent, divide_up(length, top.step)), 1);
        return true;
    }

    const piece_pair& pair_;
};

}  // namespace plait::detail
