#pragma once
// The values of an attribute's array, such as one scale for each channel, in the order in which rows use them,
// converted from the type of the array.

#include <plait/engine/quantize/cache_block_shape.hpp>
#include <plait/engine/quantize/value_conversion.hpp>

#include <cstring>  // std::memcpy
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Lines of values: side by side where they are written, and at equal distances in the array.
///
/// Example: the values of a of 16 and b of 4, written as b in lines of 16 values of a: 16 values, `inner` has 4
struct value_lines {
    struct loop {
        dim_t count = 1, from = 0, to = 0;
    };
    dim_t length, step;  ///< of a line in the array
    loop inner, outer;   ///< around a line
    /// How many steps of the outer loop are prefetched: the CPU's own window has room for the values of a few of them.
    static constexpr dim_t ahead = 24;

    template <class Value>
    void take(Value* to, const Value* from) const {
        for (dim_t i = 0; i < outer.count; ++i, to += outer.to, from += outer.from) {
            if (i + ahead < outer.count) __builtin_prefetch(from + ahead * outer.from);
            if (step != 1) transpose(to, from);
            else if (length == 2) copy<2>(to, from);  // most lines are as long as a block is wide
            else if (length == 4) copy<4>(to, from);
            else if (length == 8) copy<8>(to, from);
            else if (length == 16) copy<16>(to, from);
            else
                for (dim_t line = 0; line < inner.count; ++line)
                    std::memcpy(to + line * inner.to, from + line * inner.from,
                                static_cast<std::size_t>(length) * sizeof(Value));
        }
    }

private:
    template <int Length, class Value>
    void copy(Value* to, const Value* from) const {
        for (dim_t line = 0; line < inner.count; ++line, to += inner.to, from += inner.from)
            std::memcpy(to, from, Length * sizeof(Value));
    }
    /// Takes lines whose values are not side by side in the array. If the lines are, four are transposed at a time,
    /// with four, or two, values of each.
    template <class Value>
    void transpose(Value* to, const Value* from) const {
        const dim_t at_once = inner.from == 1 ? inner.count / 4 * 4 : 0;
        dim_t i = 0;
        for (; i + 4 <= length && at_once > 0; i += 4)
            for (dim_t line = 0; line < at_once; line += 4)
                take_four_by_four(to + i + line * inner.to, inner.to, from + i * step + line, step);
        for (; i + 2 <= length && at_once > 0; i += 2)
            for (dim_t line = 0; line < at_once; line += 4)
                take_two_by_four(to + i + line * inner.to, inner.to, from + i * step + line, step);
        for (dim_t line = i < length ? 0 : at_once; line < inner.count; ++line)
            for (dim_t rest = line < at_once ? i : 0; rest < length; ++rest)
                to[line * inner.to + rest] = from[line * inner.from + rest * step];
    }
    /// Transposes two values of four adjacent lines: to[line * length + i] = from[line + i * step].
    template <class Value>
    static void take_two_by_four(Value* to, dim_t length, const Value* from, dim_t step) {
        using four [[gnu::vector_size(4 * sizeof(Value))]] = Value;
        four a, b;
        std::memcpy(&a, from, sizeof(a));
        std::memcpy(&b, from + step, sizeof(b));
        using two [[gnu::vector_size(2 * sizeof(Value))]] = Value;
        const four first = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                   second = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        if (length == 2) {
            std::memcpy(to, &first, sizeof(first));
            return static_cast<void>(std::memcpy(to + 4, &second, sizeof(second)));
        }
        const two lines[] = {__builtin_shufflevector(first, first, 0, 1), __builtin_shufflevector(first, first, 2, 3),
                             __builtin_shufflevector(second, second, 0, 1),
                             __builtin_shufflevector(second, second, 2, 3)};
        std::memcpy(to, &lines[0], sizeof(two));
        std::memcpy(to + length, &lines[1], sizeof(two));
        std::memcpy(to + 2 * length, &lines[2], sizeof(two));
        std::memcpy(to + 3 * length, &lines[3], sizeof(two));
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
        std::memcpy(to, &lines[0], sizeof(four));  // GCC would keep a loop, and the lines in memory
        std::memcpy(to + length, &lines[1], sizeof(four));
        std::memcpy(to + 2 * length, &lines[2], sizeof(four));
        std::memcpy(to + 3 * length, &lines[3], sizeof(four));
    }
};

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
        dim_t whole = 1;  // the values of one step of the last node
        for (int n = 0; n + 1 < nodes; ++n) whole *= extents[n];
        if (count % whole != 0)
            return visit_places([&](dim_t number, dim_t place) { to[number] = from[place]; },
                                [&](dim_t number) { to[number] = neutral; });
        const dim_t last = count / whole;
        dim_t extent[most], taken[most], index[most], places[most];  // GCC would take long to zero all of them
        for (int n = 0; n < nodes; ++n) extent[n] = taken[n] = n + 1 < nodes ? extents[n] : last;
        // If no axis has ends in two of its nodes, the values that exist are a box: the first steps of each node.
        const bool is_box = axis_remaining == nullptr || clip_to_box(taken);
        bool all_exist = is_box;
        for (int n = 0; n < nodes; ++n) all_exist = all_exist && taken[n] == extent[n];
        if (!all_exist) fill(to, count, neutral);
        // Values are taken in the order in which they lie in the array, because many are in each of its cache lines:
        // three nodes at a time, of which one is the first, whose values are written side by side.
        const int second = nearest_node(0, is_box), third = is_box && second > 0 ? nearest_node(second, true) : -1;
        value_lines lines{taken[0], steps[0], {}, {}};
        dim_t place = 1;
        for (int n = 0; n < nodes; ++n) {
            index[n] = 0;
            places[n] = place;
            if (n > 0 && n == second) lines.inner = {taken[n], steps[n], place};
            if (n > 0 && n == third) lines.outer = {taken[n], steps[n], place};
            place *= extent[n];
        }
        for (int n = 0; n < nodes;) {
            if (is_box) {
                lines.take(to, from);
            } else if (!passes_end(index)) {
                lines.length = smaller_of(taken[0], steps_before_end(0, index));
                if (second > 0) lines.inner.count = smaller_of(taken[second], steps_before_end(second, index));
                lines.take(to, from);
            }
            for (n = 0; n < nodes; ++n) {
                if (n == 0 || n == second || n == third) continue;
                from += steps[n];
                to += places[n];
                if (++index[n] < taken[n]) break;
                from -= taken[n] * steps[n];
                to -= taken[n] * places[n];
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
            if (all_axes_remain && (axis_remaining == nullptr || !passes_end(index))) exists(i, place);
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
        using four [[gnu::vector_size(4 * sizeof(Value))]] = Value;
        const four values = {value, value, value, value};
        dim_t i = 0;
        for (; i + 4 <= some; i += 4) std::memcpy(to + i, &values, sizeof(values));
        for (; i < some; ++i) to[i] = value;
    }
    /// Reduces the steps of nodes to those before the end of an axis; false if this needs other steps of an inner node
    /// in the last step of an outer one.
    ///
    /// Pre:     axis_remaining is set, and nothing has ended at the first value
    /// Example: 12 of 16 channels, as 2 and then 8: 6 steps of the outer node. 11 channels are no box
    bool clip_to_box(dim_t* taken) const {
        for (int n = 0; n < nodes; ++n) {
            if (axis[n] < 0) continue;
            dim_t inner = 1;  // indices that the other nodes of the axis reach
            bool is_outermost = true;
            for (int other = 0; other < nodes; ++other) {
                if (other == n || axis[other] != axis[n]) continue;
                inner += (taken[other] - 1) * index_steps[other];
                is_outermost = is_outermost && (taken[other] == 1 || index_steps[other] < index_steps[n]);
            }
            if (!is_outermost) continue;
            const dim_t remaining = axis_remaining[axis[n]], whole = remaining / index_steps[n];
            if (whole >= taken[n]) continue;
            const dim_t indices = remaining - whole * index_steps[n];
            if (indices != 0 && indices < inner) return false;
            taken[n] = whole + (indices != 0 ? 1 : 0);
        }
        return true;
    }
    /// Returns the node whose steps in the array are the shortest, except the first node and node `other`; -1 if there
    /// is none, or if all others end with the first, unless the values are a box.
    int nearest_node(int other, bool is_box) const {
        int nearest = -1;
        for (int n = 1; n < nodes; ++n) {
            if (n == other || (!is_box && axis[n] >= 0 && axis[n] == axis[0])) continue;
            if (nearest < 0 || step_size(steps[n]) < step_size(steps[nearest])) nearest = n;
        }
        return nearest;
    }
    /// Returns what is left of a node's axis when the other nodes are at `index`.
    dim_t left_at(int node, const dim_t* index) const {
        dim_t after = axis_remaining[axis[node]];
        for (int other = 0; other < nodes; ++other)
            if (axis[other] == axis[node]) after -= index[other] * index_steps[other];
        return after;
    }
    bool passes_end(const dim_t* index) const {
        for (int n = 0; n < nodes; ++n)
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
    rows.of_small->of[static_cast<int>(from.type)].unpack(bytes, 0, wanted.count, unpacked);
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
        rows.of_small->of[static_cast<int>(from.type)].unpack(from.bytes, first, wanted.count, unpacked);
        return convert_values(to, row_type_of(from.type, true, false), unpacked, wanted.count, rows);
    }
    wanted.visit_places([&](dim_t number, dim_t place) { to[number] = from.at(first + place); },
                        [to](dim_t number) { to[number] = std::is_same_v<Value, float> ? 1 : 0; });
}

}  // namespace plait::engine
