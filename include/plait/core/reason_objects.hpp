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

inline constinit because none;
inline constinit because tag_is_empty;
inline constinit because tag_character_is_unknown;
inline constinit because tag_axis_is_doubled;
inline constinit because tag_axis_is_missing;
inline constinit because tag_block_is_malformed;
inline constinit because tag_block_is_too_small;
inline constinit because tag_blocked_axis_is_not_upper_case;
inline constinit because tag_upper_case_axis_has_no_block;
inline constinit because tag_has_too_many_axes;
inline constinit because tag_has_too_many_blocks;
inline constinit because too_many_axes;
inline constinit because rank_differs;
inline constinit because dim_is_negative;
inline constinit because dim_is_dynamic;
inline constinit because stride_is_dynamic;
inline constinit because strides_do_not_nest;
inline constinit because size_overflows;
inline constinit because layout_is_undefined;
inline constinit because layout_is_any;
inline constinit because layout_is_opaque;
inline constinit because layout_is_malformed;
inline constinit because padded_dim_does_not_fit;
inline constinit because digits_do_not_cover_axis;
inline constinit because position_is_out_of_range;
inline constinit because stride_is_negative;
inline constinit because not_a_permutation;
inline constinit because layout_is_not_injective;
inline constinit because bound_values_do_not_match;
inline constinit because axis_is_out_of_range;
inline constinit because volumes_differ;
inline constinit because zero_extent_is_not_matched;
inline constinit because joined_axes_do_not_chain;
inline constinit because group_is_not_contiguous;
inline constinit because axis_is_blocked;
inline constinit because axis_is_padded;
inline constinit because unit_axis_is_padded;
inline constinit because extents_do_not_divide;
inline constinit because too_many_digits;
inline constinit because parent_is_not_blocked;
inline constinit because parent_is_dynamic;
inline constinit because part_is_outside_parent;
inline constinit because part_cuts_a_block;
inline constinit because step_leads_away;
inline constinit because step_cuts_a_block;
inline constinit because axis_has_blocks_in_blocks;
inline constinit because index_is_outside_domain;
inline constinit because digits_carry;
inline constinit because layout_is_not_dense;
inline constinit because axis_is_not_one_element;
inline constinit because parts_do_not_meet;
inline constinit because dims_differ;
inline constinit because destination_is_not_injective;
inline constinit because spans_overlap;
inline constinit because mask_is_out_of_range;
inline constinit because mask_has_no_values;
inline constinit because mask_has_other_values;
inline constinit because value_type_does_not_fit;
inline constinit because group_does_not_divide;
inline constinit because values_are_too_few;
inline constinit because scale_is_invalid;
inline constinit because beta_is_not_finite;
inline constinit because data_type_is_unknown;
inline constinit because data_types_differ;
inline constinit because extra_needs_s8;
inline constinit because extra_needs_offset_zero;
inline constinit because mask_has_no_compensation;
inline constinit because scale_adjust_is_invalid;
inline constinit because descriptor_has_extra;
inline constinit because bound_descriptor_differs;
inline constinit because data_is_null;
inline constinit because axis_has_no_stride;
inline constinit because index_type_is_too_small;
inline constinit because padding_is_not_zero;
inline constinit because values_are_quantized;
inline constinit because values_are_not_quantized;
inline constinit because scale_mask_differs;
inline constinit because compensation_is_missing;
inline constinit because compensation_mask_differs;
inline constinit because axis_is_not_named;
inline constinit because axis_is_named_otherwise;
inline constinit because buffer_is_null;
inline constinit because buffer_is_too_small;
inline constinit because reorder_is_not_planned;
inline constinit because choice_is_malformed;
inline constinit because choice_does_not_fit;
inline constinit because pattern_is_too_long;
inline constinit because pattern_character_is_unknown;
inline constinit because pattern_arrow_is_missing;
inline constinit because pattern_arrow_is_doubled;
inline constinit because pattern_parenthesis_does_not_match;
inline constinit because pattern_axis_is_doubled;
inline constinit because pattern_axis_is_on_one_side;
inline constinit because pattern_number_is_not_one;
inline constinit because pattern_ellipsis_is_joined;
inline constinit because pattern_has_too_many_axes;
inline constinit because pattern_extent_is_missing;
inline constinit because pattern_extents_do_not_match;
inline constinit because pattern_extent_is_not_of_an_axis;
inline constinit because notation_is_malformed;
inline constinit because notation_says_more;
inline constinit because notation_has_no_strides;
inline constinit because notation_has_no_offset;
inline constinit because notation_has_no_padding;
inline constinit because notation_has_no_blocks;
inline constinit because middle_type_rounds;
inline constinit because middle_type_saturates;
inline constinit because attributes_round_between;
inline constinit because one_pass_differs;
inline constinit because beta_reads_the_middle;
inline constinit because middle_layouts_differ;
inline constinit because mask_is_not_carried;
inline constinit because graph_is_full;
inline constinit because tensor_is_unknown;
inline constinit because tensor_has_two_producers;
inline constinit because tensor_is_given_and_made;
inline constinit because graph_has_cycle;
inline constinit because port_rank_differs;
inline constinit because port_extents_differ;
inline constinit because port_cannot_have_format;
inline constinit because ports_do_not_match;
inline constinit because port_has_no_format;
inline constinit because propagation_does_not_apply;
inline constinit because hint_does_not_fit;
inline constinit because operation_has_no_alternative;
inline constinit because in_place_does_not_fit;
inline constinit because tensor_format_is_open;
inline constinit because costs_overflow;
inline constinit because tensor_cost_overflows;
inline constinit because cost_option_is_negative;
inline constinit because reorder_is_unknown;
inline constinit because view_does_not_fit;
inline constinit because axis_name_is_missing;
inline constinit because format_is_winograd;
inline constinit because format_is_packed_for_rnn;
inline constinit because format_is_sparse;
inline constinit because format_kind_is_unknown;
inline constinit because extra_flag_is_unknown;
inline constinit because inner_block_does_not_fit;
inline constinit because library_has_no_type;
inline constinit because library_has_no_stride;
inline constinit because library_has_no_tag;
inline constinit because library_refuses;
inline constinit because dlpack_type_is_unknown;
inline constinit because lanes_have_no_axis;
inline constinit because device_is_not_read;
inline constinit because element_begins_inside_a_byte;
inline constinit because data_is_misaligned;
inline constinit because digits_do_not_nest;
inline constinit because mesh_is_not_one_to_one;
inline constinit because mesh_axis_is_out_of_range;
inline constinit because mesh_axis_is_doubled;
inline constinit because rank_is_outside_mesh;
inline constinit because elements_share_a_place;
inline constinit because part_is_not_a_box;
inline constinit because part_crosses_ranks;
inline constinit because chunks_differ;
inline constinit because notation_has_no_ranks;
inline constinit because mask_is_not_sent;
inline constinit because communicator_is_too_small;
inline constinit because rank_arguments_differ;
inline constinit because mpi_is_not_running;
inline constinit because mpi_refuses;
inline constinit because record_is_malformed;
inline constinit because record_is_too_large;
inline constinit because record_axis_is_unknown;
inline constinit because record_axis_is_missing;
inline constinit because record_axis_is_doubled;
inline constinit because record_field_is_unknown;
inline constinit because record_type_is_unknown;
inline constinit because record_type_has_a_sign;
inline constinit because record_range_is_outside;
inline constinit because record_content_does_not_fit;
inline constinit because factor_needs_fractions;
inline constinit because stored_constant_is_malformed;
inline constinit because constant_needs_whole_values;
inline constinit because padding_needs_integers;
inline constinit because padding_does_not_fit;
inline constinit because paddings_differ;
inline constinit because content_is_no_sum;
inline constinit because content_is_doubled;
inline constinit because contents_differ;
inline constinit because sum_names_no_field;
inline constinit because sum_is_not_closed;
inline constinit because sum_constant_is_malformed;
inline constinit because sum_constant_is_not_closed;
inline constinit because sum_digit_is_malformed;
inline constinit because sum_factor_is_malformed;
inline constinit because sum_factor_is_not_whole;
inline constinit because sum_is_exact;
inline constinit because sum_of_fractions;
inline constinit because sum_of_a_sum;
inline constinit because sum_of_upper_bits;
inline constinit because sum_of_a_difference;
inline constinit because sum_has_no_order;
inline constinit because sum_group_is_not_shared;
inline constinit because step_is_not_reached;
inline constinit because share_is_missing;
inline constinit because loops_differ;
inline constinit because loop_extents_differ;
inline constinit because ragged_loop_is_not_outermost;
inline constinit because digit_does_not_turn;
inline constinit because bits_are_not_covered;
inline constinit because shares_differ;
inline constinit because fields_overlap;
inline constinit because fields_are_not_decided;
inline constinit because field_is_missing;
inline constinit because field_is_not_a_layout;
inline constinit because field_is_in_pieces;
inline constinit because field_is_turned;
inline constinit because field_types_differ;
inline constinit because field_is_dropped;
inline constinit because value_does_not_fit;
inline constinit because record_is_not_cut;
inline constinit because fibre_grows;
inline constinit because indices_are_too_many;
inline constinit because parameter_is_missing;
inline constinit because chunk_ends_inside_a_byte;
inline constinit because part_cuts_a_panel;
inline constinit because field_is_not_regrouped;
inline constinit because record_tags_differ;
inline constinit because record_is_damaged;
inline constinit because blob_is_truncated;
inline constinit because blob_is_not_one;
inline constinit because blob_version_is_unknown;
inline constinit because blob_text_is_damaged;
inline constinit because blob_text_is_refused;
inline constinit because blob_size_differs;
inline constinit because blob_data_is_damaged;
inline constinit because blob_is_misaligned;
inline constinit because blob_is_too_long;

/// A pointer to the object of a reason, by its name.
struct because_of {
    const because* object = nullptr;
    constexpr because_of() = default;
    constexpr because_of(const because& reason) : object(&reason) {}
};
}  // namespace rejected

namespace detail {
/// An entry of `reasons`: the name of a reason, its sentence, and its object.
struct reason_entry {
    reason which;
    const char* name;
    rejected::because_of reject;
    /// %a is the axis, [text with an axis|and without], %1 to %3 the numbers, {text that is left out if the third is
    /// 0}, %b and %c numbers as letters, %n and %m as names, %r the third as a buffer_role, %k and %l the third as the
    /// name of a field and the letter of its axis, %x to %z data types, %f the first as an f32 that is 0 or not finite,
    /// %g the axis as a rank_argument, %u and %v the last two as its numbers, %d the first without a sign, %h and %i
    /// the first two in hexadecimal, %q and %w the last two as types of fields, %s and %t what verdict::counted names
    const char* text;
};
}  // namespace detail
}  // namespace plait
