#pragma once
// The types of arrays in files: what NumPy and safetensors call them, and which of plait's they are.

#include "errors.hpp"

#include <plait/core/data_type.hpp>

#include <cstdint>

namespace tool {

/// A type of elements as a file has it.
struct array_type {
    std::string name;  ///< NumPy's, as "<f4", which is written again; empty if NumPy has none for its bits
    plait::data_type type = plait::data_type::undef;  ///< undef: moved as it is, but not converted
    std::int64_t bytes = 0;                           ///< of an element; 0 for the types below a byte
    int swapped = 0;          ///< big-endian: the bytes of each number, else 0; two numbers make a complex one
    std::string safetensors;  ///< the name of safetensors, if that is where the type comes from
    int bits = 0;             ///< of an element of such a type; 0 if it is none that plait knows

    /// Kernels move elements of these sizes, whatever their bits mean.
    bool is_moved() const { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }
    /// "has the type '<U7', elements of 28 bytes; ...": why elements are not moved.
    std::string why_not_moved() const;
};

/// NumPy's name of a type. Throws failure, which names the file, for what is no type of NumPy, and for Python objects.
array_type read_numpy_type(const std::string& file, const std::string& name);

/// The name of safetensors: "F32", "BF16". A name that the format does not have gives a type of no bits.
array_type read_safetensors_type(const std::string& name);
/// The other way; throws failure if there is none, as for texts.
std::string safetensors_name(const std::string& file, const array_type& type);

/// What a file of this type has: bf16 and the types of 8 bits as their bits, for NumPy has no names of them.
array_type type_for(plait::data_type type);

/// A type of plait by its name; throws failure with all names.
plait::data_type read_type(const std::string& text);

}  // namespace tool
