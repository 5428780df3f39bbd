#pragma once
// What the kernels accept of their tensors, and how a block of results is finished.

#include <plait/typed/concepts.hpp>
#include <plait/typed/formats.hpp>
#include <plait/view/tensor_view.hpp>

#include <algorithm>

namespace kernels {

using plait::dim_t, plait::tensor_view;

constexpr bool begins_with_a_block(const plait::layout& l) {
    for (const dim_t padding : l.padded_offsets)
        if (padding != 0) return false;
    return true;
}

/// The memory of the tag, in whole blocks: block() exists, and the first element of the tensor is the first of a block.
///
/// matches alone is about blocks and strides. A part of one block (submemory) matches too, and has no block to give.
template <class L, plait::format_tag Tag>
concept in_blocks = plait::matches<L, Tag> && plait::has_block_runs<L> && begins_with_a_block(L::value);

/// What is done to each result in the end. Other functions of one number serve as well: sigmoid(0) is a half, and still
/// padding stays zero.
struct relu {
    constexpr float operator()(float x) const { return x < 0 ? 0 : x; }
};

/// Stores 16 results: `valid` of them are elements of the tensor, and what is padding becomes zero.
///
/// What was computed in the padding is likely zero, as weights and bias are zero there. But infinity times zero is not
/// a number, and some activations have a value at zero.
inline void store_block(const float* results, std::span<float, 16> out, dim_t valid) {
    std::copy_n(results, 16, out.data());
    std::fill(out.begin() + valid, out.end(), 0.0f);
}

}  // namespace kernels
