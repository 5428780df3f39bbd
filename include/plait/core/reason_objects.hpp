#pragma once
// An object for each reason: a failed check at compile time points to it, and Clang's error prints its name. Also the
// entries of the list in reasons.hpp.

#include <plait/core/verdict.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

namespace rejected {
[[noreturn]] void stop(const verdict& why);  // inline, in core/rejection.hpp

#if defined(__clang__)
/// The type of the reason objects. Clang's errors print the value of one pointer:
/// '&volumes_differ.axis[2].numbers[48][40]'. So a reason is an object of no bytes whose arrays have an element for
/// each number, and the error shows a pointer to one.
struct because {
    static constexpr dim_t limit = dim_t{1} << 61;
    __extension__ char numbers[limit][limit][limit][0];
    __extension__ char negative[limit][limit][0];
    __extension__ char axis[max_ndims + 1][0];
    __extension__ char axis_and_numbers[limit][limit][limit][limit][0];
    __extension__ char axis_and_negative[limit][limit][limit][0];
};
#else
/// Has only a name, because the errors of other compilers show the sentence itself.
struct because {};
#endif

inline constinit because none, tag_is_empty, tag_character_is_unknown, tag_axis_is_doubled, tag_axis_is_missing,
    tag_block_is_malformed, tag_block_is_too_small, tag_blocked_axis_is_not_upper_case,
    tag_upper_case_axis_has_no_block, tag_has_too_many_axes, tag_has_too_many_blocks, too_many_axes, rank_differs,
    dim_is_negative, dim_is_dynamic, stride_is_dynamic, strides_do_not_nest, size_overflows, layout_is_undefined,
    layout_is_any, layout_is_opaque, layout_is_malformed, padded_dim_does_not_fit, digits_do_not_cover_axis,
    position_is_out_of_range, stride_is_negative, not_a_permutation, layout_is_not_injective, bound_values_do_not_match,
    axis_is_out_of_range, volumes_differ, zero_extent_is_not_matched, joined_axes_do_not_chain, group_is_not_contiguous,
    axis_is_blocked, axis_is_padded, unit_axis_is_padded, extents_do_not_divide, too_many_digits, parent_is_not_blocked,
    parent_is_dynamic, part_is_outside_parent, part_cuts_a_block, step_leads_away, step_cuts_a_block,
    axis_has_blocks_in_blocks, index_is_outside_domain, digits_carry, layout_is_not_dense, axis_is_not_one_element,
    parts_do_not_meet, dims_differ, destination_is_not_injective, spans_overlap, mask_is_out_of_range,
    mask_has_no_values, mask_has_other_values, value_type_does_not_fit, group_does_not_divide, values_are_too_few,
    scale_is_invalid, beta_is_not_finite, table_is_too_short, table_entry_is_out_of_range, table_entries_repeat,
    blocks_do_not_align, offsets_do_not_rise, offsets_end_elsewhere, steps_are_not_whole_bytes, data_type_is_unknown,
    data_types_differ, extra_needs_s8, extra_needs_offset_zero, mask_has_no_compensation, scale_adjust_is_invalid,
    descriptor_has_extra, bound_descriptor_differs, data_is_null, axis_has_no_stride, index_type_is_too_small,
    padding_is_not_zero, values_are_quantized, values_are_not_quantized, scale_mask_differs, compensation_is_missing,
    compensation_mask_differs, axis_is_not_named, axis_is_named_otherwise, buffer_is_null, buffer_is_too_small,
    reorder_is_not_planned, choice_is_malformed, choice_does_not_fit, pattern_is_too_long, pattern_character_is_unknown,
    pattern_arrow_is_missing, pattern_arrow_is_doubled, pattern_parenthesis_does_not_match, pattern_axis_is_doubled,
    pattern_axis_is_on_one_side, pattern_number_is_not_one, pattern_ellipsis_is_joined, pattern_has_too_many_axes,
    pattern_extent_is_missing, pattern_extents_do_not_match, pattern_extent_is_not_of_an_axis, notation_is_malformed,
    notation_says_more, notation_has_no_strides, notation_has_no_offset, notation_has_no_padding,
    notation_has_no_blocks, middle_type_rounds, middle_type_saturates, attributes_round_between, one_pass_differs,
    beta_reads_the_middle, middle_layouts_differ, mask_is_not_carried, graph_is_full, tensor_is_unknown,
    tensor_has_two_producers, tensor_is_given_and_made, graph_has_cycle, port_rank_differs, port_extents_differ,
    port_cannot_have_format, ports_do_not_match, port_has_no_format, propagation_does_not_apply, hint_does_not_fit,
    operation_has_no_alternative, in_place_does_not_fit, tensor_format_is_open, costs_overflow, tensor_cost_overflows,
    cost_option_is_negative, reorder_is_unknown, view_does_not_fit, axis_name_is_missing, format_is_winograd,
    format_is_packed_for_rnn, format_is_sparse, format_kind_is_unknown, extra_flag_is_unknown, inner_block_does_not_fit,
    library_has_no_type, library_has_no_stride, library_has_no_tag, library_refuses, dlpack_type_is_unknown,
    lanes_have_no_axis, device_is_not_read, element_begins_inside_a_byte, data_is_misaligned, digits_do_not_nest,
    mesh_is_not_one_to_one, mesh_axis_is_out_of_range, mesh_axis_is_doubled, rank_is_outside_mesh,
    elements_share_a_place, part_is_not_a_box, part_crosses_ranks, chunks_differ, notation_has_no_ranks,
    mask_is_not_sent, communicator_is_too_small, rank_arguments_differ, mpi_is_not_running, mpi_refuses,
    redistribution_is_running, rank_memories_differ, rank_memory_is_too_small, rank_file_refuses, record_is_malformed,
    record_is_too_large, record_axis_is_unknown, record_axis_is_missing, record_axis_is_doubled,
    record_field_is_unknown, record_type_is_unknown, record_type_has_a_sign, record_range_is_outside,
    record_content_does_not_fit, factor_needs_fractions, stored_constant_is_malformed, constant_needs_whole_values,
    padding_needs_integers, padding_does_not_fit, paddings_differ, content_is_no_sum, content_is_doubled,
    contents_differ, sum_names_no_field, sum_is_not_closed, sum_constant_is_malformed, sum_constant_is_not_closed,
    sum_digit_is_malformed, sum_factor_is_malformed, sum_factor_is_not_whole, sum_is_exact, sum_of_fractions,
    sum_of_a_sum, sum_of_upper_bits, sum_of_a_difference, sum_has_no_order, sum_group_is_not_shared,
    step_is_not_reached, share_is_missing, loops_differ, loop_extents_differ, ragged_loop_is_not_outermost,
    digit_does_not_turn, bits_are_not_covered, shares_differ, fields_overlap, fields_are_not_decided, field_is_missing,
    field_is_not_a_layout, field_is_in_pieces, field_is_turned, field_types_differ, field_is_dropped,
    value_does_not_fit, record_is_not_cut, fibre_grows, indices_are_too_many, parameter_is_missing,
    chunk_ends_inside_a_byte, part_cuts_a_panel, field_is_not_regrouped, record_tags_differ, record_is_damaged,
    blob_is_truncated, blob_is_not_one, blob_version_is_unknown, blob_text_is_damaged, blob_text_is_refused,
    blob_size_differs, blob_data_is_damaged, blob_is_misaligned, blob_is_too_long;
}  // namespace rejected

namespace detail {
/// An entry of `reasons`: the name of a reason, its object, and its sentence.
struct reason_entry {
    const char* name;
    const rejected::because* object;
    /// %a is the axis, [text with an axis|and without], %1 to %3 the numbers, {text that is left out if the third is
    /// 0}, %b and %c numbers as letters, %n and %m as names, %r the third as a buffer_role, %k and %l the third as the
    /// name of a field and the letter of its axis, %x to %z data types, %f the first as an f32 that is 0 or not finite,
    /// %g the axis as a rank_argument, %u and %v the last two as its numbers, %d the first without a sign, %h and %i
    /// the first two in hexadecimal, %q and %w the last two as types of fields, %s and %t what verdict::counted names
    const char* text;
};
}  // namespace detail
}  // namespace plait
