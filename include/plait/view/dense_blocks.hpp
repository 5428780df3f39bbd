#pragma once
// Checks if the inner blocks of a layout are contiguous, and computes how much of each block is in the tensor.

#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// True if each outermost block is a contiguous run of inner_volume(l) elements, all of them places of the tensor.
///
/// The inner digits must be dense, in any order. No axis may be a part of one block, as submemory makes it, because the
/// run would extend beyond the part.
///
/// Pre:     check_structure(l).ok()
/// Post:    if true, the elements of block b... have block_offset(b...) and the inner_volume(l) - 1 offsets that follow
/// Cost:    O(ndims + inner blocks squared) steps
/// Source:  spec semantics 15
/// Example: has_dense_blocks(layout({2, 17, 5, 6}, "nChw16c")); all plain layouts too, with blocks of one element
constexpr bool has_dense_blocks(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (l.padded_dims[a] != dynamic && l.padded_dims[a] % l.block_size(a) != 0) return false;
    dim_t next = 1;  // the stride of the digit outside those found
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
/// The elements of an outermost block that are in the tensor along one axis: `count` of them, starting at `first`.
struct valid_part {
    dim_t first = 0, count = 0;
};
}  // namespace detail

/// Returns which elements of an outermost block along one axis are in the tensor; the others are padding, or belong to
/// the parent tensor.
///
/// Pre:     0 <= begin, 0 <= extent, 0 < size, 0 <= block; begin is the index of the tensor's first element among the
///          padded elements, extent its number of elements, size the elements per block, block the number of a block
/// Post:    padded element block * size + i is in the tensor if and only if first <= i and i < first + count
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
