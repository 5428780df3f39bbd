#pragma once
// How a record is cut into chunks, along the axis of its outermost loop, and where the fields of a chunk begin.

#include <plait/core/axis.hpp>
#include <plait/packed/record.hpp>

#include <cstddef>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The chunks of an index space along one axis, or one chunk of all of it.
struct chunk_cut {
    int axis = -1;
    dim_t indices = 0;  // of a whole chunk
    dim_t count = 1;    // of chunks, the last of which may be shorter
};

/// Returns the digit of a piece with the largest step along an axis, or null.
constexpr const piece_digit* outermost_of_axis(const record_piece& piece, int axis) {
    const int k = outermost_digit(piece, axis);
    return k < 0 ? nullptr : &piece.digits[k];
}

/// Returns how many bits the places of a piece move from chunk to chunk.
constexpr dim_t chunk_bits(const record_piece& piece, const chunk_cut& cut) {
    const piece_digit* top = cut.axis < 0 ? nullptr : outermost_of_axis(piece, cut.axis);
    return top == nullptr ? 0 : cut.indices / top->step * top->stride;
}

/// Returns the axis of the loop that is around everything else in a record, or -1.
constexpr int outermost_axis(const record& r) {
    if (r.tag.nodes.empty()) return -1;
    const record_node& first = r.tag.nodes[0].part == record_part::field ? r.tag.nodes[1] : r.tag.nodes[0];
    return first.part == record_part::loop && first.extent == 0 && first.turned_by < 0 ? first.axis : -1;
}

/// Finds the least number of indices along an axis after which every piece ends both an outermost step and a byte.
class chunk_finder {
public:
    constexpr chunk_finder(const record& from, const record& to) : from_(from), to_(to) {}

    /// Returns chunks of some `target` bytes of the larger side, or one chunk.
    constexpr chunk_cut find(dim_t target) const {
        // A destination that is a record is one run of bytes in each chunk; plain tensors need not be.
        const int axis = outermost_axis(to_.tag.nodes.empty() ? from_ : to_);
        if (axis < 0 || to_.dims[axis] == 0) return {};
        dim_t least = 1;
        if (!fits(from_, axis, false, least) || !fits(to_, axis, !to_.tag.nodes.empty(), least)) return {};
        if (least >= to_.dims[axis]) return {};
        const dim_t bytes = larger_of(larger_of(from_.size_in_bits, to_.size_in_bits) / 8 / to_.dims[axis] * least, 1);
        const dim_t many = larger_of(target / bytes, 1);
        if (many >= divide_up(to_.dims[axis], least)) return {};
        chunk_cut out{axis, least * many};
        out.count = divide_up(to_.dims[axis], out.indices);
        // Chunks of the same size, if there are some that are at least half as large: they need only one plan.
        if (to_.dims[axis] % least != 0) return out;
        const dim_t most_tried = out.count + smaller_of(out.count, dim_t{1000});
        for (dim_t count = out.count; count <= most_tried; ++count)
            if (to_.dims[axis] / least % count == 0) return {axis, to_.dims[axis] / count, count};
        return out;
    }

private:
    static constexpr bool fits(const record& r, int axis, bool needs_loop, dim_t& least) {
        for (const record_piece& piece : r.pieces) {
            for (const piece_condition& c : piece.where)
                if (c.axis == axis && c.extent == 0) return false;
            const piece_digit* top = outermost_of_axis(piece, axis);
            if (top == nullptr) {
                if (needs_loop) return false;
                continue;
            }
            const dim_t divisor = greatest_common_divisor(least, top->step);
            if (top->step / divisor > (dim_t{1} << 30) / least) return false;
            least *= top->step / divisor;
        }
        for (const record_piece& piece : r.pieces)
            if (const piece_digit* top = outermost_of_axis(piece, axis); top != nullptr)
                while (least / top->step * top->stride % 8 != 0) least *= 2;
        return true;
    }

    const record& from_;
    const record& to_;
};

/// Returns true if no byte has values of two chunks of a piece of a plain tensor. Values that lie side by side fill
/// whole bytes then, with one value of the digit that is cut, or with values of one chunk; and what is outside of them
/// steps by whole bytes.
constexpr bool are_chunks_apart(const record_piece& piece, int width, const chunk_cut& cut) {
    const int top = outermost_digit(piece, cut.axis);
    if (top < 0) return false;  // each chunk writes all values
    const dense_run run = run_of(piece, width, &piece.digits[top]);
    for (const piece_digit& d : run.around)
        if (d.stride % 8 != 0) return false;
    return piece.at % 8 == 0 && (run.has_last || run.bits % 8 == 0);
}

/// Returns true if no byte of a destination has values of two chunks, so that threads may write them at the same time.
inline bool are_chunks_apart(const record& to, const chunk_cut& cut) {
    if (cut.count == 1 || !to.tag.nodes.empty()) return true;  // each chunk of a record is a run of bytes
    for (const record_piece& piece : to.pieces)
        if (!are_chunks_apart(piece, to.field_of(piece).width, cut)) return false;
    return true;
}

/// Returns the size of the first `indices` of an axis in bits: of a record without such a loop, that of all.
constexpr dim_t bits_of_first(const record& r, int axis, dim_t indices) {
    const bool is_cut = axis >= 0 && !r.tag.nodes.empty() && r.dims[axis] != 0;
    const piece_digit* top = is_cut ? outermost_of_axis(r.pieces[0], axis) : nullptr;
    return top == nullptr ? r.size_in_bits : r.size_in_bits / top->extent * divide_up(indices, top->step);
}

/// The first indices of a record along one axis, or all of them: the same places, fewer of them. A record is large, so
/// that only what differs is copied.
struct record_chunk {
    const record_tag& tag;
    plait::dims dims;
    std::vector<record_piece> pieces;
    dim_t size_in_bits = 0;

    /// Pre:     the record outlives the chunk; axis -1: all indices
    record_chunk(const record& r, int axis, dim_t indices)
        : tag(r.tag),
          dims(r.dims),
          pieces(r.pieces.begin(), r.pieces.end()),
          size_in_bits(bits_of_first(r, axis, indices)) {
        if (axis < 0) return;
        dims[axis] = indices;
        for (record_piece& piece : pieces) {
            const piece_digit* top = outermost_of_axis(piece, axis);
            if (top == nullptr) continue;
            for (piece_digit& d : piece.digits)
                if (d.axis == axis && d.step == top->step) {
                    d.extent = divide_up(indices, d.step);
                    piece.extents[axis] = d.extent * d.step;
                }
        }
    }

    const record_field& field_of(const record_piece& piece) const { return tag.fields[piece.field]; }
    /// True if each field is a tensor in a buffer of its own.
    bool is_plain() const { return tag.nodes.empty(); }
    dim_t size_in_bytes() const { return divide_up(size_in_bits, 8); }
};

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
