#pragma once
// Moves values whose bits lie irregularly one after the other.

#include <plait/packed/bit_access.hpp>
#include <plait/packed/float_bits_access.hpp>
#include <plait/packed/index_units.hpp>
#include <plait/packed/piece_pair.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns how many neighbours lie at the same places of both pieces.
constexpr index_units units_of(const piece_pair& pair) {
    index_units out(pair.dims);
    out.add(pair.dst);
    out.add(pair.src);
    return out;
}

/// Calls what(index, dst bit, src bit) for each value that a pair has in common; of values that share a place in the
/// destination, for the first one.
template <class What>
void for_each_common(const piece_pair& pair, const pair_loops& refined, const What& what) {
    if (pair.is_empty()) return;
    position index = pair.first;
    if (!refined.refined) {
        const plait::dims units = units_of(pair).units();
        for (;;) {
            if (pair.dst.holds(index) && pair.src.holds(index))
                what(index, pair.dst.place(index), pair.src.place(index));
            int a = index.size() - 1;
            while (a >= 0 && (index[a] += units[a]) >= pair.last[a]) index[a] = pair.first[a], --a;
            if (a < 0) return;
        }
    }
    dim_t count[pair_loops::most]{};
    const int loops = refined.loops.size();
    dim_t dst = pair.dst.place(pair.first), src = pair.src.place(pair.first);
    for (int i = 0; i < loops; ++i) {
        const pair_loop& l = refined.loops[i];
        if (l.extent == 0) return;
        if (!l.fixed) continue;
        index[l.axis] += l.value * l.step;
        dst += l.value * l.dst;
        src += l.value * l.src;
    }
    for (;;) {
        bool inside = true;
        for (int a = 0; a < index.size(); ++a) inside = inside && index[a] < pair.last[a];
        if (inside) what(index, dst, src);
        int i = 0;
        for (; i < loops; ++i) {
            const pair_loop& l = refined.loops[i];
            if (l.fixed || l.dst_shares) continue;
            index[l.axis] += l.step;
            dst += l.dst;
            src += l.src;
            if (++count[i] < l.extent) break;
            count[i] = 0;
            index[l.axis] -= l.extent * l.step;
            dst -= l.extent * l.dst;
            src -= l.extent * l.src;
        }
        if (i == loops) return;
    }
}

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

}  // namespace plait::detail
