#pragma once

#include <plait/core/dims.hpp>

#include <bit>
#include <limits>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Extra data of a tensor of quantised weights: sums that a convolution or a matrix product with signed or shifted
/// sources must subtract, and the factor by which the weights were multiplied.
///
/// Each sum belongs to one index along the axes of its mask, and adds up the elements along all other axes. The sums
/// are s32 and follow the data. They are ordered as the tensor itself orders these axes in memory, with their blocks
/// and padding: compensation_layout returns the place of each sum, descriptor where the sums begin.
///
/// Source:  seeds rfc-memory-descriptor, 4; spec semantics 12
struct extra {
    bool s8s8_compensation = false;               ///< -128 times the sum of the weights
    bool asymmetric_source_compensation = false;  ///< minus the sum of the weights
    int s8s8_mask = 0;                            ///< bit a set: one sum per index along axis a
    int asymmetric_source_mask = 0;               ///< the mask of asymmetric_source_compensation
    float scale_adjust = 1;                       ///< the factor by which weights are multiplied before rounding

    /// True if the tensor has no compensation and no factor.
    constexpr bool empty() const { return *this == extra{}; }
    constexpr bool has_buffers() const { return s8s8_compensation || asymmetric_source_compensation; }
    constexpr bool operator==(const extra&) const = default;
};

/// Checks that `e` is valid for a tensor with `ndims` axes. The mask of a compensation that is off must be 0, so that
/// equal tensors have equal extras.
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
    // Written as !(a && b), because NaN compares false.
    if (!(e.scale_adjust > 0 && e.scale_adjust <= (std::numeric_limits<float>::max)()))
        return {reason::scale_adjust_is_invalid, -1, std::bit_cast<std::int32_t>(e.scale_adjust), 0};
    return {};
}

}  // namespace plait
