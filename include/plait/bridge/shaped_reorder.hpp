#pragma once
// Reorders of shaped buffers to another format, another order of the library's axes, or another element type.

#include <plait/bridge/shaped_operations.hpp>
#include <plait/reorder/layout_reorder.hpp>
#include <plait/reorder/reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that the elements of src can be copied to dst; the axes in the verdict are those of the shape.
///
/// Refused: as check_shaped_layout; as check_reorder of the framework layouts: rank_differs, dims_differ,
/// destination_is_not_injective, ...
constexpr verdict check_reorder(const shaped_layout& src, const shaped_layout& dst) {
    if (const verdict why = check_shaped_layout(src); !why.ok()) return why;
    if (const verdict why = check_shaped_layout(dst); !why.ok()) return why;
    return check_reorder(framework_layout(src), framework_layout(dst));
}

/// Returns in_format(s, need, wanted), or the failure of check_in_format.
[[nodiscard]] constexpr expected<shaped_layout> try_in_format(const shaped_layout& s, const axis_map& need,
                                                              const format_tag& wanted) {
    const expected<layout> operand = try_as_operand(s, need);
    if (!operand) return operand.error();
    const expected<layout> made = detail::make_layout(operand->dims, wanted);
    if (!made) return made.error();
    return {shaped_layout(*made, need), check_reorder(*operand, *made)};
}

/// Checks that a copy of the tensor can have the wanted format, with the axes that the map `need` defines.
///
/// Refused: as check_as_operand; as check_layout of the operand's dims and the tag; as check_reorder
constexpr verdict check_in_format(const shaped_layout& s, const axis_map& need, const format_tag& wanted) {
    return try_in_format(s, need, wanted).error();
}

/// Returns the shaped layout of a copy in the format that an operation wants; use it to allocate and to reorder.
///
/// Pre:     check_in_format(s, need, wanted).ok()
/// Post:    result == shaped_layout(layout(as_operand(s, need).dims, wanted), need); result.shape() == s.shape()
/// Cost:    as_operand, layout(dims, tag) and check_reorder; nothing is copied or allocated
/// Source:  seeds tensor-representation, 3, and 4.1, option 2
/// Example: in_format(s, {3, 2, 0, 1}, "OIhw16i16o").layout.element_span() elements, then reorder
[[nodiscard]] constexpr shaped_layout in_format(const shaped_layout& s, const axis_map& need,
                                                const format_tag& wanted) {
    const expected<shaped_layout> attempt = try_in_format(s, need, wanted);
    require(attempt.error());
    return *attempt;
}

/// Calls reorder(src, dst), but returns a run-time failure instead of throwing it.
template <class T, class L, class Have, element U, class M, class Need>
    requires(element<std::remove_const_t<T>>)
expected<void> try_reorder(const shaped_buffer<T, L, Have>& src, const shaped_buffer<U, M, Need>& dst) {
    if constexpr (layout_type<L> && layout_type<M> && detail::is_known_map<Have> && detail::is_known_map<Need>) {
        constexpr shaped_layout from(L::value, Have::value), to(M::value, Need::value);
        if constexpr (allowed<check_reorder(from, to)>)
            return try_reorder<as_operand(from, to.map), to.layout>(static_cast<const T*>(src.data()), dst.data());
        else return {};  // after the compile error, which is the only one
    } else {
        const shaped_layout from = src.shaped(), to = dst.shaped();
        if (const verdict why = check_reorder(from, to); !why.ok()) return {why};
        return try_reorder(as_operand(from, to.map), static_cast<const T*>(src.data()), to.layout, dst.data());
    }
}
/// Copies a framework's tensor from one buffer to another, converts the elements, and writes zeros into the
/// destination's padding. The formats and the orders of axes may differ.
///
/// If both layouts and maps are types, it uses the kernel generated for them, otherwise a run-time kernel.
///
/// Pre:     check_reorder(src.shaped(), dst.shaped()).ok(), checked by the compiler if the types tell; also fails as
///          reorder does: buffer_is_null, spans_overlap
/// Post:    dst(p...) == convert<U>(src(p...)) for every position p of the shape; padding of dst is 0
/// Cost:    as reorder<as_operand(src.shaped(), dst.map()), dst's layout>, which it calls
/// Source:  seeds tensor-representation, 3, and 4.1, option 2
/// Example: examples/integrations/framework_bridge.cpp
template <class T, class L, class Have, element U, class M, class Need>
    requires(element<std::remove_const_t<T>>)
void reorder(const shaped_buffer<T, L, Have>& src, const shaped_buffer<U, M, Need>& dst) {
    require(try_reorder(src, dst).error());
}
template <class T, class L, class Have, class U, class M, class Need>
[[nodiscard]] constexpr verdict check_reorder(const shaped_buffer<T, L, Have>& src,
                                              const shaped_buffer<U, M, Need>& dst) {
    return check_reorder(src.shaped(), dst.shaped());
}

}  // namespace plait
