#pragma once
// The steps of a small conversion: the rows that each of its calls converts or zeros, and the walks that move its cache
// block. The first call finds them, and later calls have nothing to find.
//
// Example: f32 nchw -> s8 nChw16c of 1x16x4x4 with a scale for each channel: 16 rows of 16 places are converted at once
//          into the buffer, from which one walk moves them. The buffer is not cleared, and nothing is zeroed.

#include <plait/engine/kernel/run_time_loops.hpp>
#include <plait/engine/quantize/cache_blocks.hpp>
#include <plait/engine/quantize/row_converter.hpp>
#include <plait/engine/simd/zero_runs.hpp>

#include <cstring>  // std::memcpy

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The steps of a conversion, in order; all of them, or none. The buffer is cleared first, and filled if the cache
/// block is dense in the destination. If it is dense in the source, the buffer is moved last.
struct kept_conversion {
    static constexpr int most_steps = 6, most_extents = 32;

    /// Rows that are converted at once; or that are zeroed, of `block.count` bytes each.
    struct step {
        bool zeros;
        dim_t from, to;  ///< in bytes from the beginning of either side, or of the buffer
        row_block block;
        // The place of the rows among the values, as in place_of_rows.
        dim_t value_indices[value_arrays], row_steps[value_arrays];
        int row_nodes, axis,
            remaining;  ///< `remaining`: where axis_remaining begins in `extents`; -1: all values exist
        dim_t index_step;
        step() {}
    };
    step steps[most_steps];
    dim_t extents[most_extents];  ///< what remains of axes from the first element of a step
    int count = 0, extents_count = 0;
    bool exists = true;     ///< false: there are too many steps, or some of another kind
    bool is_moved = false;  ///< true if the block copy is called
    dim_t cleared = 0;      ///< bytes of the buffer
    dim_t moved_to = 0;  ///< where the cache block begins in the destination, in bytes; 0 if it is moved to the buffer
    row_operations operations;    ///< the arithmetic, if each operand is one value for the tensor; without pointers
    bool has_operations = false;  ///< false: operands differ between calls, or rows are not computed by it alone
    static constexpr int operands = 5, most_bytes_of_operand = 64;  ///< the last operand is beta; a register of each
    std::byte numbers[operands][most_bytes_of_operand];
    kept_edges edges;  ///< of the block copy
    kept_walks walks;  ///< of the block copy; none if it has too many

    kept_conversion() {}

    /// Keeps the arithmetic of rows. Null: none is kept.
    void keep(const row_operations* from) {
        has_operations = from != nullptr;
        if (from == nullptr) return;
        operations = *from;
        for_operands(operations,
                     [this](row_operand& o, int k) { std::memcpy(numbers[k], o.numbers, sizeof numbers[k]); });
    }
    /// Returns the arithmetic of rows.
    ///
    /// Pre:     has_operations
    row_operations aimed_operations() const {
        row_operations out = operations;
        for_operands(out, [this](row_operand& o, int k) { o.numbers = numbers[k]; });
        return out;
    }

    /// Moves the cache block between the buffer and memory.
    void move(const planned_block_copy& copy, const std::byte* from, std::byte* to) const noexcept {
        if (walks.count > 0) return walks.run(copy.plan, *copy.kernel, copy.offsets, edges, from, to + moved_to);
        found_edges found;
        copy(from, to + moved_to, found, false);
    }

private:
    /// Calls action(operand, k) for each operand that is computed with.
    template <class Action>
    static void for_operands(row_operations& of, const Action& action) {
        for (int k = 0; k < operands; ++k)
            if (row_operand& o = k < 4 ? of.with[k] : of.beta; o.numbers != nullptr) action(o, k);
    }
};

/// Takes the steps of a conversion in place of doing them. Nothing is read or written.
class conversion_recorder {
public:
    /// Rows are converted from `from` to `to`: each is one side of the tensor, or the buffer.
    conversion_recorder(kept_conversion& out, const std::byte* from, const std::byte* to)
        : out_(out), from_(from), to_(to) {}

    void clear_buffer(dim_t bytes) { out_.cleared = bytes; }
    void move(const planned_block_copy& copy, dim_t to) {
        out_.is_moved = true;
        out_.moved_to = to;
        keep_walks(out_.walks, out_.edges, copy.plan, *copy.kernel, copy.offsets);
    }
    void convert(const std::byte* from, const std::byte* to, const row_block& block, const place_of_rows& where) {
        const bool ends = where.axis_remaining != nullptr;
        kept_conversion::step* const next = add(to, block);
        if (next == nullptr) return;
        if (ends && out_.extents_count + where.axes > kept_conversion::most_extents) return leave_out();
        next->zeros = false;
        next->from = from - from_;
        for (int i = 0; i < value_arrays; ++i) {
            next->value_indices[i] = where.value_indices[i];
            next->row_steps[i] = where.row_steps[i];
        }
        next->row_nodes = where.row_nodes;
        next->axis = where.axis;
        next->index_step = where.index_step;
        next->remaining = ends ? out_.extents_count : -1;
        for (int a = 0; ends && a < where.axes; ++a) out_.extents[out_.extents_count++] = where.axis_remaining[a];
    }
    /// Takes runs of `length` bytes that are zeroed, `step` bytes apart.
    void zero(const std::byte* to, dim_t count, dim_t step, dim_t length) {
        row_block runs;
        runs.count = length;
        runs.rows = count;
        runs.to_step = step;
        if (kept_conversion::step* const next = add(to, runs)) next->zeros = true;
    }
    /// A step that cannot be kept: all calls do without.
    void leave_out() { out_.exists = false; }

private:
    kept_conversion& out_;
    const std::byte *from_, *to_;

    kept_conversion::step* add(const std::byte* to, const row_block& block) {
        if (out_.count == kept_conversion::most_steps) leave_out();
        if (!out_.exists) return nullptr;
        kept_conversion::step& next = out_.steps[out_.count++];
        next.to = to - to_;
        next.block = block;
        return &next;
    }
};

/// Zeros runs of a cache block, or has them taken by a recorder.
struct block_zeros {
    conversion_recorder* recorder = nullptr;

    /// Zeros `count` runs of `length` bytes, `step` bytes apart.
    ///
    /// Pre:     count > 0, length > 0
    void operator()(std::byte* to, dim_t count, dim_t step, dim_t length) const {
        if (recorder != nullptr) return recorder->zero(to, count, step, length);
        zero_runs(reinterpret_cast<unsigned char*>(to), count, step, static_cast<std::size_t>(length));
    }
};

}  // namespace plait::engine
