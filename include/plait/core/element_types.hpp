#pragma once
// The table of element types: their sizes, and their names in plait and in other libraries. data_type.hpp has their C++
// types. An error sentence needs no more than this header.

#include <plait/version.hpp>

namespace plait {

/// The type of the elements of a tensor; undef means that none is given. The numbers are plait's own;
/// interop/onednn_fields.hpp reads oneDNN's.
enum class data_type { undef, f64, f32, bf16, f16, f8_e5m2, f8_e4m3, s32, s8, u8 };

namespace detail {
/// The names and the size of an element type, from which lists and conversions of names follow.
struct element_type_row {
    const char* name;         // oneDNN's
    int bits;                 // of one element
    int onednn;               // oneDNN's number. 2.6 ends at 6; f64 was added in 2.7, the two 8-bit floats during 3
    int dlpack;               // DLPack's type code: 0 int, 1 uint, 2 float, 4 bfloat, 10 float8_e4m3fn, 12 float8_e5m2
    const char* numpy;        // NumPy's name of the numbers or, if it has none, of unsigned integers with the same bits
    const char* safetensors;  // its name in .safetensors files
};

/// The element types, in the order of the enumerators.
inline constexpr element_type_row element_types[] = {
    {"undef", 0, 0, 0, "", ""},
    {"f64", 64, 7, 2, "<f8", "F64"},
    {"f32", 32, 3, 2, "<f4", "F32"},
    {"bf16", 16, 2, 4, "<u2", "BF16"},
    {"f16", 16, 1, 2, "<f2", "F16"},
    {"f8_e5m2", 8, 9, 12, "|u1", "F8_E5M2"},
    {"f8_e4m3", 8, 10, 10, "|u1", "F8_E4M3"},
    {"s32", 32, 4, 0, "<i4", "I32"},
    {"s8", 8, 5, 0, "|i1", "I8"},
    {"u8", 8, 6, 1, "|u1", "U8"},
};
/// The number of element types, with undef. An enumerator is smaller.
inline constexpr int element_type_count = sizeof(element_types) / sizeof(element_types[0]);

/// Returns the row of a type, or that of undef if the number is not an enumerator.
constexpr const element_type_row& row_of(data_type type) {
    const auto place = static_cast<unsigned>(type);
    return element_types[place < element_type_count ? place : 0];
}
}  // namespace detail

/// Returns the oneDNN name of a data type, or "unknown data type" if the number is not an enumerator.
[[nodiscard]] constexpr const char* to_string(data_type type) {
    const bool is_known = static_cast<unsigned>(type) < detail::element_type_count;
    return is_known ? detail::row_of(type).name : "unknown data type";
}

/// Returns the size of one element in bits, or 0 for undef.
///
/// Example: size_in_bits(data_type::bf16) == 16
[[nodiscard]] constexpr int size_in_bits(data_type type) { return detail::row_of(type).bits; }

/// Returns the size of one element in bytes, or 0 for undef.
///
/// Example: size_in_bytes(data_type::bf16) == 2
[[nodiscard]] constexpr int size_in_bytes(data_type type) { return size_in_bits(type) / 8; }

}  // namespace plait
