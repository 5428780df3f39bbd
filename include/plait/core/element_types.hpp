#pragma once
// The table of element types: their sizes, and their names in plait and in other libraries. data_type.hpp has their C++
// types. An error sentence needs no more than this header.

#include <plait/version.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The type of the elements of a tensor; undef means that none is given. The numbers are plait's own;
/// interop/onednn_fields.hpp reads oneDNN's.
enum class data_type {
    undef,
    f64,
    f32,
    bf16,
    f16,
    f8_e5m2,
    f8_e4m3,
    s32,
    s8,
    u8,
    u1,
    u2,
    u4,
    s4,
    f4_e2m1,
    f4_e3m0,
    f6_e2m3,
    f6_e3m2,
    e8m0,
    ue4m3,
    boolean
};

namespace detail {
/// The names and the size of an element type, from which lists and conversions of names follow.
struct element_type_row {
    const char* name;   // oneDNN's, if it has the type
    int bits;           // of one element
    int onednn;         // oneDNN's number. 2.6 ends at 6; f64 was added in 2.7, the others during 3. -1: none
    int dlpack;         // DLPack's type code: 0 int, 1 uint, 2 float, 4 bfloat, 6 bool, 10 and above: one for each
                        // smaller float. -1: none
    const char* numpy;  // NumPy's name of the numbers or, if it has none, of unsigned integers with the same bits
                        // or, below 8 bits, of the bytes that hold elements
    const char* safetensors;  // its name in .safetensors files; "": none
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
    {"u1", 1, -1, 1, "|u1", ""},
    {"u2", 2, -1, 1, "|u1", ""},
    {"u4", 4, 12, 1, "|u1", ""},
    {"s4", 4, 11, 0, "|u1", ""},
    {"f4_e2m1", 4, 14, 17, "|u1", "F4"},
    {"f4_e3m0", 4, 15, -1, "|u1", ""},
    {"f6_e2m3", 6, -1, 15, "|u1", "F6_E2M3"},
    {"f6_e3m2", 6, -1, 16, "|u1", "F6_E3M2"},
    {"e8m0", 8, 13, 14, "|u1", "F8_E8M0"},
    {"ue4m3", 8, -1, -1, "|u1", ""},
    {"boolean", 8, 8, 6, "|b1", "BOOL"},
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

/// Returns the size of one element in bytes, or 0 for undef and for elements smaller than a byte.
///
/// Example: size_in_bytes(data_type::bf16) == 2
[[nodiscard]] constexpr int size_in_bytes(data_type type) { return size_in_bits(type) / 8; }

namespace detail {
/// True if elements of a type are smaller than a byte: several share one.
constexpr bool is_packed(data_type type) { return size_in_bits(type) % 8 != 0; }

/// The memory of some adjacent elements: the byte that holds the first bit of the first one, and the number of bytes up
/// to the last bit of the last one.
struct byte_range {
    long long begin = 0, count = 0;
};
/// Returns the bytes of `count` elements that begin at place `first`. Element k takes the `size_in_bits` bits from bit
/// k * size_in_bits; bit 0 is the lowest of byte 0.
///
/// Pre:     0 <= first, 0 <= count, and their sum times the size fits in 63 bits
/// Example: u4 3 to 5: bytes_of(data_type::u4, 3, 3) is byte 1 and 2 bytes
constexpr byte_range bytes_of(data_type type, long long first, long long count) {
    const long long bits = size_in_bits(type);
    if (bits % 8 == 0) return {first * (bits / 8), count * (bits / 8)};
    const long long begin = first * bits / 8;
    return {begin, count == 0 ? 0 : ((first + count) * bits + 7) / 8 - begin};
}
}  // namespace detail

}  // namespace plait
