#pragma once
// The types of arrays in files: what NumPy and safetensors call them, and which of plait's they are.

#include "errors.hpp"

#include <plait/core/data_type.hpp>

namespace tool {

/// A type of elements as a file has it.
struct array_type {
    std::string name;                                 ///< NumPy's, as "<f4"; what is written again
    plait::data_type type = plait::data_type::undef;  ///< undef: moved as it is, but not converted
    int bytes = 0;
    int swapped = 0;  ///< big-endian: the bytes of each number, else 0; two numbers make a complex one
};

/// NumPy's name of a type. Throws failure, which names the file, for what is no number of 1, 2, 4 or 8 bytes.
array_type read_numpy_type(const std::string& file, const std::string& name);

/// The name of safetensors: "F32", "BF16".
array_type read_safetensors_type(const std::string& file, const std::string& name);
/// The other way; throws failure where it has none, as for complex numbers.
std::string safetensors_name(const std::string& file, const array_type& type);

/// What a file of this type has: bf16 and the types of 8 bits as their bits, for NumPy has no names of them.
array_type type_for(plait::data_type type);

/// A type of plait by its name; throws failure with all names.
plait::data_type read_type(const std::string& text);

}  // namespace tool
