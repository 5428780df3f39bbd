#pragma once
// The bytes that a tensor covers from a pointer, checked before any of them is accessed.

#include "refusal.hpp"

#include <plait/descriptor/descriptor.hpp>

namespace plait::c {

/// The addresses that a tensor covers, from its first byte to one past its last; equal if it has no elements.
struct data_span {
    std::uintptr_t begin = 0, end = 0;
    bool empty() const { return begin == end; }
};

/// Returns the alignment of elements, in bytes: their size; 1 if they are smaller than a byte.
inline std::size_t alignment_of(data_type type) {
    return detail::is_packed(type) ? 1 : static_cast<std::size_t>(size_in_bytes(type));
}
/// Returns the alignment that a reorder requires of a pointer: that of the elements, and of s32 for compensation.
inline std::size_t alignment_of(const descriptor& d) {
    const std::size_t element = alignment_of(d.type);
    return d.extra.has_buffers() && element < 4 ? 4 : element;
}

/// The size and alignment of the buffer of a descriptor, in bytes. They are measured once for a plan, because that
/// takes longer than to move a small tensor.
struct measured_data {
    std::size_t needed = 0;     ///< from offset 0 to the end of the tensor
    std::size_t begin = 0;      ///< the first byte of the tensor
    std::size_t alignment = 1;  ///< required of the pointer
};

/// Pre:     check_static(d.layout).ok()
inline measured_data measure_data(const descriptor& d, std::size_t alignment) {
    return {d.buffer_size_in_bytes(),
            static_cast<std::size_t>(detail::bytes_of(d.type, d.layout.span_begin(), 0).begin), alignment};
}

/// Computes the span of a tensor. Refused: what check_buffer refuses; misaligned data.
inline outcome check_data(data_span& out, const measured_data& measured, const void* data, std::size_t size,
                          detail::buffer_role which) {
    const std::size_t needed = measured.needed;
    if (needed == 0) return {};
    const char* const name = which == detail::buffer_role::source        ? "src"
                             : which == detail::buffer_role::destination ? "dst"
                                                                         : "data";
    if (const outcome step = answer(detail::check_buffer(data, size, needed, which), name); !step) return step;
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    const std::size_t alignment = measured.alignment;
    if (begin % alignment != 0)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "pointer_is_misaligned: %s lies %zu bytes behind a multiple of %zu, which it has to be", name,
                      static_cast<std::size_t>(begin % alignment), alignment);
    if (needed > UINTPTR_MAX - begin)
        return refuse(PLAIT_INVALID_ARGUMENTS, "buffer_is_too_large: %s with %zu bytes goes beyond the last address",
                      name, needed);
    // Elements that share a byte with those of another tensor share memory with it, so that bytes are compared.
    out = {begin + measured.begin, begin + needed};
    return {};
}
/// Does the same for a descriptor. Refused, too: unknown sizes.
inline outcome check_data(data_span& out, const descriptor& d, const void* data, std::size_t size,
                          detail::buffer_role which, std::size_t alignment = 1) {
    const char* const name = which == detail::buffer_role::source        ? "src"
                             : which == detail::buffer_role::destination ? "dst"
                                                                         : "data";
    if (const outcome step = answer(detail::check_static(d.layout), name); !step) return step;
    return check_data(out, measure_data(d, alignment), data, size, which);
}

inline bool overlap(const data_span& a, const data_span& b) {
    return !a.empty() && !b.empty() && a.begin < b.end && b.begin < a.end;
}

/// Refuses spans that overlap; the verdict contains the distance between them.
inline outcome check_apart(const data_span& src, const data_span& dst) {
    if (!overlap(src, dst)) return {};
    return answer(detail::overlap_of(src.end - src.begin, dst.end - dst.begin,
                                     static_cast<std::ptrdiff_t>(dst.begin - src.begin)));
}

}  // namespace plait::c
