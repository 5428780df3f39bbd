#pragma once
// The things whose numbers of axes rank_differs compares, for its sentence.

#include <plait/unit_flags.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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

}  // namespace plait::detail
