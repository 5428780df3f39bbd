#pragma once
// Arrays of files as the plain tensors of a record's fields.

#include "stored_field.hpp"

#include <plait/descriptor/descriptor.hpp>
#include <plait/packed/plain_tensors.hpp>
#include <plait/packed/record.hpp>

#include <span>
#include <string>
#include <vector>

namespace tool {

/// An array for a field: its description, the bytes that are read when it is packed.
struct field_array {
    std::string where;  ///< "in.npz: 'q'"
    plait::detail::plain_field field;
    stored_array array;
    std::optional<stored_field> words;  ///< if the array's elements are words that hold several values
    bool is_packed = false;             ///< said by the user: several values share a byte, along the last axis
};

/// Finds the fields of arrays in a record.
void place_in_record(const plait::record& r, std::vector<field_array>& arrays);

/// Finds the extents of a record whose fields have these arrays: those of a field that has a value for each index.
/// Values smaller than a byte are one in each byte. If the user says so, they are packed in bytes along the last axis;
/// an array of wider integers holds the words in which the record stores the field, in the order of its loops. A
/// shape alone never decides that: of bytes without --packed, one must be no single value. Axes of one value may be
/// left out.
///
/// Throws failure if no extents fit all arrays, or several do.
plait::dims dims_of_arrays(const plait::record_tag& tag, const std::vector<field_array>& arrays);

/// Checks that an array can be packed as a field: its shape, and its type. Throws failure.
void check_field_array(const field_array& array);

/// A plain tensor in memory.
struct plain_tensor {
    plait::descriptor what;
    std::shared_ptr<buffer> memory;
};
/// Reads an array that check_field_array accepts. Throws failure if a value has more bits than the field.
plain_tensor read_tensor(const field_array& array);

/// Returns the shape of values that are packed in bytes along the last axis; empty if a row is not whole bytes, or the
/// values are not smaller than a byte.
std::vector<std::int64_t> shape_in_bytes(std::vector<std::int64_t> values, plait::data_type type);

/// Checks the names of fields whose arrays are packed in bytes: each is a field of the record with values smaller than
/// a byte. Throws failure.
void check_packed_names(const plait::record& r, const std::vector<std::string>& names);

/// Writes values that are packed in bytes as one in each byte: of s4 with its sign.
void spread_bits(std::span<const std::byte> packed, plait::data_type type, std::size_t count, std::byte* to);

/// Returns the shape of an array in words: "64x256".
std::string as_dims(const std::vector<std::int64_t>& shape);

}  // namespace tool
