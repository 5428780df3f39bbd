#pragma once
// What one rank sends, receives and keeps when a tensor moves from one distribution to another: plain data, without a
// library that carries it.

#include <plait/core/layout.hpp>
#include <plait/distribution/axis_piece.hpp>
#include <plait/support/heap_list.hpp>
#include <plait/support/scratch_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Elements that lie on one rank before and on one rank after: for each axis a range of pieces. The product of the
/// ranges is the list of parts.
struct rank_box {
    dim_t from = 0, to = 0;  ///< the ranks, without replication
    dim_t elements = 0;
    int first_range = 0;  ///< its ranges of pieces, one per axis, in the list of the plan
};
/// A range of the pieces of a plan.
struct piece_range {
    int first = 0, count = 0;
};
/// A box that goes to or comes from a peer.
struct peer_box {
    dim_t peer = 0;
    int box = 0;
};
}  // namespace detail

/// The elements that go from one rank to another.
struct rank_message {
    dim_t peer = 0;                ///< the other rank
    dim_t elements = 0;            ///< how many there are
    int first_box = 0, boxes = 0;  ///< its boxes, in the list of the plan
    constexpr bool operator==(const rank_message&) const = default;
};

/// A part of a message: one loop nest in the memory of both ranks. The layouts have equal dims, ordered as the part
/// lies at the receiver, with the largest stride first, so that a message is packed in row-major order of these dims.
struct message_part {
    layout sent;      ///< where the elements are in the memory of the sender, from its offset 0
    layout received;  ///< where they are in the memory of the receiver
    constexpr bool operator==(const message_part&) const = default;
};

/// The messages of one rank, by rising peer, and the elements that it keeps. Sender and receiver list the parts of a
/// message in the same order.
///
/// Post:    elements that a rank already has are in `kept`, and in no message; each other element that it needs is in
///          one message. If several ranks have an element, they take turns as senders
/// Cost:    linear in the number of messages
/// Source:  the messages of ScaLAPACK's pdgemr2d, COSTA, and DTensor's redistribute
/// Example: test/distribution/redistribution_plan.cpp
struct redistribution_plan {
    detail::heap_list<rank_message> sends, receives;
    rank_message kept;  ///< what moves within the memory of this rank; peer is the rank itself

    /// Calls visit(part) for each part of a message, in the order in which they are packed.
    template <class Visit>
    constexpr void for_each_part(const rank_message& message, Visit&& visit) const;

    // How the parts are stored: users read them by for_each_part.
    int ndims = 0;
    dim_t from_offset = 0, to_offset = 0;
    detail::heap_list<detail::axis_piece> pieces;
    detail::heap_list<detail::axis_piece_digit> digits;
    detail::heap_list<detail::piece_range> ranges;
    detail::heap_list<detail::rank_box> boxes;
    detail::heap_list<detail::peer_box> peers;
};

namespace detail {
/// A digit of a part.
using part_digits = scratch_list<axis_piece_digit, 256>;  // 2 * max_digits of the layouts, and 16 for each axis

/// Sorts digits by the receiver's strides, the largest first, and merges those that continue each other on both sides.
constexpr part_digits sorted_digits(const part_digits& digits) {
    part_digits sorted, out;
    for (const axis_piece_digit& d : digits) {
        int at = sorted.size();
        sorted.push_back(d);
        const auto before = [](const axis_piece_digit& a, const axis_piece_digit& b) {
            const dim_t x = step_size(a.to), y = step_size(b.to);
            return x != y ? x > y : step_size(a.from) > step_size(b.from);
        };
        for (; at > 0 && before(d, sorted[at - 1]); --at) sorted[at] = sorted[at - 1];
        sorted[at] = d;
    }
    for (const axis_piece_digit& d : sorted) {
        if (!out.empty()) {
            axis_piece_digit& outer = out[out.size() - 1];
            if (outer.from == d.extent * d.from && outer.to == d.extent * d.to) {
                outer = {outer.extent * d.extent, d.from, d.to};
                continue;
            }
        }
        out.push_back(d);
    }
    return out;
}

/// Returns the layout of a part on one side.
constexpr layout part_layout(const part_digits& digits, int first, bool sender, dim_t offset) {
    layout out;
    out.kind = format_kind::blocked;
    out.offset0 = offset;
    for (int k = first; k < digits.size(); ++k) {
        const int axis = out.dims.size();
        out.dims.push_back(digits[k].extent);
        out.digits.push_back({axis, digits[k].extent, sender ? digits[k].from : digits[k].to});
        out.padded_offsets.push_back(0);
    }
    if (out.dims.empty()) {
        out.dims.push_back(1);
        out.digits.push_back({0, 1, 1});
        out.padded_offsets.push_back(0);
    }
    out.padded_dims = out.dims;
    return out;
}

/// Calls visit with the part; with more digits than a layout has axes, the outermost are written out.
template <class Visit>
constexpr void visit_part(const part_digits& digits, int first, dim_t from, dim_t to, Visit& visit) {
    if (digits.size() - first <= max_ndims) {
        const message_part part{part_layout(digits, first, true, from), part_layout(digits, first, false, to)};
        return visit(part);
    }
    for (dim_t value = 0; value < digits[first].extent; ++value)
        visit_part(digits, first + 1, from + value * digits[first].from, to + value * digits[first].to, visit);
}

/// Calls visit for each part of a box: one piece per axis, the last axis counting fastest.
template <class Visit>
constexpr void visit_box(const redistribution_plan& plan, const rank_box& box, int axis, dim_t from, dim_t to,
                         const part_digits& digits, Visit& visit) {
    if (axis == plan.ndims) return visit_part(sorted_digits(digits), 0, from, to, visit);
    const piece_range& range = plan.ranges[box.first_range + axis];
    for (int k = range.first; k < range.first + range.count; ++k) {
        const axis_piece& piece = plan.pieces[k];
        part_digits more = digits;
        for (int j = 0; j < piece.digits; ++j) more.push_back(plan.digits[piece.first_digit + j]);
        visit_box(plan, box, axis + 1, from + piece.from_place, to + piece.to_place, more, visit);
    }
}
}  // namespace detail

template <class Visit>
constexpr void redistribution_plan::for_each_part(const rank_message& message, Visit&& visit) const {
    for (int k = message.first_box; k < message.first_box + message.boxes; ++k)
        detail::visit_box(*this, boxes[peers[k].box], 0, from_offset, to_offset, {}, visit);
}

}  // namespace plait
