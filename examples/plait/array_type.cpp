#include "array_type.hpp"

#include <cstring>

namespace tool {

namespace {

using plait::data_type;

struct known_type {
    const char* numpy;
    const char* safetensors;
    data_type type;
    int bytes;
};
// The first of a type is the one that is written. NumPy has no name for the bits of bf16 and f8.
constexpr known_type known_types[] = {
    {"<f8", "F64", data_type::f64, 8},         {"<f4", "F32", data_type::f32, 4},
    {"<f2", "F16", data_type::f16, 2},         {"<i4", "I32", data_type::s32, 4},
    {"|i1", "I8", data_type::s8, 1},           {"|u1", "U8", data_type::u8, 1},
    {"<u2", "BF16", data_type::bf16, 2},       {"|u1", "F8_E5M2", data_type::f8_e5m2, 1},
    {"|u1", "F8_E4M3", data_type::f8_e4m3, 1}, {"<i8", "I64", data_type::undef, 8},
    {"<u8", "U64", data_type::undef, 8},       {"<u4", "U32", data_type::undef, 4},
    {"<i2", "I16", data_type::undef, 2},       {"<u2", "U16", data_type::undef, 2},
    {"|b1", "BOOL", data_type::undef, 1},
};

}  // namespace

array_type read_numpy_type(const std::string& file, const std::string& name) {
    const bool number = name.size() == 3 && std::strchr("<>|=", name[0]) != nullptr && name[1] != '\0' &&
                        std::strchr("biufcV", name[1]) != nullptr;
    const int bytes = number ? name[2] - '0' : 0;
    const bool complex = number && name[1] == 'c';
    if (!number || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) || (complex && bytes != 8))
        throw failure(file + ": the .npy header has the type '" + name +
                      "'; numbers of 1, 2, 4 or 8 bytes can be read");
    array_type out;
    out.bytes = bytes;
    if (name[0] == '>' && bytes > 1) out.swapped = complex ? bytes / 2 : bytes;
    out.name = std::string(bytes == 1 || name[1] == 'V' ? "|" : "<") + name.substr(1);
    // Unsigned 16 bits may be bf16, but nothing says so: they are bits.
    for (const known_type& known : known_types)
        if (out.name == known.numpy && known.type != data_type::bf16 && out.type == data_type::undef)
            out.type = known.type;
    return out;
}

array_type read_safetensors_type(const std::string& file, const std::string& name) {
    for (const known_type& known : known_types)
        if (name == known.safetensors) return {known.numpy, known.type, known.bytes, 0};
    throw failure(file + ": has the type '" + name + "', which is none of numbers of 1, 2, 4 or 8 bytes");
}

std::string safetensors_name(const std::string& file, const array_type& type) {
    for (const known_type& known : known_types)
        if (type.name == known.numpy && type.type == known.type) return known.safetensors;
    throw failure(file + ": safetensors has no type for '" + type.name + "'");
}

array_type type_for(data_type type) {
    for (const known_type& known : known_types)
        if (known.type == type) return {known.numpy, type, known.bytes, 0};
    return {};
}

data_type read_type(const std::string& text) {
    const std::optional<data_type> type = plait::parse_data_type(text);
    if (type && *type != data_type::undef) return *type;
    std::string names;
    for (const char* const name : plait::data_type_names)
        if (plait::parse_data_type(name) != data_type::undef) names += (names.empty() ? "" : ", ") + std::string(name);
    throw failure("type '" + text + "' is none of " + names);
}

}  // namespace tool
