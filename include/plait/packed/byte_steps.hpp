#pragma once
// Steps on runs of bytes that have been moved: bits are inverted, slots are turned, bytes are stored past the caches;
// and which runs a piece fills.

#include <plait/engine/plan/cache_lines.hpp>
#include <plait/engine/simd/byte_kernels.hpp>
#include <plait/packed/piece_pair.hpp>
#include <plait/packed/record_chunks.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A run of bytes that is repeated by loops.
struct byte_runs {
    struct loop {
        dim_t extent = 0, bytes = 0;
    };
    std::vector<loop> loops;  // from the innermost
    dim_t begin = 0, length = 0;

    /// Calls what(first, count, step) for the runs of the innermost loop, wherever the other loops lead.
    template <class What>
    void for_each_row(std::byte* at, const What& what) const {
        run(static_cast<int>(loops.size()), at + begin, what);
    }

private:
    template <class What>
    void run(int depth, std::byte* at, const What& what) const {
        if (depth == 0) return what(at, dim_t{1}, dim_t{0});
        const loop& l = loops[static_cast<std::size_t>(depth - 1)];
        if (depth == 1) return what(at, l.extent, l.bytes);
        for (dim_t i = 0; i < l.extent; ++i) run(depth - 1, at + i * l.bytes, what);
    }
};

/// Inverts bits of all bytes of some runs.
struct flip_step {
    chunk_place to;
    byte_runs runs;
    std::uint8_t flips = 0;
    const engine::byte_kernels* code = nullptr;

    void run(std::byte* at) const {
        runs.for_each_row(at, [&](std::byte* begin, dim_t count, dim_t step) {
            code->flip_runs(begin, count, step, runs.length, flips);
        });
    }
};

/// Moves the values of each row to the slots that a turned digit gives them.
struct turn_step {
    chunk_place to;
    byte_runs runs;  // each has `extent` slots of `slot` bytes
    int extent = 0;
    dim_t slot = 0;
    std::vector<std::byte> masks;  // for each j: the bytes of a slot that belong to rows r with r % extent == j
    const engine::byte_kernels* code = nullptr;

    void run(std::byte* at) const {
        engine::byte_kernels::turn* const turn = extent == 2 ? code->turn_two : extent == 4 ? code->turn_four : nullptr;
        std::vector<std::byte> kept;
        runs.for_each_row(at, [&](std::byte* begin, dim_t count, dim_t step) {
            if (turn != nullptr && turn(begin, count, step, slot, masks.data())) return;
            kept.resize(static_cast<std::size_t>(extent * slot));
            for (; count > 0; --count, begin += step) turn_bytes(begin, kept.data());
        });
    }

private:
    void turn_bytes(std::byte* begin, std::byte* kept) const {
        std::memcpy(kept, begin, static_cast<std::size_t>(extent * slot));
        for (int t = 0; t < extent; ++t)
            for (dim_t i = 0; i < slot; ++i) {
                std::byte out{0};
                for (int j = 0; j < extent; ++j)
                    out |= kept[(t + j) % extent * slot + i] & masks[static_cast<std::size_t>(j * slot + i)];
                begin[t * slot + i] = out;
            }
    }
};

/// Copies bytes without leaving them in the caches, where the CPU can; and fetches the bytes that are read next. After
/// the last copy, code.finish_streams() must be called.
inline void store_past_caches(const engine::byte_kernels& code, std::byte* to, const std::byte* from, dim_t count,
                              const std::byte* next, dim_t next_count) {
    engine::copy_past_caches(from, to, count, [&](const std::byte* lines, std::byte* to_lines, dim_t bytes) {
        code.stream(lines, to_lines, bytes, next, next_count);
    });
}

/// Finds the runs of whole bytes that a piece fills, or, with `until`, those up to a digit.
inline bool runs_of(const record_piece& piece, int width, const piece_digit* until, byte_runs& out) {
    const dense_run run = run_of(piece, width, until);
    if (run.has_last != (until != nullptr) || run.bits % 8 != 0 || piece.at % 8 != 0) return false;
    for (const piece_digit& d : run.around) {
        if (d.stride % 8 != 0) return false;
        out.loops.push_back({d.extent, d.stride / 8});
    }
    out.begin = piece.at / 8;
    out.length = run.bits / 8;
    return out.length > 0;
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
