#pragma once
// The commands that make a layout of a layout, or ask one a question: no data moves, no file is read.

#include <string>
#include <vector>

namespace tool {

struct algebra_options {
    std::vector<std::string> arguments;  ///< a layout, then what the command takes besides
    bool json = false;
};

/// plait reshape LAYOUT DIMS: axes split and joined, the data stays where it is.
void reshape(const algebra_options& options);
/// plait view LAYOUT DIMS: the same through blocks and axes in any order.
void view(const algebra_options& options);
/// plait permute LAYOUT PERMUTATION: axis i goes to place p[i]; or the letters in their new order.
void permute(const algebra_options& options);
/// plait submemory LAYOUT DIMS OFFSETS: the part of so many elements that begins there.
void submemory(const algebra_options& options);
/// plait match LAYOUT FORMAT: whether the format says where the elements are; throws failure where it does not.
void match(const algebra_options& options);
/// plait diff FROM TO DIMS, or two layouts: what differs, and the first element that has another offset; throws failure
/// where elements have other offsets.
void diff(const algebra_options& options);
/// plait show LAYOUT: a grid of offsets, and the digits below it.
void show(const algebra_options& options);

}  // namespace tool
