#pragma once
// Runs a plan of values: block by block, and row by row, with stores past the cache and sums for compensation. Layouts
// without cache blocks are converted one element after the other.
//
// Example: f32 nchw -> s8 nChw16c of 1x64x56x56 with a scale for each channel has 28 cache blocks of 16 channels by 448
//          places: 16 rows in the source. Each is converted into a buffer of 7168 bytes, which is then moved.

#include <plait/engine/plan/cache_lines.hpp>
#include <plait/engine/quantize/cache_block_rows.hpp>
#include <plait/engine/quantize/converting_plan.hpp>
#include <plait/engine/quantize/row_converter.hpp>
#include <plait/engine/simd/row_conversions.hpp>

#include <cstdint>
#include <cstring>  // std::memcpy
#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// Rows of large destinations. They are converted in the nearest cache, and written from there with non-temporal stores,
// so that no line is read before it is overwritten.

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
    static constexpr dim_t line = cache_line_bytes;
    alignas(64) std::byte memory_[most_whole + 2 * line];

    static void store(const row_conversions& rows, const std::byte* from, std::byte* to, dim_t bytes) {
        copy_past_caches(from, to, bytes, rows.stream);
    }
    /// Converts and stores a row in parts. Every part except the first begins at a cache line.
    template <class Convert>
    void cut_row(const row_conversions& rows, const std::byte* from, std::byte* to, dim_t count, dim_t src_bytes,
                 dim_t dst_bytes, Convert convert) {
        for (dim_t done = 0; done < count;) {
            const dim_t first = bytes_behind_line(to), room = (streamed_at_once - first) / dst_bytes;
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
            std::byte* const here = memory_ + bytes_behind_line(to);
            convert(from, here, part, r, 0);
            if (joins) store(rows, here, to, part.rows * row);
            else
                for (dim_t i = 0; i < part.rows; ++i) store(rows, here + i * step, to + i * block.to_step, row);
            from += part.rows * block.from_step;
            to += part.rows * block.to_step;
        }
    }
};

// Sums for compensation, computed from rows while they are in the nearest cache; and the conversion of single elements.

/// Sums rows of s8, modulo 2^32, in the memory of the compensation. It is cleared before the first row, and converted
/// to compensation after the last.
class sums_in_place {
public:
    sums_in_place(const converting_plan& plan, std::byte* out) : plan_(plan), out_(out) {}

    /// Clears the sums. Must be called before the first row.
    void begin() {
        for (const compensation_sums* sums : {&plan_.s8s8, &plan_.asymmetric_source})
            if (sums->count != 0) std::memset(out_ + sums->begin, 0, 4 * sums->count);
    }
    /// Adds rows of the destination. `steps` and `row_steps` are what an element, and a row, add to the places of the
    /// sums.
    void add(const std::byte* rows, const row_block& block, const dim_t* value_indices, const dim_t* steps,
             const dim_t* row_steps) {
        if (plan_.s8s8.count != 0)
            add(plan_.s8s8, rows, block, value_indices[s8s8_sums], steps[s8s8_sums], row_steps[s8s8_sums]);
        if (plan_.asymmetric_source.count != 0 && !plan_.has_equal_sums())
            add(plan_.asymmetric_source, rows, block, value_indices[asymmetric_source_sums],
                steps[asymmetric_source_sums], row_steps[asymmetric_source_sums]);
    }
    /// Converts the sums to compensation. Must be called after the last row.
    void finish() {
        if (plan_.has_equal_sums())
            std::memcpy(out_ + plan_.asymmetric_source.begin, out_ + plan_.s8s8.begin, 4 * plan_.s8s8.count);
        multiply(plan_.s8s8, 128);
        multiply(plan_.asymmetric_source, 1);
    }

private:
    const converting_plan& plan_;
    std::byte* out_;

    static void add_one(std::byte* to, std::uint32_t x) {
        std::uint32_t sum;
        std::memcpy(&sum, to, sizeof(sum));
        sum += x;
        std::memcpy(to, &sum, sizeof(sum));
    }
    void add(const compensation_sums& sums, const std::byte* row, const row_block& block, dim_t place, dim_t step,
             dim_t row_step) {
        std::byte* to = out_ + sums.begin + 4 * place;
        if (step == 0 && row_step == 0 && block.to_step == block.count)
            return add_one(to, plan_.conversion.rows->sum(row, block.rows * block.count));
        for (dim_t r = 0; r < block.rows; ++r, row += block.to_step, to += 4 * row_step) {
            if (step == 0) add_one(to, plan_.conversion.rows->sum(row, block.count));
            else if (step == 1) plan_.conversion.rows->add_to(row, to, block.count);
            else
                for (dim_t i = 0; i < block.count; ++i)
                    add_one(to + 4 * i * step, static_cast<std::uint32_t>(std::to_integer<std::int8_t>(row[i])));
        }
    }
    void multiply(const compensation_sums& sums, std::uint32_t factor) {
        std::byte* to = out_ + sums.begin;
        for (std::size_t i = 0; i < sums.count; ++i, to += 4) {
            std::uint32_t sum;
            std::memcpy(&sum, to, sizeof(sum));
            sum = 0 - factor * sum;
            std::memcpy(to, &sum, sizeof(sum));
        }
    }
};

/// Converts a tensor without cache blocks, one element after the other, with the same row functions.
template <class Number>
void run_elements(const converting_plan& plan, const layout& src, const layout& dst, const void* in, void* out) {
    const auto from = static_cast<const std::byte*>(in);
    const auto to = static_cast<std::byte*>(out);
    small_row_converter<Number> convert(plan.conversion, in, out);
    sums_in_place sums(plan, to);
    const attributes_by_position values(plan.conversion.attributes, dst.dims);
    const layout places[] = {compensation_layout(dst, plan.s8s8.mask),
                             compensation_layout(dst, plan.asymmetric_source.mask)};
    const cache_block_node none;
    row_block one;
    one.count = 1;
    for (dim_t number = 0; number < dst.padded_volume(); ++number) {
        const position padded = unravel(dst.padded_dims, number);
        position at = padded;
        bool inside = true;
        dim_t value_indices[value_arrays]{};
        for (int axis = 0; axis < dst.ndims(); ++axis) {
            at[axis] -= dst.padded_offsets[axis];
            inside = inside && at[axis] >= 0 && at[axis] < dst.dims[axis];
        }
        const dim_t place = dst.padded_offset(padded);
        std::byte* const here = to + place * plan.conversion.dst_bytes;
        if (inside) {
            value_indices[src_zero_points] = values.src_zero_point.place_of(at);
            value_indices[src_scales] = values.src_scale.place_of(at);
            value_indices[dst_scales] = values.dst_scale.place_of(at);
            value_indices[dst_zero_points] = values.dst_zero_point.place_of(at);
            if (plan.s8s8.count != 0) value_indices[s8s8_sums] = places[0].offset(at);
            if (plan.asymmetric_source.count != 0) value_indices[asymmetric_source_sums] = places[1].offset(at);
            convert(from + src.offset(at) * plan.conversion.src_bytes, here, one,
                    {value_indices, &none, 0, none.value_steps});
            sums.add(here, one, value_indices, none.value_steps, none.value_steps);
        } else {
            zero_element(plan.conversion.dst_memory, to, place);
        }
    }
}

/// Converts rows of a tensor, and adds them to the sums for compensation.
template <class Number>
class summed_rows {
public:
    const bool has_sums;

    summed_rows(const converting_plan& plan, const void* in, void* out)
        : has_sums(plan.s8s8.count + plan.asymmetric_source.count != 0),
          convert_(plan.conversion, in, out),
          sums_(plan, static_cast<std::byte*>(out)) {}

    void operator()(const std::byte* from, std::byte* to, const row_block& block, const place_of_rows& where) {
        constexpr dim_t no_steps[value_arrays]{};
        convert_(from, to, block, where);
        if (has_sums)
            sums_.add(to, block, where.value_indices, where.row_nodes > 0 ? where.nodes[0].value_steps : no_steps,
                      where.row_steps);
    }

private:
    small_row_converter<Number> convert_;
    sums_in_place sums_;
};

/// One run of a plan, or of a part of it. Arrays are not initialised: that would take longer than a small tensor.
template <class Number>
class converting_run {
public:
    /// Nothing is stored past the caches unless `past_caches`.
    converting_run(const converting_plan& plan, const cache_block_plan& blocks, const void* in, void* out,
                   bool past_caches = true)
        : plan_(plan),
          blocks_(blocks),
          shape_(blocks.shape),
          reach_(blocks.reach),
          bounded_(blocks.bounded),
          in_(static_cast<const std::byte*>(in)),
          out_(static_cast<std::byte*>(out)),
          rows_(plan, in, out),
          has_indices_(rows_.has_sums || plan.conversion.has_arrays()),
          past_caches_(past_caches) {
        if (blocks.streams && past_caches) streamed_.emplace();
        if (blocks.moves_differ) block_copy_ = &own_copy_.emplace(blocks.block_copy);
    }
    converting_run(const converting_run&) = delete;
    /// Runs all cache blocks, and zeros what is zeroed before them.
    void operator()() {
        zeroed_ahead zeros(blocks_.zeroed, out_);
        if (!blocks_.zeroes_on_the_way()) zeros.finish();
        else zeros_ = &zeros, zeroed_reach_ = shape_.destination_reach();
        run_all();
        zeros.finish();
    }
    /// Finds the steps of a run of all cache blocks, without doing them. What is zeroed before them is not among them.
    ///
    /// Pre:     may_keep_steps; `out` is default-constructed
    void find_steps(kept_conversion& out) {
        if (!rows_.has_sums && !plan_.conversion.has_small_types())
            out.keep(row_converter<Number>(plan_.conversion).constant_operations());
        conversion_recorder recorder(out, shape_.side == cache_block_side::destination ? buffer_ : in_,
                                     shape_.side == cache_block_side::source ? buffer_ : out_);
        recorder_ = zero_.recorder = &recorder;
        run_all();
        recorder_ = zero_.recorder = nullptr;
    }
    /// Runs the cache blocks of a part. What is zeroed before them must be zero already.
    void operator()(const values_loops& loops, const converting_part& part) {
        dim_t before = part.begin;
        for (int i = loops.together; i < loops.nodes.size(); ++i) {
            const cache_block_node& n = shape_.nodes[loops.nodes[i]];
            const dim_t steps = divide_up(n.extent, n.block_steps);
            index_[loops.nodes[i]] = before % steps * n.block_steps;
            before /= steps;
        }
        run_loops(loops.nodes, loops.together, part.end - part.begin);
    }

private:
    /// How rows treat the ends of axes: there are none; rows end with the axis, and padding is zeroed after each; rows
    /// end with the axis, and other code zeros the padding; or rows pass the end, and padding is zeroed later.
    enum class ends { none, are_clipped, are_left, are_passed };
    /// The part of a cache block that is in the tensor: not even padding; padding only; some elements; or all.
    enum class held { nothing, padding, some, all };

    const converting_plan& plan_;
    const cache_block_plan& blocks_;
    const cache_block_shape& shape_;
    const dim_t* const reach_;
    const bool* const bounded_;
    const std::byte* in_;
    std::byte* out_;
    summed_rows<Number> rows_;
    bool has_indices_, past_caches_;
    conversion_recorder* recorder_ = nullptr;  ///< null: steps are done
    block_zeros zero_;
    const planned_block_copy* block_copy_ = &blocks_.block_copy;
    std::optional<planned_block_copy> own_copy_;  ///< a copy that this run changes, if moves differ
    found_edges edges_;                           ///< of the block copy
    dim_t index_[max_block_nodes]{};
    // Of the current cache block: what is left of each axis, and the places of its first element in the arrays.
    dim_t valid_[max_block_nodes], stored_[max_block_nodes];
    dim_t value_indices_[value_arrays]{};
    alignas(64) std::byte buffer_[buffer_bytes];
    std::optional<streamed_rows> streamed_;  ///< if the destination is too large for a cache
    zeroed_ahead* zeros_ = nullptr;          ///< if the destination is zeroed on the way
    dim_t zeroed_reach_ = 0;                 ///< how far a cache block reaches in the destination, in elements

    void run_all() { run_loops(blocks_.order, blocks_.order.size(), 1); }
    /// Runs `steps` steps of cache blocks, the first loop fastest. A step ends when a loop after the first `together`
    /// advances, or all loops end. One step, with all loops together, is the whole tensor.
    void run_loops(const inline_list<int, max_block_nodes>& loops, int together, dim_t steps) {
        while (steps > 0) {
            run_cache_block(loops);
            int i = 0;
            for (; i < loops.size(); ++i) {
                const int k = loops[i];
                index_[k] += shape_.nodes[k].block_steps;
                if (index_[k] < shape_.nodes[k].extent) break;
                index_[k] = 0;
            }
            if (i >= together) --steps;
        }
        if (streamed_) plan_.conversion.rows->finish_streams();
    }
    void run_cache_block(const inline_list<int, max_block_nodes>& loops) {
        const held has = find_remaining();
        if (has == held::nothing) return;
        dim_t src = 0, dst = 0;
        find_offsets(has, src, dst);
        if (zeros_ != nullptr) zeros_->up_to((dst + zeroed_reach_) * plan_.conversion.dst_bytes);
        if (has != held::padding) blocks_.ahead.ask_for_next(loops, shape_.nodes.values, index_, in_, src, out_, dst);
        convert_cache_block(has, src, dst);
    }
    /// Computes what remains of each axis from the first index of the cache block.
    held find_remaining() {
        for (int a = 0; a < shape_.bounds.size(); ++a) {
            valid_[a] = shape_.bounds[a].valid;
            stored_[a] = shape_.bounds[a].stored;
        }
        for (const int k : blocks_.order) {
            const cache_block_node& n = shape_.nodes[k];
            valid_[n.axis] -= index_[k] * n.index_step;
            stored_[n.axis] -= index_[k] * n.index_step;
        }
        bool all = true, any = true;
        for (int a = 0; a < shape_.bounds.size(); ++a) {
            if (stored_[a] <= 0) return held::nothing;
            any = any && valid_[a] > 0;
            all = all && valid_[a] >= reach_[a];
        }
        return all ? held::all : any ? held::some : held::padding;
    }
    /// Computes where the cache block begins on both sides, in elements, and in the arrays. Padding has no source.
    void find_offsets(held has, dim_t& src, dim_t& dst) {
        const bool is_in_source = has != held::padding;
        src = is_in_source ? shape_.src_offset : 0;
        dst = shape_.dst_offset;
        for (int i = 0; i < value_arrays; ++i) value_indices_[i] = shape_.first_values[i];
        for (const int k : blocks_.order) {
            const cache_block_node& n = shape_.nodes[k];
            if (is_in_source) src += index_[k] * n.src;
            dst += index_[k] * n.dst;
            for (int i = 0; has_indices_ && i < value_arrays; ++i) value_indices_[i] += index_[k] * n.value_steps[i];
            if (n.is_uneven) {
                const uneven_offsets more = uneven_within(shape_.uneven_steps, n.axis, index_[k]);
                if (is_in_source) src += more.src;
                dst += more.dst;
                const uneven_offsets places = uneven_within(shape_.uneven_sums, n.axis, index_[k]);
                value_indices_[s8s8_sums] += places.src, value_indices_[asymmetric_source_sums] += places.dst;
            }
        }
    }
    /// Converts a cache block, through the buffer if only one side is dense. Clipped rows are short, often two
    /// elements, so it may be converted beyond an end; the surplus elements are then zeroed.
    void convert_cache_block(held has, dim_t src, dim_t dst) {
        const value_conversion& conversion = plan_.conversion;
        const bool from_buffer = shape_.side == cache_block_side::destination,
                   to_buffer = shape_.side == cache_block_side::source,
                   goes_beyond = has != held::all && !rows_.has_sums && !conversion.writes_packed() &&
                                 may_convert_whole(blocks_, conversion, valid_, stored_, src);
        const std::byte* const from = from_buffer ? buffer_ : in_ + src * conversion.src_bytes;
        std::byte* const to = to_buffer ? buffer_ : out_ + dst * conversion.dst_bytes;
        // Missing elements are zero in the buffer, so a copy out of it has no ends to check, and more whole tiles.
        const dim_t cleared = from_buffer && goes_beyond                      ? conversion.src_bytes
                              : to_buffer && has != held::all && !goes_beyond ? conversion.dst_bytes
                                                                              : 0;
        if (recorder_ != nullptr) recorder_->clear_buffer(shape_.volume() * cleared);
        else std::memset(buffer_, 0, static_cast<std::size_t>(shape_.volume() * cleared));
        padding_zeroed zeroed = padding_zeroed::with_rows;
        if (!to_buffer && has != held::all && !goes_beyond)
            zeroed = zero_padding_of(blocks_, conversion, valid_, stored_, has == held::padding, to, zero_);
        if (from_buffer && has != held::padding) move(src, 0, in_, buffer_);
        const bool clips = zeroed == padding_zeroed::with_rows;
        const ends treated = goes_beyond ? ends::are_passed : clips ? ends::are_clipped : ends::are_left;
        if (has != held::padding || (!to_buffer && clips))
            convert_rows(from, to, has == held::all ? ends::none : treated);
        if (zeroed == padding_zeroed::after_rows || (goes_beyond && !(from_buffer && conversion.keeps_zero())))
            zero_beyond(blocks_, valid_, stored_, conversion.dst_bytes, to, to_buffer, zero_);
        if (to_buffer) move(0, dst, buffer_, out_);
    }
    /// Moves the cache block between the buffer and memory. Nothing beyond its ends is written.
    void move(dim_t src, dim_t dst, const std::byte* from, std::byte* to) {
        const bool to_buffer = shape_.side != cache_block_side::source;
        const dim_t place = dst * (to_buffer ? plan_.conversion.src_bytes : plan_.conversion.dst_bytes);
        if (recorder_ != nullptr) return recorder_->move(*block_copy_, place);
        if (own_copy_) aim_block_copy(blocks_, own_copy_->plan, src, valid_, stored_);
        (*block_copy_)(from, to + place, edges_, past_caches_);
    }

    /// Converts the rows of a cache block. Stored elements beyond an end are zeroed if ends are clipped.
    void convert_rows(const std::byte* from, std::byte* to, ends of_block) {
        const bool whole = of_block == ends::none || of_block == ends::are_passed,
                   to_destination = shape_.side != cache_block_side::source, zeroed = of_block == ends::are_left;
        const bool values_end = of_block == ends::are_passed && plan_.conversion.has_arrays() && values_are_missing();
        const cache_block_row row = whole ? blocks_.whole : find_clipped_row(blocks_, valid_, stored_);
        row_loop loops[max_block_nodes];
        const dim_t* const left_of_axes = of_block == ends::none      ? nullptr
                                          : to_destination && !zeroed ? stored_
                                                                      : valid_;
        int count = find_row_loops(blocks_, plan_.conversion, row, left_of_axes, loops);
        if (count < 0) return;
        const bool complete =
            whole || ((!to_destination || zeroed) && are_complete(blocks_, valid_, loops, count, row));
        const bool streams = to_destination && streamed_.has_value() && !values_end;
        const bool wants_adjacent = streams || shape_.rows_have_one_value;
        const dim_t batch =
            put_rows_first(blocks_, row, loops, count, wants_adjacent ? plan_.conversion.dst_bytes : 0, !complete);
        row_cursor here(from, to);
        if (!complete || values_end) here.begin_index(shape_.bounds.size());
        here.has_values = has_indices_;
        dim_t axis_remaining[max_block_nodes], row_steps[value_arrays]{};
        for (int i = 0; has_indices_ && i < value_arrays; ++i) {
            here.value_indices[i] = value_indices_[i];
            if (count > 0) row_steps[i] = loops[0].value_steps[i] * loops[0].steps;
        }
        row_block block;
        if (count > 0) block.from_step = loops[0].from, block.to_step = loops[0].to;
        if (!rows_.has_sums) take_repeats(block, blocks_, loops, count, !complete);
        place_of_rows where{here.value_indices, shape_.nodes.values, row.nodes, row_steps};
        where.axes = shape_.bounds.size();
        if (values_end) where.axis_remaining = axis_remaining;
        if (count > 0) where.axis = loops[0].axis, where.index_step = loops[0].index_step;
        const bool ends_earlier = of_block == ends::are_passed && to_destination;
        const dim_t length = ends_earlier ? length_of_rows(shape_, row, stored_) : row.length;
        for (dim_t taken = 0;;) {
            const dim_t rows_remaining = count > 0 ? loops[0].extent - loops[0].index : 1;
            taken = batch < rows_remaining ? batch : rows_remaining;
            part_of_rows part{length, length};
            if (!complete)
                clip_rows(blocks_, valid_, stored_, part, taken, row, count > 0 ? &loops[0] : nullptr, here.index);
            block.count = part.valid;
            block.rows = taken;
            if (to_destination && !zeroed && part.valid < part.stored)
                zero_padding(plan_.conversion, out_, here.to, block, part, zero_);
            for (int a = 0; values_end && a < shape_.bounds.size(); ++a) axis_remaining[a] = valid_[a] - here.index[a];
            if (part.valid > 0) {
                if (streams && streamed_rows::run_bytes(block, plan_.conversion.dst_bytes) >= least_streamed_row)
                    stream_block(here.from, here.to, block, row, here.value_indices, row_steps);
                else convert_block(here.from, here.to, block, where);
            }
            if (!here.advance(loops, count, taken)) return;
        }
    }
    /// Returns true if elements of the cache block have no value, because it passes the end of an axis along which
    /// values differ.
    bool values_are_missing() const {
        for (int k = 0; k < shape_.inner; ++k) {
            const cache_block_node& n = shape_.nodes[k];
            if (n.has_values() && valid_[n.axis] < reach_[n.axis]) return true;
        }
        return false;
    }
    void convert_block(const std::byte* from, std::byte* to, const row_block& block, const place_of_rows& where) {
        if (recorder_ != nullptr) recorder_->convert(from, to, block, where);
        else rows_(from, to, block, where);
    }
    /// Converts a block of rows and stores it past the cache.
    void stream_block(const std::byte* from, std::byte* to, const row_block& block, const cache_block_row& row,
                      const dim_t* value_indices, const dim_t* row_steps) {
        const cache_block_node* const nodes = shape_.nodes.values;
        const auto convert = [&](const std::byte* x, std::byte* y, const row_block& piece_of_rows, dim_t first_row,
                                 dim_t first_element) {
            dim_t here[value_arrays];
            for (int i = 0; has_indices_ && i < value_arrays; ++i)
                here[i] = value_indices[i] + first_row * row_steps[i] +
                          (row.nodes > 0 ? first_element * nodes[0].value_steps[i] : 0);
            convert_block(x, y, piece_of_rows, {here, nodes, row.nodes, row_steps});
        };
        (*streamed_)(*plan_.conversion.rows, from, to, block, plan_.conversion.src_bytes, plan_.conversion.dst_bytes,
                     !has_values_within(shape_, row), convert);
    }
};

/// Returns true if the steps of a conversion may be kept: they are the same in each call, and finding them would take a
/// considerable part of a call.
constexpr bool may_keep_steps(const cache_block_plan& blocks, dim_t bytes_moved) {
    const bool has_one_move = blocks.order.empty() && blocks.block_copy.constant == nullptr;
    return (blocks.shape.side == cache_block_side::both || has_one_move) && !blocks.streams &&
           !blocks.block_copy.streams && bytes_moved <= most_bytes_of_kept;
}

/// Does the steps of a conversion.
///
/// Pre:     kept.exists; they were found for these blocks, and a plan that may have other arrays of the same kind
/// Post:    as converting_run
template <class Number>
void run_steps(const converting_plan& plan, const cache_block_plan& blocks, const kept_conversion& kept, const void* in,
               void* out) {
    const value_conversion& conversion = plan.conversion;
    const bool from_buffer = blocks.shape.side == cache_block_side::destination,
               to_buffer = blocks.shape.side == cache_block_side::source;
    alignas(64) std::byte buffer[buffer_bytes];
    const auto* const first_in = static_cast<const std::byte*>(in);
    auto* const first_out = static_cast<std::byte*>(out);
    if (kept.cleared > 0) std::memset(buffer, 0, static_cast<std::size_t>(kept.cleared));
    if (from_buffer && kept.is_moved) kept.move(blocks.block_copy, first_in, buffer);
    const std::byte* const from = from_buffer ? buffer : first_in;
    std::byte* const to = to_buffer ? buffer : first_out;
    const auto for_steps = [&](const auto& convert) {
        for (const kept_conversion::step* s = kept.steps; s != kept.steps + kept.count; ++s)
            if (s->zeros) block_zeros{}(to + s->to, s->block.rows, s->block.to_step, s->block.count);
            else convert(*s);
    };
    if (kept.has_operations && conversion.plain != nullptr) {
        for_steps([&](const kept_conversion::step& s) { conversion.plain(from + s.from, to + s.to, s.block); });
    } else if (kept.has_operations) {
        const row_operations operations = kept.aimed_operations();
        for_steps([&](const kept_conversion::step& s) {
            conversion.rows->convert(operations, from + s.from, to + s.to, s.block);
        });
    } else {
        const plan_of_run of_run(plan);
        summed_rows<Number> rows(*of_run, in, out);
        for_steps([&](const kept_conversion::step& s) {
            place_of_rows where{s.value_indices, blocks.shape.nodes.values, s.row_nodes, s.row_steps};
            where.axis = s.axis;
            where.index_step = s.index_step;
            where.axes = blocks.shape.bounds.size();
            if (s.remaining >= 0) where.axis_remaining = kept.extents + s.remaining;
            rows(from + s.from, to + s.to, s.block, where);
        });
    }
    if (to_buffer && kept.is_moved) kept.move(blocks.block_copy, buffer, first_out);
}

}  // namespace plait::engine
