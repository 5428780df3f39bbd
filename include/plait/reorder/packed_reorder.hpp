#pragma once
// Reorders between constant layouts if elements are smaller than a byte: their memory is bytes, and the types are
// named.

#include <plait/engine/kernel/packed_move.hpp>
#include <plait/reorder/reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks the pointers of a reorder of which one side has packed elements, as check_buffers does.
template <layout Src, layout Dst, element T, element U>
inline verdict check_packed_buffers(const void* in, const void* out, bool stays) {
    if (in != nullptr && out != nullptr && (in != out || stays)) return {};
    return refuse_buffers(descriptor(data_type_of<T>, Src).buffer_size_in_bytes(), in,
                          descriptor(data_type_of<U>, Dst).buffer_size_in_bytes(), out, stays);
}
}  // namespace detail

/// Does what reorder_kernel does, where elements of at least one of the types are smaller than a byte. The memory of
/// these is bytes: element k takes the bits from bit k * size_in_bits on, the lowest first.
///
/// Pre:     as reorder_kernel
/// Post:    as reference_reorder<T, U>(Src, in, Dst, out); bits beside the elements of the destination are kept
/// Cost:    no allocation, no lock; reads the tensor once and writes it once
/// Source:  spec semantics 11, 12
/// Example: reorder_kernel<Src, Dst, u4, u4>(bytes, other_bytes)
template <layout Src, layout Dst, element T, element U>
    requires(!detail::whole_bytes<T, U>)
void reorder_kernel(const detail::memory_of<T>* in, detail::memory_of<U>* out) noexcept {
    if constexpr (!allowed<check_reorder(Src, Dst)>) return;
    else if constexpr (Dst.padded_volume() == 0) return;
    else if constexpr (std::is_same_v<T, U>) engine::move_packed_tensor<Src, Dst, data_type_of<T>>(in, out);
    else if constexpr (engine::has_attributed_kernel<Src, Dst>)
        engine::move_attributed_tensor<Src, Dst, T, U>(in, out, {});
    else reference_reorder<T, U>(Src, in, Dst, out);
}

/// Does what reorder<Src, Dst, T, U>(in, out) does, but returns a rejection at run time instead of throwing it.
template <layout Src, layout Dst, element T, element U>
    requires(!detail::whole_bytes<T, U>)
expected<void> try_reorder(const detail::memory_of<T>* in, detail::memory_of<U>* out)
noexcept {
    if (const verdict why = detail::check_packed_buffers<Src, Dst, T, U>(in, out, detail::all_stays<Src, Dst, T, U>);
        !why.ok())
        return {why};
    reorder_kernel<Src, Dst, T, U>(in, out);
    return {};
}
/// Copies a tensor from one layout to another, where elements of at least one of the types are smaller than a byte.
/// Refused: as by the reorder of whole bytes.
///
/// Pre:     check_reorder(Src, Dst).ok()
/// Post:    as reorder_kernel
/// Cost:    as reorder_kernel
/// Source:  spec semantics 11, 12
/// Example: reorder<Src, Dst, u4, u4>(in, out), with in and out of std::byte*
template <layout Src, layout Dst, element T, element U>
    requires(!detail::whole_bytes<T, U>)
void reorder(const detail::memory_of<T>* in, detail::memory_of<U>* out) {
    if constexpr (allowed<check_reorder(Src, Dst)>) require(try_reorder<Src, Dst, T, U>(in, out).error());
}

/// Does what reorder with attributes does, where elements of at least one of the types are smaller than a byte.
///
/// Pre:     as attributed_reorder_kernel
/// Post:    as reference_reorder<T, U>(Src, in, Dst, out, attributes)
/// Cost:    as attributed_reorder_kernel of whole bytes: rows are unpacked before the conversion, and packed after it
/// Source:  spec semantics 12
/// Example: attributed_reorder_kernel<Src, Dst, u4, float>(in, out, {.src_scale = 0.5f})
template <layout Src, layout Dst, element T, element U>
    requires(!detail::whole_bytes<T, U>)
void attributed_reorder_kernel(const detail::memory_of<T>* in, detail::memory_of<U>* out,
                               const reorder_attributes& attributes) noexcept {
    if constexpr (!allowed<check_reorder(Src, Dst)>) return;
    else if (detail::is_trivial(attributes)) reorder_kernel<Src, Dst, T, U>(in, out);
    else if constexpr (engine::has_attributed_kernel<Src, Dst>)
        engine::move_attributed_tensor<Src, Dst, T, U>(in, out, attributes);
    else reference_reorder<T, U>(Src, in, Dst, out, attributes);
}

/// Does what reorder<Src, Dst, T, U>(in, out, attributes) does, but returns a rejection at run time instead of
/// throwing it.
template <layout Src, layout Dst, element T, element U>
    requires(!detail::whole_bytes<T, U>)
expected<void> try_reorder(const detail::memory_of<T>* in, detail::memory_of<U>* out,
                           const reorder_attributes& attributes)
noexcept {
    if (const verdict why = check_attributes(attributes, Dst.dims); !why.ok()) return {why};
    const bool stays =
        Dst.padded_volume() == 0 || (detail::all_stays<Src, Dst, T, U> && detail::is_trivial(attributes));
    if (const verdict why = detail::check_packed_buffers<Src, Dst, T, U>(in, out, stays); !why.ok()) return {why};
    attributed_reorder_kernel<Src, Dst, T, U>(in, out, attributes);
    return {};
}
/// Copies a tensor and applies the attributes to its values, where elements of at least one of the types are smaller
/// than a byte. Refused: as by the reorder of whole bytes.
///
/// Pre:     check_reorder(Src, Dst, attributes).ok()
/// Post:    as attributed_reorder_kernel
/// Cost:    as attributed_reorder_kernel
/// Source:  spec semantics 12
/// Example: reorder<Src, Dst, u4, float>(in, out, {.src_scale = 0.5f})
template <layout Src, layout Dst, element T, element U>
    requires(!detail::whole_bytes<T, U>)
void reorder(const detail::memory_of<T>* in, detail::memory_of<U>* out, const reorder_attributes& attributes) {
    if constexpr (allowed<check_reorder(Src, Dst)>) require(try_reorder<Src, Dst, T, U>(in, out, attributes).error());
}

}  // namespace plait
