#pragma once
// The parts of a descriptor, and of the choice of a plan, that an error sentence can name.

#include <plait/unit_flags.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The part of a descriptor that bound_descriptor_differs is about, as its number `third`; or the part of a choice that
/// choice_does_not_fit is about.
enum class descriptor_part {
    stride,
    padded_extent,
    padded_offset,
    outer_blocks,
    inner_blocks,
    inner_axis,
    inner_block,
    inner_stride,
    scale_adjust,
    choice_version,
    choice_instructions,
    choice_source_type,
    choice_destination_type,
    choice_layouts,
    choice_orders
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
        case descriptor_part::choice_version: return "version";
        case descriptor_part::choice_instructions: return "instruction set";
        case descriptor_part::choice_source_type: return "type of the source";
        case descriptor_part::choice_destination_type: return "type of the destination";
        case descriptor_part::choice_layouts: return "shape or layout";
        case descriptor_part::choice_orders: return "number of orders";
    }
    return "part";
}

}  // namespace plait
