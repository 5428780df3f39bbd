#pragma once

#include <plait/core/dims.hpp>

#include <bit>
#include <limits>

namespace plait {

/// What a tensor of quantised weights carries besides its elements: sums that a convolution or a matrix product with
/// signed or shifted sources has to subtract, and a factor that its values were multiplied by.
///
/// Each sum belongs to one index along the axes of its mask, and goes over all other axes. The sums are s32 and lie
/// behind the data, in the order in which the tensor itself has these axes in memory, with their blocks and padding:
/// compensation_layout says where each is, descriptor where they begin.
///
/// Source:  seeds rfc-memory-descriptor, 4; spec semantics 12
struct extra {
    bool s8s8_compensation = false;               ///< -128 times the sum of the weights
    bool asymmetric_source_compensation = false;  ///< minus the sum of the weights
    int s8s8_mask = 0;                            ///< bit a: one value for each index along axis a
    int asymmetric_source_mask = 0;               ///< the same for asymmetric_source_compensation
    float scale_adjust = 1;                       ///< what the weights are multiplied by, before they are rounded

    /// Whether the tensor carries nothing.
    constexpr bool empty() const { return *this == extra{}; }
    constexpr bool has_buffers() const { return s8s8_compensation || asymmetric_source_compensation; }
    constexpr bool operator==(const extra&) const = default;
};

/// Whether this can belong to a tensor with so many axes. A mask has no bits where its compensation is not asked for,
/// so that equal tensors have equal extras.
///
/// Refused: mask_is_out_of_range, mask_has_no_compensation, scale_adjust_is_invalid (not finite, or not positive)
constexpr verdict check_extra(const extra& e, int ndims) {
    const auto check_mask = [ndims](bool wanted, int mask) -> verdict {
        if (mask < 0 || mask >> ndims != 0) return {reason::mask_is_out_of_range, -1, mask, ndims};
        if (!wanted && mask != 0) return {reason::mask_has_no_compensation, -1, mask, 0};
        return {};
    };
    if (const verdict why = check_mask(e.s8s8_compensation, e.s8s8_mask); !why.ok()) return why;
    if (const verdict why = check_mask(e.asymmetric_source_compensation, e.asymmetric_source_mask); !why.ok())
        return why;
    // NaN is neither above nor below.
    if (!(e.scale_adjust > 0 && e.scale_adjust <= std::numeric_limits<float>::max()))
        return {reason::scale_adjust_is_invalid, -1, std::bit_cast<std::int32_t>(e.scale_adjust), 0};
    return {};
}

}  // namespace plait
