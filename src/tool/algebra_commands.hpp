#pragma once
// The commands that transform or query layouts: no data moves, no file is read.

#include <string>
#include <vector>

namespace tool {

struct algebra_options {
    std::vector<std::string> arguments;  ///< a layout, then the command's other arguments
    bool json = false;
};

/// plait reshape LAYOUT DIMS: splits and joins axes; the data stays in place.
void reshape(const algebra_options& options);
/// plait view LAYOUT DIMS: reshapes through blocks and axes in any order.
void view(const algebra_options& options);
/// plait permute LAYOUT PERMUTATION: axis i becomes axis p[i]; or the letters in their new order.
void permute(const algebra_options& options);
/// plait submemory LAYOUT DIMS OFFSETS: the part with these extents that begins at the offsets.
void submemory(const algebra_options& options);
/// plait match LAYOUT FORMAT: checks that the elements lie as in the format; throws failure if they do not.
void match(const algebra_options& options);
/// plait diff FROM TO DIMS, or two layouts: prints the differences, and the first element whose offset differs; throws
/// failure if the offset of any element differs.
void diff(const algebra_options& options);
/// plait copies FROM TO DIMS, or two layouts: prints how many contiguous copies move a tensor, and the first ones.
void copies(const algebra_options& options);
/// plait show LAYOUT: prints a grid of offsets, followed by the digits.
void show(const algebra_options& options);

}  // namespace tool
