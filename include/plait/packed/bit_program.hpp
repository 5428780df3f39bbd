#pragma once
// A table of the bytes of one unit of the destination, which repeats: which bits come from where in the source. Runs of
// whole bytes are moved in vectors.

#include <plait/engine/simd/byte_windows.hpp>
#include <plait/packed/piece_pair.hpp>
#include <plait/packed/record_chunks.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Which bits of a byte of the destination come from which byte of the source.
struct bit_source {
    std::uint32_t src = 0;   // the byte of the unit
    std::uint8_t shift = 0;  // (byte << 8) >> shift
    std::uint8_t mask = 0;
};

/// A byte of the destination, and the bits of it that belong to others.
struct bit_target {
    std::uint32_t dst = 0;
    std::uint8_t kept = 0, flipped = 0;
};

/// A table of shuffles, and the memory that it points to.
struct shuffle_program {
    std::vector<engine::shuffle_target> targets;
    std::vector<engine::shuffle_group> groups;
    std::vector<std::uint32_t> terms;
    /// In lines of the cache, because a load that crosses two takes twice as long.
    struct alignas(64) line {
        std::byte bytes[64];
    };
    std::vector<line> lines;
    std::size_t used = 0;  // bytes of the lines

    engine::shuffle_table table() const {
        return {targets.data(), targets.data() + targets.size(), groups.data(), terms.data(),
                reinterpret_cast<const std::byte*>(lines.data())};
    }
    std::byte* add_vector(std::size_t size, std::byte fill) {
        lines.resize((used + size + sizeof(line) - 1) / sizeof(line));
        std::byte* const out = reinterpret_cast<std::byte*>(lines.data()) + used;
        used += size;
        std::memset(out, std::to_integer<int>(fill), size);
        return out;
    }
};

/// Makes tables for bytes of the destination that lie side by side.
class shuffle_maker {
public:
    /// Pre:     the source has bytes up to src_end
    shuffle_maker(const engine::byte_window_code& code, dim_t src_end) : code_(code), last_window_(src_end - window) {}

    /// Adds a run of whole bytes, or returns false if other tables move it faster. Byte i has the sources from
    /// first[i] to first[i + 1].
    bool add(std::span<const bit_target> run, const std::uint32_t* first, const bit_source* of, shuffle_program& out) {
        const auto length = static_cast<dim_t>(run.size());
        if (last_window_ < 0 || length < least_run) return false;
        const std::size_t targets = out.targets.size(), groups = out.groups.size(), terms = out.terms.size(),
                          used = out.used;
        const dim_t step = smaller_of(length, dim_t{code_.vector_bytes});
        for (dim_t i = 0; i < length; i += step) {
            // The last vector of a run begins earlier, and has some bytes of the one before.
            const dim_t begin = smaller_of(i, length - step);
            add_target(run.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(step)), first + begin, of,
                       out);
        }
        const std::size_t steps = out.terms.size() - terms + 2 * (out.groups.size() - groups);
        if (steps <= 2 * std::size_t{first[length] - first[0]}) return true;
        out.targets.resize(targets), out.groups.resize(groups), out.terms.resize(terms), out.used = used;
        return false;
    }

private:
    static constexpr dim_t window = 16, least_run = 8;

    /// The bits that the bytes of a target take from the source with one shift.
    struct picks {
        int shift = 0;
        std::vector<const bit_source*> of;  // of each byte; null: nothing
    };

    void add_target(std::span<const bit_target> bytes, const std::uint32_t* first, const bit_source* of,
                    shuffle_program& out) {
        std::vector<picks> groups;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            for (std::uint32_t s = first[i]; s < first[i + 1]; ++s) {
                auto group = std::find_if(groups.begin(), groups.end(),
                                          [&](const picks& g) { return g.shift == of[s].shift && g.of[i] == nullptr; });
                if (group == groups.end())
                    group = groups.insert(group, {of[s].shift, std::vector<const bit_source*>(bytes.size())});
                group->of[i] = &of[s];
            }
        out.targets.push_back(
            {bytes[0].dst, static_cast<std::int32_t>(groups.size()), static_cast<std::int32_t>(bytes.size())});
        std::byte* const flips = add_vector(out);
        for (std::size_t i = 0; i < bytes.size(); ++i) flips[i] = std::byte{bytes[i].flipped};
        for (const picks& group : groups) add_group(group, out);
    }
    std::byte* add_vector(shuffle_program& out, std::byte fill = {}) const {
        return out.add_vector(static_cast<std::size_t>(code_.vector_bytes), fill);
    }
    void add_group(const picks& group, shuffle_program& out) const {
        std::vector<std::pair<std::uint32_t, std::size_t>> sources;  // with the byte of the target that each is for
        sources.reserve(group.of.size());
        for (std::size_t i = 0; i < group.of.size(); ++i)
            if (group.of[i] != nullptr) sources.emplace_back(group.of[i]->src, i);
        std::sort(sources.begin(), sources.end());
        engine::shuffle_group made;
        if (group.shift < 8) made.left = static_cast<std::uint8_t>(8 - group.shift);
        else made.right = static_cast<std::uint8_t>(group.shift - 8);
        dim_t begin = -window;  // of the last window of sources
        std::byte* which = nullptr;
        for (const auto& [src, byte] : sources) {
            if (src >= begin + window) {
                begin = smaller_of(dim_t{src}, last_window_);
                which = add_vector(out, std::byte{0x80});
                out.terms.push_back(static_cast<std::uint32_t>(begin));
                ++made.terms;
            }
            which[byte] = static_cast<std::byte>(src - begin);
        }
        std::byte* const mask = add_vector(out);
        for (std::size_t i = 0; i < group.of.size(); ++i)
            if (group.of[i] != nullptr) mask[i] = std::byte{group.of[i]->mask};
        out.groups.push_back(made);
    }

    const engine::byte_window_code& code_;
    dim_t last_window_;
};

/// Bytes of the destination that are made of the same number of sources each.
struct bit_targets {
    int sources = 0;
    std::vector<bit_target> targets;
    std::vector<bit_source> of;  // those of the first target, then those of the second ...
};

/// A table for one unit, and loops around it that step by whole bytes on both sides.
struct bit_program {
    struct loop {
        int axis = 0;
        dim_t step = 0, extent = 0, dst = 0, src = 0;  // strides in bytes
        constexpr bool operator==(const loop&) const = default;
    };
    chunk_place from, to;
    std::vector<loop> loops;  // from the innermost
    const engine::byte_window_code* code = nullptr;
    shuffle_program shuffles;            // for the registers of this code
    std::vector<bit_targets> tables;     // what shuffles do not move
    dim_t dst_begin = 0, src_begin = 0;  // bytes

    void run(const std::byte* src, std::byte* dst) const {
        run_loops(static_cast<int>(loops.size()), src + src_begin, dst + dst_begin);
    }

private:
    void run_loops(int depth, const std::byte* src, std::byte* dst) const {
        if (depth == 0) return run_unit(src, dst);
        const loop& l = loops[static_cast<std::size_t>(depth - 1)];
        if (depth == 1 && tables.empty()) return code->run(shuffles.table(), l.extent, l.src, l.dst, src, dst);
        for (dim_t i = 0; i < l.extent; ++i) run_loops(depth - 1, src + i * l.src, dst + i * l.dst);
    }
    void run_unit(const std::byte* src, std::byte* dst) const {
        if (!shuffles.targets.empty()) code->run(shuffles.table(), 1, 0, 0, src, dst);
        for (const bit_targets& table : tables) {
            const bit_source* of = table.of.data();
            if (table.sources == 1) run_table<1>(table, of, src, dst);
            else if (table.sources == 2) run_table<2>(table, of, src, dst);
            else if (table.sources == 3) run_table<3>(table, of, src, dst);
            else run_table<0>(table, of, src, dst);
        }
    }
    template <int Count>
    static void run_table(const bit_targets& table, const bit_source* of, const std::byte* src, std::byte* dst) {
        const int count = Count == 0 ? table.sources : Count;
        for (const bit_target& target : table.targets) {
            std::uint32_t value = target.flipped;
            for (int i = 0; i < count; ++i, ++of)
                value ^= static_cast<std::uint32_t>(src[of->src]) << 8 >> of->shift & of->mask;
            std::byte& at = dst[target.dst];
            at = static_cast<std::byte>((static_cast<std::uint32_t>(at) & target.kept) | value);
        }
    }
};

/// A pair whose bits are moved by a table.
struct bit_pair {
    chunk_place from, to;
    piece_pair pair;
    pair_loops loops;
    std::uint64_t flips = 0;
};

/// Bits of a byte of the destination that come from one byte of the source: (byte << 8) >> shift.
struct bit_part {
    std::uint32_t dst = 0, src = 0;
    std::uint8_t shift = 0, mask = 0, flips = 0;
};
/// Adds the bits of a value, cut where a byte of either side ends.
inline void add_value(std::vector<bit_part>& parts, dim_t to, dim_t from, int width, std::uint64_t flips) {
    for (int bit = 0; bit < width;) {
        const dim_t dst = to + bit, src = from + bit;
        const int dst_bit = static_cast<int>(dst % 8), src_bit = static_cast<int>(src % 8);
        const int count = static_cast<int>(smaller_of(width - bit, smaller_of(8 - dst_bit, 8 - src_bit)));
        parts.push_back({static_cast<std::uint32_t>(dst / 8), static_cast<std::uint32_t>(src / 8),
                         static_cast<std::uint8_t>(8 + src_bit - dst_bit),
                         static_cast<std::uint8_t>(low_bits(count) << dst_bit),
                         static_cast<std::uint8_t>((flips >> bit & low_bits(count)) << dst_bit)});
        bit += count;
    }
}

/// Makes the table of some pairs that have the same loops around them.
class bit_program_maker {
public:
    /// Returns the loops of a pair that step by whole bytes on both sides.
    static std::vector<bit_program::loop> outer_loops(const bit_pair& of) {
        std::vector<bit_program::loop> out;
        for (const pair_loop& l : of.loops.loops)
            if (!l.fixed && !l.dst_shares && l.dst % 8 == 0 && l.src % 8 == 0 && l.dst > 0 && l.src >= 0)
                out.push_back({l.axis, l.step, l.extent, l.dst / 8, l.src / 8});
        std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.dst < b.dst; });
        return out;
    }
    /// True if a table can move the bits of a pair: it has whole units, whose bytes lie near each other.
    static bool fits(const piece_pair& pair, const pair_loops& of) {
        if (!of.refined || pair.is_empty() || has_tail(pair, of)) return false;
        dim_t unit = 1;
        for (const pair_loop& l : of.loops) {
            const bool is_outer = l.dst % 8 == 0 && l.src % 8 == 0 && l.dst > 0 && l.src >= 0;
            if (l.dst < 0 || l.src < 0) return false;
            if (l.dst_shares || (!l.fixed && is_outer)) continue;
            const dim_t steps = l.fixed ? l.value : l.extent - 1;
            if (steps > 0 && larger_of(l.dst, l.src) > most_bits / steps) return false;
            if (!l.fixed) unit *= l.extent;
            if (unit > most_values) return false;
        }
        return true;
    }
    /// True if two pairs that have the same loops around them can be moved by one table.
    static bool are_near(const bit_pair& a, const bit_pair& b) {
        const dim_t dst = a.pair.dst.place(a.pair.first) - b.pair.dst.place(b.pair.first),
                    src = a.pair.src.place(a.pair.first) - b.pair.src.place(b.pair.first);
        return larger_of(larger_of(dst, -dst), larger_of(src, -src)) <= most_bits;
    }

    bit_program make(std::span<const std::unique_ptr<bit_pair>> pairs, const engine::byte_window_code& code) {
        bit_program out;
        out.code = &code;
        out.from = pairs[0]->from;
        out.to = pairs[0]->to;
        out.loops = outer_loops(*pairs[0]);
        dim_t unit = 0;
        out.dst_begin = out.src_begin = INT64_MAX;
        for (const auto& p : pairs) {
            out.dst_begin = smaller_of(out.dst_begin, p->pair.dst.place(p->pair.first) / 8);
            out.src_begin = smaller_of(out.src_begin, p->pair.src.place(p->pair.first) / 8);
            dim_t values = 1;
            for (const pair_loop& l : p->loops.loops)
                if (!l.fixed && !l.dst_shares && find(out.loops, l) == nullptr) values *= l.extent;
            unit += values;
        }
        // Inner loops become part of the unit while it has few values, so that a call does more.
        while (!out.loops.empty() && unit * out.loops.front().extent <= few_values && is_short(out.loops.front())) {
            unit *= out.loops.front().extent;
            out.loops.erase(out.loops.begin());
        }
        for (const auto& p : pairs) add_pair(out, *p);
        finish(out);
        return out;
    }

private:
    static constexpr dim_t most_values = 1 << 14, few_values = 1024;
    /// How far a loop or a pair leads within a table, which has 32 bits for the place of a byte: up to 40 loops of a
    /// pair and 10 that become part of the unit lead less than 4 GB, even from pairs on either side of the first one.
    static constexpr dim_t most_bits = dim_t{1} << 29;
    static bool is_short(const bit_program::loop& l) { return larger_of(l.dst, l.src) <= most_bits / 8 / l.extent; }

    static const bit_program::loop* find(const std::vector<bit_program::loop>& loops, const pair_loop& wanted) {
        for (const bit_program::loop& l : loops)
            if (l.axis == wanted.axis && l.step == wanted.step) return &l;
        return nullptr;
    }
    static bool has_tail(const piece_pair& pair, const pair_loops& of) {
        for (int a = 0; a < pair.last.size(); ++a) {
            dim_t whole = 1;
            for (const pair_loop& l : of.loops)
                if (l.axis == a) whole = larger_of(whole, l.step * l.extent);
            if (whole != pair.last[a] - pair.first[a]) return true;
        }
        return false;
    }

    void add_pair(const bit_program& out, const bit_pair& p) {
        pair_loops inner = p.loops;
        for (pair_loop& l : inner.loops)
            if (!l.fixed && !l.dst_shares && find(out.loops, l) != nullptr) l.extent = 1;
        for_each_common(p.pair, inner, [&](const position&, dim_t to, dim_t from) {
            add_value(entries_, to - out.dst_begin * 8 + p.pair.dst_low, from - out.src_begin * 8 + p.pair.src_low,
                      p.pair.width, p.flips);
        });
    }

    /// Makes tables of what has been added: shuffles of runs of whole bytes, and of the other bytes those with the same
    /// number of sources.
    void finish(bit_program& out) {
        std::sort(entries_.begin(), entries_.end(), [](const bit_part& a, const bit_part& b) {
            if (a.dst != b.dst) return a.dst < b.dst;
            return a.src != b.src ? a.src < b.src : a.shift < b.shift;
        });
        std::vector<bit_target> targets;
        std::vector<bit_source> sources;
        std::vector<std::uint32_t> first;
        dim_t src_end = 0;
        for (const bit_part& e : entries_) {
            const bool is_next = targets.empty() || targets.back().dst != e.dst;
            if (is_next)
                targets.push_back({e.dst, 0xff, 0}), first.push_back(static_cast<std::uint32_t>(sources.size()));
            bit_target& target = targets.back();
            target.kept = static_cast<std::uint8_t>(target.kept & ~e.mask);
            target.flipped = static_cast<std::uint8_t>(target.flipped | e.flips);
            if (!is_next && sources.back().src == e.src && sources.back().shift == e.shift)
                sources.back().mask = static_cast<std::uint8_t>(sources.back().mask | e.mask);
            else sources.push_back({e.src, e.shift, e.mask});
            src_end = larger_of(src_end, dim_t{e.src} + 1);
        }
        first.push_back(static_cast<std::uint32_t>(sources.size()));
        shuffle_maker shuffles(*out.code, src_end);
        for (std::size_t i = 0, end = 0; i < targets.size(); i = end) {
            end = i + 1;
            while (targets[i].kept == 0 && end < targets.size() && targets[end].kept == 0 &&
                   targets[end].dst == targets[i].dst + (end - i))
                ++end;
            if (out.code->has_registers && targets[i].kept == 0 &&
                shuffles.add({&targets[i], end - i}, &first[i], sources.data(), out.shuffles))
                continue;
            for (std::size_t t = i; t < end; ++t) {
                bit_targets& table = table_of(out, static_cast<int>(first[t + 1] - first[t]));
                table.targets.push_back(targets[t]);
                table.of.insert(table.of.end(), sources.data() + first[t], sources.data() + first[t + 1]);
            }
        }
    }
    static bit_targets& table_of(bit_program& out, int sources) {
        for (bit_targets& table : out.tables)
            if (table.sources == sources) return table;
        out.tables.push_back({sources, {}, {}});
        return out.tables.back();
    }

    std::vector<bit_part> entries_;
};

}  // namespace plait::detail
