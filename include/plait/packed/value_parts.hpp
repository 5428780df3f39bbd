#pragma once
// The value at an index, put together from all pieces that have bits of it.

#include <plait/packed/bit_access.hpp>
#include <plait/packed/record_piece.hpp>
#include <plait/packed/side_buffers.hpp>

#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A piece of a field, and where the bytes are that its places are counted from.
struct value_part {
    chunk_place from;
    record_piece piece;
    record_field field;
};

/// Returns the bits of the value at an index, as they are before the tag inverts some or subtracts. `memory_of(part)`
/// returns the bytes of a piece.
template <class MemoryOf>
std::uint64_t value_of_parts(const std::vector<value_part>& parts, const position& index, const MemoryOf& memory_of) {
    std::uint64_t out = 0;
    for (const value_part& p : parts)
        if (p.piece.holds(index)) out |= p.field.value_of(read_bits(memory_of(p), p.piece.place(index), p.field.width));
    return out;
}

}  // namespace plait::detail
