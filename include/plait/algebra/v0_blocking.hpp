#pragma once

#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A layout as version 0 of the library described it: each axis has at most one block size, and a separate stride
/// inside the block.
///
/// The offset of the element at p is offset_padding + the sum over the axes of q / block_dims * strides[0] + q %
/// block_dims * strides[1], with q = p + offset_padding_to_data.
///
/// Source:  seeds understanding-memory-formats, blocked layout
struct v0_blocking {
    dims block_dims;                  ///< the elements of a block; 1 along an axis without blocks
    plait::strides strides[2];        ///< between blocks, and within one; in elements
    dims padding_dims;                ///< the extents in memory, padding included
    position offset_padding_to_data;  ///< where the logical tensor begins within the padded one
    dim_t offset_padding = 0;         ///< where the padded tensor begins, in elements
    constexpr bool operator==(const v0_blocking&) const = default;
};

/// Checks that one block size and two strides per axis describe l.
///
/// Refused: undefined, any and opaque layouts; dim_is_dynamic, stride_is_dynamic; axis_has_blocks_in_blocks, if the
///          inner blocks of an axis do not follow each other in memory as one block would
constexpr verdict check_v0_blocking_of(const layout& l) {
    if (const verdict why = detail::check_static(l); !why.ok()) return why;
    if (const verdict why = check_layout(l); !why.ok()) return why;
    for (int k = l.ndims(); k < l.digits.size(); ++k)
        for (int inner = k + 1; inner < l.digits.size(); ++inner) {
            const digit &around = l.digits[k], &within = l.digits[inner];
            if (within.axis != around.axis) continue;
            if (around.stride != within.extent * within.stride)
                return {reason::axis_has_blocks_in_blocks, around.axis, within.extent, around.extent};
            break;  // only neighbours have to merge
        }
    return {};
}

/// Returns l in the terms of version 0. Blocks of one axis that are directly inside each other are one block.
///
/// Pre:     check_v0_blocking_of(l).ok()
/// Post:    the offset that the result describes is l.offset(p), for every position p
/// Cost:    O(ndims + blocks squared) steps
/// Source:  seeds understanding-memory-formats, blocked layout
/// Example: v0_blocking_of(layout({2, 17, 5, 4}, "nChw8c")).block_dims == dims{1, 8, 1, 1}
[[nodiscard]] constexpr v0_blocking v0_blocking_of(const layout& l) {
    require(check_v0_blocking_of(l));
    v0_blocking out;
    for (int a = 0; a < l.ndims(); ++a) {
        out.block_dims.push_back(l.block_size(a));
        out.strides[0].push_back(l.digits[a].stride);
        out.strides[1].push_back(1);
    }
    // The last digit of an axis is its innermost.
    for (int k = l.ndims(); k < l.digits.size(); ++k) out.strides[1][l.digits[k].axis] = l.digits[k].stride;
    out.padding_dims = l.padded_dims;
    out.offset_padding_to_data = l.padded_offsets;
    out.offset_padding = l.offset0;
    return out;
}

/// Returns v0_blocking_of(l), or the verdict of check_v0_blocking_of.
[[nodiscard]] constexpr expected<v0_blocking> try_v0_blocking_of(const layout& l) {
    const verdict why = check_v0_blocking_of(l);
    return {why.ok() ? v0_blocking_of(l) : v0_blocking(), why};
}

}  // namespace plait
