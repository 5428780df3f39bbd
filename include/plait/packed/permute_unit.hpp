#pragma once
// The bytes of a unit of the destination that is moved by permutes: which bits come from where, and which windows of
// the source have them.

#include <plait/packed/bit_program.hpp>
#include <plait/packed/source_windows.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Values of some pairs that are moved together, and the loops around them.
class permute_unit {
public:
    using part = permute_part;
    using loop_list = std::vector<bit_program::loop>;
    static constexpr std::size_t most_parts = 1024;
    /// True if a loop of a pair is one of the loops around units.
    static bool is_common(const loop_list& loops, const pair_loop& l) {
        for (const bit_program::loop& c : loops)
            if (c.axis == l.axis && c.step == l.step) return true;
        return false;
    }

    loop_list loops;  // around the unit, from the innermost
    dim_t dst_begin = 0, src_begin = 0;
    std::vector<part> parts;           // in the order of the destination
    std::vector<permute_output> runs;  // bytes that lie side by side, at most 64
    unit_windows windows;
    dim_t bytes = 0, cost = 0;  // of the destination; of one unit

    /// Gathers the values of pairs inside of their common loops. Returns false if they are too many.
    bool fill(std::span<const bit_pair* const> pairs, loop_list common) {
        loops = std::move(common);
        dst_begin = src_begin = INT64_MAX;
        for (const bit_pair* p : pairs) {
            dst_begin = smaller_of(dst_begin, p->pair.dst.place(p->pair.first) / 8);
            src_begin = smaller_of(src_begin, p->pair.src.place(p->pair.first) / 8);
        }
        parts.clear();
        parts.reserve(256);
        for (const bit_pair* p : pairs)
            if (!add_pair(*p)) return false;
        sort_parts();
        return true;
    }
    /// Takes some steps of the innermost loop into the unit. Returns false if there are none, or too many values.
    bool grow(dim_t least_bytes) {
        if (loops.empty()) return false;
        bit_program::loop& l = loops.front();
        dim_t steps = 2;
        while (l.extent % steps != 0) ++steps;
        const dim_t now = first_run();
        while (now * steps < least_bytes && steps < l.extent && l.extent % (2 * steps) == 0) steps *= 2;
        const std::size_t count = parts.size();
        const dim_t farthest = larger_of(l.dst, l.src);
        if (count * static_cast<std::size_t>(steps) > most_parts || farthest > (dim_t{1} << 26) / steps) return false;
        parts.reserve(count * static_cast<std::size_t>(steps));
        for (dim_t i = 1; i < steps; ++i)
            for (std::size_t k = 0; k < count; ++k) {
                part p = parts[k];
                p.dst += static_cast<std::uint32_t>(i * l.dst);
                p.src += static_cast<std::uint32_t>(i * l.src);
                parts.push_back(p);
            }
        // Most units stay in order, because a loop leads behind all that is inside of it.
        if (parts[count - 1].dst >= parts[count].dst) sort_by_bytes();
        l.extent /= steps, l.step *= steps, l.dst *= steps, l.src *= steps;
        if (l.extent == 1) loops.erase(loops.begin());
        return true;
    }
    /// True if the values have all bits of their bytes. More steps of loops, which lead by whole bytes, change nothing.
    bool has_whole_bytes() { return find_runs(64); }
    /// Finds runs and windows, and what they cost. Returns false if permutes cannot move the unit.
    bool evaluate() {
        cost = 0;
        if (!find_runs(64)) return false;
        const source_bytes sources(parts);
        const bool shifts = std::any_of(parts.begin(), parts.end(), [](const part& p) { return p.mask != 0xff; });
        for (const int size : {16, 32, 64}) {
            unit_windows found = find_windows(sources, size);
            if (found.registers == 0) continue;
            const dim_t all = cost_of(found, shifts ? 2 : 1);
            if (cost == 0 || all < cost) cost = all, windows = std::move(found);
        }
        if (const int size = element_size(); size > 0 && (cost == 0 || cost_of_elements(size) < cost)) {
            cost = cost_of_elements(size);
            take_elements(size);
        }
        return cost != 0;
    }
    /// Returns how many bytes lie side by side from the first one on.
    dim_t first_run() const {
        dim_t run = 0;
        for (const part& p : parts) {
            if (p.dst > parts[0].dst + run) break;
            run = dim_t{p.dst} + 1 - parts[0].dst;
        }
        return run;
    }
    /// True if the innermost loop steps by some bytes of the destination.
    bool steps_by(dim_t step) const { return !loops.empty() && loops[0].dst == step; }
    bool is_of_elements() const { return element_size() != 0; }
    dim_t bytes_of_parts() const {
        dim_t out = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) out += i == 0 || parts[i].dst != parts[i - 1].dst;
        return out;
    }

private:
    bool add_pair(const bit_pair& p) {
        struct place {
            dim_t dst, src;
        };
        std::vector<pair_loop> inner;
        place first{p.pair.dst.place(p.pair.first) + p.pair.dst_low - dst_begin * 8,
                    p.pair.src.place(p.pair.first) + p.pair.src_low - src_begin * 8};
        for (const pair_loop& l : p.loops.loops) {
            if (l.fixed) first.dst += l.value * l.dst, first.src += l.value * l.src;
            else if (!l.dst_shares && !is_common(loops, l)) inner.push_back(l);
        }
        std::sort(inner.begin(), inner.end(), [](const pair_loop& a, const pair_loop& b) { return a.dst < b.dst; });
        std::vector<place> places{first};
        for (const pair_loop& l : inner) {
            const std::size_t count = places.size();
            if (count * static_cast<std::size_t>(l.extent) > most_parts) return false;
            for (dim_t i = 1; i < l.extent; ++i)
                for (std::size_t k = 0; k < count; ++k)
                    places.push_back({places[k].dst + i * l.dst, places[k].src + i * l.src});
        }
        for (const place& at : places) add_value(at.dst, at.src, p.pair.width, p.flips);
        return parts.size() <= most_parts;
    }
    void add_value(dim_t to, dim_t from, int width, std::uint64_t flips) {
        for (int bit = 0; bit < width;) {
            const dim_t dst = to + bit, src = from + bit;
            const int dst_bit = static_cast<int>(dst % 8), src_bit = static_cast<int>(src % 8);
            const int count = static_cast<int>(smaller_of(width - bit, smaller_of(8 - dst_bit, 8 - src_bit)));
            const auto mask = static_cast<std::uint8_t>(low_bits(count) << dst_bit);
            const part made{static_cast<std::uint32_t>(dst / 8), static_cast<std::uint32_t>(src / 8),
                            static_cast<std::uint8_t>(8 + src_bit - dst_bit), mask,
                            static_cast<std::uint8_t>((flips >> bit & low_bits(count)) << dst_bit)};
            parts.push_back(made);
            bit += count;
        }
    }
    /// Sorts the parts by where they go: by counting, because std::sort takes most of the time of a plan.
    void sort_by_bytes() {
        constexpr std::uint32_t most_bytes = 4096;
        std::uint32_t end = 0;
        for (const part& p : parts) end = p.dst >= end ? p.dst + 1 : end;
        if (end > most_bytes) return std::sort(parts.begin(), parts.end());
        std::vector<std::uint16_t> first(end + 1);
        for (const part& p : parts) ++first[p.dst + 1];
        for (std::uint32_t i = 0; i < end; ++i) first[i + 1] = static_cast<std::uint16_t>(first[i + 1] + first[i]);
        std::vector<part> sorted(parts.size());
        for (const part& p : parts) sorted[first[p.dst]++] = p;
        parts = std::move(sorted);
        for (std::size_t i = 1; i < parts.size(); ++i)
            for (std::size_t k = i; k > 0 && parts[k] < parts[k - 1]; --k) std::swap(parts[k], parts[k - 1]);
    }
    /// Sorts the parts, and takes those together that differ in nothing but bits.
    void sort_parts() {
        if (!std::is_sorted(parts.begin(), parts.end())) sort_by_bytes();
        std::size_t kept = 0;
        for (const part& p : parts) {
            part* const last = kept == 0 ? nullptr : &parts[kept - 1];
            if (last != nullptr && last->dst == p.dst && last->src == p.src && last->shift == p.shift) {
                last->mask = static_cast<std::uint8_t>(last->mask | p.mask);
                last->flips = static_cast<std::uint8_t>(last->flips | p.flips);
            } else parts[kept++] = p;
        }
        parts.resize(kept);
    }
    /// Returns the size of the elements that all bytes belong to and that are moved as they are, or 0.
    int element_size() const {
        std::size_t run = 0, sizes = 0;  // the bits of all lengths
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const part& p = parts[i];
            if (p.mask != 0xff || p.flips != 0) return 0;
            const bool goes_on = i > 0 && p.dst == parts[i - 1].dst + 1 && p.src == parts[i - 1].src + 1;
            if (!goes_on) sizes |= run;
            run = goes_on ? run + 1 : 1;
        }
        sizes |= run;
        return sizes % 4 == 0 ? 4 : sizes % 2 == 0 ? 2 : 0;
    }
    dim_t cost_of_elements(int size) const { return bytes / size * 4 + divide_up(bytes, 16) * 6; }
    void take_elements(int size) {
        find_runs(16);
        windows = {size, 0, {}};
        for (const permute_output& run : runs) {
            auto p = std::lower_bound(parts.begin(), parts.end(), run.dst,
                                      [](const part& at, std::uint32_t dst) { return at.dst < dst; });
            for (std::int32_t i = 0; i < run.length; i += size, p += size) windows.begin.push_back(p->src);
        }
    }
    /// Finds runs of bytes all of whose bits are moved. The last one of a long run begins earlier, and is as long as
    /// the others.
    bool find_runs(std::uint32_t most) {
        runs.clear();
        bytes = 0;
        std::uint32_t begin = 0, length = 0;
        const auto add_runs = [&] {
            for (std::uint32_t i = 0; i < length; i += most) {
                const std::uint32_t at = length >= most && i + most > length ? length - most : i;
                runs.push_back({begin + at, static_cast<std::int32_t>(length < most ? length : most)});
            }
            bytes += length;
        };
        for (std::size_t i = 0; i < parts.size();) {
            unsigned covered = 0;
            const std::uint32_t at = parts[i].dst;
            for (; i < parts.size() && parts[i].dst == at; ++i) covered |= parts[i].mask;
            if (covered != 0xff) return false;
            if (length > 0 && at == begin + length) {
                ++length;
                continue;
            }
            add_runs();
            begin = at, length = 1;
        }
        add_runs();
        return bytes > 0;
    }
    /// Measured in twentieths of a nanosecond, with instructions beside each other. Loads and picks that need other
    /// registers, and stores that cross cache lines, take most of the time.
    dim_t cost_of(const unit_windows& with, dim_t planes) const {
        const dim_t of_register = with.size == 16 ? 12 : with.size == 32 ? 6 : 8;
        const dim_t of_pick = with.registers == 1 ? 9 : with.registers == 2 ? 11 : with.registers == 4 ? 25 : 52;
        dim_t out = of_register * with.registers;
        for (const permute_output& run : runs)
            out += planes * of_pick + (planes > 1 ? 12 * planes : 0) + (run.length > 32 ? 15 : 10);
        return out;
    }
};

}  // namespace plait::detail
