#include "array_type.hpp"

#include "nearest_text.hpp"

#include <plait/packed/record_grammar.hpp>

#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

namespace tool {

namespace {

using plait::data_type;

struct known_type {
    const char* numpy;
    const char* safetensors;
    int bits;
    data_type type = data_type::undef;
};
/// Types of files that plait moves and does not convert.
constexpr known_type only_moved[] = {
    {"<i8", "I64", 64}, {"<u8", "U64", 64}, {"<u4", "U32", 32},        {"<i2", "I16", 16},
    {"<u2", "U16", 16}, {"<c8", "C64", 64}, {"|u1", "F8_E4M3FNUZ", 8}, {"|u1", "F8_E5M2FNUZ", 8},
};

/// Returns the types of plait, then those that are only moved.
std::vector<known_type> known_types() {
    std::vector<known_type> out;
    for (int i = 1; i < plait::detail::element_type_count; ++i) {
        const plait::detail::element_type_row& row = plait::detail::element_types[i];
        out.push_back({row.numpy, row.safetensors, row.bits, static_cast<data_type>(i)});
    }
    out.insert(out.end(), std::begin(only_moved), std::end(only_moved));
    return out;
}

/// True if NumPy's name of a type means its numbers. It has no name for bf16 and 8-bit floats, only for their bits, and
/// for elements smaller than a byte only that of bytes.
bool is_numbers(const known_type& known) {
    if (known.bits < 8 || known.type == data_type::ue4m3) return false;
    const char letter = plait::to_string(known.type)[0];
    return known.type != data_type::undef && (letter == 's' ? 'i' : letter) == known.numpy[1];
}

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
        for (const known_type& known : known_types())
            if (out.name == known.numpy && is_numbers(known)) out.type = known.type;
        return out;
    }
    throw failure(said + ", which is none of NumPy's, as '<f4'");
}

array_type read_safetensors_type(const std::string& name) {
    array_type out;
    out.safetensors = name;
    for (const known_type& known : known_types()) {
        if (name.empty() || name != known.safetensors) continue;
        out.name = known.numpy;
        out.type = known.type;
        out.bits = known.bits;
        out.bytes = known.bits / 8;
    }
    return out;
}

std::string safetensors_name(const std::string& file, const array_type& type) {
    if (!type.safetensors.empty()) return type.safetensors;
    for (const known_type& known : known_types())
        if (type.name == known.numpy && type.type == known.type && *known.safetensors != 0) return known.safetensors;
    const bool is_bits = type.type != data_type::undef && !type.name.empty() && type.name[1] == 'u';
    throw failure(file + ": safetensors has no type for '" + (is_bits ? plait::to_string(type.type) : type.name) + "'");
}

array_type type_for(data_type type) {
    array_type out;
    const plait::detail::element_type_row& row = plait::detail::row_of(type);
    out.name = row.numpy;
    out.type = type;
    out.safetensors = row.safetensors;
    out.bits = row.bits;
    out.bytes = row.bits / 8;
    return out;
}

std::string type_names() {
    std::string out;
    for (int i = 1; i < plait::detail::element_type_count; ++i)
        out += (i == 1 ? "" : ", ") + std::string(plait::to_string(static_cast<data_type>(i)));
    return out;
}

data_type read_type(const std::string& text) {
    const std::optional<data_type> type = plait::parse_data_type(text);
    if (type && *type != data_type::undef) return *type;
    std::vector<std::string> known;
    for (int i = 1; i < plait::detail::element_type_count; ++i) {
        const data_type each = static_cast<data_type>(i);
        known.push_back(plait::to_string(each));
    }
    std::string near = plait::detail::other_name_of_type(text).c_str();
    if (near.empty() || !plait::parse_data_type(near)) {
        std::string small = text;
        for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        near = nearest_of(small, known);
    }
    throw failure("type '" + text + "' is none of " + type_names(),
                  near.empty() ? std::vector<std::string>() : std::vector{line("nearest", near)});
}

}  // namespace tool
