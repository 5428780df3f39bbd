#pragma once
// Values of an attribute whose type is not the attribute's own, such as scales of f16.

#include <plait/engine/quantize/value_conversion.hpp>
#include <plait/engine/quantize/values_of_rows.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

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
    dim_t places[most_values_of_a_row];
    wanted.take_places(places);
    constexpr Value neutral = std::is_same_v<Value, float> ? 1 : 0;
    for (dim_t i = 0; i < wanted.count; ++i) to[i] = places[i] < 0 ? neutral : from.at(first + places[i]);
}

}  // namespace plait::engine
