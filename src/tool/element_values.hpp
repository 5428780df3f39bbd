#pragma once
// The elements of an array of any type as values that can be compared: numbers, texts, bytes.

#include "stored_array.hpp"

#include <cfloat>
#include <string>

namespace tool {

static_assert(LDBL_MANT_DIG >= 64, "a long double holds integers of 64 bits and numbers of f64 exactly");

/// A number of any type, exactly. `imaginary` is 0 unless the type is complex.
struct exact_number {
    long double real = 0, imaginary = 0;
};

/// The kinds of elements. Other bytes are those whose meaning a file does not determine, e.g. NumPy's
/// longdouble, or a type of safetensors that this plait does not know.
enum class element_kind { integer, real, complex, text, time, bytes, other_bytes };

/// Returns the name under which types of different files are compared: "f32" for '<f4', '>f4' and F32.
std::string comparable_name(const array_type& type);

/// The elements of an array in C order, the lowest byte of each number first.
class element_values {
public:
    explicit element_values(const stored_array& array);

    element_kind kind() const { return kind_; }
    bool is_number() const { return kind_ <= element_kind::complex; }
    /// Checks that elements of both arrays have values that can be compared.
    bool is_comparable_with(const element_values& other) const;
    /// Returns the number of an element.
    ///
    /// Pre:     is_number()
    exact_number number(std::uint64_t place) const;
    /// Compares an element with one of another array. Two texts are the same if one continues with NULs, as in NumPy.
    ///
    /// Pre:     is_comparable_with(other), and neither has numbers
    bool is_same(std::uint64_t place, const element_values& other) const;
    /// Returns an element in words: "0.1", "-7", "1+2j", "'abc'", "0x00ff".
    std::string text(std::uint64_t place) const;
    std::span<const std::byte> bytes() const { return held_.bytes; }
    /// Returns the bytes of the elements from `begin` up to `end`.
    ///
    /// Pre:     a whole number of bytes precedes `begin`
    std::span<const std::byte> bytes_of(std::uint64_t begin, std::uint64_t end) const;

private:
    std::span<const std::byte> element(std::uint64_t place) const;
    std::int64_t integer(std::uint64_t place) const;

    array_type type_;
    held_bytes held_;
    element_kind kind_;
    bool is_signed_ = false;
};

}  // namespace tool
