#pragma once
// What a tensor contains, as a value for types: the state of its padding, how its elements are quantised, and which
// compensation follows them.

#include <plait/core/layout.hpp>
#include <plait/core/padding_state.hpp>
#include <plait/descriptor/extra.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The mask of values whose layout is known only at run time.
inline constexpr int run_time_mask = -1;

/// A scale or a zero point as far as types tell: its data type, and the axes along which it has one value per index.
struct quantization_parameter {
    data_type type = data_type::undef;  ///< undef: there is none
    int mask = 0;                       ///< bit a set: one value per index along axis a; 0: one value in all

    constexpr bool is_present() const { return type != data_type::undef; }
    constexpr bool operator==(const quantization_parameter&) const = default;
};
}  // namespace detail

/// The compensation that follows weights, as `extra` in a form that may be a template argument. scale_adjust is stored
/// as bits, because Clang 14 does not allow a float there.
struct tensor_compensation {
    bool s8s8 = false;               ///< -128 times the sum of the weights
    bool asymmetric_source = false;  ///< minus the sum of the weights
    int s8s8_mask = 0;
    int asymmetric_source_mask = 0;
    std::int32_t scale_adjust_bits = std::bit_cast<std::int32_t>(1.0f);

    constexpr float scale_adjust() const { return std::bit_cast<float>(scale_adjust_bits); }
    constexpr bool has_buffers() const { return s8s8 || asymmetric_source; }
    constexpr bool operator==(const tensor_compensation&) const = default;
};

namespace detail {
/// Converts a descriptor's extra to the form for types.
///
/// Post:    extra_of(compensation_of(e)) == e
constexpr tensor_compensation compensation_of(const extra& e) {
    return {e.s8s8_compensation, e.asymmetric_source_compensation, e.s8s8_mask, e.asymmetric_source_mask,
            std::bit_cast<std::int32_t>(e.scale_adjust)};
}
/// Converts compensation in the form for types to a descriptor's extra.
constexpr extra extra_of(const tensor_compensation& c) {
    return {c.s8s8, c.asymmetric_source, c.s8s8_mask, c.asymmetric_source_mask, c.scale_adjust()};
}
}  // namespace detail

/// The contents of a tensor: its padding, its quantisation, its compensation.
///
/// A quantised element x represents the number (x - zero point) * scale, as far as these are present. An element that
/// is not quantised is the number itself.
///
/// Example: contents_of<decltype(zero_pad(view))>.padding == padding_state::zero
struct tensor_contents {
    padding_state padding = padding_state::unknown;
    detail::quantization_parameter scale;
    detail::quantization_parameter zero_point;
    tensor_compensation compensation;

    constexpr bool is_quantized() const { return scale.is_present() || zero_point.is_present(); }
    /// True if elements are plain values: neither quantised, nor multiplied by scale_adjust.
    constexpr bool has_plain_values() const {
        return !is_quantized() && compensation.scale_adjust_bits == tensor_compensation().scale_adjust_bits;
    }
    constexpr bool operator==(const tensor_contents&) const = default;
};

/// True if a layout has no padding for any value of its dynamic extents, so that its padding is trivially zero.
///
/// Pre:     none; l is any layout that check_layout accepts
/// Post:    if true and the layout is static, visit_padding visits nothing
/// Cost:    O(ndims times digits) steps
/// Source:  spec semantics 11
/// Example: {2, 32, 5, 4} in nChw16c; not {2, 17, 5, 4}, nor {2, ?, 5, 4}, because that extent may be 17
constexpr bool has_no_padding(const layout& l) {
    if (l.kind != format_kind::blocked) return false;
    if (!detail::has_elements(l.padded_dims)) return true;
    for (int a = 0; a < l.ndims(); ++a) {
        if (l.padded_offsets[a] != 0 || l.padded_dims[a] != l.dims[a]) return false;
        if (l.dims[a] == dynamic && l.block_size(a) != 1) return false;
    }
    return true;
}

}  // namespace plait
