#pragma once
// What the kernels accept of their tensors, and how a block of results is finished.

#include <plait/typed/concepts.hpp>
#include <plait/typed/formats.hpp>
#include <plait/view/tensor_view.hpp>

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

enum class activation { none, relu };

constexpr float activated(float x, activation what) { return what == activation::relu && x < 0 ? 0 : x; }

/// Stores 16 results: `valid` of them are elements of the tensor, and what is padding becomes zero.
///
/// Padding of the weights and of the bias is zero, so the sums there are zero too, unless an input is infinite:
/// infinity times zero is not a number. So it is stored as zero, and not as what was computed.
inline void store_block(const float* sum, std::span<float, 16> out, dim_t valid, activation what) {
    for (std::size_t o = 0; o < 16; ++o) out[o] = static_cast<dim_t>(o) < valid ? activated(sum[o], what) : 0;
}

}  // namespace kernels
