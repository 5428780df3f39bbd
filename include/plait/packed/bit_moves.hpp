#pragma once
// Moves values whose bits lie irregularly: element by element, or by a table of the bytes of one unit that repeats.

#include <plait/packed/bit_access.hpp>
#include <plait/packed/float_bits_access.hpp>
#include <plait/packed/piece_pair.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace plait::detail {

/// Calls what(index, dst bit, src bit) for each value that a pair has in common; of values that share a place in the
/// destination, for the first one.
template <class What>
void for_each_common(const piece_pair& pair, const pair_loops& refined, const What& what) {
    if (pair.is_empty()) return;
    position index = pair.first;
    if (!refined.refined) {
        for (;;) {
            if (pair.dst.holds(index) && pair.src.holds(index))
                what(index, pair.dst.place(index), pair.src.place(index));
            int a = index.size() - 1;
            while (a >= 0 && ++index[a] == pair.last[a]) index[a] = pair.first[a], --a;
            if (a < 0) return;
        }
    }
    dim_t count[40]{};
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

/// Which bits of a byte of the destination come from which byte of the source.
struct bit_source {
    std::uint32_t src = 0;   // the byte of the unit
    std::uint8_t shift = 0;  // (byte << 8) >> shift
    std::uint8_t mask = 0;
};

/// A byte of the destination, and the entries of bit_program::sources that it is made of.
struct bit_target {
    std::uint32_t dst = 0, first = 0, last = 0;
    std::uint8_t kept = 0;  // bits that belong to others
    std::uint8_t flipped = 0;
};

/// A table for one unit of the destination, and loops around it that step by whole bytes on both sides.
struct bit_program {
    struct loop {
        dim_t extent = 0, dst = 0, src = 0;  // bytes
        int axis = 0;
        dim_t step = 0;
    };
    int buffer = 0;
    std::vector<loop> loops;  // from the innermost
    std::vector<bit_source> sources;
    std::vector<bit_target> targets;
    dim_t dst_begin = 0, src_begin = 0;  // bytes

    void run_unit(const std::byte* src, std::byte* dst) const {
        for (const bit_target& target : targets) {
            std::uint32_t value = target.flipped;
            for (std::uint32_t i = target.first; i < target.last; ++i) {
                const bit_source& s = sources[i];
                value ^= static_cast<std::uint32_t>(src[s.src]) << 8 >> s.shift & s.mask;
            }
            std::byte& to = dst[target.dst];
            to = static_cast<std::byte>((static_cast<std::uint32_t>(to) & target.kept) | value);
        }
    }
    void run(const std::byte* src, std::byte* dst) const {
        src += src_begin;
        dst += dst_begin;
        run_loops(static_cast<int>(loops.size()), src, dst);
    }
    void run_loops(int depth, const std::byte* src, std::byte* dst) const {
        if (depth == 0) return run_unit(src, dst);
        const loop& l = loops[static_cast<std::size_t>(depth - 1)];
        for (dim_t i = 0; i < l.extent; ++i) run_loops(depth - 1, src + i * l.src, dst + i * l.dst);
    }
};

/// Makes the table of one pair.
class bit_program_maker {
public:
    explicit bit_program_maker(const piece_pair& pair, const pair_loops& refined, std::uint64_t flipped)
        : pair_(pair), refined_(refined), flipped_(flipped) {}

    /// Returns false if the pair has no unit of whole bytes, or one that is too large.
    bool make(bit_program& out) {
        if (!refined_.refined || pair_.is_empty() || has_tail()) return false;
        pair_loops inner = refined_;
        const dim_t dst = pair_.dst.place(pair_.first), src = pair_.src.place(pair_.first);
        dim_t unit = 1;
        for (int i = 0; i < inner.loops.size(); ++i) {
            pair_loop& l = inner.loops[i];
            if (l.fixed || l.dst_shares) continue;
            if (l.dst % 8 == 0 && l.src % 8 == 0 && l.dst != 0) {
                out.loops.push_back({l.extent, l.dst / 8, l.src / 8, l.axis, l.step});
                l.extent = 1;
            }
            unit *= l.extent;
        }
        if (unit > most_values) return false;
        sort_loops(out);
        add_inner_loops(out, inner, unit);
        out.dst_begin = divide_down(dst, 8);
        out.src_begin = divide_down(src, 8);
        const dim_t dst_first = out.dst_begin * 8, src_first = out.src_begin * 8;
        for_each_common(pair_, inner, [&](const position&, dim_t to, dim_t from) {
            add_value(out, to - dst_first + pair_.dst_low, from - src_first + pair_.src_low);
        });
        return valid_ && finish(out);
    }

private:
    static constexpr dim_t most_values = 1 << 14, few_values = 64;

    bool has_tail() const {
        for (int a = 0; a < pair_.last.size(); ++a) {
            dim_t whole = 1;
            for (const pair_loop& l : refined_.loops)
                if (l.axis == a) whole = larger_of(whole, l.step * l.extent);
            if (whole != pair_.last[a] - pair_.first[a] && !(whole == 1 && pair_.last[a] - pair_.first[a] == 1))
                return true;
        }
        return false;
    }
    /// Sorts loops so that the one with the least step in the destination is the innermost.
    static void sort_loops(bit_program& out) {
        for (std::size_t i = 1; i < out.loops.size(); ++i)
            for (std::size_t k = i; k > 0 && magnitude(out.loops[k].dst) < magnitude(out.loops[k - 1].dst); --k)
                std::swap(out.loops[k], out.loops[k - 1]);
    }
    static dim_t magnitude(dim_t n) { return n < 0 ? -n : n; }

    /// Makes inner loops part of the unit while it has few values, so that a call does more.
    static void add_inner_loops(bit_program& out, pair_loops& inner, dim_t unit) {
        while (!out.loops.empty() && unit * out.loops.front().extent <= few_values) {
            const bit_program::loop taken = out.loops.front();
            for (pair_loop& l : inner.loops)
                if (l.axis == taken.axis && l.step == taken.step) l.extent = taken.extent;
            unit *= taken.extent;
            out.loops.erase(out.loops.begin());
        }
    }

    void add_value(bit_program& out, dim_t to, dim_t from) {
        for (int bit = 0; bit < pair_.width;) {
            const dim_t dst = to + bit, src = from + bit;
            const int dst_bit = static_cast<int>(dst % 8), src_bit = static_cast<int>(src % 8);
            int count = pair_.width - bit;
            if (count > 8 - dst_bit) count = 8 - dst_bit;
            if (count > 8 - src_bit) count = 8 - src_bit;
            if (dst < 0 || src < 0) return void(valid_ = false);
            const auto mask = static_cast<std::uint8_t>(low_bits(count) << dst_bit);
            entries_.push_back({static_cast<std::uint32_t>(dst / 8), static_cast<std::uint32_t>(src / 8),
                                static_cast<std::uint8_t>(8 + src_bit - dst_bit), mask,
                                static_cast<std::uint8_t>((flipped_ >> bit & low_bits(count)) << dst_bit)});
            bit += count;
        }
        static_cast<void>(out);
    }

    bool finish(bit_program& out) {
        std::sort(entries_.begin(), entries_.end(), [](const entry& a, const entry& b) {
            if (a.dst != b.dst) return a.dst < b.dst;
            return a.src != b.src ? a.src < b.src : a.shift < b.shift;
        });
        for (const entry& e : entries_) {
            if (out.targets.empty() || out.targets.back().dst != e.dst) {
                const auto at = static_cast<std::uint32_t>(out.sources.size());
                out.targets.push_back({e.dst, at, at, 0xff, 0});
            }
            bit_target& target = out.targets.back();
            target.kept = static_cast<std::uint8_t>(target.kept & ~e.mask);
            target.flipped = static_cast<std::uint8_t>(target.flipped | e.flipped);
            const bool same =
                target.last > target.first && out.sources.back().src == e.src && out.sources.back().shift == e.shift;
            if (same) out.sources.back().mask = static_cast<std::uint8_t>(out.sources.back().mask | e.mask);
            else out.sources.push_back({e.src, e.shift, e.mask}), ++target.last;
        }
        return true;
    }

    struct entry {
        std::uint32_t dst, src;
        std::uint8_t shift, mask, flipped;
    };
    const piece_pair& pair_;
    const pair_loops& refined_;
    std::uint64_t flipped_;
    std::vector<entry> entries_;
    bool valid_ = true;
};

/// Moves the common bits of a pair one value after the other.
inline void move_values(const piece_pair& pair, const pair_loops& refined, std::uint64_t flipped, const std::byte* src,
                        std::byte* dst) {
    for_each_common(pair, refined, [&](const position&, dim_t to, dim_t from) {
        write_bits(dst, to + pair.dst_low, pair.width, read_bits(src, from + pair.src_low, pair.width) ^ flipped);
    });
}

/// Moves floating values of a pair one after the other, times a factor.
inline void convert_values(const piece_pair& pair, const pair_loops& refined, data_type dst_type, data_type src_type, float factor,
                           const std::byte* src, std::byte* dst) {
    for_each_common(pair, refined, [&](const position&, dim_t to, dim_t from) {
        const float value = float_of_bits(src_type, read_bits(src, from, size_in_bits(src_type))) * factor;
        write_bits(dst, to, size_in_bits(dst_type), bits_of_float(dst_type, value));
    });
}

}  // namespace plait::detail
