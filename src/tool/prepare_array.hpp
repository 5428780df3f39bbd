#pragma once
// Checks and prepares one array of a file for a move: its layouts, its types, and bytes in the form that kernels read.

#include "move.hpp"
#include "reorder_command.hpp"
#include "stored_array.hpp"

namespace tool {

/// An array that is ready to be moved.
struct prepared_array {
    stored_array source;
    move_request request;
    stored_array result;  ///< name, type, shape, and the size of the data
    plait::dims dims;
};

/// Returns the shape of a layout's memory as an array: the outer extents in the tag's order, then the inner blocks.
std::vector<std::int64_t> memory_shape(const plait::layout& l, const plait::format_tag& tag);

/// Throws failure if shape, format, dims and types do not fit together, or if the move is rejected.
prepared_array prepare(const reorder_options& options, const std::string& file, const stored_array& array,
                       const attribute_values& attributes);

/// Moves an array to `out`; a source that is big-endian, misaligned, or in Fortran order with blocks is copied first.
void run(const prepared_array& array, std::byte* out);

}  // namespace tool
