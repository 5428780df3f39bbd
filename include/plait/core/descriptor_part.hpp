#pragma once
// The parts of a descriptor that an error sentence can name.

#include <plait/unit_flags.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The part of a descriptor that bound_descriptor_differs is about, as its number `third`.
enum class descriptor_part {
    stride,
    padded_extent,
    padded_offset,
    outer_blocks,
    inner_blocks,
    inner_axis,
    inner_block,
    inner_stride,
    scale_adjust
};

/// Returns the name of a part, as it appears in the error sentence.
constexpr const char* to_string(descriptor_part part) {
    switch (part) {
        case descriptor_part::stride: return "stride";
        case descriptor_part::padded_extent: return "padded extent";
        case descriptor_part::padded_offset: return "padded offset";
        case descriptor_part::outer_blocks: return "number of outer blocks";
        case descriptor_part::inner_blocks: return "number of inner blocks";
        case descriptor_part::inner_axis: return "axis of an inner block";
        case descriptor_part::inner_block: return "extent of an inner block";
        case descriptor_part::inner_stride: return "stride of an inner block";
        case descriptor_part::scale_adjust: return "scale_adjust, as the bits of an f32,";
    }
    return "part";
}

}  // namespace plait
