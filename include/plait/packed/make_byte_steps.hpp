#pragma once
// Plans the steps on runs of bytes of a piece that has been moved.

#include <plait/packed/byte_steps.hpp>
#include <plait/packed/piece_pair.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Sets the runs of a piece: the digits that are left are loops around them.
inline void set_runs(const inline_list<piece_digit, max_piece_digits>& left, dim_t run, const record_piece& piece,
                     byte_runs& out) {
    if (run % 8 != 0 || piece.at % 8 != 0) return;
    for (const piece_digit& d : left) {
        if (d.stride % 8 != 0) return;
        out.loops.push_back({d.extent, d.stride / 8});
    }
    out.begin = piece.at / 8;
    out.length = run / 8;
}

/// Finds the runs of whole bytes that a piece fills, or, with `until`, those up to a digit.
inline bool runs_of(const record_piece& piece, int width, const piece_digit* until, byte_runs& out) {
    inline_list<piece_digit, max_piece_digits> left = piece.digits;
    dim_t run = width;
    for (bool grows = true; grows;) {
        grows = false;
        for (int i = 0; i < left.size() && !grows; ++i)
            if (left[i].extent == 1 || left[i].stride == run) {
                run *= left[i].extent;
                const bool ends = until != nullptr && left[i] == *until;
                left.erase(i);
                if (ends) until = nullptr, set_runs(left, run, piece, out);
                if (ends) return out.length > 0;
                grows = true;
            }
    }
    return until == nullptr && (set_runs(left, run, piece, out), out.length > 0);
}

constexpr bool has_negative_stride(const record_piece& piece) {
    for (const piece_digit& d : piece.digits)
        if (d.stride < 0) return true;
    return false;
}

/// Plans to invert bits of all values of a piece. Returns false if they do not fill runs of bytes.
inline bool make_flip(const piece_pair& pair, int width, std::uint64_t flips, flip_step& out) {
    if (width > 8 || 8 % width != 0) return false;
    if (has_negative_stride(pair.dst)) return false;
    for (int i = 0; i < 8; i += width) out.flips = static_cast<std::uint8_t>(out.flips | flips << i);
    return runs_of(pair.dst, width, nullptr, out.runs);
}

/// Plans to turn a digit of a piece. Returns false if a slot is no run of bytes that has all rows.
inline bool make_turn(const record_piece& piece, const piece_digit& turned, int width, turn_step& out) {
    const dim_t slot = turned.stride;
    if (slot % 8 != 0 || width % 8 != 0 || turned.extent > 64 || has_negative_stride(piece)) return false;
    record_piece inside = piece;
    inside.digits = {};
    dim_t rows = 1, run = width;
    for (const piece_digit& d : piece.digits)
        if (d.stride < slot) {
            inside.digits.push_back(d);
            run *= d.extent;
            if (d.axis == turned.turned_by) rows *= d.extent;
        }
    if (run != slot || rows % turned.extent != 0) return false;
    for (const piece_digit& d : piece.digits)
        if (d.stride > slot && d.axis == turned.turned_by && d.step % turned.extent != 0) return false;
    out.extent = static_cast<int>(turned.extent);
    out.slot = slot / 8;
    out.masks.assign(static_cast<std::size_t>(turned.extent * out.slot), std::byte{0});
    for (dim_t byte = 0; byte < out.slot; byte += width / 8) {
        dim_t row = 0;
        for (const piece_digit& d : inside.digits)
            if (d.axis == turned.turned_by) row += byte * 8 / d.stride % d.extent * d.step;
        const dim_t j = row % turned.extent;
        for (int i = 0; i < width / 8; ++i)
            out.masks[static_cast<std::size_t>(j * out.slot + byte + i)] = std::byte{0xff};
    }
    return runs_of(piece, width, &turned, out.runs);
}

}  // namespace plait::detail
