#pragma once
// What is asked of one array of a file before it is moved: which layouts, which types, and bytes as kernels read them.

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

/// The shape of the array that a layout's memory is: the outer extents in the order of the tag, then the inner blocks.
std::vector<std::int64_t> memory_shape(const plait::layout& l, const plait::format_tag& tag);

/// Throws failure where shape, format, dims and types do not fit together, or the move is refused.
prepared_array prepare(const reorder_options& options, const std::string& file, const stored_array& array,
                       const attribute_values& attributes);

/// Moves it to `out`; a source that is big-endian, in Fortran order with blocks, or not aligned is made anew first.
void run(const prepared_array& array, std::byte* out);

}  // namespace tool
