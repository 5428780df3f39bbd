#pragma once
// Every reason: the function that a refusal at build time ends at, and the sentence that it is told in.

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
[[noreturn]] inline void data_type_is_unknown(const verdict& v) { stop(v); }
[[noreturn]] inline void data_types_differ(const verdict& v) { stop(v); }
[[noreturn]] inline void extra_needs_s8(const verdict& v) { stop(v); }
[[noreturn]] inline void extra_needs_offset_zero(const verdict& v) { stop(v); }
[[noreturn]] inline void mask_has_no_compensation(const verdict& v) { stop(v); }
[[noreturn]] inline void scale_adjust_is_invalid(const verdict& v) { stop(v); }
[[noreturn]] inline void descriptor_has_extra(const verdict& v) { stop(v); }
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
                       ///< %b and %c the first and the second as a letter, %r the third as a buffer_role,
                       ///< %x, %y and %z the three as data types
};

// In the order of the enumerators; a test holds it to that.
/// Every reason, in the order of the enumerators.
inline constexpr reason_entry reasons[] = {
    {reason::none, "none", rejected::stop, "nothing is wrong"},
    {reason::tag_is_empty, "tag_is_empty", rejected::tag_is_empty, "the format tag is empty"},
    {reason::tag_character_is_unknown, "tag_character_is_unknown", rejected::tag_character_is_unknown,
     "column %1 of the format tag is not a letter of one of the known axis families, nor a block"},
    {reason::tag_axis_is_doubled, "tag_axis_is_doubled", rejected::tag_axis_is_doubled,
     "column %1 of the format tag names an axis that column %2 has named already"},
    {reason::tag_axis_is_missing, "tag_axis_is_missing", rejected::tag_axis_is_missing,
     "the format tag ends at column %1 without the axis '%c' that its other letters need"},
    {reason::tag_block_is_malformed, "tag_block_is_malformed", rejected::tag_block_is_malformed,
     "column %1 of the format tag is not <number><letter> of an inner block that fits in 63 bits"},
    {reason::tag_block_is_too_small, "tag_block_is_too_small", rejected::tag_block_is_too_small,
     "column %1 of the format tag starts a block of %2, but a block has at least 2 elements"},
    {reason::tag_blocked_axis_is_not_upper_case, "tag_blocked_axis_is_not_upper_case",
     rejected::tag_blocked_axis_is_not_upper_case,
     "column %1 of the format tag is lower case, but column %2 blocks that axis"},
    {reason::tag_upper_case_axis_has_no_block, "tag_upper_case_axis_has_no_block",
     rejected::tag_upper_case_axis_has_no_block,
     "column %1 of the format tag is upper case, but no block follows for that axis"},
    {reason::tag_has_too_many_axes, "tag_has_too_many_axes", rejected::tag_has_too_many_axes,
     "column %1 of the format tag names axis number %2, but a layout has at most 12"},
    {reason::tag_has_too_many_blocks, "tag_has_too_many_blocks", rejected::tag_has_too_many_blocks,
     "column %1 of the format tag starts block number %2, but a layout has at most 12"},
    {reason::too_many_axes, "too_many_axes", rejected::too_many_axes,
     "%1 axes were given, but a layout has at most %2"},
    {reason::rank_differs, "rank_differs", rejected::rank_differs,
     "the tag, list, pattern or tensor that was given has %1 axes, but what it is for has %2"},
    {reason::dim_is_negative, "dim_is_negative", rejected::dim_is_negative,
     "the extent[ of axis %a] is %1, but has to be %2 at least"},
    {reason::dim_is_dynamic, "dim_is_dynamic", rejected::dim_is_dynamic,
     "the extent[ of axis %a] is known only at run time, and has to be bound first"},
    {reason::stride_is_dynamic, "stride_is_dynamic", rejected::stride_is_dynamic,
     "the stride of axis %a is known only at run time"},
    {reason::strides_do_not_nest, "strides_do_not_nest", rejected::strides_do_not_nest,
     "axis %a has stride %1, but the axes inside it need at least %2"},
    {reason::size_overflows, "size_overflows", rejected::size_overflows,
     "%1 times %2 elements[ at axis %a] leave the range of 63 bits"},
    {reason::layout_is_undefined, "layout_is_undefined", rejected::layout_is_undefined,
     "the layout is undefined, or would be: it has no axes"},
    {reason::layout_is_any, "layout_is_any", rejected::layout_is_any,
     "the layout is 'any': it has no place in memory yet, and its extents may not be dynamic"},
    {reason::layout_is_opaque, "layout_is_opaque", rejected::layout_is_opaque,
     "the layout is opaque: what it looks like in memory is not described"},
    {reason::layout_is_malformed, "layout_is_malformed", rejected::layout_is_malformed,
     "the layout breaks an invariant[ at axis %a]: %1 against %2"},
    {reason::padded_dim_does_not_fit, "padded_dim_does_not_fit", rejected::padded_dim_does_not_fit,
     "axis %a has the padded extent %1, which does not fit its extent and blocks (%2)"},
    {reason::digits_do_not_cover_axis, "digits_do_not_cover_axis", rejected::digits_do_not_cover_axis,
     "the digits of axis %a cover %1 indices, but its padded extent is %2"},
    {reason::position_is_out_of_range, "position_is_out_of_range", rejected::position_is_out_of_range,
     "index %1 of axis %a is outside its extent %2"},
    {reason::not_a_permutation, "not_a_permutation", rejected::not_a_permutation,
     "entry %a of the permutation is %1, but each number from 0 to below %2 has to be there once"},
    {reason::layout_is_not_injective, "layout_is_not_injective", rejected::layout_is_not_injective,
     "axis %a has %1 elements in one place (stride %2), so an offset does not say which"},
    {reason::bound_values_do_not_match, "bound_values_do_not_match", rejected::bound_values_do_not_match,
     "%1 values were bound, but the layout has %2 dynamic extents"},
    {reason::axis_is_out_of_range, "axis_is_out_of_range", rejected::axis_is_out_of_range,
     "there is no axis %1 in a layout of %2 axes"},
    {reason::volumes_differ, "volumes_differ", rejected::volumes_differ, "%1 elements cannot become %2"},
    {reason::zero_extent_is_not_matched, "zero_extent_is_not_matched", rejected::zero_extent_is_not_matched,
     "axis %a has the extent %1 where the result has %2: an empty axis matches only an empty one in its place"},
    {reason::joined_axes_do_not_chain, "joined_axes_do_not_chain", rejected::joined_axes_do_not_chain,
     "axis %a has stride %1, but to be one with the axes inside it, it needs %2"},
    {reason::group_is_not_contiguous, "group_is_not_contiguous", rejected::group_is_not_contiguous,
     "axis %a has a digit of stride %1, but in one contiguous chunk it needs %2"},
    {reason::axis_is_blocked, "axis_is_blocked", rejected::axis_is_blocked,
     "axis %a carries inner blocks of %1 elements, so its %2 elements cannot be split or joined"},
    {reason::axis_is_padded, "axis_is_padded", rejected::axis_is_padded,
     "axis %a takes %1 places for its %2 elements: with that padding its index cannot be split, joined or repeated"},
    {reason::unit_axis_is_padded, "unit_axis_is_padded", rejected::unit_axis_is_padded,
     "axis %a has one element, but is padded to %1 or carries a block of %2, so it cannot go away"},
    {reason::extents_do_not_divide, "extents_do_not_divide", rejected::extents_do_not_divide,
     "%1 and %2[ at axis %a] do not divide each other; the nearest that would do is %3"},
    {reason::too_many_digits, "too_many_digits", rejected::too_many_digits,
     "the result needs %1 digits, but a layout has at most %2"},
    {reason::parent_is_not_blocked, "parent_is_not_blocked", rejected::parent_is_not_blocked,
     "the parent is undefined, any or opaque, so its parts have no place"},
    {reason::parent_is_dynamic, "parent_is_dynamic", rejected::parent_is_dynamic,
     "the extent or the stride of axis %a of the parent is known only at run time"},
    {reason::part_is_outside_parent, "part_is_outside_parent", rejected::part_is_outside_parent,
     "along axis %a the part goes to %1, which is outside the extent %2 of the parent"},
    {reason::part_cuts_a_block, "part_cuts_a_block", rejected::part_cuts_a_block,
     "along axis %a the part begins or ends at %1, inside a block of %2"},
    {reason::axis_has_blocks_in_blocks, "axis_has_blocks_in_blocks", rejected::axis_has_blocks_in_blocks,
     "axis %a has blocks of %1 within blocks of %2, which one stride cannot describe"},
    {reason::index_is_outside_domain, "index_is_outside_domain", rejected::index_is_outside_domain,
     "the inner layout reaches index %1, but the outer one has %2 elements"},
    {reason::digits_carry, "digits_carry", rejected::digits_carry,
     "the indices[ along axis %a] add up to %1 in a digit that has %2 values"},
    {reason::layout_is_not_dense, "layout_is_not_dense", rejected::layout_is_not_dense,
     "offset %1 has no element, but each up to %2 needs one"},
    {reason::axis_is_not_one_element, "axis_is_not_one_element", rejected::axis_is_not_one_element,
     "axis %a has %1 elements in %2 places, but only a single one can be repeated"},
    {reason::parts_do_not_meet, "parts_do_not_meet", rejected::parts_do_not_meet,
     "along axis %a the second part begins at offset %1, but the first one ends at %2"},
    {reason::dims_differ, "dims_differ", rejected::dims_differ,
     "axis %a has %1 elements in one layout and %2 in the other"},
    {reason::destination_is_not_injective, "destination_is_not_injective", rejected::destination_is_not_injective,
     "axis %a of the destination has %1 elements in one place (stride %2): which to keep is undefined"},
    {reason::spans_overlap, "spans_overlap", rejected::spans_overlap,
     "the source's %1 bytes and the destination's %2, which begin %3 bytes behind, overlap: in place is only for equal "
     "layouts whose values do not change"},
    {reason::mask_is_out_of_range, "mask_is_out_of_range", rejected::mask_is_out_of_range,
     "the mask %1 of an attribute has bits beyond the %2 axes"},
    {reason::mask_has_no_values, "mask_has_no_values", rejected::mask_has_no_values,
     "the mask %1 of an attribute asks for %2 values, but the pointer to them is null"},
    {reason::mask_has_other_values, "mask_has_other_values", rejected::mask_has_other_values,
     "the mask %1 of an attribute asks for %2 values, but %3 were given"},
    {reason::data_type_is_unknown, "data_type_is_unknown", rejected::data_type_is_unknown,
     "the data type, number %1, is none of the element types"},
    {reason::data_types_differ, "data_types_differ", rejected::data_types_differ,
     "elements of type %x meet elements of type %y, and both have to be of one type"},
    {reason::extra_needs_s8, "extra_needs_s8", rejected::extra_needs_s8,
     "compensation and scale_adjust belong to s8, but the elements are of type %x"},
    {reason::extra_needs_offset_zero, "extra_needs_offset_zero", rejected::extra_needs_offset_zero,
     "compensation follows the data from offset 0 on, but the layout begins at offset %1"},
    {reason::mask_has_no_compensation, "mask_has_no_compensation", rejected::mask_has_no_compensation,
     "the mask %1 is given for a compensation that is not asked for"},
    {reason::scale_adjust_is_invalid, "scale_adjust_is_invalid", rejected::scale_adjust_is_invalid,
     "scale_adjust, the f32 with the bits %1, is not a positive finite number"},
    {reason::descriptor_has_extra, "descriptor_has_extra", rejected::descriptor_has_extra,
     "the descriptor has compensation or scale_adjust, which would be lost or wrong"},
    {reason::data_is_null, "data_is_null", rejected::data_is_null,
     "the view has %1 elements, but the pointer to them is null"},
    {reason::axis_has_no_stride, "axis_has_no_stride", rejected::axis_has_no_stride,
     "axis %a has no stride: one step along it is %1 elements, another %2"},
    {reason::index_type_is_too_small, "index_type_is_too_small", rejected::index_type_is_too_small,
     "the layout reaches offset %1, but the index type of the extents only counts %2 elements"},
    {reason::padding_is_not_zero, "padding_is_not_zero", rejected::padding_is_not_zero,
     "[axis %a is padded from %1 to %2, and ]the type does not say that the padding is zero; that of zero_pad(view) does"},
    {reason::values_are_quantized, "values_are_quantized", rejected::values_are_quantized,
     "the elements stand for other numbers (scale: %x, zero point: %y, undef if there is none; or by scale_adjust); "
     "dequantize(view, i...) reads them"},
    {reason::values_are_not_quantized, "values_are_not_quantized", rejected::values_are_not_quantized,
     "the elements stand for themselves, and a scale or a zero point is needed; with_quantization(view, scale) says it"},
    {reason::scale_mask_differs, "scale_mask_differs", rejected::scale_mask_differs,
     "the scale has a value for each index by mask %1, and mask %2 is needed (-1: known only at run time)"},
    {reason::compensation_is_missing, "compensation_is_missing", rejected::compensation_is_missing,
     "the tensor says that it carries compensation of kind %1, but what it is passed to needs kind %2 "
     "(0: none, 1: s8s8, 2: asymmetric source, 3: both)"},
    {reason::compensation_mask_differs, "compensation_mask_differs", rejected::compensation_mask_differs,
     "the tensor carries compensation by mask %1, and mask %2 is needed (kind %3; 1: s8s8, 2: asymmetric source)"},
    {reason::axis_is_not_named, "axis_is_not_named", rejected::axis_is_not_named,
     "the axes have no names, but axis %a should be called '%c'"},
    {reason::axis_is_named_otherwise, "axis_is_named_otherwise", rejected::axis_is_named_otherwise,
     "axis %a is called '%b' by its tensor, but '%c' where the tensor is used"},
    {reason::buffer_is_null, "buffer_is_null", rejected::buffer_is_null,
     "the pointer to the %r is null, but its tensor needs %1 bytes"},
    {reason::buffer_is_too_small, "buffer_is_too_small", rejected::buffer_is_too_small,
     "the %r has %1 bytes, but its tensor needs %2"},
    {reason::reorder_is_not_planned, "reorder_is_not_planned", rejected::reorder_is_not_planned,
     "there is no plan: it was refused when it was made, and error() of that answer says why"},
    {reason::pattern_is_too_long, "pattern_is_too_long", rejected::pattern_is_too_long,
     "the pattern has %1 characters, but at most %2 are read"},
    {reason::pattern_character_is_unknown, "pattern_character_is_unknown", rejected::pattern_character_is_unknown,
     "column %1 of the pattern is neither a name, 1, a parenthesis, an ellipsis nor an arrow"},
    {reason::pattern_arrow_is_missing, "pattern_arrow_is_missing", rejected::pattern_arrow_is_missing,
     "the pattern ends at column %1 without the '->' between its sides"},
    {reason::pattern_arrow_is_doubled, "pattern_arrow_is_doubled", rejected::pattern_arrow_is_doubled,
     "column %1 of the pattern has a '->', after that of column %2"},
    {reason::pattern_parenthesis_does_not_match, "pattern_parenthesis_does_not_match",
     rejected::pattern_parenthesis_does_not_match,
     "column %1 of the pattern has a parenthesis within another one, or without its counterpart"},
    {reason::pattern_axis_is_doubled, "pattern_axis_is_doubled", rejected::pattern_axis_is_doubled,
     "column %1 of the pattern names an axis that column %2 has named already"},
    {reason::pattern_axis_is_on_one_side, "pattern_axis_is_on_one_side", rejected::pattern_axis_is_on_one_side,
     "column %1 of the pattern has an axis that the other side has not: rearrange neither repeats nor reduces"},
    {reason::pattern_number_is_not_one, "pattern_number_is_not_one", rejected::pattern_number_is_not_one,
     "column %1 of the pattern has the number %2, but the extent of a group's axis is given beside the pattern, and "
     "only 1 stands for an axis"},
    {reason::pattern_ellipsis_is_joined, "pattern_ellipsis_is_joined", rejected::pattern_ellipsis_is_joined,
     "column %1 of the pattern has an ellipsis within parentheses, which only the right side may have"},
    {reason::pattern_has_too_many_axes, "pattern_has_too_many_axes", rejected::pattern_has_too_many_axes,
     "column %1 of the pattern names axis number %2, but a layout has at most %3"},
    {reason::pattern_extent_is_missing, "pattern_extent_is_missing", rejected::pattern_extent_is_missing,
     "the group at column %1 of the pattern has %2 axes without an extent, but division finds only one"},
    {reason::pattern_extents_do_not_match, "pattern_extents_do_not_match", rejected::pattern_extents_do_not_match,
     "%1 extents are given, but the groups of the pattern have %2 axes, and %3 without the last of each"},
    {reason::pattern_extent_is_not_of_an_axis, "pattern_extent_is_not_of_an_axis",
     rejected::pattern_extent_is_not_of_an_axis,
     "extent number %1, of value %2, is for a name that the pattern has not, or that has one already"},
    {reason::notation_is_malformed, "notation_is_malformed", rejected::notation_is_malformed,
     "column %1 of the text is not what the notation has there"},
    {reason::notation_says_more, "notation_says_more", rejected::notation_says_more,
     "from column %1 on the text says what its notation has and layouts of plait have not: a swizzle, a memory space, "
     "compensation, or a number known only at run time"},
    {reason::notation_has_no_strides, "notation_has_no_strides", rejected::notation_has_no_strides,
     "the notation says only layouts without gaps, where axis %a has stride %2 in place of %1"},
    {reason::notation_has_no_offset, "notation_has_no_offset", rejected::notation_has_no_offset,
     "the layout begins at offset %1, which the notation does not say"},
    {reason::notation_has_no_padding, "notation_has_no_padding", rejected::notation_has_no_padding,
     "axis %a has %1 places for its %2 elements, which the notation does not say"},
    {reason::notation_has_no_blocks, "notation_has_no_blocks", rejected::notation_has_no_blocks,
     "axis %a has %1 inner blocks, but the notation says at most %2, in an order of its own"},
    {reason::middle_type_rounds, "middle_type_rounds", rejected::middle_type_rounds,
     "in between, numbers of %x round to the %3 binary digits of %y, so one pass would write others"},
    {reason::middle_type_saturates, "middle_type_saturates", rejected::middle_type_saturates,
     "in between, numbers of %x go beyond the range of %y, so one pass would write others"},
    {reason::attributes_round_between, "attributes_round_between", rejected::attributes_round_between,
     "the attributes of the first reorder, from %x to %y, round before the second one makes %z of its numbers"},
    {reason::one_pass_differs, "one_pass_differs", rejected::one_pass_differs,
     "making %z of %x at once does not give the bits that it gives through %y"},
    {reason::beta_reads_the_middle, "beta_reads_the_middle", rejected::beta_reads_the_middle,
     "the first reorder adds what the middle tensor held (beta, the f32 with the bits %1), which one pass does not "
     "see"},
    {reason::middle_layouts_differ, "middle_layouts_differ", rejected::middle_layouts_differ,
     "the first reorder writes to a span of %1, the second reads one of %2, but not the same elements with axes "
     "permuted or reshaped"},
    {reason::mask_is_not_carried, "mask_is_not_carried", rejected::mask_is_not_carried,
     "the mask %1 of an attribute names axes that are not axes of the other reorder in the same order"},
    {reason::graph_is_full, "graph_is_full", rejected::graph_is_full,
     "a list of the graph has room for %1 entries, and one more was added"},
    {reason::tensor_is_unknown, "tensor_is_unknown", rejected::tensor_is_unknown,
     "port %a of operation %1 is tensor number %2, but the graph has %3"},
    {reason::tensor_has_two_producers, "tensor_has_two_producers", rejected::tensor_has_two_producers,
     "tensor %1 is a result of operation %2 and of operation %3"},
    {reason::tensor_is_given_and_made, "tensor_is_given_and_made", rejected::tensor_is_given_and_made,
     "tensor %1 is a constant, but operation %2 writes it"},
    {reason::graph_has_cycle, "graph_has_cycle", rejected::graph_has_cycle,
     "operation %1 reads what follows from its own result, through operation %2"},
    {reason::port_rank_differs, "port_rank_differs", rejected::port_rank_differs,
     "port %a of operation %1 is given a format of %2 axes, but its tensor has %3"},
    {reason::port_extents_differ, "port_extents_differ", rejected::port_extents_differ,
     "operation %1 has a kind that keeps extents, but its first result has %2[ along axis %a] where its first source "
     "has %3 (elements, or axes)"},
    {reason::port_cannot_have_format, "port_cannot_have_format", rejected::port_cannot_have_format,
     "port %a of operation %1 cannot have format number %2 of the graph: padded, tensor %3 leaves 63 bits"},
    {reason::ports_do_not_match, "ports_do_not_match", rejected::ports_do_not_match,
     "alternative %2 of operation %1 does not say one format for each of the operation's %3 ports, "
     "or marks one that it has not"},
    {reason::port_has_no_format, "port_has_no_format", rejected::port_has_no_format,
     "port %a of operation %1 is left `any` by alternative %2, which has to say a format"},
    {reason::propagation_does_not_apply, "propagation_does_not_apply", rejected::propagation_does_not_apply,
     "operation %1 has a kind (number %2) without the propagation number %3"},
    {reason::hint_does_not_fit, "hint_does_not_fit", rejected::hint_does_not_fit,
     "operation %1 has operation %2 as its hint, which is not one forward with as many alternatives"},
    {reason::operation_has_no_alternative, "operation_has_no_alternative", rejected::operation_has_no_alternative,
     "operation %1 has no formats to choose from: none are given for it, and none that its tensors may be in fits all "
     "its %2 ports"},
    {reason::in_place_does_not_fit, "in_place_does_not_fit", rejected::in_place_does_not_fit,
     "operation %1 cannot take over the memory of its source %2: another layout, or tensor %3 is needed by others"},
    {reason::tensor_format_is_open, "tensor_format_is_open", rejected::tensor_format_is_open,
     "tensor %1 is `any`, and no operation reads or writes it"},
    {reason::costs_overflow, "costs_overflow", rejected::costs_overflow,
     "the costs up to operation %1 are negative or leave 61 bits: %2"},
    {reason::tensor_cost_overflows, "tensor_cost_overflows", rejected::tensor_cost_overflows,
     "the costs up to the reorders of tensor %1 leave 61 bits"},
    {reason::reorder_is_unknown, "reorder_is_unknown", rejected::reorder_is_unknown,
     "there is no reorder number %1 among the %2 that were chosen"},
    {reason::view_does_not_fit, "view_does_not_fit", rejected::view_does_not_fit,
     "the view of operation %1 has %2[ at axis %a] (an extent, elements, or axes), which does not fit "
     "the %3 of its source or result"},
    {reason::axis_name_is_missing, "axis_name_is_missing", rejected::axis_name_is_missing,
     "axis %a is called '%c' in the library's order, and no axis in the framework's is"},
    {reason::format_is_winograd, "format_is_winograd", rejected::format_is_winograd,
     "the format is wino: weights transformed for Winograd's algorithm, which no layout describes"},
    {reason::format_is_packed_for_rnn, "format_is_packed_for_rnn", rejected::format_is_packed_for_rnn,
     "the format is rnn_packed: weights packed for matrix products of an RNN, which no layout describes"},
    {reason::format_is_sparse, "format_is_sparse", rejected::format_is_sparse,
     "the format is sparse: which elements are there is part of the data, and not of a layout"},
    {reason::format_kind_is_unknown, "format_kind_is_unknown", rejected::format_kind_is_unknown,
     "the format kind is none that is known: neither blocked, any, undefined, opaque nor sparse"},
    {reason::extra_flag_is_unknown, "extra_flag_is_unknown", rejected::extra_flag_is_unknown,
     "the descriptor has the extra flags %1, of which only the bits %2 are known"},
    {reason::inner_block_does_not_fit, "inner_block_does_not_fit", rejected::inner_block_does_not_fit,
     "inner block %1, of axis %a, has stride %2, where the library has at most 12, dense: here with stride %3"},
    {reason::library_has_no_type, "library_has_no_type", rejected::library_has_no_type,
     "the library has no number for %x in this version, whose last is %2"},
    {reason::library_has_no_tag, "library_has_no_tag", rejected::library_has_no_tag,
     "the library makes inner blocks from its own format tags alone, and none leads to these %2 blocks of %1 axes"},
    {reason::library_refuses, "library_refuses", rejected::library_refuses,
     "the library refuses to make the descriptor, with its status %1"},
};

/// The line of a reason; that of `none` for a number that is none of the enumerators.
constexpr const reason_entry& entry_of(reason which) {
    const int place = static_cast<int>(which);
    constexpr int count = sizeof(reasons) / sizeof(reasons[0]);
    return reasons[place >= 0 && place < count ? place : 0];
}

/// The name of the enumerator.
constexpr const char* name(reason which) { return entry_of(which).name; }

}  // namespace plait
