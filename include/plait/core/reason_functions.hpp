#pragma once
// The function of each reason: a refusal at build time ends at it, and the compiler's error says its name. And what
// reasons.hpp has of each.

#include <plait/core/verdict.hpp>

namespace plait {

// Not constexpr on purpose: reached at build time, the compiler's error says the name of the function.
namespace rejected {
[[noreturn]] void stop(const verdict& why);  // inline, in core/rejection.hpp

[[noreturn]] inline void tag_is_empty(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_character_is_unknown(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_axis_is_doubled(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_axis_is_missing(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_block_is_malformed(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_block_is_too_small(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_blocked_axis_is_not_upper_case(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_upper_case_axis_has_no_block(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_has_too_many_axes(const verdict& v) { stop(v); }
[[noreturn]] inline void tag_has_too_many_blocks(const verdict& v) { stop(v); }
[[noreturn]] inline void too_many_axes(const verdict& v) { stop(v); }
[[noreturn]] inline void rank_differs(const verdict& v) { stop(v); }
[[noreturn]] inline void dim_is_negative(const verdict& v) { stop(v); }
[[noreturn]] inline void dim_is_dynamic(const verdict& v) { stop(v); }
[[noreturn]] inline void stride_is_dynamic(const verdict& v) { stop(v); }
[[noreturn]] inline void strides_do_not_nest(const verdict& v) { stop(v); }
[[noreturn]] inline void size_overflows(const verdict& v) { stop(v); }
[[noreturn]] inline void layout_is_undefined(const verdict& v) { stop(v); }
[[noreturn]] inline void layout_is_any(const verdict& v) { stop(v); }
[[noreturn]] inline void layout_is_opaque(const verdict& v) { stop(v); }
[[noreturn]] inline void layout_is_malformed(const verdict& v) { stop(v); }
[[noreturn]] inline void padded_dim_does_not_fit(const verdict& v) { stop(v); }
[[noreturn]] inline void digits_do_not_cover_axis(const verdict& v) { stop(v); }
[[noreturn]] inline void position_is_out_of_range(const verdict& v) { stop(v); }
[[noreturn]] inline void stride_is_negative(const verdict& v) { stop(v); }
[[noreturn]] inline void not_a_permutation(const verdict& v) { stop(v); }
[[noreturn]] inline void layout_is_not_injective(const verdict& v) { stop(v); }
[[noreturn]] inline void bound_values_do_not_match(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_is_out_of_range(const verdict& v) { stop(v); }
[[noreturn]] inline void volumes_differ(const verdict& v) { stop(v); }
[[noreturn]] inline void zero_extent_is_not_matched(const verdict& v) { stop(v); }
[[noreturn]] inline void joined_axes_do_not_chain(const verdict& v) { stop(v); }
[[noreturn]] inline void group_is_not_contiguous(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_is_blocked(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_is_padded(const verdict& v) { stop(v); }
[[noreturn]] inline void unit_axis_is_padded(const verdict& v) { stop(v); }
[[noreturn]] inline void extents_do_not_divide(const verdict& v) { stop(v); }
[[noreturn]] inline void too_many_digits(const verdict& v) { stop(v); }
[[noreturn]] inline void parent_is_not_blocked(const verdict& v) { stop(v); }
[[noreturn]] inline void parent_is_dynamic(const verdict& v) { stop(v); }
[[noreturn]] inline void part_is_outside_parent(const verdict& v) { stop(v); }
[[noreturn]] inline void part_cuts_a_block(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_has_blocks_in_blocks(const verdict& v) { stop(v); }
[[noreturn]] inline void index_is_outside_domain(const verdict& v) { stop(v); }
[[noreturn]] inline void digits_carry(const verdict& v) { stop(v); }
[[noreturn]] inline void layout_is_not_dense(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_is_not_one_element(const verdict& v) { stop(v); }
[[noreturn]] inline void parts_do_not_meet(const verdict& v) { stop(v); }
[[noreturn]] inline void dims_differ(const verdict& v) { stop(v); }
[[noreturn]] inline void destination_is_not_injective(const verdict& v) { stop(v); }
[[noreturn]] inline void spans_overlap(const verdict& v) { stop(v); }
[[noreturn]] inline void mask_is_out_of_range(const verdict& v) { stop(v); }
[[noreturn]] inline void mask_has_no_values(const verdict& v) { stop(v); }
[[noreturn]] inline void mask_has_other_values(const verdict& v) { stop(v); }
[[noreturn]] inline void scale_is_invalid(const verdict& v) { stop(v); }
[[noreturn]] inline void beta_is_not_finite(const verdict& v) { stop(v); }
[[noreturn]] inline void data_type_is_unknown(const verdict& v) { stop(v); }
[[noreturn]] inline void data_types_differ(const verdict& v) { stop(v); }
[[noreturn]] inline void extra_needs_s8(const verdict& v) { stop(v); }
[[noreturn]] inline void extra_needs_offset_zero(const verdict& v) { stop(v); }
[[noreturn]] inline void mask_has_no_compensation(const verdict& v) { stop(v); }
[[noreturn]] inline void scale_adjust_is_invalid(const verdict& v) { stop(v); }
[[noreturn]] inline void descriptor_has_extra(const verdict& v) { stop(v); }
[[noreturn]] inline void bound_descriptor_differs(const verdict& v) { stop(v); }
[[noreturn]] inline void data_is_null(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_has_no_stride(const verdict& v) { stop(v); }
[[noreturn]] inline void index_type_is_too_small(const verdict& v) { stop(v); }
[[noreturn]] inline void padding_is_not_zero(const verdict& v) { stop(v); }
[[noreturn]] inline void values_are_quantized(const verdict& v) { stop(v); }
[[noreturn]] inline void values_are_not_quantized(const verdict& v) { stop(v); }
[[noreturn]] inline void scale_mask_differs(const verdict& v) { stop(v); }
[[noreturn]] inline void compensation_is_missing(const verdict& v) { stop(v); }
[[noreturn]] inline void compensation_mask_differs(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_is_not_named(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_is_named_otherwise(const verdict& v) { stop(v); }
[[noreturn]] inline void buffer_is_null(const verdict& v) { stop(v); }
[[noreturn]] inline void buffer_is_too_small(const verdict& v) { stop(v); }
[[noreturn]] inline void reorder_is_not_planned(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_is_too_long(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_character_is_unknown(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_arrow_is_missing(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_arrow_is_doubled(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_parenthesis_does_not_match(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_axis_is_doubled(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_axis_is_on_one_side(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_number_is_not_one(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_ellipsis_is_joined(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_has_too_many_axes(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_extent_is_missing(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_extents_do_not_match(const verdict& v) { stop(v); }
[[noreturn]] inline void pattern_extent_is_not_of_an_axis(const verdict& v) { stop(v); }
[[noreturn]] inline void notation_is_malformed(const verdict& v) { stop(v); }
[[noreturn]] inline void notation_says_more(const verdict& v) { stop(v); }
[[noreturn]] inline void notation_has_no_strides(const verdict& v) { stop(v); }
[[noreturn]] inline void notation_has_no_offset(const verdict& v) { stop(v); }
[[noreturn]] inline void notation_has_no_padding(const verdict& v) { stop(v); }
[[noreturn]] inline void notation_has_no_blocks(const verdict& v) { stop(v); }
[[noreturn]] inline void middle_type_rounds(const verdict& v) { stop(v); }
[[noreturn]] inline void middle_type_saturates(const verdict& v) { stop(v); }
[[noreturn]] inline void attributes_round_between(const verdict& v) { stop(v); }
[[noreturn]] inline void one_pass_differs(const verdict& v) { stop(v); }
[[noreturn]] inline void beta_reads_the_middle(const verdict& v) { stop(v); }
[[noreturn]] inline void middle_layouts_differ(const verdict& v) { stop(v); }
[[noreturn]] inline void mask_is_not_carried(const verdict& v) { stop(v); }
[[noreturn]] inline void graph_is_full(const verdict& v) { stop(v); }
[[noreturn]] inline void tensor_is_unknown(const verdict& v) { stop(v); }
[[noreturn]] inline void tensor_has_two_producers(const verdict& v) { stop(v); }
[[noreturn]] inline void tensor_is_given_and_made(const verdict& v) { stop(v); }
[[noreturn]] inline void graph_has_cycle(const verdict& v) { stop(v); }
[[noreturn]] inline void port_rank_differs(const verdict& v) { stop(v); }
[[noreturn]] inline void port_extents_differ(const verdict& v) { stop(v); }
[[noreturn]] inline void port_cannot_have_format(const verdict& v) { stop(v); }
[[noreturn]] inline void ports_do_not_match(const verdict& v) { stop(v); }
[[noreturn]] inline void port_has_no_format(const verdict& v) { stop(v); }
[[noreturn]] inline void propagation_does_not_apply(const verdict& v) { stop(v); }
[[noreturn]] inline void hint_does_not_fit(const verdict& v) { stop(v); }
[[noreturn]] inline void operation_has_no_alternative(const verdict& v) { stop(v); }
[[noreturn]] inline void in_place_does_not_fit(const verdict& v) { stop(v); }
[[noreturn]] inline void tensor_format_is_open(const verdict& v) { stop(v); }
[[noreturn]] inline void costs_overflow(const verdict& v) { stop(v); }
[[noreturn]] inline void tensor_cost_overflows(const verdict& v) { stop(v); }
[[noreturn]] inline void reorder_is_unknown(const verdict& v) { stop(v); }
[[noreturn]] inline void view_does_not_fit(const verdict& v) { stop(v); }
[[noreturn]] inline void axis_name_is_missing(const verdict& v) { stop(v); }
[[noreturn]] inline void format_is_winograd(const verdict& v) { stop(v); }
[[noreturn]] inline void format_is_packed_for_rnn(const verdict& v) { stop(v); }
[[noreturn]] inline void format_is_sparse(const verdict& v) { stop(v); }
[[noreturn]] inline void format_kind_is_unknown(const verdict& v) { stop(v); }
[[noreturn]] inline void extra_flag_is_unknown(const verdict& v) { stop(v); }
[[noreturn]] inline void inner_block_does_not_fit(const verdict& v) { stop(v); }
[[noreturn]] inline void library_has_no_type(const verdict& v) { stop(v); }
[[noreturn]] inline void library_has_no_tag(const verdict& v) { stop(v); }
[[noreturn]] inline void library_refuses(const verdict& v) { stop(v); }
}  // namespace rejected

/// One line of `reasons`: what a reason is called, how it is said, and where it ends.
struct reason_entry {
    reason which;
    const char* name;
    void (*reject)(const verdict&);
    const char* text;  ///< %a is the axis, [what is said only if there is one], %1 and %2 the numbers, %3 the nearest,
                       ///< {what is said only if there is a nearest},
                       ///< %b and %c the first and the second as a letter, %r the third as a buffer_role,
                       ///< %x, %y and %z the three as data types, %f the first as the bits of an f32 that is 0 or not
                       ///< finite
};

}  // namespace plait
