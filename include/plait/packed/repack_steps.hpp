#pragma once
// The steps that move one chunk of a record, in the order in which they run.

#include <plait/packed/bit_program.hpp>
#include <plait/packed/byte_steps.hpp>
#include <plait/packed/listed_sums.hpp>
#include <plait/packed/permute_program.hpp>
#include <plait/packed/row_sums.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <list>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Moves the common bits of a pair one value after the other.
inline void move_values(const piece_pair& pair, const pair_loops& refined, std::uint64_t flipped, const std::byte* src,
                        std::byte* dst) {
    for_each_common(pair, refined, [&](const position&, dim_t to, dim_t from) {
        write_bits(dst, to + pair.dst_low, pair.width, read_bits(src, from + pair.src_low, pair.width) ^ flipped);
    });
}

/// Moves the common bits of a pair one value after the other. A number was subtracted from the values of the source,
/// which have `whole_width` bits; it is added to them again.
inline void add_to_values(const piece_pair& pair, const pair_loops& refined, std::uint64_t flipped, int subtracted,
                          int whole_width, const std::byte* src, std::byte* dst) {
    for_each_common(pair, refined, [&](const position&, dim_t to, dim_t from) {
        const std::uint64_t value =
            (read_bits(src, from, whole_width) + static_cast<std::uint64_t>(subtracted)) & low_bits(whole_width);
        write_bits(dst, to + pair.dst_low, pair.width, value >> pair.src_low ^ flipped);
    });
}

/// Moves floating values of a pair one after the other, times a factor.
inline void convert_values(const piece_pair& pair, const pair_loops& refined, data_type dst_type, data_type src_type,
                           float factor, const std::byte* src, std::byte* dst) {
    for_each_common(pair, refined, [&](const position&, dim_t to, dim_t from) {
        const float value = float_of_bits(src_type, read_bits(src, from, size_in_bits(src_type))) * factor;
        write_bits(dst, to, size_in_bits(dst_type), bits_of_float(dst_type, value));
    });
}

/// Walks the places of a piece, the outermost digit first.
class padding_walk {
public:
    /// `ends` has the end of the indices of each axis; the places behind it are padding.
    constexpr padding_walk(const record_piece& piece, const plait::dims& ends) : piece_(piece), ends_(ends) {
        for (int a = 0; a < ends.size(); ++a) reach_[0].push_back(0);
        for (int k = 0; k < piece.digits.size(); ++k) {
            const piece_digit& d = piece.digits[k];
            reach_[k + 1] = reach_[k];
            reach_[k + 1][d.axis] += larger_of(d.extent - 1, 0) * d.step;
        }
    }

    /// Calls what(index) for the first of the indices that share each place of padding.
    template <class What>
    void for_each(const What& what) const {
        position index = piece_.origin;
        for (const piece_condition& c : piece_.where)
            if (c.extent != 0) index[c.axis] += c.first * c.step;
        for (const piece_digit& d : piece_.digits)
            if (d.extent == 0) return;
        visit(piece_.digits.size(), index, what);
    }

private:
    template <class What>
    void visit(int digits, position& index, const What& what) const {
        bool are_all_inside = true;
        for (int a = 0; a < index.size(); ++a) {
            if (index[a] - piece_.origin[a] >= piece_.extents[a]) return;
            are_all_inside = are_all_inside && index[a] + reach_[digits][a] < ends_[a];
        }
        if (are_all_inside) return;
        if (digits == 0) return what(index);
        const piece_digit& d = piece_.digits[digits - 1];
        const dim_t before = index[d.axis];
        for (dim_t v = 0; v < d.extent; ++v, index[d.axis] += d.step) visit(digits - 1, index, what);
        index[d.axis] = before;
    }

    const record_piece& piece_;
    const plait::dims& ends_;
    position reach_[max_piece_digits + 1];  // how far the innermost digits lead along each axis
};

/// The steps of a chunk.
struct chunk_steps {
    /// A reorder, which is planned where it stays: a plan is large.
    struct reorder_step {
        chunk_place from, to;
        expected<planned_reorder> plan;
        reorder_step(const chunk_place& source, const chunk_place& destination, const descriptor& src,
                     const descriptor& dst, const reorder_attributes& attributes, isa instructions)
            : from(source), to(destination), plan(engine::compiled_once::make(instructions, src, dst, attributes)) {}
    };
    struct value_step {
        chunk_place from, to;
        piece_pair pair;
        pair_loops loops;
        std::uint64_t flips = 0;
        data_type dst_type = data_type::undef, src_type = data_type::undef;  // undef: bits are copied
        float factor = 1;
        int subtracted = 0, whole_width = 0;  // from values in the source, which have this many bits
        void run(const std::byte* src, std::byte* dst) const;
    };
    /// Sums of rows. With `of_is_stored`, the summed field is read from the destination.
    struct row_sums_step {
        chunk_place of, times, to;
        bool of_is_stored = false;
        detail::row_sums rows;
        void run(const chunk_memory& memory) const {
            rows(memory.summed(of, of_is_stored), memory.summed(times, of_is_stored), memory.destination(to));
        }
    };
    /// Sums of values that are listed. With `of_is_stored`, the summed field is read from the destination.
    struct listed_sums_step {
        chunk_place to;
        bool of_is_stored = false;
        detail::listed_sums sums;
        void run(const chunk_memory& memory) const {
            sums.store([&](const value_part& p) { return memory.summed(p.from, of_is_stored); },
                       memory.destination(to));
        }
    };
    /// Subtracts a number from all values of a piece, padding included.
    struct difference_step {
        chunk_place to;
        record_piece piece;
        int width = 0, subtracted = 0;
        byte_runs runs;  // empty if the values are not bytes in runs
        void run(std::byte* at) const;
    };
    /// Padding that is zeroed, that has a value, or that repeats the last index of an axis; or values, all of which are
    /// `written` first.
    struct padding_step {
        chunk_place to;
        record_piece piece;
        plait::dims dims;
        record_field field;
        unsigned repeated_axes = 0;
        std::uint64_t written = 0;
        unsigned valued_axes = 0;  // `written` is stored only where these and `repeated_axes` are padded
        // All pieces of the field: the last index may be stored in another one than its padding.
        std::vector<value_part> pieces = {};
        void run(std::byte* at) const;
    };

    dim_t chunk_bytes = 0;             // of a destination that is a record
    dim_t cleared = 0;                 // of these, how many are zeroed first
    std::vector<padding_step> wider;   // values of which the source has not all bits
    std::list<reorder_step> reorders;  // all of them planned
    std::vector<permute_program> permutes;
    std::vector<bit_program> programs;
    std::vector<value_step> values;
    std::vector<turn_step> turns;
    std::vector<flip_step> flips;
    std::vector<difference_step> differences;
    std::vector<padding_step> padding;
    std::vector<row_sums_step> row_sums;
    std::vector<listed_sums_step> listed_sums;
    std::vector<padding_step> repeats;
    std::vector<used_mover> movers;  // of the steps above, for explain

    void run(const chunk_memory& memory) const;
    /// True if one reorder does everything.
    bool is_one_reorder() const {
        return cleared == 0 && wider.empty() && reorders.size() == 1 && permutes.empty() && programs.empty() &&
               values.empty() && turns.empty() && flips.empty() && differences.empty() && padding.empty() &&
               row_sums.empty() && listed_sums.empty() && repeats.empty();
    }
};

inline void chunk_steps::value_step::run(const std::byte* src, std::byte* dst) const {
    if (subtracted != 0) add_to_values(pair, loops, flips, subtracted, whole_width, src, dst);
    else if (dst_type == data_type::undef) move_values(pair, loops, flips, src, dst);
    else convert_values(pair, loops, dst_type, src_type, factor, src, dst);
}

inline void chunk_steps::difference_step::run(std::byte* at) const {
    if (runs.length > 0) {
        runs.for_each_row(at, [&](std::byte* begin, dim_t count, dim_t step) {
            for (; count > 0; --count, begin += step)
                for (dim_t i = 0; i < runs.length; ++i)
                    begin[i] =
                        static_cast<std::byte>(std::to_integer<unsigned>(begin[i]) - static_cast<unsigned>(subtracted));
        });
        return;
    }
    plait::dims all_are_padding;
    for (int a = 0; a < piece.extents.size(); ++a) all_are_padding.push_back(0);
    padding_walk(piece, all_are_padding).for_each([&](const position& index) {
        const dim_t place = piece.place(index);
        write_bits(at, place, width, read_bits(at, place, width) - static_cast<std::uint64_t>(subtracted));
    });
}

inline void chunk_steps::padding_step::run(std::byte* at) const {
    const auto here = [at](const value_part&) { return at; };  // a piece and its padding are counted from one place
    const bool is_repeated = repeated_axes != 0 && valued_axes == 0;
    padding_walk(piece, dims).for_each([&](const position& index) {
        position last = index;
        unsigned padded = 0;
        for (int a = 0; a < index.size(); ++a) {
            if (index[a] < dims[a]) continue;
            padded |= 1u << a;
            last[a] = dims[a] - 1;
        }
        if (is_repeated && (padded & ~repeated_axes) != 0) return;
        if (valued_axes != 0 && ((padded & valued_axes) == 0 || (padded & ~(valued_axes | repeated_axes)) != 0)) return;
        const std::uint64_t value = is_repeated ? field.stored(value_of_parts(pieces, last, here)) : written;
        write_bits(at, piece.place(index), field.width, value);
    });
}

inline void chunk_steps::run(const chunk_memory& memory) const {
    if (cleared > 0) std::memset(memory.destination({0, chunk_bytes}), 0, static_cast<std::size_t>(cleared));
    for (const padding_step& s : wider) s.run(memory.destination(s.to));
    for (const reorder_step& s : reorders) (*s.plan)(memory.source(s.from), memory.destination(s.to));
    for (const permute_program& s : permutes) s.run(memory.source(s.from), memory.destination(s.to));
    for (const bit_program& s : programs) s.run(memory.source(s.from), memory.destination(s.to));
    for (const value_step& s : values) s.run(memory.source(s.from), memory.destination(s.to));
    for (const turn_step& s : turns) s.run(memory.destination(s.to));
    for (const flip_step& s : flips) s.run(memory.destination(s.to));
    for (const difference_step& s : differences) s.run(memory.destination(s.to));
    for (const padding_step& s : padding) s.run(memory.destination(s.to));
    for (const row_sums_step& s : row_sums) s.run(memory);
    for (const listed_sums_step& s : listed_sums) s.run(memory);
    for (const padding_step& s : repeats) s.run(memory.destination(s.to));
}

}  // namespace plait::detail
