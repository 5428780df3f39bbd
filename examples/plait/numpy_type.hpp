#pragma once
// What the 'descr' of a .npy header says: the type of a number, or a record of fields with types of their own.

#include "array_type.hpp"
#include "python_literal.hpp"

#include <memory>

namespace tool {

struct numpy_field;

/// A type of NumPy. A record has fields, and no name.
struct numpy_type {
    array_type element;               ///< of a record only the bytes count
    std::vector<std::int64_t> shape;  ///< of a field that is an array
    std::vector<numpy_field> fields;

    std::int64_t bytes = 0;  ///< all of it: of each element, times the shape
};
/// A part of each record.
struct numpy_field {
    std::string name, title;
    std::int64_t begin = 0;  ///< byte of the record
    numpy_type type;
};

/// Reads a type; throws failure, which names the file and the character, for what NumPy would not take, and for Python
/// objects, which have no bytes of their own in a file.
numpy_type read_numpy_descr(const std::string& file, const python_value& descr);

/// A part of each record of a type: names from the outermost to the innermost field, with dots between them.
struct record_part {
    std::string path, titled;  ///< by names; by titles, where there are some
    std::int64_t begin = 0;    ///< byte of the record
    array_type element;
    std::vector<std::int64_t> shape, steps;  ///< of fields that are arrays, with the bytes from one to the next
};
/// All parts that are no records themselves, in the order of the record.
std::vector<record_part> parts_of(const numpy_type& record);

}  // namespace tool
