#pragma once
// Where the fields of a chunk begin, on either side of a repack.

#include <plait/core/axis.hpp>

namespace plait::detail {

/// The buffers of one side: one for a record, one for each field of plain tensors.
template <class Byte>
struct side_buffers {
    Byte* const* begin = nullptr;
    Byte* operator[](int i) const { return begin[i]; }
};

/// A buffer, and how many bytes further it begins for each chunk.
struct chunk_place {
    int buffer = 0;
    dim_t bytes = 0;

    template <class Byte>
    Byte* of(const side_buffers<Byte>& buffers, dim_t chunk) const {
        return buffers[buffer] + chunk * bytes;
    }
};

}  // namespace plait::detail
