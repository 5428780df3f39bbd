#pragma once
// The types of arrays in files: their names in NumPy and safetensors, and the corresponding types of plait.

#include "errors.hpp"

#include <plait/core/data_type.hpp>

#include <cstdint>

namespace tool {

/// The type of the elements in a file.
struct array_type {
    std::string name;  ///< NumPy's, e.g. "<f4", which is written back; empty if NumPy has none for its bits
    plait::data_type type = plait::data_type::undef;  ///< undef: moved as it is, but not converted
    std::int64_t bytes = 0;                           ///< per element; 0 for types smaller than a byte
    int swapped = 0;          ///< big-endian: the bytes per number, else 0; a complex number has two numbers
    std::string safetensors;  ///< the name in safetensors, if the type was read from such a file
    int bits = 0;             ///< per element, for a type smaller than a byte; 0 if the type is unknown

    /// True if kernels can move elements of this size, whatever their bits mean.
    bool is_moved() const { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || is_packed(); }
    /// True for a type of plait of which several elements share a byte: the first is in the lowest bits.
    bool is_packed() const { return type != plait::data_type::undef && plait::size_in_bits(type) < 8; }
    /// Returns why elements are not moved: "has the type '<U7', elements of 28 bytes; ...".
    std::string why_not_moved() const;
};

/// Reads NumPy's name of a type. Throws failure with the file's name for unknown types and Python objects.
array_type read_numpy_type(const std::string& file, const std::string& name);

/// Reads the safetensors name of a type: "F32", "BF16". An unknown name gives a type without bits.
array_type read_safetensors_type(const std::string& name);
/// Returns the safetensors name of a type; throws failure if there is none, e.g. for texts.
std::string safetensors_name(const std::string& file, const array_type& type);

/// Returns the type that a file has for a type of plait: bf16 and 8-bit floats as bits, which NumPy cannot name, and
/// elements smaller than a byte as bytes.
array_type type_for(plait::data_type type);

/// Returns the names of plait's types: "f64, f32, ...".
std::string type_names();
/// Returns a type of plait by its name; throws failure with all names.
plait::data_type read_type(const std::string& text);

}  // namespace tool
