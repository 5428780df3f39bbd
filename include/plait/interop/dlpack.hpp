#pragma once
// Converts tensors of DLPack to and from descriptors and views. Does not include DLPack's header: any struct with the
// same members will do.

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/descriptor/descriptor.hpp>
#include <plait/support/checked_arithmetic.hpp>
#include <plait/view/tensor_view.hpp>

#include <concepts>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A struct with the members of DLPack's DLTensor: the one of <dlpack/dlpack.h>, or a copy of it.
///
/// Source:  DLPack 1.0: data, device, ndim, dtype {code, bits, lanes}, shape, strides (in elements), byte_offset
/// Example: dlpack_tensor<DLTensor>
template <class T>
concept dlpack_tensor = requires(T& t) {
    { t.data } -> std::convertible_to<void*>;
    requires std::convertible_to<decltype(t.ndim), std::int32_t>;
    requires std::integral<std::remove_cvref_t<decltype(t.dtype.code)>>;
    requires std::integral<std::remove_cvref_t<decltype(t.dtype.bits)>>;
    requires std::integral<std::remove_cvref_t<decltype(t.dtype.lanes)>>;
    { t.shape } -> std::convertible_to<const std::int64_t*>;
    { t.strides } -> std::convertible_to<const std::int64_t*>;
    requires std::integral<std::remove_cvref_t<decltype(t.byte_offset)>>;
    t.device.device_type;
    t.device.device_id;
};

namespace detail {
/// The device_type of CPU memory.
inline constexpr int dlpack_cpu = 1;
/// The device_type of host memory that a CUDA device can also read.
inline constexpr int dlpack_cuda_host = 3;

/// A data type in DLPack's terms, with one lane.
struct dlpack_type {
    int code = 0;
    int bits = 0;
    constexpr bool operator==(const dlpack_type&) const = default;
};

/// Returns the code and the bits of an element type; {0, 0} for undef. The code is -1 if DLPack has no such type.
///
/// Example: dlpack_type_of(data_type::bf16) == dlpack_type{4, 16}
constexpr dlpack_type dlpack_type_of(data_type type) { return {row_of(type).dlpack, size_in_bits(type)}; }

/// Returns the elements of a descriptor that one element of DLPack holds: 1; 2 for the two lanes of 4 bits in a byte,
/// e.g. torch's float4_e2m1fn_x2; 0 if the lanes are not read.
template <class T>
constexpr dim_t lanes_of(const T& from) {
    const auto lanes = static_cast<dim_t>(from.dtype.lanes);
    return lanes == 1 || (lanes == 2 && static_cast<int>(from.dtype.bits) == 4) ? lanes : 0;
}

/// Multiplies the axis along which the lanes of an element lie, and the strides of the others.
///
/// The lanes are adjacent in memory, so they continue an axis of stride 1. Libraries put two numbers of 4 bits of the
/// last axis in a byte, and may permute the axes then. An axis of one element has no known stride.
///
/// Refused: lanes_have_no_axis (the last axis; the lanes, its extent and its stride) unless the last axis has stride 1 and
///          several elements, or it has several, and one other axis has stride 1
constexpr verdict split_lanes(dim_t lanes, dims& extents, strides& steps) {
    if (lanes == 1) return {};
    const int last = extents.size() - 1;
    int axis = last;
    if (has_elements(extents) && !(extents[last] > 1 && steps[last] == 1)) {
        int adjacent = 0, longer = 0;
        for (int a = 0; a < extents.size(); ++a) {
            longer += extents[a] > 1;
            if (extents[a] > 1 && steps[a] == 1) axis = a, ++adjacent;
        }
        if (longer != 0 && (extents[last] == 1 || adjacent != 1))
            return {reason::lanes_have_no_axis, last, lanes, extents[last], steps[last]};
    }
    checked_integer extent{extents[axis]};
    extent *= lanes;
    if (!extent.ok()) return {reason::size_overflows, axis, extents[axis], lanes};
    extents[axis] = extent.value;
    for (int a = 0; a < extents.size(); ++a) {
        checked_integer step{steps[a]};
        step *= a == axis ? 1 : lanes;
        if (!step.ok()) return {reason::size_overflows, a, steps[a], lanes};
        steps[a] = a == axis ? 1 : step.value;
    }
    return {};
}

/// Returns the offset of a tensor's lowest element from that of index 0, in elements of DLPack: at most 0.
template <class T>
constexpr dim_t lowest_offset(const T& from) {
    dim_t begin = 0;
    for (dim_t a = 0; a < static_cast<dim_t>(from.ndim); ++a) {
        if (from.shape[a] == 0) return 0;
        if (from.strides != nullptr && from.strides[a] < 0) begin += (from.shape[a] - 1) * from.strides[a];
    }
    return begin;
}

/// Checks that the memory of a tensor begins with a whole element, and with a whole byte.
///
/// Refused: data_is_null; data_is_misaligned; element_begins_inside_a_byte, if axes of negative stride lie before it
/// Pre:     the layout of the tensor is valid, and it has elements
template <class T>
verdict check_dlpack_data(const T& from, data_type type, const dims& extents) {
    if (from.data == nullptr) return {reason::data_is_null, -1, volume(extents)};
    const dim_t first_bit = (lowest_offset(from) * lanes_of(from) * size_in_bits(type) % 8 + 8) % 8;
    if (is_packed(type))
        return first_bit == 0 ? verdict{} : verdict{reason::element_begins_inside_a_byte, -1, first_bit};
    const auto size = static_cast<std::uint64_t>(size_in_bytes(type));
    const std::uint64_t begin =
        reinterpret_cast<std::uintptr_t>(from.data) % size + static_cast<std::uint64_t>(from.byte_offset);
    if (begin % size == 0) return {};
    return {reason::data_is_misaligned, -1, static_cast<dim_t>(begin), static_cast<dim_t>(size)};
}
}  // namespace detail

/// Options for reading a tensor of DLPack.
struct dlpack_options {
    bool any_device = false;  ///< accept device memory: the pointer is only passed on, never read
};

/// Returns the descriptor of a tensor of DLPack, or the reason why it has none. Offset 0 is at dlpack_data(from), while
/// data + byte_offset is the element of index 0: axes of negative stride lie before it.
///
/// A null pointer to strides means row-major order. Strides of axes of one element are ignored.
///
/// Elements smaller than a byte are packed, the first in the lowest bits, as DLPack 1.1 says if its flag for padded
/// ones is not set. That flag is outside of the tensor: check it before.
///
/// Two lanes of 4 bits, as torch exports float4_e2m1fn_x2, are two elements along the axis of stride 1, which is the
/// last one unless axes were permuted: a tensor of 64x128 pairs is a layout of 64x256.
///
/// Refused: dlpack_type_is_unknown (the code, bits, lanes; including complex numbers, and other lanes);
///          lanes_have_no_axis; device_is_not_read; too_many_axes; layout_is_undefined (a tensor without axes);
///          data_is_misaligned; element_begins_inside_a_byte; data_is_null; what layout(dims, strides) refuses:
///          dim_is_negative, size_overflows
/// Pre:     shape points to ndim numbers, and so does strides unless it is null
/// Post:    the elements of the tensor are those of the descriptor's layout, from dlpack_data(from) on
/// Cost:    O(ndims squared) steps; no allocation
/// Source:  DLPack 1.0
/// Example: try_from_dlpack(managed->dl_tensor)
template <dlpack_tensor T>
[[nodiscard]] expected<descriptor> try_from_dlpack(const T& from, dlpack_options options = {}) {
    const detail::dlpack_type wanted{static_cast<int>(from.dtype.code), static_cast<int>(from.dtype.bits)};
    const auto lanes = static_cast<dim_t>(from.dtype.lanes);
    data_type type = data_type::undef;
    for (int t = 1; t < detail::element_type_count; ++t)
        if (wanted.code >= 0 && detail::dlpack_type_of(static_cast<data_type>(t)) == wanted)
            type = static_cast<data_type>(t);
    if (type == data_type::undef || detail::lanes_of(from) == 0)
        return verdict{reason::dlpack_type_is_unknown, -1, wanted.code, wanted.bits, lanes};
    const auto device = static_cast<int>(from.device.device_type);
    if (!options.any_device && device != detail::dlpack_cpu && device != detail::dlpack_cuda_host)
        return verdict{reason::device_is_not_read, -1, device};
    const auto ndim = static_cast<dim_t>(from.ndim);
    if (ndim < 1) return verdict{reason::layout_is_undefined};
    if (ndim > max_ndims) return verdict{reason::too_many_axes, -1, ndim, max_ndims};

    dims extents;
    strides steps;
    for (dim_t a = 0; a < ndim; ++a) {
        const dim_t extent = from.shape[a];
        if (extent < 0) return verdict{reason::dim_is_negative, static_cast<int>(a), extent, 0};
        extents.push_back(extent);
        if (from.strides != nullptr) steps.push_back(from.strides[a]);
    }
    expected<layout> made;
    if (from.strides == nullptr && lanes != 1) {  // row-major, so the last axis has the lanes
        detail::checked_integer last{extents[extents.size() - 1]};
        last *= lanes;
        if (!last.ok()) return verdict{reason::size_overflows, static_cast<int>(ndim) - 1, from.shape[ndim - 1], lanes};
        extents[extents.size() - 1] = last.value;
    }
    if (from.strides == nullptr) {
        format_tag plain("a");
        while (plain.axes.size() < ndim) plain.axes.push_back(plain.axes.size());
        made = detail::make_layout(extents, plain);
    } else {
        // The stride of an axis of one element is unspecified: exporters write 0, 1 or a former value.
        for (dim_t a = ndim - 1, inner = 1; a >= 0; --a) {
            const int axis = static_cast<int>(a);
            if (extents[axis] <= 1) steps[axis] = inner;
            else if (steps[axis] > inner) inner = steps[axis];
        }
        if (const verdict why = detail::split_lanes(lanes, extents, steps); !why.ok()) return why;
        made = try_layout(extents, steps);
    }
    if (!made.has_value()) return made.error();
    if (detail::has_elements(extents))
        if (const verdict why = detail::check_dlpack_data(from, type, extents); !why.ok()) return why;
    descriptor out;
    out.type = type;
    out.layout = *made;
    return {out, check_descriptor(out)};
}

/// Returns the descriptor of a tensor of DLPack.
///
/// Refused: what try_from_dlpack refuses
/// Pre:     shape points to ndim numbers, and so does strides unless it is null
/// Post:    from_dlpack(t) == *try_from_dlpack(t)
/// Cost:    O(ndims squared) steps; no allocation
/// Source:  DLPack 1.0
/// Example: from_dlpack(managed->dl_tensor).layout
template <dlpack_tensor T>
[[nodiscard]] descriptor from_dlpack(const T& from, dlpack_options options = {}) {
    return try_from_dlpack(from, options).value();
}

/// Returns the address of a tensor's lowest element: data + byte_offset, or less if axes have negative strides.
///
/// Pre:     try_from_dlpack(from).has_value()
template <dlpack_tensor T>
[[nodiscard]] void* dlpack_data(const T& from) {
    if (from.data == nullptr) return nullptr;
    const dim_t begin = detail::lowest_offset(from) * detail::lanes_of(from) * static_cast<dim_t>(from.dtype.bits) / 8;
    return static_cast<char*>(static_cast<void*>(from.data)) + from.byte_offset + begin;
}

/// Returns a view of the elements of a tensor of DLPack.
///
/// Refused: what from_dlpack refuses; data_types_differ (T and the tensor's type)
/// Pre:     the view is not used after the tensor's deleter has been called
/// Post:    &view(i...) == the element of the tensor at i...
/// Cost:    as from_dlpack, and that of a run-time view
/// Source:  DLPack 1.0
/// Example: view_from_dlpack<const float>(managed->dl_tensor)
template <class Element, dlpack_tensor T>
    requires(element<std::remove_const_t<Element>> && !detail::packed_element<std::remove_const_t<Element>>)
[[nodiscard]] tensor_view<Element, layout> view_from_dlpack(const T& from) {
    const descriptor d = from_dlpack(from);
    constexpr data_type wanted = data_type_of<std::remove_const_t<Element>>;
    if (d.type != wanted)
        require({reason::data_types_differ, -1, static_cast<dim_t>(d.type), static_cast<dim_t>(wanted)});
    return tensor_view(static_cast<Element*>(dlpack_data(from)), d.layout);
}

/// Fills in a tensor of DLPack with this type and layout, in CPU memory. Writes shape and strides to the two
/// arrays, which the tensor then points to.
///
/// Refused: what check_descriptor refuses; descriptor_has_extra; axis_is_blocked (DLPack has no blocks),
///          axis_is_padded; dim_is_dynamic, stride_is_dynamic; undefined, any and opaque layouts; types that DLPack
///          does not have (dlpack_type_is_unknown); element_begins_inside_a_byte. Writes nothing then
/// Pre:     shape and steps have room for d.ndims() numbers, and outlive `to`
/// Post:    try_from_dlpack(to) has d
/// Cost:    O(ndims) steps; no allocation
/// Source:  DLPack 1.0
/// Example: to_dlpack(d, data, shape, steps, managed->dl_tensor)
template <dlpack_tensor T>
[[nodiscard]] verdict try_to_dlpack(const descriptor& d, void* data, std::int64_t* shape, std::int64_t* steps, T& to) {
    if (const verdict why = check_descriptor(d); !why.ok()) return why;
    if (const verdict why = detail::check_static(d.layout); !why.ok()) return why;
    if (!d.extra.empty()) return {reason::descriptor_has_extra};
    for (int a = 0; a < d.ndims(); ++a) {
        if (d.layout.block_size(a) != 1) return {reason::axis_is_blocked, a, d.layout.block_size(a), d.layout.dims[a]};
        if (d.layout.padded_dims[a] != d.layout.dims[a])
            return {reason::axis_is_padded, a, d.layout.padded_dims[a], d.layout.dims[a]};
    }
    const detail::dlpack_type type = detail::dlpack_type_of(d.type);
    if (type.code < 0) return {reason::dlpack_type_is_unknown, -1, type.code, type.bits, 1};
    const dim_t first_bit = d.layout.offset0 * type.bits % 8;
    if (first_bit != 0) return {reason::element_begins_inside_a_byte, -1, first_bit};
    for (int a = 0; a < d.ndims(); ++a) {
        shape[a] = d.layout.dims[a];
        steps[a] = d.layout.digits[a].stride;
    }
    to.data = data;
    to.device.device_type = static_cast<decltype(to.device.device_type)>(detail::dlpack_cpu);
    to.device.device_id = 0;
    to.ndim = d.ndims();
    to.dtype.code = static_cast<decltype(to.dtype.code)>(type.code);
    to.dtype.bits = static_cast<decltype(to.dtype.bits)>(type.bits);
    to.dtype.lanes = 1;
    to.shape = shape;
    to.strides = steps;
    to.byte_offset = static_cast<decltype(to.byte_offset)>(detail::bytes_of(d.type, d.layout.offset0, 0).begin);
    return {};
}

/// Fills in a tensor of DLPack with this type and layout, in CPU memory. A rejection is thrown.
///
/// Refused: what try_to_dlpack refuses
/// Pre:     shape and steps have room for d.ndims() numbers, and outlive `to`
/// Post:    from_dlpack(to) == d, except for what DLPack cannot express
/// Cost:    O(ndims) steps; no allocation
/// Source:  DLPack 1.0
/// Example: to_dlpack(d, data, shape, steps, managed->dl_tensor)
template <dlpack_tensor T>
void to_dlpack(const descriptor& d, void* data, std::int64_t* shape, std::int64_t* steps, T& to) {
    require(try_to_dlpack(d, data, shape, steps, to));
}

}  // namespace plait

#pragma GCC diagnostic pop
