#pragma once
// Reorders of elements that are no numbers of plait, such as std::int64_t, std::uint16_t and std::complex<float>: they
// are moved byte for byte, and not converted.

#include <plait/reorder/parallel_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The layout whose elements of type carrier<T> are those of type T in L; undefined if there is none.
template <layout L, moved_element T>
inline constexpr layout carried = *layout_of_units(L, units_of(sizeof(T)));

/// True if the kernels of carrier<T> move elements of type T. Others are moved one by one.
template <layout Src, layout Dst, class T>
inline constexpr bool has_carrier =
    layout_of_units(Src, units_of(sizeof(T))).has_value() &&
    layout_of_units(Dst, units_of(sizeof(T))).has_value() && has_kernel<carried<Src, T>, carried<Dst, T>>;

/// Moves elements one by one, as bytes.
template <layout Src, layout Dst, class T>
void move_one_by_one(const T* in, T* out) {
    reference_bits(Src, reinterpret_cast<const std::byte*>(in), Dst, reinterpret_cast<std::byte*>(out), 8 * sizeof(T));
}
/// The kernels of carriers take pointers that they do not dereference as such: the engine moves bytes.
template <moved_element T>
const carrier<T>* carrier_pointer(const T* in) {
    return reinterpret_cast<const carrier<T>*>(in);
}
template <moved_element T>
carrier<T>* carrier_pointer(T* out) {
    return reinterpret_cast<carrier<T>*>(out);
}
/// Checks the pointers of a reorder of moved elements, as check_buffers does.
template <layout Src, layout Dst, class T>
verdict check_moved_buffers(const T* in, const T* out) {
    return check_buffers(Src, in, Dst, out, Dst.padded_volume() == 0 || Src == Dst);
}
}  // namespace detail

/// Does what reorder_kernel does, for elements that are no numbers of plait.
///
/// Pre:     as reorder_kernel
/// Post:    the bytes of out[Dst.offset(p)] are those of in[Src.offset(p)] for every position p; padding of Dst is 0
/// Cost:    as reorder_kernel of elements of the same size; of 16 bytes as of two of 8
/// Source:  spec semantics 11
/// Example: reorder_kernel<Src, Dst, std::int64_t, std::int64_t>(in, out)
template <layout Src, layout Dst, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U>
void reorder_kernel(const T* in, U* out) noexcept {
    if constexpr (!allowed<check_reorder(Src, Dst)>) {
        return;  // after the one error of allowed: no further errors
    } else if constexpr (detail::has_carrier<Src, Dst, T>) {
        reorder_kernel<detail::carried<Src, T>, detail::carried<Dst, T>, detail::carrier<T>, detail::carrier<T>, Least>(
            detail::carrier_pointer(in), detail::carrier_pointer(out));
    } else {
        detail::move_one_by_one<Src, Dst>(in, out);
    }
}

/// Does what reorder<Src, Dst>(in, out) of such elements does, but returns a rejection at run time instead of throwing
/// it.
template <layout Src, layout Dst, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U> expected<void> try_reorder(const T* in, U* out)
noexcept {
    if (const verdict why = detail::check_moved_buffers<Src, Dst>(in, out); !why.ok()) return {why};
    reorder_kernel<Src, Dst, T, U, Least>(in, out);
    return {};
}
/// Copies a tensor of elements that are no numbers of plait: std::int64_t, std::int16_t, std::complex<float>, bool, or
/// another type that is trivially copyable and has 1, 2, 4, 8 or 16 bytes. The source and the destination have the same
/// type. Padding is written as zero bits.
///
/// Refused: as by the reorder of numbers; attributes and conversions, by the compiler. Pointers, std::byte and classes
/// that refer to elements, such as std::span, are no elements.
///
/// Pre:     check_reorder(Src, Dst).ok()
/// Post:    as reorder_kernel
/// Cost:    as reorder_kernel
/// Source:  spec semantics 11
/// Example: reorder<Src, Dst>(in, out), with in and out of std::complex<float>*
template <layout Src, layout Dst, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U>
void reorder(const T* in, U* out) {
    if constexpr (allowed<check_reorder(Src, Dst)>) require(try_reorder<Src, Dst, T, U, Least>(in, out).error());
}

/// Does what reorder<Src, Dst>(threads, in, out) of such elements does, but returns a rejection at run time instead of
/// throwing it. Throws only what the executor throws.
template <layout Src, layout Dst, executor E, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U> expected<void> try_reorder(E&& threads, const T* in, U* out) {
        if constexpr (detail::has_carrier<Src, Dst, T>) {
            if (const verdict why = detail::check_moved_buffers<Src, Dst>(in, out); !why.ok()) return {why};
            return try_reorder<detail::carried<Src, T>, detail::carried<Dst, T>, E&, detail::carrier<T>,
                               detail::carrier<T>, Least>(threads, detail::carrier_pointer(in),
                                                          detail::carrier_pointer(out));
        } else {
            return try_reorder<Src, Dst, T, U, Least>(in, out);
        }
    }
/// Copies a tensor of elements that are no numbers of plait on the threads of an executor.
///
/// Pre:     as without an executor
/// Post:    as without an executor
/// Cost:    as the reorder of numbers on threads
/// Source:  spec semantics 11
/// Example: reorder<Src, Dst>(threads, in, out), with in and out of std::int64_t*
template <layout Src, layout Dst, executor E, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U>
void reorder(E&& threads, const T* in, U* out) {
    if constexpr (allowed<check_reorder(Src, Dst)>)
        require(try_reorder<Src, Dst, E&, T, U, Least>(threads, in, out).error());
}

// Layouts that are types.
template <layout_type Src, layout_type Dst, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U>
void reorder(const T* in, U* out) { reorder<Src::value, Dst::value, T, U, Least>(in, out); }
template <layout_type Src, layout_type Dst, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U> expected<void> try_reorder(const T* in, U* out)
noexcept { return try_reorder<Src::value, Dst::value, T, U, Least>(in, out); }
template <layout_type Src, layout_type Dst, executor E, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U>
void reorder(E&& threads, const T* in, U* out) { reorder<Src::value, Dst::value, E&, T, U, Least>(threads, in, out); }
template <layout_type Src, layout_type Dst, executor E, class T, class U, isa Least = least_isa()>
    requires detail::moves_bytes<T, U> expected<void> try_reorder(E&& threads, const T* in, U* out) {
        return try_reorder<Src::value, Dst::value, E&, T, U, Least>(threads, in, out);
    }

}  // namespace plait
