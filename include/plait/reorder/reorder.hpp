#pragma once
// The public way to move a tensor from one layout to another.

#include <plait/contract/reference.hpp>
#include <plait/contract/wrong_arguments.hpp>
#include <plait/core/expected.hpp>
#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/quantize/attributed_kernel.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// True if a pair of layouts has a generated kernel. Other pairs are moved element by element.
template <layout Src, layout Dst>
concept has_kernel = (check_reorder(Src, Dst).ok() &&
                      engine::make_scalar_plan(Src, Dst, engine::element_sizes(4)).has_value());

/// True if the elements of both types are whole bytes; packed_reorder.hpp has the reorders of others.
template <class T, class U>
concept whole_bytes = !packed_element<T> && !packed_element<U>;
/// Numbers of plait, which are converted, or other elements, which are moved; of whole bytes.
template <class T, class U>
concept reordered_bytes = reordered<T, U> && whole_bytes<T, U>;

/// The layout whose elements of type carrier<T> are those of type T in L; undefined if there is none.
template <layout L, moved_element T>
inline constexpr layout carried = *layout_of_units(L, units_of(sizeof(T)));

/// True if the kernels of carrier<T> move elements of type T. Others are moved one by one.
template <layout Src, layout Dst, class T>
concept has_carrier = (layout_of_units(Src, units_of(sizeof(T))).has_value() &&
                       layout_of_units(Dst, units_of(sizeof(T))).has_value() &&
                       has_kernel<carried<Src, T>, carried<Dst, T>>);

/// Returns the pointer that the kernels of carrier<T> take. They do not dereference it as such: the engine moves bytes.
template <moved_element T>
const carrier<T>* carrier_pointer(const T* in) {
    return reinterpret_cast<const carrier<T>*>(in);
}
template <moved_element T>
carrier<T>* carrier_pointer(T* out) {
    return reinterpret_cast<carrier<T>*>(out);
}
}  // namespace detail

/// The function that `reorder` calls. Instantiate it explicitly, or take its address; it is not overloaded, so that
/// `auto kernel = &reorder_kernel<Src, Dst, float, float>` is unambiguous.
///
/// A unit that declares an instantiation `extern template` contains none of its code, if both units are compiled with
/// the same flags. Units with different flags do not share a kernel, because their namespaces differ (unit_flags.hpp).
///
/// Pre:     check_reorder(Src, Dst).ok(), else a compile error; the thread has the default floating-point environment
///          (docs/packaging.md); in and out point to offset 0, and the two tensors do
///          not overlap
/// Post:    as reference_reorder(Src, in, Dst, out); of elements that are no numbers of plait, as reference_bits
/// Cost:    no allocation, no lock; reads the tensor once, writes it once
/// Source:  spec semantics 11, 12
/// Example: examples/10_embedding
template <layout Src, layout Dst, class T, class U>
    requires(detail::reordered_bytes<T, U>)
void reorder_kernel(const T* in, U* out) noexcept {
    if constexpr (!allowed<check_reorder(Src, Dst)>) {
        return;  // after the one error of allowed: no further errors
    } else if constexpr (!element<T>) {
        if constexpr (detail::has_carrier<Src, Dst, T>)
            reorder_kernel<detail::carried<Src, T>, detail::carried<Dst, T>, detail::carrier<T>, detail::carrier<T>>(
                detail::carrier_pointer(in), detail::carrier_pointer(out));
        else
            detail::reference_bits(Src, reinterpret_cast<const std::byte*>(in), Dst, reinterpret_cast<std::byte*>(out),
                                   8 * sizeof(T));
    } else if constexpr (detail::has_kernel<Src, Dst>) {
        if constexpr (Dst.volume() != 0 && !std::is_same_v<T, U> && engine::has_small_type<T, U>)
            engine::move_attributed_tensor<Src, Dst, T, U>(in, out, {});
        else if constexpr (Dst.volume() != 0 && !std::is_same_v<T, U>)
            engine::move_converted_tensor<Src, Dst, T, U>(in, out);
        else if constexpr (Dst.padded_volume() != 0)
            engine::move_tensor<Src, Dst, engine::element_types_of<T, U>>(in, out);
    } else {
        reference_reorder(Src, in, Dst, out);
    }
}

/// Ends what the first calls of static kernels try: from now on each kernel stores past the caches, or into them, as
/// was faster in its calls so far.
///
/// A kernel that reads and writes 24 MB or more, and can store whole cache lines past the caches, tries both in its
/// first 12 calls whose destination begins at a cache line. All calls write the same bytes. Without trials it stores
/// past the caches. Units that are compiled with other flags have trials of their own (unit_flags.hpp).
///
/// Pre:     none; threads may run kernels meanwhile
/// Post:    all later calls of a kernel do the same
/// Cost:    none
/// Source:  planned_reorder::stop_trials, for layouts known at run time
/// Example: test/engine/kernel/static_kernel.cpp
inline void stop_static_trials() noexcept {
    __atomic_store_n(&engine::static_trials_are_stopped, true, __ATOMIC_RELAXED);
}

/// Does what reorder<Src, Dst>(in, out) does, but returns a rejection at run time instead of throwing it.
template <layout Src, layout Dst, class T, class U>
    requires(detail::reordered_bytes<T, U>)
expected<void> try_reorder(const T* in, U* out)
noexcept {
    if (const verdict why = check_buffers(Src, in, Dst, out, detail::all_stays<Src, Dst, T, U>); !why.ok())
        return {why};
    reorder_kernel<Src, Dst, T, U>(in, out);
    return {};
}
/// Copies a tensor from one layout to another, converts the elements, and writes zeros into the destination's padding.
///
/// Elements that are no numbers of plait are moved byte for byte, and both pointers are to the same type: std::int64_t,
/// std::int16_t, std::complex<float>, bool, or another type that is trivially copyable and has 1, 2, 4, 8 or 16 bytes.
/// Pointers, std::byte and classes that refer to elements, such as std::span, are no elements.
///
/// Offsets are in elements and count from `in` and `out`; the offset0 of each layout applies. Source padding is never
/// read. Refused at compile time: what check_reorder refuses. Refused at run time: buffer_is_null; spans_overlap, if
/// both pointers are the same and the layouts or types are not. Any other overlap is undefined behaviour.
///
/// Pre:     check_reorder(Src, Dst).ok()
/// Post:    out[Dst.offset(p)] == convert<U>(in[Src.offset(p)]) for every position p; padding of Dst is 0
/// Cost:    as reorder_kernel; elements of 16 bytes as two of 8
/// Source:  spec semantics 11, 12
/// Example: examples/05_reorder.cpp
template <layout Src, layout Dst, class T, class U>
    requires(detail::reordered_bytes<T, U>)
void reorder(const T* in, U* out) {
    if constexpr (allowed<check_reorder(Src, Dst)>) require(try_reorder<Src, Dst, T, U>(in, out).error());
}

/// The function that `reorder` with attributes calls. Instantiate it explicitly, or take its address. It calls
/// reorder_kernel if the attributes change nothing.
///
/// Pre:     as reorder_kernel without them; check_attributes(attributes, Dst.dims).ok()
/// Post:    as reference_reorder(Src, in, Dst, out, attributes)
/// Cost:    if is_trivial(attributes), the cost of the kernel without attributes; if each attribute is one value for
///          the tensor, the cost of a similar kernel; else the cost of the run-time reorder without its planning, which
///          is done at compile time
/// Source:  spec semantics 12
/// Example: attributed_reorder_kernel<Src, Dst>(in, out, {.src_scale = 0.5f, .dst_zero_point = 3})
template <layout Src, layout Dst, element T, element U>
    requires detail::whole_bytes<T, U>
void attributed_reorder_kernel(const T* in, U* out, const reorder_attributes& attributes) noexcept {
    if constexpr (!allowed<check_reorder(Src, Dst)>) {
        return;  // after the one error of allowed: no further errors
    } else {
        if (detail::is_trivial(attributes)) reorder_kernel<Src, Dst, T, U>(in, out);
        else if constexpr (engine::has_attributed_kernel<Src, Dst>)
            engine::move_attributed_tensor<Src, Dst, T, U>(in, out, attributes);
        else reference_reorder(Src, in, Dst, out, attributes);
    }
}

/// The function that `reorder` calls with attributes of which each is one value for the tensor: one more tile, and none
/// of the code for values by index. Instantiate it explicitly, or take its address. It calls reorder_kernel if the
/// attributes change nothing.
///
/// Pre:     as reorder_kernel without them; check_attributes(attributes, Dst.dims).ok()
/// Post:    as reference_reorder(Src, in, Dst, out, attributes)
/// Cost:    the cost of a similar kernel without attributes
/// Source:  spec semantics 12
/// Example: scaled_reorder_kernel<Src, Dst>(in, out, {.src_scale = 0.5f, .dst_zero_point = 3})
template <layout Src, layout Dst, element T, element U>
    requires detail::whole_bytes<T, U>
void scaled_reorder_kernel(const T* in, U* out, const tensor_attributes& attributes) noexcept {
    if constexpr (!allowed<check_reorder(Src, Dst)>) {
        return;  // after the one error of allowed: no further errors
    } else {
        if (attributes == tensor_attributes{}) reorder_kernel<Src, Dst, T, U>(in, out);
        else if constexpr (engine::has_attributed_kernel<Src, Dst>)
            engine::move_scaled_tensor<Src, Dst, T, U>(in, out, attributes);
        else detail::reference_move<T, U>(Src, in, Dst, out, detail::of_each_element(attributes));
    }
}

/// Does what reorder<Src, Dst>(in, out, attributes) does, but returns a rejection at run time instead of throwing it.
template <layout Src, layout Dst, element T, element U>
    requires detail::whole_bytes<T, U> expected<void> try_reorder(const T* in, U* out,
                                                                  const tensor_attributes& attributes)
noexcept {
    if (const verdict why = detail::check_divisor(attributes.dst_scale.value, 0); !why.ok()) return {why};
    const bool stays =
        Dst.padded_volume() == 0 || (detail::all_stays<Src, Dst, T, U> && attributes == tensor_attributes{});
    if (const verdict why = check_buffers(Src, in, Dst, out, stays); !why.ok()) return {why};
    scaled_reorder_kernel<Src, Dst, T, U>(in, out, attributes);
    return {};
}
template <layout Src, layout Dst, element T, element U, detail::any_attributes Attributes = reorder_attributes>
    requires detail::whole_bytes<T, U> expected<void> try_reorder(const T* in, U* out, const Attributes& given)
noexcept {
    const reorder_attributes& attributes = given;
    if (const verdict why = check_attributes(attributes, Dst.dims); !why.ok()) return {why};
    const bool stays =
        Dst.padded_volume() == 0 || (detail::all_stays<Src, Dst, T, U> && detail::is_trivial(attributes));
    if (const verdict why = check_buffers(Src, in, Dst, out, stays); !why.ok()) return {why};
    attributed_reorder_kernel<Src, Dst, T, U>(in, out, attributes);
    return {};
}
/// Copies a tensor and applies the attributes to its values: ((x - src_zero_point) * src_scale + beta * old) *
/// (1 / dst_scale) + dst_zero_point. Padding is written as zeros, whatever the attributes.
///
/// Refused at compile time: what check_reorder(Src, Dst) refuses. Refused at run time: what
/// check_attributes(attributes, Dst.dims) refuses; buffer_is_null; spans_overlap (the same pointer).
///
/// Pre:     check_reorder(Src, Dst, attributes).ok()
/// Post:    as reference_reorder(Src, in, Dst, out, attributes)
/// Cost:    as attributed_reorder_kernel, after each scale is checked once
/// Source:  spec semantics 12
/// Example: reorder<Src, Dst>(in, out, {.src_scale = 0.5f, .dst_zero_point = 3})
template <layout Src, layout Dst, element T, element U>
    requires detail::whole_bytes<T, U>
void reorder(const T* in, U* out, const tensor_attributes& attributes) {
    if constexpr (allowed<check_reorder(Src, Dst)>) require(try_reorder<Src, Dst, T, U>(in, out, attributes).error());
}
template <layout Src, layout Dst, element T, element U, detail::any_attributes Attributes = reorder_attributes>
    requires detail::whole_bytes<T, U>
void reorder(const T* in, U* out, const Attributes& attributes) {
    if constexpr (allowed<check_reorder(Src, Dst)>) require(try_reorder<Src, Dst, T, U>(in, out, attributes).error());
}

/// Calls reorder<Src::value, Dst::value> for layouts that are types, such as nchw<1, 3, 8, 8>.
///
/// Pre:     check_reorder(Src::value, Dst::value).ok()
/// Post:    as reorder<Src::value, Dst::value>(in, out)
/// Cost:    as reorder<Src::value, Dst::value>(in, out)
/// Source:  spec semantics 11, 12
/// Example: reorder<nchw<1, 3, 8, 8>, nhwc<1, 3, 8, 8>>(in, out)
template <layout_type Src, layout_type Dst, class T, class U>
    requires(detail::reordered_bytes<T, U>)
void reorder(const T* in, U* out) { reorder<Src::value, Dst::value, T, U>(in, out); }
template <layout_type Src, layout_type Dst, element T, element U>
void reorder(const T* in, U* out, const tensor_attributes& attributes) {
    reorder<Src::value, Dst::value, T, U>(in, out, attributes);
}
template <layout_type Src, layout_type Dst, element T, element U,
          detail::any_attributes Attributes = reorder_attributes>
void reorder(const T* in, U* out, const Attributes& attributes) {
    reorder<Src::value, Dst::value, T, U>(in, out, attributes);
}
template <layout_type Src, layout_type Dst, class T, class U>
    requires(detail::reordered_bytes<T, U>)
expected<void> try_reorder(const T* in, U* out)
noexcept { return try_reorder<Src::value, Dst::value, T, U>(in, out); }
template <layout_type Src, layout_type Dst, element T, element U>
expected<void> try_reorder(const T* in, U* out, const tensor_attributes& attributes) noexcept {
    return try_reorder<Src::value, Dst::value, T, U>(in, out, attributes);
}
template <layout_type Src, layout_type Dst, element T, element U,
          detail::any_attributes Attributes = reorder_attributes>
expected<void> try_reorder(const T* in, U* out, const Attributes& attributes) noexcept {
    return try_reorder<Src::value, Dst::value, T, U>(in, out, attributes);
}

}  // namespace plait
