#pragma once
// Reads the marks of the loops and fields of a record's tag: digits, ranges, sums.

#include <plait/packed/record_scanner.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Reads marks, and adds digits and ranges to the nodes of a tag.
class mark_reader {
protected:
    constexpr explicit mark_reader(std::string_view text) : scan_(text) {}

    constexpr int axis_of(char letter) const {
        for (int a = 0; a < tag_.axes.size(); ++a)
            if (tag_.axes[a] == axis_family::lower(letter)) return a;
        return -1;
    }
    constexpr verdict add(const record_node& node) {
        if (tag_.nodes.full()) return {reason::record_is_too_large, -1, node.column, max_record_nodes};
        tag_.nodes.push_back(node);
        return {};
    }

    constexpr verdict unknown_axis() const {
        if (!scan_.is_letter()) return scan_.refuse();
        return {reason::record_axis_is_unknown, -1, scan_.column(), scan_.peek()};
    }

    /// Reads what stands for a digit: N, n, 4n, 2k@16, 2k!, 4k-n, 2n@4=1.
    constexpr verdict read_digit(record_part part) {
        record_node node{part, scan_.column()};
        const bool has_extent = scan_.is_digit();
        if (has_extent && (!scan_.number(node.extent) || node.extent < 2)) return scan_.refuse(node.column);
        if (part == record_part::ragged && !has_extent) return scan_.refuse();
        const char letter = scan_.peek();
        node.axis = axis_of(letter);
        if (node.axis < 0) return unknown_axis();
        if (part == record_part::ragged && has_range(node.axis)) return scan_.refuse();
        const bool upper = axis_family::is_upper(letter);
        if (upper && (has_extent || part != record_part::loop)) return scan_.refuse();
        node.value = upper;  // resolve_steps compares it with the digits inside
        scan_.next();
        if (has_extent && part != record_part::ragged && scan_.accept('@')) {
            if (!scan_.number(node.step) || node.step < 1) return scan_.refuse();
            node.marked = true;
            if (part == record_part::loop && scan_.accept('=')) {
                if (!scan_.number(node.value) || node.value >= node.extent) return scan_.refuse();
                node.part = record_part::fixed;
            }
        }
        if (has_extent && node.part == record_part::loop) {
            node.backwards = scan_.accept('!');
            if (scan_.accept('-')) {
                node.turned_by = axis_of(scan_.peek());
                if (node.turned_by < 0 || node.turned_by == node.axis) return unknown_axis();
                scan_.next();
            }
        }
        return add(node);
    }

    constexpr verdict read_range() {
        record_node node{record_part::range, scan_.column(), axis_of(scan_.peek())};
        if (node.axis < 0) return unknown_axis();
        if (has_range(node.axis)) return scan_.refuse();
        scan_.next(), scan_.next();
        node.last = range_bound::whole;
        if (scan_.peek() != ':' && !read_bound(node.first, node.value)) return scan_.refuse();
        if (!scan_.accept(':')) return scan_.refuse();
        if (scan_.peek() != ']' && !read_bound(node.last, node.extent)) return scan_.refuse();
        if (!scan_.accept(']')) return scan_.refuse();
        const bool is_all = node.first == range_bound::exact && node.value == 0 && node.last == range_bound::whole;
        return is_all ? verdict() : add(node);
    }
    /// Returns true if the field that is read has a range of an axis, or blocks of which the last one is shorter.
    constexpr bool has_range(int axis) const {
        for (int i = tag_.nodes.size() - 1; i >= 0 && tag_.nodes[i].part != record_part::field; --i) {
            const record_part part = tag_.nodes[i].part;
            if (tag_.nodes[i].axis == axis && (part == record_part::range || part == record_part::ragged)) return true;
        }
        return false;
    }
    constexpr bool read_bound(range_bound& kind, dim_t& number) {
        kind = scan_.accept('%') ? range_bound::multiple : range_bound::exact;
        return scan_.number(number) && (kind == range_bound::exact || number > 0);
    }

    constexpr verdict read_content(record_field& field) {
        field_content& content = field.content;
        const int column = scan_.column();
        if (content.kind != field_content::given) return scan_.refuse();
        scan_.next();
        content.kind = scan_.accept('+') ? field_content::added_sum : field_content::sum;
        field_name word;
        if (!scan_.name(word) || !(word == "sum") || !scan_.accept('(') || !scan_.name(content.of))
            return scan_.refuse();
        if (scan_.accept('*') && !scan_.name(content.times)) return scan_.refuse();
        if (scan_.accept(';')) {
            for (scan_.skip_blanks(); scan_.peek() != ')'; scan_.skip_blanks()) {
                inner_block digit;
                dim_t step = 0;
                if (!scan_.number(digit.size) || digit.size < 2) return scan_.refuse();
                digit.axis = axis_of(scan_.peek());
                if (digit.axis < 0) return unknown_axis();
                scan_.next();
                if (scan_.accept('@') && (!scan_.number(step) || step < 1)) return scan_.refuse();
                if (content.first_digits.full())
                    return {reason::record_is_too_large, -1, scan_.column(), max_sum_digits};
                content.first_digits.push_back(digit);
                content.first_steps.push_back(step);
            }
        }
        if (!scan_.accept(')')) return scan_.refuse();
        if (scan_.accept('*')) {
            const bool minus = scan_.accept('-');
            const bool has_number = scan_.is_digit();
            if (has_number && !scan_.real(content.factor)) return scan_.refuse();
            if (minus) content.factor = -content.factor;
            if (!has_number && !scan_.is_letter()) return scan_.refuse();
            if (scan_.is_letter() && !scan_.name(content.parameter)) return scan_.refuse();
        }
        const bool typed = field.type == data_type::s32 || field.type == data_type::f32;
        return typed ? verdict() : verdict{reason::record_content_does_not_fit, -1, column};
    }

    record_scanner scan_;
    record_tag tag_;
};

/// Returns the first piece of a field, or null.
constexpr const record_field* find_field(const record_tag& tag, const field_name& name) {
    for (const record_field& field : tag.fields)
        if (field.name == name) return &field;
    return nullptr;
}

/// Checks that what is computed is computed of fields that the tag has, in a type that can hold it.
///
/// Refused: record_field_is_unknown, sum_has_no_order, record_content_does_not_fit
constexpr verdict check_contents(const record_tag& tag) {
    for (const record_field& field : tag.fields) {
        const field_content& content = field.content;
        if (content.kind == field_content::given) continue;
        const record_field* of = find_field(tag, content.of);
        const bool has_times = content.times.size() > 0;
        const record_field* times = has_times ? find_field(tag, content.times) : of;
        if (of == nullptr || times == nullptr) return {reason::record_field_is_unknown, -1, field.column};
        const bool is_float = field.type == data_type::f32;
        if (is_float && content.first_digits.empty()) return {reason::sum_has_no_order, -1, field.column};
        const bool integers = of->type == data_type::undef || of->type == data_type::s32 || of->type == data_type::s8 ||
                              of->type == data_type::u8 || (of->type >= data_type::u1 && of->type <= data_type::s4);
        const bool allowed = integers && of->content.kind == field_content::given && of->low == 0 &&
                             (is_float || (!has_times && content.first_digits.empty())) &&
                             times->content.kind == field_content::given;
        const bool is_whole = content.factor == static_cast<double>(static_cast<std::int64_t>(content.factor));
        if (!allowed || (!is_float && !is_whole)) return {reason::record_content_does_not_fit, -1, field.column};
    }
    return {};
}

}  // namespace plait::detail
