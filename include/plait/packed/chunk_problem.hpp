#pragma once
// What the steps of one chunk are planned from: the two records, with the indices of the chunk alone.

#include <plait/engine/kernel/compiled_kernels.hpp>
#include <plait/packed/piece_pair.hpp>
#include <plait/packed/record_chunks.hpp>
#include <plait/packed/repack_plan.hpp>
#include <plait/packed/repack_steps.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The ways of moving values that a plan may use. A plan that a user makes may use all that the CPU has. A test leaves
/// some out, so that each of them is tested on every CPU.
struct allowed_movers {
    isa instructions = isa::portable;  // of reorders and inner loops
    bool permutes = false;             // programs of byte permutes
    bool reorders = true;              // planned reorders; without them, tables move the values
    bool tables = true;                // tables of bits; without them, each value is moved by itself
    bool row_sums = true;              // sums of runs of bytes; without them, values are added one by one

    /// Returns all that the CPU has.
    static allowed_movers of_cpu() {
        allowed_movers out;
        with_widest_isa<isa::portable>([&out]<isa Isa>() { out.instructions = Isa; });
        out.permutes = engine::cpu_has_byte_permutes();
        return out;
    }
    const engine::byte_kernels& bytes() const { return engine::byte_kernels_of(instructions); }
    const engine::byte_window_code& windows() const { return engine::byte_windows_of(instructions); }
};

/// The fields of a chunk on both sides, and the steps that are planned for them.
struct chunk_problem {
    const record_chunk& from_;
    const record_chunk& to_;
    const repack_options& options_;
    const chunk_cut& cut_;
    chunk_steps* out_ = nullptr;
    allowed_movers movers_;

    /// Notes that a mover moves values of a field, or computes them.
    void note(const record_field& field, mover how) const {
        for (used_mover& m : out_->movers)
            if (m.field == field.name && m.how == how) return void(++m.pieces);
        out_->movers.push_back({field.name, how, movers_.instructions, 1});
    }
    dim_t bits_of(const record_piece& piece) const {
        dim_t out = to_.field_of(piece).width;
        for (const piece_digit& d : piece.digits) out *= d.extent;
        return out;
    }
    /// Returns how many bits the values of a field have in all of its pieces together.
    static int bits_of_values(const record_chunk& r, const field_name& name) {
        int out = 0;
        for (const record_field& f : r.tag.fields)
            if (f.name == name && f.low + f.width > out) out = f.low + f.width;
        return out;
    }
    /// Checks that steps which are taken one index at a time are not many more than the records have bits: an index
    /// space may be larger than any memory if values are shared.
    ///
    /// Refused: indices_are_too_many
    verdict check_count(dim_t indices, const field_name& name) const {
        if (indices <= most_indices()) return {};
        return {reason::indices_are_too_many, -1, short_name(name), indices, most_indices()};
    }
    dim_t most_indices() const { return most_visited(from_.size_in_bits + to_.size_in_bits); }
    chunk_place place_of(const record_chunk& r, const record_piece& piece) const {
        return {r.is_plain() ? piece.field : 0, chunk_bits(piece, cut_) / 8};
    }
    /// True if the digits of a plain tensor go on behind the end of an axis, where there is no memory.
    bool goes_beyond_end(const record_piece& piece) const {
        for (const piece_digit& d : piece.digits)
            if ((piece.open_axes >> d.axis & 1) != 0 && d.step * d.extent > to_.dims[d.axis]) return true;
        return false;
    }
    /// True if a reorder of a plain tensor would read behind the end of an axis, where there is no memory: in the last
    /// step of the outermost digit, those inside have values that no index has.
    bool is_read_beyond_end(const record_piece& piece) const {
        for (const piece_digit& inner : piece.digits) {
            const dim_t end = to_.dims[inner.axis];
            dim_t outermost = inner.step;
            for (const piece_digit& d : piece.digits)
                if (d.axis == inner.axis && d.step < end) outermost = larger_of(outermost, d.step);
            const dim_t rest = outermost > inner.step ? end % outermost : 0;
            if ((piece.open_axes >> inner.axis & 1) != 0 && rest != 0 && inner.step * inner.extent > rest) return true;
        }
        return false;
    }
    /// True if a pair leads behind the end of an axis on either side.
    bool goes_beyond_end(const piece_pair& pair) const {
        return goes_beyond_end(pair.dst) || is_read_beyond_end(pair.src);
    }
    /// Plans that padding of a piece is zeroed, or has the value of the last index of some axes.
    void add_padding(std::vector<chunk_steps::padding_step>& to, const record_piece& piece,
                     unsigned repeated_axes) const {
        const record_field& field = to_.field_of(piece);
        to.push_back({place_of(to_, piece), piece, limits(piece), field, repeated_axes});
        if (repeated_axes == 0) return;
        for (const record_piece& other : to_.pieces)
            if (to_.field_of(other).name == field.name)
                to.back().pieces.push_back({place_of(to_, other), other, to_.field_of(other)});
    }
    /// Plans that padding of a piece has the value that its field gives to it.
    void add_valued_padding(const record_piece& piece) const {
        const record_field& field = to_.field_of(piece);
        out_->repeats.push_back({place_of(to_, piece), piece, limits(piece), field, field.repeated_axes,
                                 field.stored(static_cast<std::uint64_t>(field.padding)), field.valued_axes});
    }
    /// Adds a step that makes all values zero, as the field stores it, before bits of them are moved.
    void add_zeros(const record_piece& piece, const record_field& field) const {
        record_piece values = piece;
        const plait::dims ends = limits(piece);
        for (int a = 0; a < ends.size(); ++a)
            values.extents[a] = smaller_of(piece.extents[a], larger_of(ends[a] - piece.origin[a], 0));
        plait::dims all_are_padding = ends;
        for (dim_t& end : all_are_padding) end = 0;
        out_->wider.push_back({place_of(to_, piece), values, all_are_padding, field, 0, field.flipped});
    }
    static bool has_padding(const record_piece& piece, const plait::dims& dims) {
        for (int a = 0; a < dims.size(); ++a)
            if (piece.origin[a] + piece.extents[a] > piece.end(a, dims)) return true;
        return false;
    }
    plait::dims limits(const record_piece& piece) const {
        plait::dims out = to_.dims;
        for (int a = 0; a < out.size(); ++a) out[a] = piece.end(a, to_.dims);
        return out;
    }
};

/// True for types whose values may be rounded.
constexpr bool is_floating(data_type type) {
    return type != data_type::undef && type != data_type::s32 && type != data_type::s8 && type != data_type::u8 &&
           !(type >= data_type::u1 && type <= data_type::s4) && type != data_type::boolean;
}

}  // namespace plait::detail
