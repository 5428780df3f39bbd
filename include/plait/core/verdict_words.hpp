#pragma once
// What a verdict can name in addition to its axis and numbers, and how its sentence says it.

#include <plait/unit_flags.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// A thing that has a number of axes, or numbers for axes.
enum class counted {
    unknown,
    format_tag,
    extents,
    strides,
    index,
    permutation,
    names,
    layout,
    source,
    destination,
    part,
    part_offset,
    parent,
    first,
    second,
    tensor,
    groups,
    values,
    pattern,
    blocks,
    mesh,
    ranks,
    local,
    record,
    record_tag,
    field,
    field_blocks,
    bound,
    open,
    placements,
    devices,
    tiles,
    tiled,
    notation,
    library,
    framework
};

/// The beginning of a clause that ends in the number of axes.
constexpr const char* to_string(counted thing) {
    switch (thing) {
        case counted::unknown: return "one side has";
        case counted::format_tag: return "the format tag has";
        case counted::extents: return "the extents have";
        case counted::strides: return "there are strides for";
        case counted::index: return "there are indices for";
        case counted::permutation: return "the permutation has";
        case counted::names: return "there are names for";
        case counted::layout: return "the layout has";
        case counted::source: return "the source has";
        case counted::destination: return "the destination has";
        case counted::part: return "the extents of the part have";
        case counted::part_offset: return "the offset of the part has";
        case counted::parent: return "the parent has";
        case counted::first: return "the first layout has";
        case counted::second: return "the second layout has";
        case counted::tensor: return "the tensor has";
        case counted::groups: return "there are groups for";
        case counted::values: return "the layout of the values has";
        case counted::pattern: return "the left side of the pattern has";
        case counted::blocks: return "there are blocks for";
        case counted::mesh: return "the mesh has";
        case counted::ranks: return "the layout of the ranks has";
        case counted::local: return "the local layout has";
        case counted::record: return "the record has";
        case counted::record_tag: return "the record's tag has";
        case counted::field: return "the tensor of the field has";
        case counted::field_blocks: return "the blocks of the field have";
        case counted::bound: return "the bound layout has";
        case counted::open: return "the layout with dynamic extents has";
        case counted::placements: return "there are placements for";
        case counted::devices: return "the list of devices has";
        case counted::tiles: return "there are tiles for";
        case counted::tiled: return "inner_dims_pos has";
        case counted::notation: return "the letters of the text name";
        case counted::library: return "the library's letters name";
        case counted::framework: return "the framework's letters name";
    }
    return "one side has";
}
}  // namespace detail

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

/// The argument that rank_arguments_differ is about, as its axis.
enum class rank_argument {
    from_type,
    from_extents,
    from_mesh,
    from_ranks,
    from_memory,
    to_type,
    to_extents,
    to_mesh,
    to_ranks,
    to_memory,
    src_scale_mask,
    src_scale_count,
    src_scale,
    dst_scale_mask,
    dst_scale_count,
    dst_scale,
    src_zero_point_mask,
    src_zero_point_count,
    src_zero_point,
    dst_zero_point_mask,
    dst_zero_point_count,
    dst_zero_point,
    beta
};

/// Returns the name of an argument, as it appears in the error sentence.
constexpr const char* to_string(rank_argument argument) {
    constexpr const char* names[] = {"the type of the source",
                                     "the number of axes, or an extent, of the source",
                                     "a number of the mesh of the source",
                                     "a number of the layout of ranks of the source",
                                     "a number of the layout in memory of the source",
                                     "the type of the destination",
                                     "the number of axes, or an extent, of the destination",
                                     "a number of the mesh of the destination",
                                     "a number of the layout of ranks of the destination",
                                     "a number of the layout in memory of the destination",
                                     "the mask of src_scale",
                                     "the number of values of src_scale",
                                     "a value of src_scale",
                                     "the mask of dst_scale",
                                     "the number of values of dst_scale",
                                     "a value of dst_scale",
                                     "the mask of src_zero_point",
                                     "the number of values of src_zero_point",
                                     "a value of src_zero_point",
                                     "the mask of dst_zero_point",
                                     "the number of values of dst_zero_point",
                                     "a value of dst_zero_point",
                                     "beta"};
    const auto number = static_cast<unsigned>(argument);
    return number < sizeof(names) / sizeof(names[0]) ? names[number] : "an argument";
}

namespace detail {
inline constexpr int rank_argument_count = static_cast<int>(rank_argument::beta) + 1;

/// Returns true if the numbers of an argument are enumerators of data_type.
constexpr bool is_data_type(rank_argument argument) {
    return argument == rank_argument::from_type || argument == rank_argument::to_type;
}
/// Returns true if the numbers of an argument are the bits of f32 values.
constexpr bool is_float(rank_argument argument) {
    return argument == rank_argument::src_scale || argument == rank_argument::dst_scale ||
           argument == rank_argument::beta;
}
}  // namespace detail

}  // namespace plait
