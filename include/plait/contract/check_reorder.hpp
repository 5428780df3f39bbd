#pragma once

#include <plait/algebra/layout_pair.hpp>
#include <plait/contract/check_attributes.hpp>
#include <plait/core/check_buffer.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
/// Checks that a tensor can be moved from one layout to the other.
///
/// Refused: rank_differs, dims_differ; destination_is_not_injective (elements of the source may share places);
///          strides_do_not_nest, if the search for shared places of the destination gives up (check_find_overlap);
///          undefined, any, opaque and dynamic layouts; hand-made layouts that check_layout refuses
/// Pre:     none; any layouts
/// Post:    if ok, src.dims == dst.dims, is_injective(dst), and nothing of either is dynamic
/// Cost:    O(digits squared) steps, independent of the extents
/// Source:  spec semantics 12
/// Example: check_reorder(layout({5, 6}, "ab"), layout({5, 7}, "ab")) == verdict{reason::dims_differ, 1, 6, 7}
constexpr verdict check_reorder(const layout& src, const layout& dst) { return detail::measure_reorder(src, dst).why; }

/// Checks that a tensor can be moved from one layout to the other with these attributes.
///
/// Refused: what check_reorder(src, dst) and check_attributes refuse
/// Cost:    as check_reorder(src, dst), and O(number of scales) steps
constexpr verdict check_reorder(const layout& src, const layout& dst, const reorder_attributes& attributes) {
    if (const verdict why = check_reorder(src, dst); !why.ok()) return why;
    return check_attributes(attributes, dst.dims);
}

namespace detail {
/// Returns the number of bytes from offset 0 to the end of a tensor; 0 without elements.
inline std::size_t bytes_from_offset_0(const layout& l, std::size_t element_bytes) {
    const std::size_t span = l.element_span();
    return span == 0 ? 0 : (span + static_cast<std::size_t>(l.span_begin())) * element_bytes;
}

/// Returns the rejection of two pointers, one of which is null, or which are equal.
[[gnu::cold, gnu::noinline]] inline verdict refuse_buffers(std::size_t src_bytes, const void* in, std::size_t dst_bytes,
                                                           const void* out, bool all_stays) {
    if (const verdict why = check_buffer(in, src_bytes, src_bytes, buffer_role::source); !why.ok()) return why;
    if (const verdict why = check_buffer(out, dst_bytes, dst_bytes, buffer_role::destination); !why.ok()) return why;
    return in == out && !all_stays ? overlap_of(src_bytes, dst_bytes, 0) : verdict{};
}

}  // namespace detail

/// Checks the pointers of a reorder. Null is refused if the tensor has elements (buffer_is_null). Equal pointers are
/// refused (spans_overlap) unless every element keeps its value and its place: elements would be overwritten before
/// they are read, or changed twice if tiles overlap. Other overlaps are not detected.
template <class T, class U>
inline verdict check_buffers(const layout& src, const T* in, const layout& dst, const U* out, bool all_stays) {
    const auto *from = static_cast<const void*>(in), *to = static_cast<const void*>(out);
    if (from != nullptr && to != nullptr && (from != to || all_stays)) return {};
    return detail::refuse_buffers(detail::bytes_from_offset_0(src, sizeof(T)), from,
                                  detail::bytes_from_offset_0(dst, sizeof(U)), to, all_stays);
}

namespace detail {
/// True if a move of these layouts and types to the same place leaves every element and its place unchanged.
template <layout Src, layout Dst, class T, class U>
inline constexpr bool all_stays = Dst.padded_volume() == 0 || (Src == Dst && std::is_same_v<T, U>);
}  // namespace detail
}  // namespace plait
