#pragma once
// The steps that move one chunk of a record, in the order in which they run.

#include <plait/packed/bit_moves.hpp>
#include <plait/packed/field_sums.hpp>
#include <plait/packed/slow_sums.hpp>
#include <plait/reorder/planned_reorder.hpp>

#include <vector>

namespace plait::detail {

/// A run of bytes that is repeated by loops.
struct byte_runs {
    struct loop {
        dim_t extent = 0, bytes = 0;
    };
    std::vector<loop> loops;  // from the innermost
    dim_t begin = 0, length = 0;

    template <class What>
    void for_each(std::byte* at, const What& what) const {
        run(static_cast<int>(loops.size()), at + begin, what);
    }

private:
    template <class What>
    void run(int depth, std::byte* at, const What& what) const {
        if (depth == 0) return what(at);
        const loop& l = loops[static_cast<std::size_t>(depth - 1)];
        for (dim_t i = 0; i < l.extent; ++i) run(depth - 1, at + i * l.bytes, what);
    }
};

/// Inverts bits of all bytes of some runs.
struct flip_step {
    chunk_place to;
    byte_runs runs;
    std::uint8_t flips = 0;
    void run(std::byte* at) const;
};

/// Moves the values of each row to the slots that a turned digit gives them.
struct turn_step {
    chunk_place to;
    byte_runs runs;  // each has `extent` slots of `slot` bytes
    int extent = 0;
    dim_t slot = 0;
    std::vector<std::byte> masks;  // for each j: the bytes of a slot that belong to rows r with r % extent == j
    void run(std::byte* at) const;
};

/// The steps of a chunk.
struct chunk_steps {
    struct reorder_step {
        chunk_place from, to;
        planned_reorder plan;
    };
    struct program_step {
        chunk_place from, to;
        bit_program program;
    };
    struct value_step {
        chunk_place from, to;
        piece_pair pair;
        pair_loops loops;
        std::uint64_t flips = 0;
        data_type dst_type = data_type::undef, src_type = data_type::undef;  // undef: bits are copied
        float factor = 1;
        void run(const std::byte* src, std::byte* dst) const;
    };
    struct summing_step {
        chunk_place of, times, to;
        bool of_is_stored = false;  // the summed field is read from the destination
        sum_step sum;
    };
    /// Padding that is zeroed, or that repeats the last index of an axis.
    struct padding_step {
        chunk_place to;
        record_piece piece;
        plait::dims dims;
        int width = 0;
        unsigned repeated_axes = 0;
        void run(std::byte* at) const;
    };

    dim_t cleared = 0;  // bytes of a destination that is a record, which are zeroed first
    std::vector<reorder_step> reorders;
    std::vector<program_step> programs;
    std::vector<value_step> values;
    std::vector<turn_step> turns;
    std::vector<flip_step> flips;
    std::vector<padding_step> padding;
    std::vector<summing_step> sums;
    std::vector<slow_sum_step> slow_sums;
    std::vector<padding_step> repeats;

    void run(const side_buffers<const std::byte>& from, const side_buffers<std::byte>& to, dim_t chunk,
             dim_t chunk_bytes) const;
};

inline void chunk_steps::value_step::run(const std::byte* src, std::byte* dst) const {
    if (dst_type == data_type::undef) move_values(pair, loops, flips, src, dst);
    else convert_values(pair, loops, dst_type, src_type, factor, src, dst);
}

inline void flip_step::run(std::byte* at) const {
    runs.for_each(at, [this](std::byte* begin) {
        const std::uint64_t word_flips = flips * std::uint64_t{0x0101010101010101};
        dim_t i = 0;
        for (; i + 8 <= runs.length; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, begin + i, 8);
            word ^= word_flips;
            std::memcpy(begin + i, &word, 8);
        }
        for (; i < runs.length; ++i) begin[i] ^= static_cast<std::byte>(flips);
    });
}

inline void turn_step::run(std::byte* at) const {
    std::vector<std::byte> kept(static_cast<std::size_t>(extent * slot));
    runs.for_each(at, [&](std::byte* begin) {
        std::memcpy(kept.data(), begin, kept.size());
        for (int t = 0; t < extent; ++t)
            for (dim_t i = 0; i < slot; i += 8) {
                const auto bytes = static_cast<std::size_t>(slot - i < 8 ? slot - i : 8);
                std::uint64_t out = 0;
                for (int j = 0; j < extent; ++j) {
                    std::uint64_t word = 0, mask = 0;
                    std::memcpy(&word, kept.data() + (t + j) % extent * slot + i, bytes);
                    std::memcpy(&mask, masks.data() + j * slot + i, bytes);
                    out |= word & mask;
                }
                std::memcpy(begin + t * slot + i, &out, bytes);
            }
    });
}

/// True if an index is stored in a piece, and is the first of those that share its value.
inline bool has_own_value(const record_piece& piece, const position& index) {
    for (int a = 0; a < index.size(); ++a) {
        dim_t known = 0;
        for (const piece_digit& d : piece.digits)
            if (d.axis == a) known += (index[a] - piece.origin[a]) / d.step % d.extent * d.step;
        for (const piece_condition& c : piece.where)
            if (c.axis == a && c.extent != 0) known += c.first * c.step;
        if (known != index[a] - piece.origin[a]) return false;
    }
    for (const piece_condition& c : piece.where)
        if (c.extent != 0 && !c.holds(index)) return false;
    return true;
}

inline void chunk_steps::padding_step::run(std::byte* at) const {
    position index = piece.origin;
    for (int a = 0; a < index.size(); ++a)
        if (piece.extents[a] == 0) return;
    for (;;) {
        bool inside = true, others_inside = true;
        for (int a = 0; a < index.size(); ++a) {
            const bool is_inside = index[a] < dims[a];
            inside = inside && is_inside;
            others_inside = others_inside && ((repeated_axes >> a & 1) != 0 || is_inside);
        }
        const bool is_own = !inside && has_own_value(piece, index);
        if (is_own && repeated_axes == 0) write_bits(at, piece.place(index), width, 0);
        if (is_own && repeated_axes != 0 && others_inside) {
            position last = index;
            for (int a = 0; a < last.size(); ++a)
                if (last[a] >= dims[a]) last[a] = dims[a] - 1;
            write_bits(at, piece.place(index), width, read_bits(at, piece.place(last), width));
        }
        // Only indices behind the end of some axis are visited: all others of the innermost axis are skipped.
        int a = index.size() - 1;
        if (inside) index[a] = dims[a] - 1;
        while (a >= 0 && ++index[a] >= piece.origin[a] + piece.extents[a]) index[a] = piece.origin[a], --a;
        if (a < 0) return;
    }
}

inline void chunk_steps::run(const side_buffers<const std::byte>& from, const side_buffers<std::byte>& to, dim_t chunk,
                             dim_t chunk_bytes) const {
    if (cleared > 0) std::memset(to[0] + chunk * chunk_bytes, 0, static_cast<std::size_t>(cleared));
    for (const reorder_step& s : reorders) s.plan(s.from.of(from, chunk), s.to.of(to, chunk));
    for (const program_step& s : programs) s.program.run(s.from.of(from, chunk), s.to.of(to, chunk));
    for (const value_step& s : values) s.run(s.from.of(from, chunk), s.to.of(to, chunk));
    for (const turn_step& s : turns) s.run(s.to.of(to, chunk));
    for (const flip_step& s : flips) s.run(s.to.of(to, chunk));
    for (const padding_step& s : padding) s.run(s.to.of(to, chunk));
    for (const summing_step& s : sums) {
        const std::byte* of = s.of_is_stored ? s.of.of(to, chunk) : s.of.of(from, chunk);
        const std::byte* times = s.of_is_stored ? s.times.of(to, chunk) : s.times.of(from, chunk);
        s.sum.run(of, times, s.to.of(to, chunk));
    }
    for (const slow_sum_step& s : slow_sums) s.run(from, to, chunk);
    for (const padding_step& s : repeats) s.run(s.to.of(to, chunk));
}

}  // namespace plait::detail
