#pragma once
// Reads the marks of the loops and fields of a record's tag: digits, ranges.

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

    record_scanner scan_;
    record_tag tag_;
};

}  // namespace plait::detail
