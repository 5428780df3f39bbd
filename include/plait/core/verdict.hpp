#pragma once
// The result of a check: the operation is allowed, or the rule that it breaks, the axis, and the numbers that disagree.

#include <plait/core/axis.hpp>
#include <plait/core/descriptor_part.hpp>
#include <plait/core/status.hpp>

namespace plait {

/// The reason why a check failed. Each has an object in core/reason_objects.hpp, a sentence in
/// core/layout_reasons.hpp, core/tensor_reasons.hpp or core/record_reasons.hpp, and a file in test/fail.
enum class reason {
    none,
    // format tags: the first number is the column, counted from 1
    tag_is_empty,
    tag_character_is_unknown,
    tag_axis_is_doubled,
    tag_axis_is_missing,
    tag_block_is_malformed,
    tag_block_is_too_small,
    tag_blocked_axis_is_not_upper_case,
    tag_upper_case_axis_has_no_block,
    tag_has_too_many_axes,
    tag_has_too_many_blocks,
    // layouts
    too_many_axes,
    rank_differs,
    dim_is_negative,
    dim_is_dynamic,
    stride_is_dynamic,
    strides_do_not_nest,
    size_overflows,
    layout_is_undefined,
    layout_is_any,
    layout_is_opaque,
    layout_is_malformed,
    padded_dim_does_not_fit,
    digits_do_not_cover_axis,
    position_is_out_of_range,
    stride_is_negative,
    // operations
    not_a_permutation,
    layout_is_not_injective,
    bound_values_do_not_match,
    axis_is_out_of_range,
    // reshape and similar operations
    volumes_differ,
    zero_extent_is_not_matched,
    joined_axes_do_not_chain,
    group_is_not_contiguous,
    axis_is_blocked,
    axis_is_padded,
    unit_axis_is_padded,
    extents_do_not_divide,
    too_many_digits,
    // views of a part of a tensor
    parent_is_not_blocked,
    parent_is_dynamic,
    part_is_outside_parent,
    part_cuts_a_block,
    axis_has_blocks_in_blocks,
    // layouts as functions
    index_is_outside_domain,
    digits_carry,
    layout_is_not_dense,
    axis_is_not_one_element,
    parts_do_not_meet,
    // reorder
    dims_differ,
    destination_is_not_injective,
    spans_overlap,
    mask_is_out_of_range,
    mask_has_no_values,
    mask_has_other_values,
    value_type_does_not_fit,
    group_does_not_divide,
    values_are_too_few,
    scale_is_invalid,
    beta_is_not_finite,
    // descriptors
    data_type_is_unknown,
    data_types_differ,
    extra_needs_s8,
    extra_needs_offset_zero,
    mask_has_no_compensation,
    scale_adjust_is_invalid,
    descriptor_has_extra,
    bound_descriptor_differs,
    // views
    data_is_null,
    axis_has_no_stride,
    index_type_is_too_small,
    // contents of a tensor: the numbers are data types, masks, or kinds of compensation
    padding_is_not_zero,
    values_are_quantized,
    values_are_not_quantized,
    scale_mask_differs,
    compensation_is_missing,
    compensation_mask_differs,
    // names of axes: the numbers are letters
    axis_is_not_named,
    axis_is_named_otherwise,
    // buffers, in bytes
    buffer_is_null,
    buffer_is_too_small,
    reorder_is_not_planned,
    // patterns of rearrange: the first number is the column, counted from 1
    pattern_is_too_long,
    pattern_character_is_unknown,
    pattern_arrow_is_missing,
    pattern_arrow_is_doubled,
    pattern_parenthesis_does_not_match,
    pattern_axis_is_doubled,
    pattern_axis_is_on_one_side,
    pattern_number_is_not_one,
    pattern_ellipsis_is_joined,
    pattern_has_too_many_axes,
    pattern_extent_is_missing,
    pattern_extents_do_not_match,
    pattern_extent_is_not_of_an_axis,
    // notations of other libraries: the first number is the column, counted from 1, or a number of the layout
    notation_is_malformed,
    notation_says_more,
    notation_has_no_strides,
    notation_has_no_offset,
    notation_has_no_padding,
    notation_has_no_blocks,
    // two reorders in one pass: the numbers are data types, unless the sentence names others
    middle_type_rounds,
    middle_type_saturates,
    attributes_round_between,
    one_pass_differs,
    beta_reads_the_middle,
    middle_layouts_differ,
    mask_is_not_carried,
    // graphs: the axis is the port, the numbers are indices of operations and tensors
    graph_is_full,
    tensor_is_unknown,
    tensor_has_two_producers,
    tensor_is_given_and_made,
    graph_has_cycle,
    port_rank_differs,
    port_extents_differ,
    port_cannot_have_format,
    ports_do_not_match,
    port_has_no_format,
    propagation_does_not_apply,
    hint_does_not_fit,
    operation_has_no_alternative,
    in_place_does_not_fit,
    tensor_format_is_open,
    costs_overflow,
    tensor_cost_overflows,
    cost_option_is_negative,
    reorder_is_unknown,
    view_does_not_fit,
    // names of axes in two orders: the number is a letter
    axis_name_is_missing,
    // memory descriptors of oneDNN, and tensors of DLPack
    format_is_winograd,
    format_is_packed_for_rnn,
    format_is_sparse,
    format_kind_is_unknown,
    extra_flag_is_unknown,
    inner_block_does_not_fit,
    library_has_no_type,
    library_has_no_stride,
    library_has_no_tag,
    library_refuses,
    dlpack_type_is_unknown,
    device_is_not_read,
    element_begins_inside_a_byte,
    data_is_misaligned,
    // distributions: the numbers are ranks, places and indices
    digits_do_not_nest,
    mesh_is_not_one_to_one,
    mesh_axis_is_out_of_range,
    mesh_axis_is_doubled,
    rank_is_outside_mesh,
    elements_share_a_place,
    part_is_not_a_box,
    part_crosses_ranks,
    chunks_differ,
    notation_has_no_ranks,
    mask_is_not_sent,
    communicator_is_too_small,
    rank_arguments_differ,
    mpi_is_not_running,
    mpi_refuses,
    // records of packed weights: the first number is a column, counted from 1, or the name of a field
    record_is_malformed,
    record_is_too_large,
    record_axis_is_unknown,
    record_axis_is_missing,
    record_axis_is_doubled,
    record_field_is_unknown,
    record_type_is_unknown,
    record_content_does_not_fit,
    sum_has_no_order,
    step_is_not_reached,
    loops_differ,
    loop_extents_differ,
    ragged_loop_is_not_outermost,
    digit_does_not_turn,
    bits_are_not_covered,
    shares_differ,
    fields_overlap,
    fields_are_not_decided,
    field_is_missing,
    field_is_not_a_layout,
    field_is_in_pieces,
    field_is_turned,
    field_types_differ,
    field_is_dropped,
    record_is_not_cut,
    fibre_grows,
    parameter_is_missing,
    chunk_ends_inside_a_byte,
    part_cuts_a_panel,
    field_is_not_regrouped,
    record_tags_differ,
    record_is_damaged,
    blob_is_truncated,
    blob_is_not_one,
    blob_version_is_unknown,
    blob_text_is_damaged,
    blob_text_is_refused,
    blob_size_differs,
    blob_data_is_damaged,
    blob_is_misaligned,
};

/// The result of a check. Converts to its status, so that `reorder(...) == status::success` works as well.
///
/// Post:    ok() == (status() == status::success)
/// Example: examples/02_refusals.cpp
struct [[nodiscard]] verdict {
    plait::reason reason = plait::reason::none;
    int axis = -1;     ///< the axis that the check is about, or -1
    dim_t first = 0;   ///< the number that does not fit: a column, an extent, a stride
    dim_t second = 0;  ///< what it had to match
    /// The third number of the sentence, or 0: the nearest that fits if numbers do not divide; a role; ...
    dim_t third = 0;

    constexpr bool ok() const { return reason == plait::reason::none; }
    constexpr plait::status status() const {
        using enum plait::reason;
        if (ok()) return plait::status::success;
        switch (reason) {
            case layout_is_opaque: [[fallthrough]];
            case format_is_winograd:
            case format_is_packed_for_rnn:
            case format_is_sparse:
            case parent_is_not_blocked:
            case parent_is_dynamic:
            case part_cuts_a_block: return plait::status::unimplemented;
            default: return plait::status::invalid_arguments;
        }
    }
    constexpr operator plait::status() const { return status(); }
    constexpr bool operator==(const verdict&) const = default;
};

}  // namespace plait
