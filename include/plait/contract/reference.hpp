#pragma once
// The reference that every kernel is compared with: moves one element at a time, for any pair of layouts and types.

#include <plait/contract/check_reorder.hpp>
#include <plait/contract/convert.hpp>
#include <plait/core/packed_elements.hpp>

#include <cstring>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Calls visit(place, position) for every place of a tensor once; the position of padding is null.
template <class Visit>
constexpr void visit_every_place(const layout& l, const Visit& visit) {
    for (dim_t number = 0; number < l.padded_volume(); ++number) {
        const position padded = unravel(l.padded_dims, number);
        position at = padded;
        bool inside = true;
        for (int a = 0; a < l.ndims(); ++a) {
            at[a] -= l.padded_offsets[a];
            inside = inside && at[a] >= 0 && at[a] < l.dims[a];
        }
        visit(l.padded_offset(padded), inside ? &at : nullptr);
    }
}
/// Writes every place of a tensor once: `value(position, old value)` for each element, 0 into the padding.
template <element U, class Value>
constexpr void write_tensor(const layout& dst, memory_of<U>* out, Value value) {
    visit_every_place(dst, [&](dim_t place, const position* at) {
        set_element<U>(out, place, at != nullptr ? value(*at, get_element<U>(out, place)) : U{});
    });
}
template <element T, element U>
constexpr void reference_move(const layout& src, const memory_of<T>* in, const layout& dst, memory_of<U>* out) {
    require(check_reorder(src, dst));
    write_tensor<U>(dst, out,
                    [&](const position& at, const U&) { return convert<U>(get_element<T>(in, src.offset(at))); });
}
template <element T, element U>
constexpr void reference_move(const layout& src, const memory_of<T>* in, const layout& dst, memory_of<U>* out,
                              const reorder_attributes& attributes) {
    require(check_reorder(src, dst, attributes));
    const bool only_convert = change_nothing(attributes, dst.dims);
    const attributes_by_position by_position(attributes, dst.dims);
    write_tensor<U>(dst, out, [&](const position& at, const U& old) {
        const T x = get_element<T>(in, src.offset(at));
        return only_convert ? convert<U>(x) : convert_with<U>(x, old, by_position.at(at));
    });
}

/// Does the same with attributes that are the same for each element.
///
/// Pre:     check_reorder(src, dst).ok(); the attributes change something
template <element T, element U>
constexpr void reference_move(const layout& src, const memory_of<T>* in, const layout& dst, memory_of<U>* out,
                              const element_attributes& attributes) {
    write_tensor<U>(dst, out, [&](const position& at, const U& old) {
        return convert_with<U>(get_element<T>(in, src.offset(at)), old, attributes);
    });
}

/// Moves elements of `bits` bits, one at a time, and writes zeros into the padding. The elements may be of any type.
///
/// Pre:     check_reorder(src, dst).ok(); in and out point to offset 0, and do not overlap
inline void reference_bits(const layout& src, const std::byte* in, const layout& dst, std::byte* out, dim_t bits) {
    visit_every_place(dst, [&](dim_t place, const position* at) {
        const bit_run to{place * bits, bits};
        if (at != nullptr) copy_bits(in, src.offset(*at) * bits, out, to);
        else clear_bits(out, to);
    });
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
    detail::reference_move<T, U>(src, in, dst, out);
}
/// Does the same for elements of which several share a byte: their types are given, and their memory is bytes.
template <element T, element U>
    requires(detail::packed_element<T> || detail::packed_element<U>)
constexpr void reference_reorder(const layout& src, const detail::memory_of<T>* in, const layout& dst,
                                 detail::memory_of<U>* out) {
    detail::reference_move<T, U>(src, in, dst, out);
}

/// Moves a tensor element by element with attributes: each value is converted by convert_with.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); in and out point to offset 0, and do not overlap
/// Post:    out[dst.offset(p)] == convert_with<U>(in[src.offset(p)], out[dst.offset(p)], the attributes at p), or
///          convert<U>(in[src.offset(p)]) if all scales are 1, all zero points 0, and beta is 0; out is 0 in the
///          padding of dst, whatever the zero points and beta are; nothing else is written
/// Cost:    O(padded volume * digits); slow on purpose
/// Source:  spec semantics 11, 12
template <element T, element U>
constexpr void reference_reorder(const layout& src, const T* in, const layout& dst, U* out,
                                 const reorder_attributes& attributes) {
    detail::reference_move<T, U>(src, in, dst, out, attributes);
}
template <element T, element U>
    requires(detail::packed_element<T> || detail::packed_element<U>)
constexpr void reference_reorder(const layout& src, const detail::memory_of<T>* in, const layout& dst,
                                 detail::memory_of<U>* out, const reorder_attributes& attributes) {
    detail::reference_move<T, U>(src, in, dst, out, attributes);
}

}  // namespace plait
