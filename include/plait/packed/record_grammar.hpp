#pragma once
// Reads the tag of a record. The grammar is in docs/packed.md; a verdict has the column, counted from 1.

#include <plait/core/data_type.hpp>
#include <plait/packed/record_contents.hpp>
#include <plait/packed/record_steps.hpp>
#include <plait/packed/record_text.hpp>
#include <plait/packed/record_types.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Reads the items of a tag from left to right.
class record_reader : content_reader {
public:
    constexpr explicit record_reader(std::string_view text) : content_reader(text) {}

    constexpr expected<record_tag> read() {
        verdict why = read_axes();
        if (why.ok()) why = read_item(0);
        if (why.ok() && (!scan_.at_end() || tag_.fields.empty())) why = scan_.refuse();
        if (why.ok()) why = check_contents(tag_);
        if (why.ok()) why = check_stored_values(tag_);
        if (why.ok()) why = resolve_steps(tag_);
        if (why.ok()) forget_zero_padding(tag_);
        return {tag_, why};
    }

private:
    static constexpr int deepest = 8;

    constexpr verdict read_axes() {
        for (;; scan_.next()) {
            const char c = scan_.peek();
            if (c == ':' && tag_.axes.size() > 0) return scan_.next(), verdict();
            if (c < 'a' || c > 'z' || axis_of(c) >= 0) return scan_.refuse();
            if (tag_.axes.size() == max_ndims) return {reason::record_is_too_large, -1, scan_.column(), max_ndims};
            tag_.axes += c;
        }
    }

    constexpr verdict read_item(int depth) {
        scan_.skip_blanks();
        if (depth > deepest) return {reason::record_is_too_large, -1, scan_.column(), deepest};
        if (scan_.peek() == '_') return read_gap();
        return scan_.is_at_field() ? read_field() : read_group(depth);
    }

    constexpr verdict read_gap() {
        record_node gap{record_part::gap, scan_.column()};
        scan_.next();
        if (!scan_.accept(':')) return scan_.refuse();
        if (scan_.accept('%')) gap.part = record_part::align;
        if (!scan_.number(gap.extent) || gap.extent < 1 || gap.extent > dim_t{1} << 40) return scan_.refuse();
        return add(gap);
    }

    constexpr verdict read_group(int depth) {
        const int begin = tag_.nodes.size();
        for (scan_.skip_blanks(); scan_.peek() != '('; scan_.skip_blanks()) {
            const int column = scan_.column();
            if (const verdict why = read_digit(record_part::loop); !why.ok()) return why;
            // A digit of one value says which values a field has; it is no loop around several.
            if (tag_.nodes[tag_.nodes.size() - 1].part != record_part::loop) return scan_.refuse(column);
        }
        const int open = tag_.nodes.size();
        if (const verdict why = add({record_part::open, scan_.column()}); !why.ok()) return why;
        int items = 0;
        do {
            scan_.next();
            if (const verdict why = read_item(depth + 1); !why.ok()) return why;
            ++items;
            scan_.skip_blanks();
        } while (scan_.peek() == ',');
        const record_node close{record_part::close, scan_.column()};
        if (!scan_.accept(')')) return scan_.refuse();
        if (const verdict why = add(close); !why.ok()) return why;
        if (items == 1) join_with_item(begin, open);
        return {};
    }

    /// Makes one item of a group and the only item in it: its loops are around those of the item.
    constexpr void join_with_item(int begin, int open) {
        const record_part inner = tag_.nodes[open + 1].part;
        if (inner == record_part::gap || inner == record_part::align) return;
        tag_.nodes.erase(tag_.nodes.size() - 1);
        if (inner != record_part::field) return tag_.nodes.erase(open);
        const record_node field = tag_.nodes[open + 1];
        tag_.nodes.erase(open + 1);
        for (int i = open; i > begin; --i) tag_.nodes[i] = tag_.nodes[i - 1];
        tag_.nodes[begin] = field;
    }

    constexpr verdict read_field() {
        record_field field;
        field.column = scan_.column();
        if (tag_.fields.full()) return {reason::record_is_too_large, -1, field.column, max_record_pieces};
        if (!scan_.name(field.name)) return scan_.refuse();
        dim_t low = 0;
        if (scan_.accept('.') && (!scan_.number(low) || low > 63)) return scan_.refuse();
        field.low = static_cast<int>(low);
        if (!scan_.accept(':')) return scan_.refuse();
        scan_.skip_blanks();
        const int type_column = scan_.column();
        if (const verdict why = read_type(field); !why.ok()) return why;
        if (field.low + field.width > 64) return scan_.refuse(type_column);
        if (const verdict why = read_map(field); !why.ok()) return why;
        const int number = tag_.fields.size();
        if (const verdict why = add({record_part::field, field.column, -1, number}); !why.ok()) return why;
        for (scan_.skip_blanks(); !scan_.is_at_end_of_item(); scan_.skip_blanks())
            if (const verdict why = read_mark(field); !why.ok()) return why;
        tag_.fields.push_back(field);
        return add({record_part::end, scan_.column(), -1, number});
    }

    constexpr verdict read_type(record_field& field) {
        const int column = scan_.column();
        field_name text;
        const bool is_name = scan_.name(text);
        const std::string_view name(text.data(), static_cast<std::size_t>(text.size()));
        if (is_name && read_field_type(name, field)) return {};
        return unknown_field_type(is_name ? name : std::string_view(), column);
    }

    constexpr verdict read_map(record_field& field) {
        if (scan_.accept('^')) {
            dim_t bits = 0;
            const int column = scan_.column();
            if (!scan_.number(bits) || bits == 0 || (field.width < 63 && bits >> field.width != 0))
                return scan_.refuse(column);
            field.flipped = static_cast<std::uint64_t>(bits);
        }
        if (scan_.accept('-'))
            if (const verdict why = read_difference(field); !why.ok()) return why;
        if (!scan_.accept('*')) return {};
        const int column = scan_.column();
        if (!scan_.real(field.factor) || field.factor == 0) return scan_.refuse(column);
        const bool floating =
            field.type == data_type::f32 || field.type == data_type::f16 || field.type == data_type::bf16;
        return floating ? verdict() : verdict{reason::factor_needs_fractions, -1, column};
    }

    /// Reads the number that is subtracted from values before they are stored.
    constexpr verdict read_difference(record_field& field) {
        const int column = scan_.column();
        const dim_t most = smaller_of(static_cast<dim_t>(low_bits(field.width)), dim_t{most_subtracted});
        dim_t number = 0;
        if (!scan_.number(number) || number < 1 || number > most)
            return {reason::stored_constant_is_malformed, -1, column, most};
        field.subtracted = static_cast<int>(number);
        return {};
    }

    /// Reads ~n or ~n=8.
    constexpr verdict read_padding(record_field& field) {
        const int axis = axis_of(scan_.peek());
        if (axis < 0) return unknown_axis();
        if (((field.repeated_axes | field.valued_axes) >> axis & 1) != 0) return scan_.refuse();
        scan_.next();
        if (!scan_.accept('=')) {
            field.repeated_axes |= 1u << axis;
            return {};
        }
        const int column = scan_.column();
        const bool minus = scan_.accept('-');
        dim_t number = 0;
        if (!scan_.number(number)) return scan_.refuse(column);
        if (minus) number = -number;
        if (field.valued_axes != 0 && field.padding != number)
            return {reason::paddings_differ, -1, column, field.padding, number};
        field.valued_axes |= 1u << axis;
        field.padding = number;
        return {};
    }

    constexpr verdict read_mark(record_field& field) {
        if (scan_.accept('/')) return read_digit(record_part::shared);
        if (scan_.accept('<')) return read_digit(record_part::ragged);
        if (scan_.peek() == '=') return read_content(field);
        if (scan_.accept('~')) return read_padding(field);
        return scan_.is_letter() && scan_.peek(1) == '[' ? read_range() : read_digit(record_part::loop);
    }
};
}  // namespace detail

/// Returns the tag that a text known only at run time spells, or why it is none, with the column.
///
/// Pre:     none; any text
/// Post:    parse_record_tag(text)->text() is the canonical spelling of the same tag
/// Cost:    O(length + digits * fields) steps; no allocation
/// Source:  docs/packed.md
/// Example: parse_record_tag("nk: NK(q:u4 2k 8n 8k 2k@9)").error().reason == reason::step_is_not_reached
[[nodiscard]] constexpr expected<record_tag> parse_record_tag(std::string_view text) {
    return detail::record_reader(text).read();
}

template <std::size_t N>
#if defined(__clang__) && __clang_major__ < 16
constexpr
#else
consteval
#endif
    record_tag::record_tag(const char (&text)[N]) {
    *this = parse_record_tag(std::string_view(text, N - 1)).value();
}

}  // namespace plait
