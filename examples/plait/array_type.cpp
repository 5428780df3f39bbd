#include "array_type.hpp"

#include <cstring>
#include <string_view>

namespace tool {

namespace {

using plait::data_type;

struct known_type {
    const char* numpy;
    const char* safetensors;
    data_type type;
    int bits;
};
// The first name of a type is the one that is written. NumPy has no name for the bits of bf16 and f8.
constexpr known_type known_types[] = {
    {"<f8", "F64", data_type::f64, 64},
    {"<f4", "F32", data_type::f32, 32},
    {"<f2", "F16", data_type::f16, 16},
    {"<i4", "I32", data_type::s32, 32},
    {"|i1", "I8", data_type::s8, 8},
    {"|u1", "U8", data_type::u8, 8},
    {"<u2", "BF16", data_type::bf16, 16},
    {"|u1", "F8_E5M2", data_type::f8_e5m2, 8},
    {"|u1", "F8_E4M3", data_type::f8_e4m3, 8},
    {"<i8", "I64", data_type::undef, 64},
    {"<u8", "U64", data_type::undef, 64},
    {"<u4", "U32", data_type::undef, 32},
    {"<i2", "I16", data_type::undef, 16},
    {"<u2", "U16", data_type::undef, 16},
    {"|b1", "BOOL", data_type::undef, 8},
    {"<c8", "C64", data_type::undef, 64},
    {"|u1", "F8_E8M0", data_type::undef, 8},
    {"|u1", "F8_E4M3FNUZ", data_type::undef, 8},
    {"|u1", "F8_E5M2FNUZ", data_type::undef, 8},
    {"", "F4", data_type::undef, 4},
    {"", "F6_E2M3", data_type::undef, 6},
    {"", "F6_E3M2", data_type::undef, 6},
};

struct numpy_kind {
    char letter;
    std::string_view sizes;  // the sizes that NumPy has; empty: any
    int unit;                // bytes per unit of size
};
constexpr numpy_kind numpy_kinds[] = {
    {'b', "1", 1},          {'i', "1 2 4 8", 1}, {'u', "1 2 4 8", 1}, {'f', "2 4 8 12 16", 1},
    {'c', "8 16 24 32", 1}, {'M', "8", 1},       {'m', "8", 1},       {'S', "", 1},
    {'a', "", 1},           {'U', "", 4},        {'V', "", 1},
};

/// Checks that a number is in a list separated by blanks.
bool is_in(std::string_view list, const std::string& number) {
    return list.empty() || (" " + std::string(list) + " ").find(" " + number + " ") != std::string::npos;
}

}  // namespace

std::string array_type::why_not_moved() const {
    const std::string size = bytes != 0 || bits == 0 ? std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes")
                                                     : std::to_string(bits) + " bits";
    if (!safetensors.empty() && bits == 0)
        return "has the type '" + safetensors + "', which is none that this plait knows, and cannot be moved";
    return "has the type '" + (safetensors.empty() ? name : safetensors) + "', whose elements have " + size +
           "; elements of 1, 2, 4 or 8 bytes can be moved";
}

array_type read_numpy_type(const std::string& file, const std::string& name) {
    const std::string said = file + ": the .npy header has the type '" + name + "'";
    const std::size_t at = !name.empty() && std::strchr("<>|=", name[0]) != nullptr ? 1 : 0;
    std::size_t end = at + 1;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    const char letter = at < name.size() ? name[at] : '\0';
    if (letter == 'O') throw failure(said + ", Python objects, whose bytes are those of pickle and not moved");
    for (const numpy_kind& kind : numpy_kinds) {
        if (kind.letter != letter || end == at + 1) continue;
        const std::string number = name.substr(at + 1, end - at - 1), unit = name.substr(end);
        const bool is_time = letter == 'M' || letter == 'm';  // "<M8[ns]"
        const bool fits = is_in(kind.sizes, number) && number.size() <= 9 &&
                          (unit.empty() || (is_time && unit.front() == '[' && unit.back() == ']'));
        if (!fits) break;
        array_type out;
        out.bytes = std::int64_t{kind.unit} * std::stol(number);
        const bool is_number = kind.sizes.size() != 0 || letter == 'U';
        const int swapped = letter == 'c'   ? static_cast<int>(out.bytes / 2)
                            : letter == 'U' ? 4
                            : is_number     ? static_cast<int>(out.bytes)
                                            : 1;
        if (name[0] == '>' && swapped > 1) out.swapped = swapped;
        out.name = std::string(swapped == 1 ? "|" : "<") + name.substr(at);
        // Unsigned 16 bits may be bf16, but the file does not say so: they are bits.
        for (const known_type& known : known_types)
            if (out.name == known.numpy && known.type != data_type::bf16 && out.type == data_type::undef)
                out.type = known.type;
        return out;
    }
    throw failure(said + ", which is none of NumPy's, as '<f4'");
}

array_type read_safetensors_type(const std::string& name) {
    array_type out;
    out.safetensors = name;
    for (const known_type& known : known_types) {
        if (name != known.safetensors) continue;
        out.name = known.numpy;
        out.type = known.type;
        out.bits = known.bits;
        out.bytes = known.bits / 8;
    }
    return out;
}

std::string safetensors_name(const std::string& file, const array_type& type) {
    if (!type.safetensors.empty()) return type.safetensors;
    for (const known_type& known : known_types)
        if (type.name == known.numpy && type.type == known.type) return known.safetensors;
    throw failure(file + ": safetensors has no type for '" + type.name + "'");
}

array_type type_for(data_type type) {
    for (const known_type& known : known_types)
        if (known.type == type) return read_safetensors_type(known.safetensors);
    return {};
}

data_type read_type(const std::string& text) {
    const std::optional<data_type> type = plait::parse_data_type(text);
    if (type && *type != data_type::undef) return *type;
    std::string names;
    for (const char* const name : plait::detail::data_type_names)
        if (plait::parse_data_type(name) != data_type::undef) names += (names.empty() ? "" : ", ") + std::string(name);
    throw failure("type '" + text + "' is none of " + names);
}

}  // namespace tool
