#pragma once
// The error sentences, third part: records of packed weights, and their blobs. reasons.hpp joins the parts.

#include <plait/core/reason_objects.hpp>
#include <plait/core/record_damage.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The numbers of field_types_differ: those of data types, or of this many and the bits of a value without one; more if
/// bits are stored inverted, or apart.
inline constexpr dim_t untyped_bits = 1000, mapped_bits = 10000;

/// The reasons from `record_is_malformed` on, in the order of the enumerators.
inline constexpr reason_entry record_reasons[] = {
    {reason::record_is_malformed, "record_is_malformed", rejected::record_is_malformed,
     "column %1 of the record's tag is not what the grammar has there"},
    {reason::record_is_too_large, "record_is_too_large", rejected::record_is_too_large,
     "column %1 of the record's tag is one too many of its kind: there may be %2"},
    {reason::record_axis_is_unknown, "record_axis_is_unknown", rejected::record_axis_is_unknown,
     "column %1 of the record's tag names axis '%c', which is not one of the axes before the colon"},
    {reason::record_axis_is_missing, "record_axis_is_missing", rejected::record_axis_is_missing,
     "the field at column %1 of the record's tag has no loop over axis '%c', and no share of all of it"},
    {reason::record_axis_is_doubled, "record_axis_is_doubled", rejected::record_axis_is_doubled,
     "column %1 of the record's tag loops over all of axis '%c', as something outside of it does"},
    {reason::record_field_is_unknown, "record_field_is_unknown", rejected::record_field_is_unknown,
     "column %1 of the record's tag names a field that the record does not have"},
    {reason::record_type_is_unknown, "record_type_is_unknown", rejected::record_type_is_unknown,
     "column %1 of the record's tag is not an element type, nor u1 to u16"},
    {reason::record_range_is_outside, "record_range_is_outside", rejected::record_range_is_outside,
     "column %1 of the record's tag has a range from %2 to %3, which is no part of axis %a"},
    {reason::record_content_does_not_fit, "record_content_does_not_fit", rejected::record_content_does_not_fit,
     "column %1 of the record's tag: that is not computed of such fields in this type"},
    {reason::sum_has_no_order, "sum_has_no_order", rejected::sum_has_no_order,
     "column %1 of the record's tag sums in f32, which rounds, so the order has to be said: sum(q*s;8k)"},
    {reason::sum_group_is_not_shared, "sum_group_is_not_shared", rejected::sum_group_is_not_shared,
     "field %n sums a digit of axis %a that steps by %3 before it multiplies, but field %m has several values there"},
    {reason::step_is_not_reached, "step_is_not_reached", rejected::step_is_not_reached,
     "column %1 of the record's tag marks a digit with a step that no digits inside reach; they reach %2{ and %3}"},
    {reason::loops_differ, "loops_differ", rejected::loops_differ,
     "the loop at column %1 of the record's tag steps by %2 for one field inside, and by %3 for another"},
    {reason::loop_extents_differ, "loop_extents_differ", rejected::loop_extents_differ,
     "the loop at column %1 of the record's tag has %2 values for one field inside, and %3 for another"},
    {reason::ragged_loop_is_not_outermost, "ragged_loop_is_not_outermost", rejected::ragged_loop_is_not_outermost,
     "column %1 of the record's tag has a last block that is shorter, so the loop over its axis must be the outermost"},
    {reason::digit_does_not_turn, "digit_does_not_turn", rejected::digit_does_not_turn,
     "column %1 of the record's tag turns a digit of %2 values by an axis with blocks of %3, which is no multiple"},
    {reason::bits_are_not_covered, "bits_are_not_covered", rejected::bits_are_not_covered,
     "bit %2 of field %n is stored %3 times for some index, but every bit must be stored once"},
    {reason::shares_differ, "shares_differ", rejected::shares_differ,
     "the pieces of field %n have one value for other indices of axis %a each: a share or range of one begins or ends "
     "at "
     "%2, of the other at %3"},
    {reason::fields_overlap, "fields_overlap", rejected::fields_overlap, "fields %n and %m share bit %3 of the record"},
    {reason::fields_are_not_decided, "fields_are_not_decided", rejected::fields_are_not_decided,
     "whether fields %n and %m share a bit could not be decided"},
    {reason::field_is_missing, "field_is_missing", rejected::field_is_missing,
     "field %n is not in the record, or is not given"},
    {reason::field_is_not_a_layout, "field_is_not_a_layout", rejected::field_is_not_a_layout,
     "field %n begins or steps by %2 bits, which is not a multiple of its width %3"},
    {reason::field_is_in_pieces, "field_is_in_pieces", rejected::field_is_in_pieces,
     "field %n lies in %2 pieces, which is no layout"},
    {reason::field_is_turned, "field_is_turned", rejected::field_is_turned,
     "field %n has a digit of axis %a that another axis turns, which no layout has"},
    {reason::field_types_differ, "field_types_differ", rejected::field_types_differ,
     "field %n is %s in the destination and %t in the source, which are not converted; convert its values as a plain "
     "tensor, with reorder, then pack them"},
    {reason::field_is_dropped, "field_is_dropped", rejected::field_is_dropped,
     "field %n is not in the destination; name it among those that are dropped"},
    {reason::value_does_not_fit, "value_does_not_fit", rejected::value_does_not_fit,
     "field %n is set to %2, which is beyond %3, the last number that its bits hold on that side"},
    {reason::record_is_not_cut, "record_is_not_cut", rejected::record_is_not_cut,
     "the %1 chunks of the destination, of %2 bytes in all, are not made of the same chunks of the source"},
    {reason::fibre_grows, "fibre_grows", rejected::fibre_grows,
     "field %n has one value for %2 of axis %a, but its source only for %3 each, so values would be lost"},
    {reason::indices_are_too_many, "indices_are_too_many", rejected::indices_are_too_many,
     "field %n would be moved or summed one index at a time, in %2 steps; for records of this size there may be %3"},
    {reason::parameter_is_missing, "parameter_is_missing", rejected::parameter_is_missing,
     "number %n has to be given at run time, a whole one for sums in s32"},
    {reason::chunk_ends_inside_a_byte, "chunk_ends_inside_a_byte", rejected::chunk_ends_inside_a_byte,
     "field %n, or what is around it, steps by %2 bits between chunks, which is not a multiple of 8"},
    {reason::part_cuts_a_panel, "part_cuts_a_panel", rejected::part_cuts_a_panel,
     "along axis %a the part begins or ends at %1, inside a panel of %2 indices{; the next multiple is %3}"},
    {reason::field_is_not_regrouped, "field_is_not_regrouped", rejected::field_is_not_regrouped,
     "field %n begins, ends, steps or turns by %2 along axis %a, so the axis is not joined{ or split into parts of "
     "%3}"},
    {reason::record_tags_differ, "record_tags_differ", rejected::record_tags_differ,
     "the texts of the two records differ from column %1 on"},
    {reason::record_is_damaged, "record_is_damaged", rejected::record_is_damaged, sentence_of(damage::sum)},
    {reason::blob_is_truncated, "blob_is_truncated", rejected::blob_is_truncated,
     "the blob has %1 bytes, but needs %2"},
    {reason::blob_is_not_one, "blob_is_not_one", rejected::blob_is_not_one,
     "the bytes do not begin as a blob does: byte %1 is %2"},
    {reason::blob_version_is_unknown, "blob_version_is_unknown", rejected::blob_version_is_unknown,
     "the blob has version %1, and this library reads %2"},
    {reason::blob_text_is_damaged, "blob_text_is_damaged", rejected::blob_text_is_damaged,
     "the hash of the blob's text is %h, but its header says %i"},
    {reason::blob_text_is_refused, "blob_text_is_refused", rejected::blob_text_is_refused,
     "the blob's text is no record; column %1"},
    {reason::blob_size_differs, "blob_size_differs", rejected::blob_size_differs,
     "the blob says that its record has %u bytes, but its text needs %2"},
    {reason::blob_data_is_damaged, "blob_data_is_damaged", rejected::blob_data_is_damaged,
     "the checksum of the blob's record is %h, but its header says %i"},
    {reason::blob_is_misaligned, "blob_is_misaligned", rejected::blob_is_misaligned,
     "the blob's record begins at address %1, which is not a multiple of %2"},
};

}  // namespace plait::detail
