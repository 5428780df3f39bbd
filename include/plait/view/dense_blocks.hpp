#pragma once
// Whether the inner blocks of a layout are runs in memory, and how much of each the tensor has.

#include <plait/core/layout.hpp>

namespace plait {

/// Whether each outermost block is a run of inner_volume(l) elements in memory, all of them places of the tensor.
///
/// The inner digits then are dense, in any order; and no axis is a part of one block, as submemory makes it, whose run
/// would go beyond the part.
///
/// Pre:     check_structure(l).ok()
/// Post:    if true, the elements of block b... have the offsets block_offset(b...) to that plus inner_volume(l) - 1
/// Cost:    O(ndims + inner blocks squared) steps
/// Source:  spec semantics 15
/// Example: has_dense_blocks(layout({2, 17, 5, 6}, "nChw16c")); and of plain layouts, whose blocks are of one element
constexpr bool has_dense_blocks(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_dims[a] != dynamic && l.padded_dims[a] % l.block_size(a) != 0) return false;
    dim_t next = 1;  // the stride of the digit outside of those found
    for (int found = l.ndims(); found < l.digits.size(); ++found) {
        dim_t extent = 0;
        for (int k = l.ndims(); k < l.digits.size(); ++k)
            if (l.digits[k].stride == next) extent = l.digits[k].extent;
        if (extent == 0) return false;
        next *= extent;
    }
    return true;
}

namespace detail {
/// How many elements of outermost block `block` lie in the tensor along one axis: from first on, `count` of them.
struct valid_part {
    dim_t first = 0, count = 0;
};
}  // namespace detail

/// Which elements of an outermost block along one axis are the tensor's; the others are padding, or of its parent.
///
/// Pre:     begin, extent: where the tensor begins among its padded elements, and how many it has; size: of a block;
///          0 <= begin, 0 <= extent, 0 < size, 0 <= block; in elements, but for block, which is a number of blocks
/// Post:    padded element block * size + i is one of the tensor exactly if first <= i and i < first + count
/// Cost:    four comparisons
/// Source:  spec semantics 15
/// Example: valid_part_of(0, 17, 16, 1): first is 0, count is 1
constexpr detail::valid_part valid_part_of(dim_t begin, dim_t extent, dim_t size, dim_t block) {
    const dim_t from = block * size, to = from + size, end = begin + extent;
    const dim_t first = from > begin ? from : begin, last = to < end ? to : end;
    if (last <= first) return {};
    return {first - from, last - first};
}

}  // namespace plait
