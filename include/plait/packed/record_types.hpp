#pragma once
// The types of the fields of a record's tag: those of the library, and unsigned numbers of 1 to 16 bits. A type of
// another name is refused with the one that it probably is.

#include <plait/core/data_type.hpp>
#include <plait/packed/record_tag.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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
    const std::string_view text(name.data(), static_cast<std::size_t>(name.size()));
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

}  // namespace plait::detail
