#pragma once

#include <plait/core/data_type.hpp>
#include <plait/descriptor/compensation_layout.hpp>
#include <plait/descriptor/extra.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

namespace rejected {
struct a_descriptor_has_a_layout_which_is_made_of_extents_and_a_tag;  // a name in errors
}  // namespace rejected

/// A tensor as known at run time: the type of its elements, their layout, and the compensation that follows them.
///
/// Sizes are in bytes. A pointer to a tensor points to offset 0, not to offset0. The size of a tensor, however, counts
/// from its span_begin(), so that the size of a part (submemory) is the size of that part alone. To allocate a buffer
/// that begins at offset 0, use buffer_size_in_bytes.
///
/// If compensation follows, the data is rounded up to 4 bytes. The s32 of the s8s8 compensation come next, then those
/// of the asymmetric source. Each is ordered as compensation_layout(layout, mask) defines. A tensor without elements
/// has no compensation, and a tensor with extra has offset0 == 0.
///
/// Pre:     check_descriptor(the same arguments).ok(); fails with its reason otherwise
/// Post:    size_in_bytes() == layout.element_span() * size_in_bytes(type) if extra is empty, for types of whole bytes;
///          for smaller ones (layout.element_span() * size_in_bits(type) + 7) / 8, if the tensor begins at a byte
/// Cost:    O(digits); no allocation
/// Source:  seeds rfc-memory-descriptor, 4; spec semantics 4
/// Example: examples/11_run_time.cpp
struct descriptor {
    data_type type = data_type::undef;
    plait::layout layout;
    plait::extra extra;

    /// The empty descriptor: no type, no axes, no elements.
    constexpr descriptor() = default;
    constexpr descriptor(data_type of, const plait::layout& where, const plait::extra& besides = {});
    /// Fails to compile: the compiler names the cause.
    template <class Where, class Why = rejected::a_descriptor_has_a_layout_which_is_made_of_extents_and_a_tag>
        requires(!std::is_convertible_v<const Where&, plait::layout>)
    descriptor(data_type, const Where&)
    = delete;

    constexpr int ndims() const { return layout.ndims(); }
    constexpr const plait::dims& dims() const { return layout.dims; }

    /// Returns the memory that the tensor takes: data, starting at span_begin(), and compensation. 0 if it has no
    /// elements or its layout is undefined or any. Fails, as do the functions below, if check_size does.
    constexpr std::size_t size_in_bytes() const;
    /// Returns the size of the data, without compensation.
    constexpr std::size_t data_size_in_bytes() const;
    /// Returns the size of a buffer that begins at offset 0; it includes the memory before the tensor.
    ///
    /// Post:    size_in_bytes() + layout.span_begin() * size_in_bits(type) / 8, or 0 without elements
    constexpr std::size_t buffer_size_in_bytes() const;
    /// Returns buffer_size_in_bytes() given the offset one past the last place, 0 without elements, if it is already
    /// known.
    constexpr std::size_t buffer_size_of(dim_t end) const;
    /// Returns the memory size of the RFC, which oneDNN's get_size returns: it counts the whole stride of the outermost
    /// axis, even after the last element. At least size_in_bytes; equal to it if the layout is dense.
    ///
    /// Source:  spec semantics 4
    constexpr std::size_t memory_size_in_bytes() const;

    /// Returns the number of s32 in each compensation: the span of compensation_layout(layout, its mask), which is the
    /// product of the padded extents in the mask. 0 if there is no such compensation.
    constexpr std::size_t s8s8_count() const;
    constexpr std::size_t asymmetric_source_count() const;
    /// Returns where each compensation begins, in bytes from offset 0: a multiple of 4.
    constexpr std::size_t s8s8_begin() const;
    constexpr std::size_t asymmetric_source_begin() const;

    /// Compares type, layout (by layout::operator==) and all of extra, including scale_adjust.
    constexpr bool operator==(const descriptor&) const = default;
};

/// Checks that the size of the tensor is known. Fails if an extent or a stride is known only at run time, or if the
/// layout is opaque. Refused: dim_is_dynamic, stride_is_dynamic, layout_is_opaque
constexpr verdict check_size(const descriptor& d) {
    if (d.layout.kind == format_kind::undef || d.layout.kind == format_kind::any) return {};
    return detail::check_static(d.layout);
}

namespace detail {
/// Returns the memory size of the RFC in elements: the largest product of a stride and its outer extent, or the volume
/// of the inner blocks if no axis has steps. At least the span, even if elements repeat or a part is less than a block.
///
/// Pre:     check_layout(l).ok(), check_static(l).ok(); span is l.element_span()
constexpr dim_t memory_places(const layout& l, dim_t span) {
    if (span == 0) return 0;
    dim_t most = 1;
    for (int a = 0; a < l.ndims(); ++a)
        // This cannot overflow: if an axis has more than one outer block, the layout's own check requires it to fit.
        if (const digit& d = l.digits[a]; d.extent > 1 && d.extent * step_size(d.stride) > most)
            most = d.extent * step_size(d.stride);
    if (most == 1) most = inner_volume(l);
    return most < span ? span : most;
}

/// Checks that the sizes of a tensor fit in 63 bits.
///
/// Pre:     check_layout(d.layout).ok(), check_static(d.layout).ok(); begin is d.layout.span_begin(), and span is
///          d.layout.element_span()
constexpr verdict check_sizes_fit(const descriptor& d, dim_t begin, dim_t span) {
    if (span == 0) return {};
    // Places of packed elements are multiplied by their bits.
    const dim_t size = is_packed(d.type) ? size_in_bits(d.type) : size_in_bytes(d.type);
    // This cannot overflow: the layout's own check requires that offsets fit.
    const dim_t places = memory_places(d.layout, span);
    for (const dim_t end : {wrapping_add(begin, span), places})
        if (!(checked_integer{end} * size + 3).ok()) return {reason::size_overflows, -1, end, size};
    if (!d.extra.has_buffers()) return {};
    checked_integer count;
    const auto add = [&](bool wanted, int mask) {
        if (!wanted) return;
        const checked_integer more = compensation_count(d.layout, mask);
        count += more.value;
        count.exact = count.exact && more.ok();
    };
    add(d.extra.s8s8_compensation, d.extra.s8s8_mask);
    add(d.extra.asymmetric_source_compensation, d.extra.asymmetric_source_mask);
    if (!(count * 4 + places + 3).ok()) return {reason::size_overflows, -1, span, 4};
    return {};
}

/// Checks that the sizes of any valid layout fit in 63 bits; succeeds if the layout has no sizes.
constexpr verdict check_sizes_fit(const descriptor& d) {
    if (!check_size(d).ok() || d.layout.kind != format_kind::blocked) return {};
    return check_sizes_fit(d, d.layout.span_begin(), static_cast<dim_t>(d.layout.element_span()));
}

/// A verdict, and the end that the check computed: the offset one past the last place. 0 if unknown or if there are no
/// elements.
struct known_end {
    verdict why;
    dim_t end = 0;
    bool is_known = false;  ///< check_known(layout).ok(), and the layout has places
};

/// Checks a descriptor as check_descriptor does, and also returns the end.
constexpr known_end measure_descriptor(const descriptor& d) {
    const auto type = static_cast<dim_t>(d.type);
    if (type < 0 || type >= detail::element_type_count) return {{reason::data_type_is_unknown, -1, type, 0}};
    const bool placeless = is_placeless(d.layout);
    const digits_reach digits = placeless ? digits_reach{check_placeless(d.layout)} : check_digits(d.layout);
    if (!digits.why.ok()) return {digits.why};
    if (d.type == data_type::undef && d.layout.kind != format_kind::undef)
        return {{reason::data_type_is_unknown, -1, type, 0}};
    // Not empty(): a NaN scale_adjust is not equal to itself, and check_extra must report it.
    if (const verdict why = check_extra(d.extra, d.ndims()); !why.ok()) return {why};
    if (!d.extra.empty()) {
        if (placeless) return {check_blocked(d.layout)};
        if (d.type != data_type::s8) return {{reason::extra_needs_s8, -1, type, 0}};
        if (d.layout.offset0 != 0) return {{reason::extra_needs_offset_zero, -1, d.layout.offset0, 0}};
    }
    if (placeless || !check_known(d.layout).ok()) return {};
    const dim_t begin = begin_of(d.layout, digits), span = span_of(d.layout, digits);
    return {check_sizes_fit(d, begin, span), span == 0 ? 0 : begin + span, true};
}
}  // namespace detail

/// Checks that a descriptor is valid, even if it was filled in by hand.
///
/// - An undefined or any layout has no memory, so it cannot have extra.
/// - extra requires s8, the type of quantised weights.
/// - extra requires offset0 == 0, because compensation is located relative to offset 0.
///
/// Refused: data_type_is_unknown (no enumerator; or undef, unless the layout is undefined too); as check_layout; with
/// extra: layout_is_undefined, layout_is_any, extra_needs_s8, extra_needs_offset_zero, and as check_extra; then
/// size_overflows
/// Pre:     none; d may have any contents
/// Post:    if ok, no function of plait exceeds 63 bits on d, even in bytes
/// Cost:    O(digits squared) steps
/// Source:  seeds rfc-memory-descriptor, 4; spec semantics 1 and 4
/// Example: for u8 with s8s8 compensation: verdict{reason::extra_needs_s8, -1, 9, 0}; 9 is data_type::u8
constexpr verdict check_descriptor(const descriptor& d) { return detail::measure_descriptor(d).why; }

constexpr descriptor::descriptor(data_type of, const plait::layout& where, const plait::extra& besides)
    : type(of), layout(where), extra(besides) {
    require(check_descriptor(*this));
}

constexpr std::size_t descriptor::data_size_in_bytes() const {
    require(check_size(*this));
    if (layout.kind != format_kind::blocked) return 0;
    const auto span = static_cast<dim_t>(layout.element_span());
    return static_cast<std::size_t>(detail::bytes_of(type, span == 0 ? 0 : layout.span_begin(), span).count);
}
constexpr std::size_t descriptor::s8s8_count() const {
    if (!extra.s8s8_compensation || data_size_in_bytes() == 0) return 0;
    return static_cast<std::size_t>(detail::compensation_count(layout, extra.s8s8_mask).value);
}
constexpr std::size_t descriptor::asymmetric_source_count() const {
    if (!extra.asymmetric_source_compensation || data_size_in_bytes() == 0) return 0;
    return static_cast<std::size_t>(detail::compensation_count(layout, extra.asymmetric_source_mask).value);
}
constexpr std::size_t descriptor::s8s8_begin() const { return (data_size_in_bytes() + 3) / 4 * 4; }
constexpr std::size_t descriptor::asymmetric_source_begin() const { return s8s8_begin() + 4 * s8s8_count(); }
constexpr std::size_t descriptor::size_in_bytes() const {
    // Without compensation the size is not rounded up.
    if (!extra.has_buffers()) return data_size_in_bytes();
    return asymmetric_source_begin() + 4 * asymmetric_source_count();
}
constexpr std::size_t descriptor::memory_size_in_bytes() const {
    const std::size_t data = data_size_in_bytes();
    if (data == 0) return 0;
    const dim_t places = detail::memory_places(layout, static_cast<dim_t>(layout.element_span()));
    const auto counted = static_cast<std::size_t>(detail::bytes_of(type, 0, places).count);
    // Elements of 4 bits that begin inside a byte may take one byte more than as many that begin with a byte.
    const std::size_t whole = counted < data ? data : counted;
    return extra.has_buffers() ? (whole + 3) / 4 * 4 + size_in_bytes() - s8s8_begin() : whole;
}
constexpr std::size_t descriptor::buffer_size_in_bytes() const {
    const std::size_t size = size_in_bytes();
    if (size == 0) return 0;
    return size + static_cast<std::size_t>(detail::bytes_of(type, layout.span_begin(), 0).begin);
}
constexpr std::size_t descriptor::buffer_size_of(dim_t end) const {
    if (extra.has_buffers()) return buffer_size_in_bytes();
    return static_cast<std::size_t>(detail::bytes_of(type, 0, end).count);
}

}  // namespace plait
