#pragma once
// Plans permutes: which values are one unit, which windows of the source have its bytes, the table of the unit, and the
// loops around it.

#include <plait/engine/simd/avx512_vbmi.hpp>
#include <plait/packed/bit_program.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The order of parts in a unit: that of the destination.
inline bool comes_before(const bit_part& a, const bit_part& b) {
    return a.dst != b.dst ? a.dst < b.dst : a.mask < b.mask;
}

/// Which bytes of the source are read: the bits of a word are 64 bytes that lie side by side.
class source_bytes {
public:
    explicit source_bytes(const std::vector<bit_part>& parts) {
        words_.reserve(32);
        std::size_t last = 0;
        for (const bit_part& p : parts) {
            const std::uint32_t number = p.src / 64;
            if (last == words_.size() || words_[last].number != number) {
                last = 0;
                while (last < words_.size() && words_[last].number != number) ++last;
                if (last == words_.size()) words_.push_back({number, 0});
            }
            words_[last].bits |= std::uint64_t{1} << p.src % 64;
        }
        std::sort(words_.begin(), words_.end(), [](const word& a, const word& b) { return a.number < b.number; });
    }
    dim_t begin() const { return next(0); }
    dim_t end() const {
        return dim_t{words_.back().number} * 64 + static_cast<dim_t>(std::bit_width(words_.back().bits));
    }
    /// Returns the first byte from some byte on, or -1.
    dim_t next(dim_t at) const {
        for (const word& w : words_) {
            const dim_t first = dim_t{w.number} * 64, skipped = at - first;
            if (skipped >= 64) continue;
            const std::uint64_t bits = skipped > 0 ? w.bits >> skipped << skipped : w.bits;
            if (bits != 0) return first + std::countr_zero(bits);
        }
        return -1;
    }

private:
    struct word {
        std::uint32_t number;
        std::uint64_t bits;
    };
    std::vector<word> words_;
};

/// Windows of one size that have all bytes of a unit; or, without registers, its elements in the order of the runs.
struct unit_windows {
    int size = 0, registers = 0;
    std::vector<std::uint32_t> begin;
};

/// Finds windows of some size that have all bytes; none if they are more than registers have.
inline unit_windows find_windows(const source_bytes& sources, int size) {
    unit_windows out{size, 0, {}};
    const dim_t last = sources.end() - size, most = engine::permute_table::most_registers * 64 / size;
    if (last < sources.begin()) return out;
    out.begin.reserve(16);
    for (dim_t at = sources.begin(); at >= 0;) {
        if (static_cast<dim_t>(out.begin.size()) == most) return out;
        out.begin.push_back(static_cast<std::uint32_t>(smaller_of(at, last)));
        at = sources.next(at + size);
    }
    const dim_t registers = divide_up(static_cast<dim_t>(out.begin.size()) * size, 64);
    out.registers = static_cast<int>(registers <= 2 ? registers : registers <= 4 ? 4 : 8);
    return out;
}

/// Values of some pairs that are moved together, and the loops around them.
class permute_unit {
public:
    using part = bit_part;
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
    std::vector<part> parts;                   // in the order of the destination
    std::vector<engine::permute_output> runs;  // bytes that lie side by side, at most 64
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
        for (const place& at : places) add_value(parts, at.dst, at.src, p.pair.width, p.flips);
        return parts.size() <= most_parts;
    }
    /// Sorts the parts by where they go: by counting, because std::sort takes most of the time of a plan.
    void sort_by_bytes() {
        constexpr std::uint32_t most_bytes = 4096;
        std::uint32_t end = 0;
        for (const part& p : parts) end = p.dst >= end ? p.dst + 1 : end;
        if (end > most_bytes) return std::sort(parts.begin(), parts.end(), comes_before);
        std::vector<std::uint16_t> first(end + 1);
        for (const part& p : parts) ++first[p.dst + 1];
        for (std::uint32_t i = 0; i < end; ++i) first[i + 1] = static_cast<std::uint16_t>(first[i + 1] + first[i]);
        std::vector<part> sorted(parts.size());
        for (const part& p : parts) sorted[first[p.dst]++] = p;
        parts = std::move(sorted);
        for (std::size_t i = 1; i < parts.size(); ++i)
            for (std::size_t k = i; k > 0 && comes_before(parts[k], parts[k - 1]); --k)
                std::swap(parts[k], parts[k - 1]);
    }
    /// Sorts the parts, and takes those together that differ in nothing but bits.
    void sort_parts() {
        if (!std::is_sorted(parts.begin(), parts.end(), comes_before)) sort_by_bytes();
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
        for (const engine::permute_output& run : runs) {
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
    /// Returns the throughput, in units of 0.05 ns. Loads and picks that need other
    /// registers, and stores that cross cache lines, take most of the time.
    dim_t cost_of(const unit_windows& with, dim_t planes) const {
        const dim_t of_register = with.size == 16 ? 12 : with.size == 32 ? 6 : 8;
        const dim_t of_pick = with.registers == 1 ? 9 : with.registers == 2 ? 11 : with.registers == 4 ? 25 : 52;
        dim_t out = of_register * with.registers;
        for (const engine::permute_output& run : runs)
            out += planes * of_pick + (planes > 1 ? 12 * planes : 0) + (run.length > 32 ? 15 : 10);
        return out;
    }
};

/// Makes the table of a unit.
class permute_table_maker {
public:
    explicit permute_table_maker(const permute_unit& unit) : unit_(unit) {}

    engine::permute_table make() {
        out_.registers = unit_.windows.registers;
        out_.window = unit_.windows.size;
        out_.windows = unit_.windows.begin;
        if (out_.registers == 0) {
            out_.outputs = unit_.runs;
            return std::move(out_);
        }
        out_.windows.resize(static_cast<std::size_t>(out_.registers * 64 / out_.window), out_.windows.back());
        planes_ = find_planes();
        for (const engine::permute_output& run : unit_.runs) gather(run);
        out_.shifts = planes_ > 0;
        for (const made_group& group : groups_) {
            out_.groups.push_back({planes_ == 0 ? 1 : planes_, static_cast<std::int32_t>(group.outputs.size())});
            out_.vectors.insert(out_.vectors.end(), group.picks.begin(), group.picks.end());
            for (const made_output& output : group.outputs) {
                out_.outputs.push_back(output.run);
                out_.vectors.insert(out_.vectors.end(), output.how.begin(), output.how.end());
            }
        }
        return std::move(out_);
    }

private:
    struct made_output {
        engine::permute_output run;
        std::vector<engine::permute_vector> how;
    };
    struct made_group {
        std::vector<engine::permute_vector> picks;
        std::vector<made_output> outputs;
    };

    /// Sets which byte of the registers a plane picks for a byte of an output.
    void set_pick(engine::permute_vector* picks, std::size_t byte, std::uint32_t src) const {
        const std::vector<std::uint32_t>& windows = unit_.windows.begin;
        const auto window =
            static_cast<std::size_t>(std::upper_bound(windows.begin(), windows.end(), src) - windows.begin() - 1);
        const std::size_t at = window * static_cast<std::size_t>(out_.window) + src - windows[window];
        picks[0].at[byte] = static_cast<std::uint8_t>(at);
        if (out_.registers == 8) picks[1].at[byte] = at < 256 ? 0 : 0x80;
    }
    void gather(const engine::permute_output& run) {
        const auto part_before = [](const permute_unit::part& p, std::uint32_t dst) { return p.dst < dst; };
        const auto first = std::lower_bound(unit_.parts.begin(), unit_.parts.end(), run.dst, part_before);
        const auto last =
            std::lower_bound(first, unit_.parts.end(), run.dst + static_cast<std::uint32_t>(run.length), part_before);
        const std::size_t vectors = out_.registers == 8 ? 2 : 1;
        std::vector<engine::permute_vector> picks(static_cast<std::size_t>(planes_ == 0 ? 1 : planes_) * vectors);
        made_output output{run, std::vector<engine::permute_vector>(static_cast<std::size_t>(1 + 2 * planes_))};
        std::size_t k = 0;
        for (auto p = first; p != last; ++p) {
            k = p != first && p->dst == (p - 1)->dst ? k + 1 : 0;
            const std::size_t byte = p->dst - run.dst;
            set_pick(&picks[k * vectors], byte, p->src);
            output.how[0].at[byte] = static_cast<std::uint8_t>(output.how[0].at[byte] | p->flips);
            if (planes_ == 0) continue;
            output.how[1 + 2 * k].at[byte] = static_cast<std::uint8_t>((byte % 8 * 8 + p->shift + 56) % 64);
            output.how[2 + 2 * k].at[byte] = p->mask;
        }
        for (made_group& group : groups_)
            if (group.picks == picks) return group.outputs.push_back(std::move(output));
        groups_.push_back({std::move(picks), {}});
        groups_.back().outputs.push_back(std::move(output));
    }

    /// Returns how many bytes of the source a byte of the destination has bits of, but at least two; 0 if each is one
    /// byte of the source.
    int find_planes() const {
        int planes = 0, plane = 0;
        for (std::size_t i = 0; i < unit_.parts.size(); ++i) {
            plane = i > 0 && unit_.parts[i].dst == unit_.parts[i - 1].dst ? plane + 1 : 1;
            if (unit_.parts[i].mask != 0xff && plane > planes) planes = plane < 2 ? 2 : plane;
        }
        return planes;
    }

    const permute_unit& unit_;
    engine::permute_table out_;
    int planes_ = 0;
    std::vector<made_group> groups_;
};

/// Tables of units that are moved together, and the loops around all of them.
struct permute_program {
    using loop_list = std::vector<bit_program::loop>;  // from the innermost
    struct unit {
        loop_list loops;  // of this unit alone, inside of the others
        dim_t dst_begin = 0, src_begin = 0;
        engine::permute_table table;
        engine::permute_code* code = nullptr;

        /// Runs the unit for some steps of a loop. Most steps are in the innermost loop, because each call reads the
        /// table.
        void run(const bit_program::loop& some, const std::byte* src, std::byte* dst) const {
            const bool is_inner = loops.empty() || loops[0].extent < some.extent;
            const std::size_t depth = loops.size();
            if (is_inner) return run(depth, 0, some, src, dst);
            for (dim_t i = 0; i < some.extent; ++i) run(depth, 1, loops[0], src + i * some.src, dst + i * some.dst);
        }

    private:
        void run(std::size_t depth, std::size_t last, const bit_program::loop& inner, const std::byte* src,
                 std::byte* dst) const {
            if (depth == last) return code(table, inner.extent, inner.src, inner.dst, src + src_begin, dst + dst_begin);
            const bit_program::loop& l = loops[depth - 1];
            for (dim_t i = 0; i < l.extent; ++i) run(depth - 1, last, inner, src + i * l.src, dst + i * l.dst);
        }
    };
    chunk_place from, to;
    loop_list loops;
    std::vector<unit> units;

    void run(const std::byte* src, std::byte* dst) const { run_loops(static_cast<int>(loops.size()), src, dst); }
    /// Adds a unit with the loops around it, and makes those of the program loops of the units where they differ.
    void add(unit&& made, const loop_list& around) {
        std::size_t same = 0;
        while (same < loops.size() && same < around.size() &&
               loops[loops.size() - 1 - same] == around[around.size() - 1 - same])
            ++same;
        const auto others = static_cast<std::ptrdiff_t>(loops.size() - same);
        for (unit& u : units) u.loops.insert(u.loops.end(), loops.begin(), loops.begin() + others);
        loops.erase(loops.begin(), loops.begin() + others);
        made.loops.assign(around.begin(), around.end() - static_cast<std::ptrdiff_t>(same));
        units.push_back(std::move(made));
        for (unit& u : units) put_longest_first(u.loops);
    }

    /// Puts the units that permute first, and leaves the loops of a program with one unit to the unit, which has the
    /// longest one inside.
    void settle() {
        // Scales that are stored before the values beside them took 1.45 times as long (Q8_0 to 4x8 in the second
        // cache, Emerald Rapids).
        std::stable_sort(units.begin(), units.end(),
                         [](const unit& a, const unit& b) { return a.table.registers > b.table.registers; });
        if (units.size() != 1 || loops.size() < 2) return;
        units[0].loops.insert(units[0].loops.end(), loops.begin(), loops.end() - 1);
        loops.erase(loops.begin(), loops.end() - 1);
        put_longest_first(units[0].loops);
    }

private:
    static constexpr dim_t near_bytes = 8192;

    static void put_longest_first(loop_list& of) {
        for (std::size_t i = 1; i < of.size(); ++i)
            if (of[i].extent > of[0].extent) std::swap(of[i], of[0]);
    }

    void run_loops(int depth, const std::byte* src, std::byte* dst) const {
        constexpr bit_program::loop once{0, 0, 1, 0, 0};
        const bit_program::loop l = depth == 0 ? once : loops[static_cast<std::size_t>(depth - 1)];
        if (depth > 1) {
            for (dim_t i = 0; i < l.extent; ++i) run_loops(depth - 1, src + i * l.src, dst + i * l.dst);
            return;
        }
        // A few steps of each unit, so that all units find the bytes of both sides in the first cache. Fewer than fit
        // there cost more calls: 8 KB took 0.75 to 0.95 of the time of 2 KB (Q4_0 and Q8_0 in the second cache, Zen 4).
        const dim_t most = units.size() == 1 || l.dst == 0 ? l.extent : larger_of(near_bytes / l.dst, 1);
        for (dim_t i = 0; i < l.extent; i += most)
            for (const unit& u : units) {
                bit_program::loop some = l;
                some.extent = smaller_of(most, l.extent - i);
                u.run(some, src + i * l.src, dst + i * l.dst);
            }
    }
};

/// Makes programs of pairs.
class permute_maker {
public:
    using pair_list = std::vector<const bit_pair*>;

    /// Pairs that are moved together; alone, and with no cost, if permutes cannot move them.
    struct choice {
        pair_list pairs;
        permute_unit unit;
    };
    /// Adds a choice to the program that has its outermost loop.
    static void add(const choice& made, std::vector<permute_program>& out) {
        const bit_pair& first = *made.pairs[0];
        const auto& around = made.unit.loops;
        permute_program* to = nullptr;
        for (permute_program& p : out)
            if (p.from == first.from && p.to == first.to && !around.empty() && !p.loops.empty() &&
                p.loops.back() == around.back())
                to = &p;
        if (to == nullptr) {
            out.push_back({first.from, first.to, around, {}});
            to = &out.back();
        }
        permute_program::unit unit{
            {}, made.unit.dst_begin, made.unit.src_begin, permute_table_maker(made.unit).make(), nullptr};
        unit.code = engine::permute_code_of(unit.table);
        to->add(std::move(unit), around);
    }
    /// True if permutes may move a pair faster than reorders: it has whole units, whose values lie in short runs.
    static bool fits(const piece_pair& pair, const pair_loops& of) {
        if (!bit_program_maker::fits(pair, of)) return false;
        dim_t values = 1, run = pair.width;
        for (const pair_loop& l : of.loops) {
            if (!l.fixed && !l.dst_shares) values *= l.extent;
            if (l.extent == 0) return false;
        }
        for (bool grows = true; grows;) {
            grows = false;
            for (const pair_loop& l : of.loops)
                if (!l.fixed && l.dst == run && l.src == run) run *= l.extent, grows = true;
        }
        return run < longest_run_bits && values * pair.width >= (pair.width % 8 == 0 ? least_bits : pair.width * 16);
    }

    /// Finds units for pairs: of each alone, or, of small ones that have no whole bytes, of all together.
    static std::vector<choice> choose(const pair_list& all) {
        std::vector<choice> out;
        choice together;
        const auto common = common_loops(all);
        for (const bit_pair* p : all) {
            permute_unit unit = best_unit({p});
            if (unit.cost == 0 && bytes_inside(*p, common) <= few_bytes) together.pairs.push_back(p);
            else out.push_back({{p}, std::move(unit)});
        }
        if (together.pairs.size() > 1) together.unit = best_unit(together.pairs);
        if (together.unit.cost > 0) return out.push_back(std::move(together)), out;
        for (const bit_pair* p : together.pairs) out.push_back({{p}, {}});
        return out;
    }

private:
    /// Returns the unit of some pairs that costs least for each byte, with no cost if there is none.
    static permute_unit best_unit(const pair_list& pairs) {
        permute_unit best, unit;
        if (!unit.fill(pairs, common_loops(pairs)) || !unit.has_whole_bytes()) return best;
        const bool is_of_elements = unit.is_of_elements();
        const dim_t longest_run = is_of_elements ? 16 : 64;
        while (unit.first_run() < longest_run && unit.steps_by(unit.first_run()) && unit.grow(longest_run)) {}
        while (!is_of_elements && unit.bytes_of_parts() < longest_run && unit.grow(longest_run)) {}
        while (unit.evaluate()) {
            const bool is_better = best.cost == 0 || unit.cost * best.bytes < best.cost * unit.bytes;
            // More steps of a loop cost less if they read the same windows, or fill registers.
            const bool fills = unit.first_run() < 64 && unit.steps_by(unit.first_run());
            const bool grows = !unit.loops.empty() && (unit.loops[0].src <= window_bytes || fills);
            if (!grows || unit.bytes >= enough_bytes) {
                if (is_better) best = std::move(unit);
                break;
            }
            if (is_better) best = unit;
            if (!unit.grow(0)) break;
        }
        if (best.cost > 0 && is_moved_by_registers(best)) best.cost = 0;
        return best;
    }
    static constexpr dim_t longest_run_bits = 128, least_bits = 8 * 192, few_bytes = 256, enough_bytes = 256,
                           window_bytes = 16;

    /// True if reorders, which exchange whole lanes of more registers, move a unit faster.
    static bool is_moved_by_registers(const permute_unit& unit) {
        if (unit.windows.registers < 4) return false;
        for (const permute_unit::part& p : unit.parts)
            if (p.mask != 0xff || p.flips != 0) return false;
        return true;
    }

    /// Returns how many bytes a pair has inside of some of its loops.
    static dim_t bytes_inside(const bit_pair& p, const std::vector<bit_program::loop>& loops) {
        dim_t bits = p.pair.width;
        for (const pair_loop& l : p.loops.loops)
            if (!l.fixed && !l.dst_shares && !permute_unit::is_common(loops, l)) bits *= l.extent;
        return divide_up(bits, 8);
    }

    /// Returns the loops by whole bytes that all pairs have.
    static std::vector<bit_program::loop> common_loops(const pair_list& pairs) {
        std::vector<bit_program::loop> out = bit_program_maker::outer_loops(*pairs[0]);
        for (std::size_t i = 1; i < pairs.size(); ++i) {
            const std::vector<bit_program::loop> others = bit_program_maker::outer_loops(*pairs[i]);
            std::erase_if(out, [&](const bit_program::loop& l) {
                return std::find(others.begin(), others.end(), l) == others.end();
            });
        }
        return out;
    }
};

}  // namespace plait::detail
