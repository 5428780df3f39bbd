#pragma once
// Where the fields of a chunk begin, on either side of a repack.

#include <plait/core/axis.hpp>

#include <cstddef>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A buffer, and how many bytes further it begins for each chunk.
struct chunk_place {
    int buffer = 0;
    dim_t bytes = 0;
    constexpr bool operator==(const chunk_place&) const = default;
};

/// The buffers of both sides, one for a record, one for each field of plain tensors; and which chunk is moved.
struct chunk_memory {
    const std::byte* const* sources = nullptr;
    std::byte* const* destinations = nullptr;
    dim_t source_chunk = 0, destination_chunk = 0;

    const std::byte* source(const chunk_place& place) const {
        return sources[place.buffer] + source_chunk * place.bytes;
    }
    std::byte* destination(const chunk_place& place) const {
        return destinations[place.buffer] + destination_chunk * place.bytes;
    }
    /// Returns where a field is read that is summed: in the destination, if it is stored there first.
    const std::byte* summed(const chunk_place& place, bool is_stored) const {
        return is_stored ? destination(place) : source(place);
    }
};

}  // namespace plait::detail
