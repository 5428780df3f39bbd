#pragma once
// The 'descr' of a .npy header: the type of a number, or a record of fields with their own types.

#include "array_type.hpp"
#include "python_literal.hpp"

#include <memory>

namespace tool {

struct numpy_field;

/// A type of NumPy. A record has fields, and no name.
struct numpy_type {
    array_type element;               ///< for a record, only the number of bytes is used
    std::vector<std::int64_t> shape;  ///< for a field that is an array
    std::vector<numpy_field> fields;

    std::int64_t bytes = 0;  ///< in total: the bytes of an element times the shape
};
/// A part of each record.
struct numpy_field {
    std::string name, title;
    std::int64_t begin = 0;  ///< offset in the record, in bytes
    numpy_type type;
};

/// Reads a type. Throws failure, which names the file and the character, for text that NumPy rejects, and for Python
/// objects, which have no bytes of their own in a file.
numpy_type read_numpy_descr(const std::string& file, const python_value& descr);

/// A field that is not a record, possibly nested: names from the outermost to the innermost field, separated by dots.
struct record_part {
    std::string path, titled;  ///< by names; by titles, if there are any
    std::int64_t begin = 0;    ///< offset in the record, in bytes
    array_type element;
    std::vector<std::int64_t> shape, steps;  ///< of fields that are arrays; steps in bytes
};
/// Returns all parts that are not records themselves, in the order of the record.
std::vector<record_part> parts_of(const numpy_type& record);

}  // namespace tool
