#pragma once
// Zeroing of the padding of cache blocks in the destination.

#include <plait/core/packed_elements.hpp>
#include <plait/engine/plan/padding_boxes.hpp>
#include <plait/engine/quantize/converting_plan.hpp>
#include <plait/engine/simd/zero_runs.hpp>

#include <cstring>  // std::memset

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The number of valid elements of each row, and the number of stored elements.
struct part_of_rows {
    dim_t valid, stored;
};
/// Zeros the stored elements of each row that follow the valid ones. `to` is in `memory`, where places of packed
/// elements are counted as if each had a byte.
inline void zero_padding(const value_conversion& conversion, std::byte* memory, std::byte* to, const row_block& block,
                         const part_of_rows& part) {
    const dim_t bytes = conversion.dst_bytes;
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t r = 0; r < block.rows; ++r) {
            std::byte* const row = to + again * block.to_repeat + r * block.to_step;
            for (dim_t i = part.valid; conversion.writes_packed() && i < part.stored; ++i)
                zero_element(conversion.dst_memory, memory, row - memory + i);
            if (!conversion.writes_packed())
                std::memset(row + part.valid * bytes, 0, static_cast<std::size_t>((part.stored - part.valid) * bytes));
        }
}

/// Zeros a box of memory.
inline void zero_box(const place_box& box, dim_t bytes, std::byte* to) {
    visit_runs(with_fewest_loops(box), reinterpret_cast<unsigned char*>(to), bytes,
               [](unsigned char* at, dim_t count, dim_t step, std::size_t length) {
                   zero_runs(at, count, step, length);
                   return true;
               });
}

/// Returns the number of steps of a node that are stored, given the number of stored indices of each axis.
///
/// Example: 8 blocks of 16 channels, 77 channels stored in whole blocks (80): 5
inline dim_t stored_steps(const cache_block_node& n, const dim_t* stored) {
    const dim_t remaining = stored[n.axis];
    return remaining <= 0 ? 0 : smaller_of(divide_up(remaining, n.index_step), n.block_steps);
}

/// Zeros the elements that are stored beyond the valid indices of one axis: for all indices of the other axes, the
/// steps of one of its own nodes in a box, at each step of its other nodes. `strides` has the stride of each node in
/// elements.
inline void zero_beyond_axis(const cache_block_shape& shape, int axis, dim_t valid, const dim_t* stored,
                             const dim_t* strides, dim_t bytes, std::byte* to) {
    place_box box;
    int along = -1;  // the node of the axis whose steps are nearest in memory
    for (int k = 0; k < shape.inner; ++k) {
        if (shape.nodes[k].axis != axis) box.loops.push_back({stored_steps(shape.nodes[k], stored), strides[k]});
        else if (along < 0 || step_size(strides[k]) < step_size(strides[along])) along = k;
    }
    const dim_t steps = along < 0 ? 1 : shape.nodes[along].block_steps, stride = along < 0 ? 1 : strides[along],
                index_step = along < 0 ? 1 : shape.nodes[along].index_step;
    box.loops.push_back({steps, stride});
    dim_t& beyond = box.loops[box.loops.size() - 1].count;
    dim_t index[max_block_nodes]{}, first = 0, place = 0;
    // Returns how many of the steps of node `along` from index `first` are before an end.
    const auto before = [&](dim_t end) {
        return end <= first ? 0 : smaller_of(divide_up(end - first, index_step), steps);
    };
    for (int k = 0; k < shape.inner;) {
        const dim_t kept = before(valid);
        beyond = before(stored[axis]) - kept;
        box.begin = place + kept * stride;
        if (beyond > 0) zero_box(box, bytes, to);
        for (k = 0; k < shape.inner; ++k) {
            const cache_block_node& n = shape.nodes[k];
            if (n.axis != axis || k == along) continue;
            first += n.index_step;
            place += strides[k];
            if (++index[k] < n.block_steps) break;
            first -= n.block_steps * n.index_step;
            place -= n.block_steps * strides[k];
            index[k] = 0;
        }
    }
}

/// Zeros the stored elements of a cache block beyond its valid elements, after the cache block was converted whole.
/// `to` is in the destination or in the buffer.
///
/// Pre:     in the destination, the stored part of each axis ends at a step of its outermost node, or beyond the cache
///          block
/// Example: a cache block of 16 channels, 3 of them valid: zeros channels 3 to 15, for all other indices of the cache
///          block
inline void zero_beyond(const cache_block_plan& blocks, const dim_t* valid, const dim_t* stored, dim_t bytes,
                        std::byte* to, bool in_buffer) {
    const cache_block_shape& shape = blocks.shape;
    dim_t strides[max_block_nodes], dense = 1;
    for (int k = 0; k < shape.inner; ++k) {
        strides[k] = in_buffer ? dense : shape.nodes[k].dst;
        dense *= shape.nodes[k].block_steps;
    }
    for (int a = 0; a < shape.bounds.size(); ++a)
        if (valid[a] < blocks.reach[a] && valid[a] < stored[a])
            zero_beyond_axis(shape, a, valid[a], stored, strides, bytes, to);
}

/// Zeros all stored elements of a cache block, where `stored` is the number of stored indices left along each axis.
/// Returns false, and zeros nothing, if an axis ends in the cache block and several nodes count it.
inline bool zero_cache_block(const cache_block_plan& blocks, const dim_t* stored, dim_t bytes, std::byte* to) {
    place_box box;
    for (int k = 0; k < blocks.shape.inner; ++k) {
        const cache_block_node& n = blocks.shape.nodes[k];
        dim_t count = n.block_steps;
        if (blocks.bounded[n.axis] && stored[n.axis] < blocks.reach[n.axis]) {
            // The axis ends in this cache block. This is supported only if the node is the only one of its axis in
            // here.
            if ((n.block_steps - 1) * n.index_step + 1 != blocks.reach[n.axis]) return false;
            count = divide_up(stored[n.axis], n.index_step);
        }
        box.loops.push_back({count, n.dst});
    }
    zero_box(box, bytes, to);
    return true;
}

/// Returns true if the stored part of a cache block ends, along an axis, between two rows. This is so if it is whole
/// steps of the axis' outermost node, and that node counts rows instead of elements within a row.
///
/// Example: 80 channels of 8 blocks of 16 channels are stored: true (5 rows) if a row is one block, false if it is two
inline bool ends_between_rows(const cache_block_shape& shape, const cache_block_row& row, int axis, dim_t stored) {
    int outermost = -1;
    for (int k = 0; k < shape.inner; ++k)
        if (shape.nodes[k].axis == axis &&
            (outermost < 0 || shape.nodes[k].index_step > shape.nodes[outermost].index_step))
            outermost = k;
    return stored > 0 && outermost >= row.nodes && stored % shape.nodes[outermost].index_step == 0;
}

/// Returns true if a cache block that passes an end may be converted as if it did not. At least
/// `least_share_of_elements` must be valid. All elements that are read must be inside the source, and all that are
/// written must be stored, perhaps in fewer rows. Without a buffer, clipped rows must also be much shorter than whole
/// rows. `src` is the offset at which the cache block begins in the source.
inline bool may_convert_whole(const cache_block_plan& blocks, const value_conversion& conversion, const dim_t* valid,
                              const dim_t* stored, dim_t src) {
    const cache_block_shape& shape = blocks.shape;
    const bool from_source = shape.side != cache_block_side::destination,
               to_destination = shape.side != cache_block_side::source;
    if (shape.side == cache_block_side::both && blocks.part.length * 4 > blocks.whole.length) return false;
    double wanted = 1;
    for (int a = 0; a < shape.bounds.size(); ++a) {
        const bool is_cut = to_destination && stored[a] < blocks.reach[a];
        if (is_cut && !ends_between_rows(shape, blocks.whole, a, stored[a])) return false;
        const dim_t converted = is_cut ? stored[a] : blocks.reach[a];
        // Clamp to 0, because the product of two negative numbers would count as wanted elements.
        const dim_t here = larger_of(valid[a], 0);
        if (here < converted) wanted *= static_cast<double>(here) / static_cast<double>(converted);
    }
    if (wanted < least_share_of_elements(blocks.part) && (from_source || !conversion.keeps_zero())) return false;
    dim_t last = src;
    for (int k = 0; k < shape.inner; ++k) {
        const cache_block_node& n = shape.nodes[k];
        if (n.src < 0) return false;
        last += ((to_destination ? stored_steps(n, stored) : n.block_steps) - 1) * n.src;
    }
    return !from_source || last < shape.src_end;
}

/// Returns true if the padding of a cache block may be zeroed by zero_beyond.
inline bool may_zero_beyond(const cache_block_plan& blocks, const dim_t* stored) {
    for (int a = 0; a < blocks.shape.bounds.size(); ++a)
        if (stored[a] < blocks.reach[a] && !ends_between_rows(blocks.shape, blocks.whole, a, stored[a])) return false;
    return true;
}

/// When the padding of a cache block is zeroed: with the rows before it, or all of it before or after all rows.
enum class padding_zeroed { with_rows, before_rows, after_rows };

/// Decides when the padding of a cache block in the destination is zeroed, and zeros it if that is before the rows: if
/// much is padding, the whole cache block is zeroed, in longer runs. With beta, elements keep their old contents until
/// they are converted, so padding is zeroed after them.
inline padding_zeroed zero_padding_of(const cache_block_plan& blocks, const value_conversion& conversion,
                                      const dim_t* stored, bool is_all_padding, std::byte* to) {
    const bool keeps_old = conversion.attributes.beta != 0 && !is_all_padding;
    if (conversion.writes_packed()) return padding_zeroed::with_rows;
    if (keeps_old) return may_zero_beyond(blocks, stored) ? padding_zeroed::after_rows : padding_zeroed::with_rows;
    return zero_cache_block(blocks, stored, conversion.dst_bytes, to) ? padding_zeroed::before_rows
                                                                      : padding_zeroed::with_rows;
}

}  // namespace plait::engine
