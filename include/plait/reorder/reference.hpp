#pragma once
// The truth that every kernel is compared with: one element after the other, for any pair of layouts and types.

#include <plait/reorder/check_reorder.hpp>
#include <plait/reorder/convert.hpp>

namespace plait {

/// Moves a tensor element by element, and writes zeros into the padding of the destination.
///
/// Pre:     check_reorder(src, dst).ok(); in and out point to where offset 0 lies, and do not overlap
/// Post:    out[dst.offset(p)] == convert<U>(in[src.offset(p)]) for every position p; out is 0 at every padded position
/// of
///          dst that is none; nothing else is written
/// Cost:    O(padded volume * digits); slow on purpose
/// Source:  spec semantics 11, 12
template <element T, element U>
constexpr void reference_reorder(const layout& src, const T* in, const layout& dst, U* out) {
    require(check_reorder(src, dst));
    for (dim_t number = 0; number < dst.padded_volume(); ++number) {
        const position padded = unravel(dst.padded_dims, number);
        position from = padded;
        bool inside = true;
        for (int a = 0; a < dst.ndims(); ++a) {
            from[a] -= dst.padded_offsets[a];
            inside = inside && from[a] >= 0 && from[a] < dst.dims[a];
        }
        out[dst.padded_offset(padded)] = inside ? convert<U>(in[src.offset(from)]) : U{};
    }
}

/// The same with attributes: what a value becomes is convert_with.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); in and out as above
/// Post:    out[dst.offset(p)] == convert_with<U>(in[src.offset(p)], out[dst.offset(p)], the attributes at p), or
///          convert<U>(in[src.offset(p)]) where is_trivial(attributes); out is 0 at every padded position of dst that
///          is none, whatever the zero points and beta are; nothing else is written
/// Cost:    O(padded volume * digits); slow on purpose
/// Source:  spec semantics 11, 12
template <element T, element U>
constexpr void reference_reorder(const layout& src, const T* in, const layout& dst, U* out,
                                 const reorder_attributes& attributes) {
    require(check_reorder(src, dst, attributes));
    const bool only_convert = is_trivial(attributes);
    const attributes_by_position by_position(attributes, dst.dims);
    for (dim_t number = 0; number < dst.padded_volume(); ++number) {
        const position padded = unravel(dst.padded_dims, number);
        position from = padded;
        bool inside = true;
        for (int a = 0; a < dst.ndims(); ++a) {
            from[a] -= dst.padded_offsets[a];
            inside = inside && from[a] >= 0 && from[a] < dst.dims[a];
        }
        U& to = out[dst.padded_offset(padded)];
        if (!inside) to = U{};
        else if (only_convert) to = convert<U>(in[src.offset(from)]);
        else to = convert_with<U>(in[src.offset(from)], to, by_position.at(from));
    }
}

}  // namespace plait
