#pragma once
// The parts that the notations of other projects share: a reader of text that knows its column, and layouts as digits
// in the order of memory.

#include <plait/algebra/format_name.hpp>
#include <plait/algebra/same_memory.hpp>

#include <string_view>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Reads a text; columns count from 1.
class notation_reader {
public:
    constexpr explicit notation_reader(std::string_view text) : text_(text) {}

    constexpr bool done() const { return at_ == text_.size(); }
    constexpr char next() const { return done() ? '\0' : text_[at_]; }
    constexpr void skip_blanks() {
        while (next() == ' ') ++at_;
    }
    constexpr void advance() { ++at_; }
    /// Skips the given text if it comes next.
    constexpr bool take(std::string_view text) {
        if (text_.substr(at_, text.size()) != text) return false;
        at_ += text.size();
        return true;
    }
    /// Reads a number that fits in 63 bits; fails with notation_is_malformed.
    constexpr verdict take_number(dim_t& out) {
        if (next() < '0' || next() > '9') return malformed();
        checked_integer number;
        for (; next() >= '0' && next() <= '9'; ++at_) number = number * 10 + (next() - '0');
        out = number.value;
        return number.ok() ? verdict{} : malformed();
    }
    /// Reads the characters up to `end`, or to the end of the text.
    constexpr std::string_view take_until(char end) {
        const std::size_t begin = at_;
        while (!done() && next() != end) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    constexpr dim_t column() const { return static_cast<dim_t>(at_) + 1; }
    constexpr verdict malformed() const { return {reason::notation_is_malformed, -1, column()}; }
    constexpr verdict says_more() const { return {reason::notation_says_more, -1, column()}; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

/// Digits in the order of memory, outermost first; inner digits of one axis by descending significance.
using memory_digits = inline_list<digit, 4 * max_digits>;

/// Sets the strides of the digits so that they fill memory without gaps in this order.
///
/// Refused: size_overflows
constexpr verdict fill_memory(memory_digits& list) {
    checked_integer stride{1};
    for (int k = list.size() - 1; k >= 0; --k) {
        list[k].stride = stride.value;
        if (list[k].extent != 0) stride *= list[k].extent;
        if (!stride.ok()) return {reason::size_overflows, list[k].axis, list[k].stride, list[k].extent};
    }
    return {};
}

/// Returns the layout with these dims and the digits of the list, whose strides may be in any order.
///
/// Pre:     list[outermost[a]] is the most significant digit of axis a; its others follow in order of significance; the
///          product of the extents of the digits of an axis is its padded extent
/// Refused: too_many_digits, size_overflows; as check_layout
constexpr expected<layout> make_from_significance(const dims& extents, memory_digits list, const int* outermost) {
    layout out;
    out.kind = format_kind::blocked;
    out.dims = extents;
    for (int a = 0; a < extents.size(); ++a) {
        checked_integer padded{1};
        for (const digit& d : list)
            if (d.axis == a) padded *= d.extent;
        if (!padded.ok()) return verdict{reason::size_overflows, a, extents[a], 1};
        out.padded_dims.push_back(padded.value);
        out.padded_offsets.push_back(0);
        out.digits.push_back(list[outermost[a]]);
        list[outermost[a]].extent = 1;
    }
    for (const digit& d : list) {
        if (d.extent == 1) continue;
        if (out.digits.full()) return verdict{reason::too_many_digits, -1, max_digits + 1, max_digits};
        out.digits.push_back(d);
    }
    sort_inner_digits(out);
    return {out, check_layout(out)};
}

/// Returns the layout with these dims whose digits fill memory in this order; ignores the strides in the list.
///
/// Pre:     as make_from_significance
/// Refused: as make_from_significance
constexpr expected<layout> make_from_digits(const dims& extents, memory_digits list, const int* outermost) {
    if (const verdict why = fill_memory(list); !why.ok()) return why;
    return make_from_significance(extents, list, outermost);
}

/// Checks that extents are known; fails with layout_is_undefined, dim_is_dynamic or dim_is_negative.
constexpr verdict check_known_dims(const dims& extents) {
    if (extents.empty()) return {reason::layout_is_undefined};
    for (int a = 0; a < extents.size(); ++a) {
        if (extents[a] == dynamic) return {reason::dim_is_dynamic, a};
        if (extents[a] < 0) return {reason::dim_is_negative, a, extents[a], 0};
    }
    return {};
}

/// Returns the numbers of l's digits, outermost in memory first; of equal strides, the larger extent first.
///
/// Pre:     check_static_layout(l).ok()
constexpr inline_list<int, max_digits> digits_in_order(const layout& l) {
    inline_list<int, max_digits> order;
    for (int k = 0; k < l.digits.size(); ++k) {
        const digit& d = l.digits[k];
        int at = order.size();
        order.push_back(k);
        for (; at > 0; --at) {
            const digit& before = l.digits[order[at - 1]];
            if (before.stride > d.stride || (before.stride == d.stride && before.extent >= d.extent)) break;
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
    return order;
}

/// Checks that no axis of l has more than `most` inner blocks; fails with notation_has_no_blocks.
constexpr verdict check_block_count(const layout& l, int most) {
    int count[max_ndims]{};
    for (int k = l.ndims(); k < l.digits.size(); ++k) ++count[l.digits[k].axis];
    for (int a = 0; a < l.ndims(); ++a)
        if (count[a] > most) return {reason::notation_has_no_blocks, a, count[a], most};
    return {};
}

/// Checks that all numbers of l are known, offset0 is 0, and no axis has padding in front, as most notations require.
///
/// Refused: undefined, any and opaque layouts; dim_is_dynamic, stride_is_dynamic; notation_has_no_offset,
/// notation_has_no_padding (padding in front)
constexpr verdict check_said(const layout& l) {
    if (const verdict why = check_static_layout(l); !why.ok()) return why;
    if (l.offset0 != 0) return {reason::notation_has_no_offset, -1, l.offset0};
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_offsets[a] != 0) return {reason::notation_has_no_padding, a, l.padded_dims[a], l.dims[a]};
    return {};
}

/// Checks that `read`, parsed from text with the digits of l in their order, describes l. Fails with
/// notation_has_no_padding, or with notation_has_no_strides for the first stride that differs.
///
/// Post:    result.ok() == (read.has_value() && same_memory(*read, l))
constexpr verdict check_read_back(const layout& l, const expected<layout>& read) {
    if (!read) return read.error();
    if (same_memory(*read, l)) return {};
    for (int a = 0; a < l.ndims(); ++a)
        if (read->padded_dims[a] != l.padded_dims[a])
            return {reason::notation_has_no_padding, a, l.padded_dims[a], l.dims[a]};
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_dims[a] != 1 && read->digits[a].stride != l.digits[a].stride)
            return {reason::notation_has_no_strides, a, read->digits[a].stride, l.digits[a].stride};
    const digit& last = l.digits[l.digits.size() - 1];
    return {reason::notation_has_no_strides, last.axis, 1, last.stride};
}

/// Returns the text for l as it is or, if the notation cannot express that, for its canonical form. If both fail,
/// returns the failure for l.
///
/// The canonical form describes the same memory, but does not have padding that no index reaches, and turns a padded
/// offset into an offset0.
template <class Write>
constexpr expected<layout_name> write_either(const layout& l, Write write) {
    const expected<layout_name> first = write(l);
    if (first || !check_static_layout(l).ok()) return first;
    const expected<layout> simple = try_canonical_form(l);
    if (!simple) return first;
    const expected<layout_name> second = write(*simple);
    return second ? second : first;
}

}  // namespace plait::detail
