#pragma once
// Rows of large destinations. They are converted in the nearest cache, and written from there with non-temporal stores,
// so that no line is read before it is overwritten.

#include <plait/engine/simd/row_conversions.hpp>

#include <cstdint>
#include <cstring>  // std::memcpy

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Rows shorter than this, in bytes, are stored as usual, because too much of them would be parts of lines.
inline constexpr dim_t least_streamed_row = 256;

/// The number of bytes of rows that are converted before they are stored. Longer rows are cut.
inline constexpr dim_t streamed_at_once = 4096;

/// A buffer for converted rows. A row has the same place relative to cache lines in the buffer and in the destination.
class streamed_rows {
public:
    /// Returns the number of adjacent bytes in the destination: of all rows if they are adjacent, else of one row.
    static dim_t run_bytes(const row_block& block, dim_t dst_bytes) {
        const dim_t row = block.count * dst_bytes;
        return block.to_step == row ? block.rows * row : row;
    }

    /// Calls convert(from, to, part, first_row, first_element) for parts of a block, with `to` in the buffer, and then
    /// stores the converted part.
    ///
    /// Pre:     a row that must stay whole has at most `most_whole` bytes; `to` is a multiple of the element's size
    /// Post:    the rows of the destination are written, and nothing else of it
    /// Cost:    cache lines that a row covers in part only are stored as usual
    template <class Convert>
    void operator()(const row_conversions& rows, const std::byte* from, std::byte* to, const row_block& block,
                    dim_t src_bytes, dim_t dst_bytes, bool may_cut, Convert convert) {
        for (dim_t again = 0; again < block.repeats; ++again, from += block.from_repeat, to += block.to_repeat) {
            const dim_t row = block.count * dst_bytes;
            if (may_cut && row > streamed_at_once)
                for (dim_t r = 0; r < block.rows; ++r)
                    cut_row(rows, from + r * block.from_step, to + r * block.to_step, block.count, src_bytes, dst_bytes,
                            [&](const std::byte* x, std::byte* y, const row_block& piece_of_rows, dim_t first) {
                                convert(x, y, piece_of_rows, r, first);
                            });
            else whole_rows(rows, from, to, block, row, convert);
        }
    }
    static constexpr dim_t most_whole = 8192;

private:
    static constexpr dim_t line = 64;
    alignas(64) std::byte memory_[most_whole + 2 * line];

    static dim_t place_in_line(const std::byte* to) {
        return static_cast<dim_t>(reinterpret_cast<std::uintptr_t>(to) % static_cast<std::uintptr_t>(line));
    }
    static void store(const row_conversions& rows, const std::byte* from, std::byte* to, dim_t bytes) {
        dim_t head = (line - place_in_line(to)) % line;
        if (head > bytes) head = bytes;
        const dim_t whole = (bytes - head) / line * line;
        std::memcpy(to, from, static_cast<std::size_t>(head));
        rows.stream(from + head, to + head, whole);
        std::memcpy(to + head + whole, from + head + whole, static_cast<std::size_t>(bytes - head - whole));
    }
    /// Converts and stores a row in parts. Every part except the first begins at a cache line.
    template <class Convert>
    void cut_row(const row_conversions& rows, const std::byte* from, std::byte* to, dim_t count, dim_t src_bytes,
                 dim_t dst_bytes, Convert convert) {
        for (dim_t done = 0; done < count;) {
            const dim_t first = place_in_line(to), room = (streamed_at_once - first) / dst_bytes;
            row_block part;
            part.count = room < count - done ? room : count - done;
            convert(from, memory_ + first, part, done);
            store(rows, memory_ + first, to, part.count * dst_bytes);
            from += part.count * src_bytes;
            to += part.count * dst_bytes;
            done += part.count;
        }
    }
    /// Converts and stores whole rows. Adjacent rows are stored as one; other rows are each placed in the buffer at the
    /// same place of a line as in the destination.
    template <class Convert>
    void whole_rows(const row_conversions& rows, const std::byte* from, std::byte* to, const row_block& block,
                    dim_t row, Convert convert) {
        const bool joins = block.to_step == row;
        const dim_t step = joins ? row : (row + line - 1) / line * line + block.to_step % line;
        dim_t at_once = streamed_at_once / step;
        if (at_once < 1) at_once = 1;
        for (dim_t r = 0; r < block.rows; r += at_once) {
            row_block part = block;
            part.rows = at_once < block.rows - r ? at_once : block.rows - r;
            part.repeats = 1;
            part.to_step = step;
            std::byte* const here = memory_ + place_in_line(to);
            convert(from, here, part, r, 0);
            if (joins) store(rows, here, to, part.rows * row);
            else
                for (dim_t i = 0; i < part.rows; ++i) store(rows, here + i * step, to + i * block.to_step, row);
            from += part.rows * block.from_step;
            to += part.rows * block.to_step;
        }
    }
};

}  // namespace plait::engine
