#pragma once
// The tensors that the kernels accept, and the last step for each block of results.

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

/// True if the memory is in whole blocks of the tag: block() exists, and the tensor begins at the start of a block.
///
/// `matches` alone checks blocks and strides. A part of one block (submemory) matches too, but has no whole block.
template <class L, plait::format_tag Tag>
concept in_blocks = plait::matches<L, Tag> && plait::has_block_runs<L> && begins_with_a_block(L::value);

/// The function applied to each result. Any other function of one number works: padding stays zero even if its value at
/// zero is not, as for sigmoid(0) = 0.5.
struct relu {
    constexpr float operator()(float x) const { return x < 0 ? 0 : x; }
};

/// Stores 16 results: `valid` of them are elements of the tensor, and the padding becomes zero.
///
/// The results in the padding are usually zero, because the padding of weights and bias is zero. But infinity times
/// zero is NaN, and some activations are not zero at zero.
inline void store_block(const float* results, std::span<float, 16> out, dim_t valid) {
    std::copy_n(results, 16, out.data());
    std::fill(out.begin() + valid, out.end(), 0.0f);
}

}  // namespace kernels
