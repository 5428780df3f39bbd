#pragma once
// The text of a record's tag: read from left to right, and written, so that equal tags have equal texts. The grammar is
// in docs/packed.md; a verdict has the column, counted from 1.

#include <plait/core/data_type.hpp>
#include <plait/packed/record_steps.hpp>
#include <plait/packed/record_tag.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A text, and how far it has been read. Columns count from 1, for people.
class record_scanner {
public:
    constexpr explicit record_scanner(std::string_view text) : text_(text) {}

    constexpr int column() const { return static_cast<int>(at_) + 1; }
    constexpr verdict refuse() const { return refuse(column()); }
    static constexpr verdict refuse(int column) { return {reason::record_is_malformed, -1, column}; }

    /// Returns a character that comes, or 0 behind the end.
    constexpr char peek(int ahead = 0) const { return char_at(at_ + static_cast<std::size_t>(ahead)); }
    constexpr void next() { at_ += at_ < text_.size(); }
    constexpr bool accept(char c) {
        const bool found = peek() == c;
        if (found) next();
        return found;
    }
    constexpr void skip_blanks() {
        while (peek() == ' ') next();
    }
    constexpr bool at_end() {
        skip_blanks();
        return at_ >= text_.size();
    }
    constexpr bool is_at_end_of_item() const { return at_ >= text_.size() || peek() == ',' || peek() == ')'; }
    constexpr bool is_digit() const { return is_digit(peek()); }
    constexpr bool is_letter() const { return is_letter(peek()); }

    /// Returns true if a name comes and then a colon or a point, as at the beginning of a field.
    constexpr bool is_at_field() const {
        std::size_t at = at_;
        if (!is_letter()) return false;
        while (is_letter(char_at(at)) || is_digit(char_at(at)) || char_at(at) == '_') ++at;
        return char_at(at) == ':' || char_at(at) == '.';
    }

    /// Reads a name of at most 15 characters.
    constexpr bool name(field_name& out) {
        if (!is_letter()) return false;
        for (; is_letter() || is_digit() || peek() == '_'; next()) {
            if (out.size() == 15) return false;
            out += peek();
        }
        return true;
    }
    /// Reads a number without a sign that fits in 62 bits.
    constexpr bool number(dim_t& out) {
        if (!is_digit()) return false;
        for (out = 0; is_digit(); next()) {
            if (out > (dim_t{1} << 62) / 10 - 1) return false;
            out = 10 * out + (peek() - '0');
        }
        return true;
    }
    /// Reads a number with a fraction of at most 15 digits in all.
    constexpr bool real(double& out) {
        const bool minus = accept('-');
        dim_t digits = 0, scale = 1;
        int count = 0;
        if (!is_digit()) return false;
        for (bool behind_point = false; is_digit() || (peek() == '.' && !behind_point); next()) {
            if (peek() == '.') {
                behind_point = true;
                continue;
            }
            if (++count > 15) return false;
            digits = 10 * digits + (peek() - '0');
            if (behind_point) scale *= 10;
        }
        out = static_cast<double>(digits) / static_cast<double>(scale) * (minus ? -1 : 1);
        return true;
    }

private:
    constexpr char char_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
    static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Reads a number of one or two digits that does not begin with 0; returns 0 if a text is none.
constexpr int small_number(std::string_view text) {
    if (text.empty() || text.size() > 2 || text[0] == '0') return 0;
    int number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return 0;
        number = 10 * number + (c - '0');
    }
    return number;
}

/// Reads the type of a field. Returns false if it has another name.
constexpr bool read_field_type(std::string_view name, record_field& field) {
    const std::optional<data_type> type = parse_data_type(name);
    if (type && *type != data_type::undef) {
        field.type = *type;
        field.width = size_in_bits(*type);
        return true;
    }
    const int bits = name.empty() || name[0] != 'u' ? 0 : small_number(name.substr(1));
    if (bits < 1 || bits > 16) return false;
    field.width = bits;
    return true;
}

/// Returns the number of bits of an integer type as other libraries call it: i4, int4, int4_t, uint8; 0 if it is none.
constexpr int integer_bits(std::string_view name, std::string_view before) {
    if (name.substr(0, before.size()) != before) return 0;
    name.remove_prefix(before.size());
    if (name.size() > 2 && name.substr(name.size() - 2) == "_t") name.remove_suffix(2);
    const int bits = small_number(name);
    return bits <= 32 ? bits : 0;
}

/// A type that a field can have, and the beginnings or parts of names that other libraries have for it.
struct other_type_name {
    std::string_view part, type;
    bool is_whole = true;
};
inline constexpr other_type_name other_type_names[] = {
    {"half", "f16"},
    {"float16", "f16"},
    {"fp16", "f16"},
    {"bfloat16", "bf16"},
    {"float", "f32"},
    {"float32", "f32"},
    {"fp32", "f32"},
    {"single", "f32"},
    {"double", "f64"},
    {"float64", "f64"},
    {"fp64", "f64"},
    {"bool", "boolean"},
    {"byte", "u8"},
    {"int", "s32"},
    {"fp8", "f8_e4m3"},
    {"fp4", "f4_e2m1"},
    {"ue4m3", "ue4m3", false},
    {"e2m1", "f4_e2m1", false},
    {"e3m0", "f4_e3m0", false},
    {"e2m3", "f6_e2m3", false},
    {"e3m2", "f6_e3m2", false},
    {"e8m0", "e8m0", false},
    {"e4m3", "f8_e4m3", false},
    {"e5m2", "f8_e5m2", false},
};

/// Returns the type that is called otherwise elsewhere, or an empty text.
constexpr field_name other_name_of_type(std::string_view said) {
    field_name name, out;
    for (const char c : said) name += axis_family::lower(c);
    const std::string_view text = view_of(name);
    if (text.find("fnuz") != text.npos) return out;  // other numbers in the same bits
    if (parse_data_type(text) && text != "undef") return name;
    for (const std::string_view before : {"uint", "ui", "u"})
        if (const int bits = integer_bits(text, before); bits >= 1 && bits <= 16)
            return (out += 'u') += dim_t{bits}, out;
    for (const std::string_view before : {"int", "i", "si", "sint", "s"})
        if (const int bits = integer_bits(text, before); bits == 4 || bits == 8 || bits == 32)
            return (out += 's') += dim_t{bits}, out;
    for (const other_type_name& other : other_type_names)
        if (other.is_whole ? text == other.part : text.find(other.part) != text.npos) {
            for (const char c : other.type) out += c;
            return out;
        }
    return out;
}

/// Refuses a type of an unknown name, with the type that it probably is.
constexpr verdict unknown_field_type(std::string_view name, int column) {
    for (const std::string_view before : {"int", "i", "si", "sint", "s"}) {
        const int bits = integer_bits(name, before);
        if (bits >= 1 && bits <= 16 && bits != 4 && bits != 8)
            return {reason::record_type_has_a_sign, -1, column, bits, dim_t{1} << (bits - 1)};
    }
    const field_name other = other_name_of_type(name);
    if (other.size() == 0) return {reason::record_type_is_unknown, -1, column};
    return {reason::record_type_is_unknown, -1, column, short_name(other), 1};
}

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

/// Writes a tag as text.
class record_writer {
public:
    constexpr explicit record_writer(const record_tag& tag) : tag_(tag) {}

    constexpr record_text write() {
        (out_ += tag_.axes.c_str()) += ": ";
        bool first = true;  // of the items of a group
        for (int i = 0; i < tag_.nodes.size(); ++i) {
            const record_node& n = tag_.nodes[i];
            if (n.part == record_part::close) {
                out_ += ')';
                continue;
            }
            if (n.part == record_part::end) continue;
            if (!inside_ && !first && is_item_start(i)) out_ += ", ";
            first = false;
            if (n.part == record_part::open) {
                out_ += '(';
                first = true;
            } else if (n.part == record_part::field) {
                write_field(tag_.fields[n.field]);
                inside_ = true;
                after_letter_ = false;
                for (++i; tag_.nodes[i].part != record_part::end; ++i) write_mark(tag_.nodes[i]);
                inside_ = false;
                write_rest(tag_.fields[n.field]);
            } else if (n.part == record_part::gap || n.part == record_part::align) {
                (out_ += n.part == record_part::gap ? "_:" : "_:%") += n.extent;
            } else {
                write_mark(n);
            }
        }
        return out_;
    }

private:
    /// True if no loop of the same item stands before a node.
    constexpr bool is_item_start(int node) const {
        return node == 0 || tag_.nodes[node].part == record_part::field ||
               tag_.nodes[node - 1].part != record_part::loop;
    }
    constexpr char letter(int axis, bool upper) const {
        return static_cast<char>(upper ? tag_.axes[axis] - 'a' + 'A' : tag_.axes[axis]);
    }

    constexpr void write_field(const record_field& f) {
        out_ += f.name.c_str();
        if (f.low != 0) (out_ += '.') += dim_t{f.low};
        out_ += ':';
        if (f.type == data_type::undef) (out_ += 'u') += dim_t{f.width};
        else out_ += to_string(f.type);
        if (f.flipped != 0) (out_ += '^') += static_cast<std::int64_t>(f.flipped);
        if (f.subtracted != 0) (out_ += '-') += dim_t{f.subtracted};
        if (f.factor != 1) write_real(out_ += '*', f.factor);
    }

    /// Writes what stands for a digit. Letters stand together; anything else has a blank before it, unless it begins an
    /// item.
    constexpr void write_mark(const record_node& n) {
        const bool is_letter = n.part == record_part::loop && n.extent == 0;
        const bool begins = !inside_ && (out_[out_.size() - 1] == '(' || out_[out_.size() - 1] == ' ');
        if (!begins && !(is_letter && after_letter_)) out_ += ' ';
        after_letter_ = is_letter;
        if (n.part == record_part::shared) out_ += '/';
        if (n.part == record_part::ragged) out_ += '<';
        if (n.part == record_part::range) return write_range(n);
        if (n.extent > 0) out_ += n.extent;
        out_ += letter(n.axis, is_letter && n.step > 1);
        if (n.marked) (out_ += '@') += n.step;
        if (n.part == record_part::fixed) (out_ += '=') += n.value;
        if (n.backwards) out_ += '!';
        if (n.turned_by >= 0) (out_ += '-') += letter(n.turned_by, false);
    }

    constexpr void write_range(const record_node& n) {
        (out_ += letter(n.axis, false)) += '[';
        if (n.first == range_bound::multiple) out_ += '%';
        if (n.first == range_bound::multiple || n.value != 0) out_ += n.value;
        out_ += ':';
        if (n.last == range_bound::multiple) out_ += '%';
        if (n.last != range_bound::whole) out_ += n.extent;
        out_ += ']';
    }

    /// Writes the padding and the content of a field.
    constexpr void write_rest(const record_field& f) {
        for (int a = 0; a < tag_.ndims(); ++a) {
            if ((f.repeated_axes >> a & 1) != 0) (out_ += " ~") += letter(a, false);
            if ((f.valued_axes >> a & 1) != 0) (((out_ += " ~") += letter(a, false)) += '=') += f.padding;
        }
        if (f.content.kind == field_content::given) return;
        out_ += f.content.kind == field_content::sum ? " =sum(" : " =+sum(";
        write_summed(f.content);
        if (f.content.times.size() > 0) (out_ += '*') += f.content.times.c_str();
        for (int i = 0; i < f.content.first_digits.size(); ++i) {
            ((out_ += i == 0 ? ';' : ' ') += f.content.first_digits[i].size) +=
                letter(f.content.first_digits[i].axis, false);
            if (f.content.first_steps[i] != 0) (out_ += '@') += f.content.first_steps[i];
        }
        out_ += ')';
        const bool has_parameter = f.content.parameter.size() > 0;
        if (f.content.factor == 1 && !has_parameter) return;
        out_ += '*';
        if (has_parameter && f.content.factor == -1) out_ += '-';
        else if (f.content.factor != 1) write_real(out_, f.content.factor);
        out_ += f.content.parameter.c_str();
    }

    /// Writes q, q-8, or before a second field (q-8).
    constexpr void write_summed(const field_content& content) {
        const bool is_inner = content.subtracted != 0 && content.times.size() > 0;
        if (is_inner) out_ += '(';
        out_ += content.of.c_str();
        if (content.subtracted != 0) (out_ += '-') += dim_t{content.subtracted};
        if (is_inner) out_ += ')';
    }

    /// Writes a number of at most 15 digits that record_scanner::real has read.
    static constexpr void write_real(record_text& out, double number) {
        if (number < 0) out += '-';
        double left = number < 0 ? -number : number;
        const auto whole = static_cast<std::int64_t>(left);
        out += whole;
        std::int64_t scale = 1;
        // The fewest digits that are read as the same number.
        while (scale < 1'000'000'000'000'000 &&
               static_cast<double>(static_cast<std::int64_t>(left * static_cast<double>(scale) + 0.5)) /
                       static_cast<double>(scale) !=
                   left)
            scale *= 10;
        const auto all = static_cast<std::int64_t>(left * static_cast<double>(scale) + 0.5);
        if (scale == 1) return;
        out += '.';
        for (scale /= 10; scale > 0; scale /= 10) out += static_cast<char>('0' + all / scale % 10);
    }

    const record_tag& tag_;
    record_text out_;
    bool inside_ = false, after_letter_ = false;
};

}  // namespace plait::detail

namespace plait::inline PLAIT_UNIT_FLAGS {
constexpr detail::record_text record_tag::text() const { return detail::record_writer(*this).write(); }

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
        const std::string_view name = view_of(text);
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
