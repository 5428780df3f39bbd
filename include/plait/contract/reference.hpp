#pragma once
// The reference that every kernel is compared with: moves one element at a time, for any pair of layouts and types.

#include <plait/contract/check_reorder.hpp>
#include <plait/contract/convert.hpp>

namespace plait {
namespace detail {
/// Writes every place of a tensor once: `value(position, old value)` for each element, 0 into the padding.
template <element U, class Value>
constexpr void write_tensor(const layout& dst, U* out, Value value) {
    for (dim_t number = 0; number < dst.padded_volume(); ++number) {
        const position padded = unravel(dst.padded_dims, number);
        position at = padded;
        bool inside = true;
        for (int a = 0; a < dst.ndims(); ++a) {
            at[a] -= dst.padded_offsets[a];
            inside = inside && at[a] >= 0 && at[a] < dst.dims[a];
        }
        U& to = out[dst.padded_offset(padded)];
        to = inside ? value(at, to) : U{};
    }
}
}  // namespace detail

/// Moves a tensor element by element, and writes zeros into the padding of the destination.
///
/// Pre:     check_reorder(src, dst).ok(); in and out point to offset 0, and do not overlap
/// Post:    out[dst.offset(p)] == convert<U>(in[src.offset(p)]) for every position p; out is 0 in the padding of dst;
///          nothing else is written
/// Cost:    O(padded volume * digits); slow on purpose
/// Source:  spec semantics 11, 12
/// Example: 1 2 3 4 5 6 from layout({2, 3}, "ab") to layout({2, 3}, "ba"): 1 4 2 5 3 6
template <element T, element U>
constexpr void reference_reorder(const layout& src, const T* in, const layout& dst, U* out) {
    require(check_reorder(src, dst));
    detail::write_tensor(dst, out, [&](const position& at, const U&) { return convert<U>(in[src.offset(at)]); });
}

/// Moves a tensor element by element with attributes: each value is converted by convert_with.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); in and out point to offset 0, and do not overlap
/// Post:    out[dst.offset(p)] == convert_with<U>(in[src.offset(p)], out[dst.offset(p)], the attributes at p), or
///          convert<U>(in[src.offset(p)]) if is_trivial(attributes); out is 0 in the padding of dst, whatever the zero
///          points and beta are; nothing else is written
/// Cost:    O(padded volume * digits); slow on purpose
/// Source:  spec semantics 11, 12
template <element T, element U>
constexpr void reference_reorder(const layout& src, const T* in, const layout& dst, U* out,
                                 const reorder_attributes& attributes) {
    require(check_reorder(src, dst, attributes));
    const bool only_convert = detail::is_trivial(attributes);
    const detail::attributes_by_position by_position(attributes, dst.dims);
    detail::write_tensor(dst, out, [&](const position& at, const U& old) {
        const T x = in[src.offset(at)];
        return only_convert ? convert<U>(x) : convert_with<U>(x, old, by_position.at(at));
    });
}

}  // namespace plait
