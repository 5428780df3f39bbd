#pragma once
// Reads and checks the sums of a record's tag: =sum(q-8), =+sum(w)*-izp, =sum(q*s;8k 2k@16).

#include <plait/packed/record_marks.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Reads how the values of a field are computed.
class content_reader : protected mark_reader {
protected:
    using mark_reader::mark_reader;

    constexpr verdict read_content(record_field& field) {
        field_content& content = field.content;
        const int column = scan_.column();
        if (content.kind != field_content::given) return {reason::content_is_doubled, -1, column};
        scan_.next();
        content.kind = scan_.accept('+') ? field_content::added_sum : field_content::sum;
        const int begin = skip_blanks();
        field_name word;
        if (!scan_.name(word) || !(word == "sum") || !scan_.accept('(')) return {reason::content_is_no_sum, -1, begin};
        if (const verdict why = read_summed(content); !why.ok()) return why;
        if (scan_.accept(';'))
            if (const verdict why = read_order(content); !why.ok()) return why;
        if (!scan_.accept(')')) return not_closed(content);
        scan_.skip_blanks();
        if (scan_.accept('*'))
            if (const verdict why = read_factor(content); !why.ok()) return why;
        const bool typed = field.type == data_type::s32 || field.type == data_type::f32;
        return typed ? verdict() : verdict{reason::record_content_does_not_fit, -1, column};
    }

private:
    constexpr int skip_blanks() {
        scan_.skip_blanks();
        return scan_.column();
    }
    /// Refuses what comes inside of a sum after its fields.
    constexpr verdict not_closed(const field_content& content) const {
        const bool may_multiply = content.times.size() == 0 && content.first_digits.empty();
        return {reason::sum_is_not_closed, -1, scan_.column(), 0, may_multiply};
    }
    /// Reads a name and the blanks around it.
    constexpr verdict read_name(field_name& name) {
        const int begin = skip_blanks();
        if (!scan_.name(name)) return {reason::sum_names_no_field, -1, begin};
        scan_.skip_blanks();
        return {};
    }
    /// Reads the number that is subtracted from each value, if there is one.
    constexpr verdict read_subtracted(field_content& content) {
        if (!scan_.accept('-')) return {};
        const int begin = skip_blanks();
        dim_t number = 0;
        if (!scan_.number(number) || number < 1 || number > most_subtracted)
            return {reason::sum_constant_is_malformed, -1, begin, most_subtracted};
        content.subtracted = static_cast<int>(number);
        scan_.skip_blanks();
        return {};
    }
    /// Reads q, q-8, q*s or (q-8)*s.
    constexpr verdict read_summed(field_content& content) {
        scan_.skip_blanks();
        const bool is_inner = scan_.accept('(');
        if (const verdict why = read_name(content.of); !why.ok()) return why;
        if (const verdict why = read_subtracted(content); !why.ok()) return why;
        if (is_inner && !scan_.accept(')')) return {reason::sum_constant_is_not_closed, -1, scan_.column()};
        scan_.skip_blanks();
        if (scan_.peek() != '*') return {};
        // q-8*s would be read as q - (8*s).
        if (content.subtracted != 0 && !is_inner) return {reason::sum_constant_is_not_closed, -1, scan_.column()};
        scan_.next();
        return read_name(content.times);
    }
    constexpr verdict read_order(field_content& content) {
        scan_.skip_blanks();
        for (; scan_.peek() != ')'; scan_.skip_blanks()) {
            const int begin = scan_.column();
            inner_block digit;
            dim_t step = 0;
            if (!scan_.number(digit.size) || digit.size < 2) return {reason::sum_digit_is_malformed, -1, begin};
            if (!scan_.is_letter()) return {reason::sum_digit_is_malformed, -1, begin};
            digit.axis = axis_of(scan_.peek());
            if (digit.axis < 0) return unknown_axis();
            scan_.next();
            if (scan_.accept('@') && (!scan_.number(step) || step < 1))
                return {reason::sum_digit_is_malformed, -1, begin};
            if (content.first_digits.full()) return {reason::record_is_too_large, -1, scan_.column(), max_sum_digits};
            content.first_digits.push_back(digit);
            content.first_steps.push_back(step);
        }
        return {};
    }
    constexpr verdict read_factor(field_content& content) {
        const int begin = skip_blanks();
        const bool minus = scan_.accept('-');
        const bool has_number = scan_.is_digit();
        const bool reads = (!has_number || scan_.real(content.factor)) && (has_number || scan_.is_letter()) &&
                           (!scan_.is_letter() || scan_.name(content.parameter));
        if (minus) content.factor = -content.factor;
        return reads ? verdict() : verdict{reason::sum_factor_is_malformed, -1, begin};
    }
};

/// Returns the first piece of a field, or null.
constexpr const record_field* find_field(const record_tag& tag, const field_name& name) {
    for (const record_field& field : tag.fields)
        if (field.name == name) return &field;
    return nullptr;
}

/// Returns true if the values of a field are integers.
constexpr bool has_integers(const record_field& f) {
    return f.type == data_type::undef || f.type == data_type::s32 || f.type == data_type::s8 ||
           f.type == data_type::u8 || (f.type >= data_type::u1 && f.type <= data_type::s4);
}

/// Checks that a number is subtracted only from integers that lie whole in one piece, and that padding has a value that
/// the field can have.
///
/// Refused: constant_needs_whole_values, padding_needs_integers, padding_does_not_fit
constexpr verdict check_stored_values(const record_tag& tag) {
    for (const record_field& field : tag.fields) {
        int bits = 0;  // of a value
        bool is_whole = field.low == 0;
        for (const record_field& other : tag.fields) {
            if (!(other.name == field.name)) continue;
            if (other.low + other.width > bits) bits = other.low + other.width;
            is_whole = is_whole && other.low == 0 && other.width == field.width && other.type == field.type;
        }
        const bool is_plain =
            has_integers(field) && is_whole && field.flipped == 0 && field.content.kind != field_content::sum;
        if (field.subtracted != 0 && !is_plain) return {reason::constant_needs_whole_values, -1, field.column};
        if (field.valued_axes == 0) continue;
        if (!has_integers(field)) return {reason::padding_needs_integers, -1, field.column};
        const bool is_signed =
            field.type == data_type::s4 || field.type == data_type::s8 || field.type == data_type::s32;
        const int counted = bits - is_signed < 62 ? bits - is_signed : 62;
        const dim_t most = (dim_t{1} << counted) - 1, least = is_signed ? -most - 1 : 0;
        if (field.padding < least || field.padding > most)
            return {reason::padding_does_not_fit, -1, field.column, least, most};
    }
    return {};
}

/// Removes values of padding that are stored as zeros, as padding is anyway.
constexpr void forget_zero_padding(record_tag& tag) {
    for (record_field& field : tag.fields) {
        if (field.valued_axes != 0 && field.stored(static_cast<std::uint64_t>(field.padding)) != 0) continue;
        field.valued_axes = 0;
        field.padding = 0;
    }
}

/// Checks that what is computed is computed of fields that the tag has, in a type that can hold it.
///
/// Refused: contents_differ, record_field_is_unknown, sum_has_no_order, sum_of_fractions, sum_of_a_sum, sum_of_upper_bits,
///          sum_of_a_difference, sum_is_exact, sum_factor_is_not_whole
constexpr verdict check_contents(const record_tag& tag) {
    for (const record_field& field : tag.fields) {
        const field_content& content = field.content;
        const auto refused = [&field](reason why) { return verdict{why, -1, field.column}; };
        // Pieces of one name store the same: what is given, or one sum.
        if (!(find_field(tag, field.name)->content == content)) return refused(reason::contents_differ);
        if (content.kind == field_content::given) continue;
        const record_field* of = find_field(tag, content.of);
        const bool has_times = content.times.size() > 0;
        const record_field* times = has_times ? find_field(tag, content.times) : of;
        if (of == nullptr || times == nullptr) return refused(reason::record_field_is_unknown);
        const bool is_float = field.type == data_type::f32;
        if (is_float && content.first_digits.empty()) return refused(reason::sum_has_no_order);
        if (!has_integers(*of)) return refused(reason::sum_of_fractions);
        if (of->content.kind != field_content::given || times->content.kind != field_content::given)
            return refused(reason::sum_of_a_sum);
        if (of->low != 0) return refused(reason::sum_of_upper_bits);
        for (const record_field& other : tag.fields)
            if (other.subtracted != 0 && (other.name == content.of || other.name == content.times))
                return refused(reason::sum_of_a_difference);
        if (is_float) continue;
        if (has_times || !content.first_digits.empty()) return refused(reason::sum_is_exact);
        const bool is_whole = content.factor == static_cast<double>(static_cast<std::int64_t>(content.factor));
        if (!is_whole) return refused(reason::sum_factor_is_not_whole);
    }
    return {};
}

}  // namespace plait::detail
