#pragma once
// The values of an attribute's array, such as one scale for each channel, in the order in which rows use them,
// converted from the type of the array.

#include <plait/engine/quantize/cache_block_shape.hpp>
#include <plait/engine/quantize/value_conversion.hpp>

#include <cstring>  // std::memcpy
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The values of an array that rows are computed with, counted by nodes, the first fastest. Indices beyond the end of
/// an axis have no value in the array. They get the neutral value: 1 for scales, which are f32, and 0 for zero points.
///
/// Example: rows of layout cdba with a value for each (a, b), array[a * 250 + b]: node a with step 250, then b with 1
struct values_of_rows {
    static constexpr int most = max_block_nodes + 1;  ///< a node may be partly in a row, partly around it

    int nodes = 0, axes = 0;
    const dim_t* axis_remaining = nullptr;  ///< of each axis, from the first value; null: all values exist
    int axis[most];                         // -1: no end matters; not initialised before they are used
    dim_t extents[most], steps[most], index_steps[most];
    dim_t count = 1;

    /// Adds a node. It is merged with the node before if it continues that node, as nested blocks do; if axes end, both
    /// must have the same axis.
    ///
    /// A node along which the value stays the same passes no end, because its value exists at each index.
    ///
    /// Pre:     axis_remaining is set
    /// Example: 64 channels as 4 and then 16 with four times the step: one node of 64, so that its end is checked once
    void add(int along, dim_t extent, dim_t step, dim_t index_step) {
        count *= extent;
        if (step == 0) along = -1;
        if (nodes > 0 && goes_on(along, step, index_step)) return static_cast<void>(extents[nodes - 1] *= extent);
        axis[nodes] = along;
        extents[nodes] = extent;
        index_steps[nodes] = index_step;
        steps[nodes++] = step;
    }
    /// Writes the first `count` values to `to`, side by side.
    template <class Value>
    void take(Value* to, const Value* from, Value neutral = std::is_same_v<Value, float> ? 1 : 0) const {
        for (int a = 0; axis_remaining != nullptr && a < axes; ++a)
            if (axis_remaining[a] <= 0) return fill(to, count, neutral);
        if (nodes == 0) return static_cast<void>(*to = *from);
        // The first two nodes make lines. Ends leave some lines, and the same part of each line, unless both nodes
        // count the same axis.
        const bool has_lines = nodes > 1 && (axis_remaining == nullptr || axis[1] < 0 || axis[1] != axis[0]);
        const int around = has_lines ? 2 : 1;
        dim_t index[most]{};
        for (dim_t remaining = count; remaining > 0;) {
            const bool is_there = axis_remaining == nullptr || !passes_end(index, around);
            const dim_t valid = is_there ? steps_before_end(0, index) : 0;
            const dim_t lines = has_lines ? extents[1] : 1, valid_lines = has_lines ? steps_before_end(1, index) : 1;
            if (valid == extents[0] && valid_lines == lines && valid * lines <= remaining) {
                take_lines(to, from, lines);
                to += valid * lines;
                remaining -= valid * lines;
            } else if (extents[0] * lines <= remaining) {
                take_parts_of_lines(to, from, valid_lines, valid);
                for (dim_t line = 0; line < lines; ++line) {
                    const dim_t there = line < valid_lines ? valid : 0;
                    fill(to + there, extents[0] - there, neutral);
                    to += extents[0];
                }
                remaining -= extents[0] * lines;
            } else {
                for (dim_t line = 0; line < lines && remaining > 0; ++line) {
                    const dim_t here = smaller_of(extents[0], remaining);
                    const dim_t there = line < valid_lines ? smaller_of(valid, here) : 0;
                    take_line(to, from + line * line_step(), there);
                    fill(to + there, here - there, neutral);
                    to += here;
                    remaining -= here;
                }
            }
            for (int n = around; n < nodes; ++n) {
                from += steps[n];
                if (++index[n] < extents[n]) break;
                from -= extents[n] * steps[n];
                index[n] = 0;
            }
        }
    }

    /// Returns true if the values are side by side in the array.
    bool are_adjacent() const { return axis_remaining == nullptr && (nodes == 0 || (nodes == 1 && steps[0] == 1)); }
    /// Calls exists(number, place) for each of the first `count` values that exists, and is_missing(number) for each
    /// that does not. Places are counted from that of the first value, so that those of a layout that runs backwards
    /// are negative. No place can therefore stand for a missing value.
    template <class Exists, class IsMissing>
    void visit_places(Exists exists, IsMissing is_missing) const {
        bool all_axes_remain = true;
        for (int a = 0; axis_remaining != nullptr && a < axes; ++a)
            all_axes_remain = all_axes_remain && axis_remaining[a] > 0;
        dim_t index[most]{}, place = 0;
        for (dim_t i = 0; i < count; ++i) {
            if (all_axes_remain && (axis_remaining == nullptr || !passes_end(index, 0))) exists(i, place);
            else is_missing(i);
            for (int n = 0; n < nodes; ++n) {
                place += steps[n];
                if (++index[n] < extents[n]) break;
                place -= extents[n] * steps[n];
                index[n] = 0;
            }
        }
    }

private:
    bool goes_on(int along, dim_t step, dim_t index_step) const {
        const int last = nodes - 1;
        return step == extents[last] * steps[last] &&
               (axis_remaining == nullptr ||
                (axis[last] == along && (along < 0 || index_step == extents[last] * index_steps[last])));
    }
    template <class Value>
    static void fill(Value* to, dim_t some, Value value) {
        for (dim_t i = 0; i < some; ++i) to[i] = value;
    }
    template <class Value>
    void take_line(Value* to, const Value* from, dim_t some) const {
        constexpr dim_t long_line = 16;
        if (steps[0] == 1 && some >= long_line)
            return static_cast<void>(std::memcpy(to, from, static_cast<std::size_t>(some) * sizeof(Value)));
        for (dim_t i = 0; i < some; ++i) to[i] = from[i * steps[0]];
    }
    /// Copies lines that no end cuts. Most are as long as a block is wide, so these lengths are copied without a loop.
    template <class Value>
    void take_lines(Value* to, const Value* from, dim_t lines) const {
        switch (extents[0]) {
            case 2: return take_lines_of<2>(to, from, lines);
            case 4: return take_lines_of<4>(to, from, lines);
            case 8: return take_lines_of<8>(to, from, lines);
            case 16: return take_lines_of<16>(to, from, lines);
        }
        take_parts_of_lines(to, from, lines, extents[0]);
    }
    /// Copies the first `some` values of each line. Adjacent lines are transposed, four at a time.
    template <class Value>
    void take_parts_of_lines(Value* to, const Value* from, dim_t lines, dim_t some) const {
        const dim_t length = extents[0], step = steps[0], fours = some / 4 * 4;
        if (fours > 0 && line_step() == 1 && step != 1)
            for (; lines >= 4; lines -= 4, to += 4 * length, from += 4) {
                for (dim_t i = 0; i < fours; i += 4) take_four_by_four(to + i, length, from + i * step, step);
                for (int line = 0; fours < some && line < 4; ++line)
                    for (dim_t i = fours; i < some; ++i) to[line * length + i] = from[line + i * step];
            }
        for (dim_t line = 0; line < lines; ++line) take_line(to + line * length, from + line * line_step(), some);
    }
    template <int Length, class Value>
    void take_lines_of(Value* to, const Value* from, dim_t lines) const {
        const dim_t step = steps[0], to_next = line_step();
        if constexpr (Length % 4 == 0)
            if (to_next == 1 && step != 1)
                for (; lines >= 4; lines -= 4, to += 4 * Length, from += 4)
                    for (int i = 0; i < Length; i += 4) take_four_by_four(to + i, Length, from + i * step, step);
        for (dim_t line = 0; step == 1 && line < lines; ++line, to += Length, from += to_next)
            std::memcpy(to, from, Length * sizeof(Value));
        for (dim_t line = 0; step != 1 && line < lines; ++line, to += Length, from += to_next)
            for (int i = 0; i < Length; ++i) to[i] = from[i * step];
    }
    /// Transposes four values of four adjacent lines: to[line * length + i] = from[line + i * step].
    template <class Value>
    static void take_four_by_four(Value* to, dim_t length, const Value* from, dim_t step) {
        using four [[gnu::vector_size(4 * sizeof(Value))]] = Value;
        four a, b, c, d;
        std::memcpy(&a, from, sizeof(a));
        std::memcpy(&b, from + step, sizeof(b));
        std::memcpy(&c, from + 2 * step, sizeof(c));
        std::memcpy(&d, from + 3 * step, sizeof(d));
        const four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                   ab_behind = __builtin_shufflevector(a, b, 2, 6, 3, 7),
                   cd_behind = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        const four lines[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                               __builtin_shufflevector(ab_behind, cd_behind, 0, 1, 4, 5),
                               __builtin_shufflevector(ab_behind, cd_behind, 2, 3, 6, 7)};
        for (int line = 0; line < 4; ++line) std::memcpy(to + line * length, &lines[line], sizeof(four));
    }
    dim_t line_step() const { return nodes > 1 ? steps[1] : 0; }
    /// Returns what is left of a node's axis when the other nodes are at `index`.
    dim_t left_at(int node, const dim_t* index) const {
        dim_t after = axis_remaining[axis[node]];
        for (int other = 0; other < nodes; ++other)
            if (axis[other] == axis[node]) after -= index[other] * index_steps[other];
        return after;
    }
    bool passes_end(const dim_t* index, int around) const {
        for (int n = around; n < nodes; ++n)
            if (axis[n] >= 0 && left_at(n, index) <= 0) return true;
        return false;
    }
    /// Returns the steps of a node before the end of its axis, from index 0, when the other nodes are at `index`.
    dim_t steps_before_end(int node, const dim_t* index) const {
        if (axis_remaining == nullptr || axis[node] < 0) return extents[node];
        const dim_t after = left_at(node, index);
        return after <= 0 ? 0 : smaller_of(extents[node], divide_up(after, index_steps[node]));
    }
};

// Values of an attribute whose type is not the attribute's own, such as scales of f16.

/// Returns the bits of the number 1 in a type of `Bits`, or of 0 for zero points.
template <class Bits, class Value>
Bits neutral_bits(data_type type) {
    return with_element_type(type, []<element T>(T) {
        Bits out{};
        const T neutral = convert<T>(Value{std::is_same_v<Value, float> ? 1 : 0});
        if constexpr (sizeof(T) == sizeof(Bits)) std::memcpy(&out, &neutral, sizeof(out));
        return out;
    });
}

/// Converts `count` values of a type that rows are computed with.
template <class Value>
void convert_values(Value* to, data_type type, const std::byte* values, dim_t count, const row_conversions& rows) {
    row_operations operations;
    operations.src = type;
    operations.dst = data_type_of<Value>;
    row_block block;
    block.count = count;
    rows.convert(operations, values, reinterpret_cast<std::byte*>(to), block);
}

/// Takes values of `Bits` bytes each, and converts them with a function of the instruction set.
template <class Bits, class Value>
void take_and_convert(Value* to, const values_of_attribute<Value>& from, dim_t first, const values_of_rows& wanted,
                      const row_conversions& rows) {
    Bits taken[most_values_of_a_row + most_numbers_at_once];
    const Bits neutral = wanted.axis_remaining != nullptr ? neutral_bits<Bits, Value>(from.type) : Bits{};
    wanted.take(taken, reinterpret_cast<const Bits*>(from.bytes) + first, neutral);
    const auto* const bytes = reinterpret_cast<const std::byte*>(taken);
    if (!is_small_type(from.type)) return convert_values(to, from.type, bytes, wanted.count, rows);
    std::byte unpacked[sizeof(bfloat16) * most_values_of_a_row];
    rows.small->of[static_cast<int>(from.type)].unpack(bytes, 0, wanted.count, unpacked);
    convert_values(to, row_type_of(from.type, true, false), unpacked, wanted.count, rows);
}

/// Writes the values that rows are computed with to `to`, side by side, as numbers of the attribute's own type.
///
/// Pre:     from.is_of_other_type(); wanted.count <= most_values_of_a_row
template <class Value>
void take_typed_values(Value* to, const values_of_attribute<Value>& from, dim_t first, const values_of_rows& wanted,
                       const row_conversions& rows) {
    const bool converts_all_types = rows.plain != nullptr;
    if (converts_all_types && size_in_bits(from.type) == 16)
        return take_and_convert<std::uint16_t>(to, from, first, wanted, rows);
    if (converts_all_types && size_in_bits(from.type) == 8)
        return take_and_convert<std::uint8_t>(to, from, first, wanted, rows);
    if (converts_all_types && wanted.are_adjacent()) {
        std::byte unpacked[sizeof(bfloat16) * most_values_of_a_row];
        rows.small->of[static_cast<int>(from.type)].unpack(from.bytes, first, wanted.count, unpacked);
        return convert_values(to, row_type_of(from.type, true, false), unpacked, wanted.count, rows);
    }
    wanted.visit_places([&](dim_t number, dim_t place) { to[number] = from.at(first + place); },
                        [to](dim_t number) { to[number] = std::is_same_v<Value, float> ? 1 : 0; });
}

}  // namespace plait::engine
