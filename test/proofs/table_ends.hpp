#pragma once
// What kernels of tables do at the ends of axes: all masks of a segment, and how the masks follow from what remains.

#include "table_tiles.hpp"

#include <algorithm>

namespace listed_tiles {

/// Returns all masks that the ends of axes can leave of a segment of 2^bits bytes: its lane bits are runs that count
/// along one axis each, or along none. The first lanes of each run remain (masks_can_bound, lanes_below).
inline std::vector<std::uint64_t> masks_of_segment(int bits) {
    std::vector<std::uint64_t> out = {1};  // of no lane bits: the one lane is there
    std::vector<std::vector<std::uint64_t>> of_bits = {out};
    for (int total = 1; total <= bits; ++total) {
        std::vector<std::uint64_t> masks;
        for (int run = 1; run <= total; ++run)  // the highest run
            for (const std::uint64_t below : of_bits[static_cast<std::size_t>(total - run)])
                for (int steps = 1; steps <= 1 << run; ++steps) {
                    std::uint64_t mask = 0;
                    for (int k = 0; k < steps; ++k) mask |= below << (k << (total - run));
                    masks.push_back(mask);
                }
        std::sort(masks.begin(), masks.end());
        masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
        of_bits.push_back(masks);
    }
    out = of_bits.back();
    out.push_back(0);  // nothing remains
    return out;
}

/// Runs kernels with each mask of a segment, in each of their segments.
///
/// A segment ends at a page that cannot be accessed as soon as its last lane that is there does. Segments without lanes
/// are at an address that cannot be accessed.
class masked_segments {
public:
    masked_segments(isa instructions, const simd::table_kernels& kernels, finding& found)
        : instructions_(instructions), kernels_(kernels), found_(found) {
        for (int k = 0; k < max_segments; ++k) {
            in_.push_back(std::make_unique<guarded_memory>(1));
            out_.push_back(std::make_unique<guarded_memory>(1));
        }
    }
    /// Runs the patterns that move nothing, and those that bring registers into lanes: one tile; and a tile several
    /// times over, of whose segments the first bytes are there, which kernels without masked instructions store in
    /// pieces. If all of it is loaded too, they copy the pieces of tiles that move nothing from the source.
    ///
    /// Pre:     elements of one byte
    void decide(const tile_shape& s) {
        for (const bool moves : {false, true}) {
            tile_pattern pattern = pattern_of(s);
            for (int lane = 0; lane < s.dst_bits; ++lane)
                pattern.dst_lanes.push_back(moves ? s.tile_bits() - 1 - lane : lane);
            decide(s, pattern);
        }
    }

private:
    static constexpr std::size_t shown = 192;  // bytes at the end of a page that are compared
    isa instructions_;
    const simd::table_kernels& kernels_;
    finding& found_;
    std::vector<std::unique_ptr<guarded_memory>> in_, out_;

    static std::size_t lanes_to_last(std::uint64_t mask) {
        return static_cast<std::size_t>(64 - std::countl_zero(mask));
    }

    void decide(const tile_shape& s, const tile_pattern& pattern) {
        const run_time_kernel& kernel = *kernels_.of[log2_of(s.register_bytes())][s.register_bits];
        auto plan = std::make_unique<reorder_plan>();
        plan->pattern = pattern;
        set_steps(*plan, s);
        const run_time_offsets offsets = kernel.offsets_for(*plan);
        // The segment and the lane of each byte of the tile, on both sides.
        std::vector<int> src(std::size_t{1} << s.tile_bits()), dst = src;
        for (std::size_t k = 0; k < src.size(); ++k) {
            for (int b = 0; b < s.src_bits; ++b) src[k] |= static_cast<int>(k >> b & 1) << b;
            for (int b = 0; b < s.dst_bits; ++b) dst[k] |= static_cast<int>(k >> pattern.dst_lanes[b] & 1) << b;
            for (int b = 0; b < offsets.src_bits.size(); ++b)
                src[k] |= static_cast<int>(k >> offsets.src_bits[b] & 1) << (s.src_bits + b);
            for (int b = 0; b < offsets.dst_bits.size(); ++b)
                dst[k] |= static_cast<int>(k >> offsets.dst_bits[b] & 1) << (s.dst_bits + b);
        }
        const std::vector<std::uint64_t> of_src = masks_of_segment(s.src_bits), of_dst = masks_of_segment(s.dst_bits);
        for (const bool reads_segments : {false, true})
            run_masks(s, *plan, offsets, src, dst, {1, of_src, of_dst, reads_segments});
        // Segments that are there whole, or not at all: copies may load whole registers.
        run_masks(s, *plan, offsets, src, dst, {1, {all_lanes_of(s.src_bits), 0}, of_dst});
        if (instructions_ != isa::avx512) {  // it stores ends by masks
            const dim_t tiles = simd::masked_pieces::least_tiles;
            const run_of_tiles in_pieces{tiles, of_src, first_bytes(of_dst)};
            run_masks(s, *plan, offsets, src, dst, in_pieces);
            run_masks(s, *plan, offsets, src, dst, {tiles, {all_lanes_of(s.src_bits)}, in_pieces.of_dst});
        }
        decide_other_flags(s, pattern, *plan, offsets, kernel);
    }
    /// How often a tile is run, and the masks of the segments of both sides.
    struct run_of_tiles {
        dim_t tiles;
        std::vector<std::uint64_t> of_src, of_dst;
        bool reads_segments = false;  ///< see segment_lanes
    };
    static std::vector<std::uint64_t> first_bytes(const std::vector<std::uint64_t>& masks) {
        std::vector<std::uint64_t> out;
        for (const std::uint64_t mask : masks)
            if ((mask & (mask + 1)) == 0) out.push_back(mask);
        return out;
    }
    void run_masks(const tile_shape& s, const reorder_plan& plan, const run_time_offsets& offsets,
                   const std::vector<int>& src, const std::vector<int>& dst, const run_of_tiles& of) {
        const run_time_kernel& kernel = *kernels_.of[log2_of(s.register_bytes())][s.register_bits];
        const int src_segments = 1 << offsets.src_bits.size(), dst_segments = 1 << offsets.dst_bits.size();
        const auto& [tiles, of_src, of_dst, reads_segments] = of;
        const std::size_t whole = std::size_t{1} << s.src_bits;
        tile_walk walk;
        walk.tiles = tiles;  // all of them are the same tile
        const std::size_t steps = std::max(of_src.size(), of_dst.size());
        const int runs = runs_for(unit::byte, s.tile_bytes());
        // All segments have their turn with each mask; neighbours have others.
        for (std::size_t step = 0; step < steps; ++step) {
            const auto mask_at = [step](const std::vector<std::uint64_t>& all, int k, std::size_t apart) {
                return all[(step + static_cast<std::size_t>(k) * apart) % all.size()];
            };
            lanes_of_side loaded, stored;
            const std::byte* const from = in_[0]->end();
            std::byte* const to = out_[0]->end();
            for (int k = 0; k < src_segments; ++k) {
                const std::uint64_t mask = loaded.bytes[k] = mask_at(of_src, k, 7);
                const std::size_t read = reads_segments ? whole : lanes_to_last(mask);
                loaded.offsets[k] = mask == 0 ? 0 : in_[static_cast<std::size_t>(k)]->end() - read - from;
            }
            for (int k = 0; k < dst_segments; ++k) {
                const std::uint64_t mask = stored.bytes[k] = mask_at(of_dst, k, 11);
                stored.offsets[k] = mask == 0 ? 0 : out_[static_cast<std::size_t>(k)]->end() - lanes_to_last(mask) - to;
            }
            segment_lanes lanes;
            lanes.loaded = loaded.bytes;
            lanes.stored = stored.bytes;
            lanes.src_offsets = loaded.offsets;
            lanes.dst_offsets = stored.offsets;
            lanes.loads_whole = false;
            lanes.reads_segments = reads_segments;
            const auto text = [&] {
                return text_of(instructions_, s, plan.pattern) + ", masks " + std::to_string(step) + ", " +
                       (reads_segments ? "segments read whole, " : "") + std::to_string(walk.tiles) + " tiles";
            };
            const running here(text);
            ++found_.cases;
            for (int number = 0; number < runs; ++number) {
                ++found_.runs;
                for (int k = 0; k < src_segments; ++k) {
                    const std::size_t count = reads_segments ? whole : lanes_to_last(loaded.bytes[k]);
                    std::byte* const segment = in_[static_cast<std::size_t>(k)]->end() - count;
                    for (std::size_t lane = 0; lane < count; ++lane)
                        segment[lane] = value_of(
                            unit::byte, static_cast<std::uint32_t>(k << s.src_bits) + static_cast<std::uint32_t>(lane),
                            number, runs);
                }
                for (int k = 0; k < dst_segments; ++k)
                    std::memset(out_[static_cast<std::size_t>(k)]->end() - shown, static_cast<int>(old_byte), shown);
                kernel.masked(plan, offsets, lanes, kernel_walk{walk}, from, to);
                if (!is_right(s, src, dst, loaded, stored, dst_segments, number, runs)) found_.fail(text());
            }
        }
    }
    bool is_right(const tile_shape& s, const std::vector<int>& src, const std::vector<int>& dst,
                  const lanes_of_side& loaded, const lanes_of_side& stored, int dst_segments, int number, int runs) {
        std::byte expected[max_segments][64];
        for (std::size_t k = 0; k < src.size(); ++k) {
            const int segment = src[k] >> s.src_bits, lane = src[k] & ((1 << s.src_bits) - 1);
            const bool is_there = (loaded.bytes[segment] >> lane & 1) != 0;
            expected[dst[k] >> s.dst_bits][dst[k] & ((1 << s.dst_bits) - 1)] =
                is_there ? value_of(unit::byte, static_cast<std::uint32_t>(src[k]), number, runs) : std::byte{0};
        }
        for (int k = 0; k < dst_segments; ++k) {
            const std::byte* const window = out_[static_cast<std::size_t>(k)]->end() - shown;
            const std::size_t count = lanes_to_last(stored.bytes[k]);
            for (std::size_t at = 0; at < shown; ++at) {
                const std::size_t lane = at - (shown - count);  // beyond count if it is in front
                const bool is_there = at >= shown - count && (stored.bytes[k] >> lane & 1) != 0;
                if (window[at] != (is_there ? expected[k][lane] : old_byte)) return false;
            }
        }
        return true;
    }
    /// Tiles that are all padding, and tiles whose segments are stored whole, or not at all, past the caches.
    void decide_other_flags(const tile_shape& s, const tile_pattern& pattern, const reorder_plan& plan,
                            const run_time_offsets& offsets, const run_time_kernel& kernel) {
        const auto size = static_cast<std::size_t>(s.tile_bytes());
        guarded_memory in(size), out(size);
        lanes_of_side loaded, stored;
        for (int k = 0; k < 1 << offsets.src_bits.size(); ++k)
            loaded.bytes[k] = all_lanes_of(s.src_bits), loaded.offsets[k] = dim_t{k} << s.src_bits;
        for (int k = 0; k < 1 << offsets.dst_bits.size(); ++k)
            stored.bytes[k] = all_lanes_of(s.dst_bits), stored.offsets[k] = dim_t{k} << s.dst_bits;
        segment_lanes lanes;
        lanes.loaded = loaded.bytes;
        lanes.stored = stored.bytes;
        lanes.src_offsets = loaded.offsets;
        lanes.dst_offsets = stored.offsets;
        std::vector<std::byte> whole(size);
        const auto run = [&](bool loads_nothing, bool streams) {
            lanes.loads_nothing = loads_nothing;
            lanes.streams = streams;
            std::byte* const to = out.end() - size;
            std::memset(to, static_cast<int>(old_byte), size);
            // Nothing may be read at the end of the source if nothing is loaded.
            kernel.masked(plan, offsets, lanes, kernel_walk{tile_walk{}}, loads_nothing ? in.end() : in.end() - size,
                          to);
            ++found_.runs;
            return to;
        };
        const auto text = [&] {
            return text_of(instructions_, s, pattern) + ", a tile of padding, or past the caches";
        };
        const running here(text);
        for (std::size_t k = 0; k < size; ++k)
            in.end()[static_cast<std::ptrdiff_t>(k) - static_cast<std::ptrdiff_t>(size)] =
                static_cast<std::byte>(k * 7 + k / 256);
        std::memcpy(whole.data(), run(false, false), size);
        found_.cases += 3;
        if (std::memcmp(run(false, true), whole.data(), size) != 0) found_.fail(text());
        for (const bool streams : {false, true}) {
            const std::byte* const to = run(true, streams);
            for (std::size_t k = 0; k < size; ++k)
                if (to[k] != std::byte{0}) return found_.fail(text());
        }
        // Past the caches, an end may leave out segments: here half of them.
        const auto segment = std::size_t{1} << s.dst_bits;
        for (int bit = 0; bit < offsets.dst_bits.size(); ++bit) {
            lanes_of_side half = stored;
            for (int k = 0; k < 1 << offsets.dst_bits.size(); ++k)
                if ((k >> bit & 1) != 0) half.bytes[k] = 0, half.offsets[k] = 0;
            lanes.stored = half.bytes;
            lanes.dst_offsets = half.offsets;
            const std::byte* const to = run(false, true);
            ++found_.cases;
            for (std::size_t k = 0; k < size; ++k)
                if (to[k] != ((k / segment >> bit & 1) != 0 ? old_byte : whole[k])) return found_.fail(text());
        }
    }
};

/// Compares the masks that follow from what remains of an axis with their definition: a lane is there if its index is
/// below what remains. Several axes are a conjunction, so one is enough.
class masks_from_what_remains {
public:
    explicit masks_from_what_remains(finding& found) : found_(found) {}

    /// The lanes and the segments of one side of a tile; which bits count along the axis; what they add to the index.
    void decide(int segment_lane_bits, int number_bits, int element_bits) {
        auto plan = std::make_unique<reorder_plan>();
        for (int first = 0; first <= segment_lane_bits; ++first)
            for (int run = first == segment_lane_bits ? 0 : 1; first + run <= segment_lane_bits; ++run)
                for (unsigned numbers = 0; numbers < 1u << number_bits; ++numbers) {
                    if (run == 0 && numbers == 0) continue;
                    for (const dim_t unit : {1, 3})
                        for (const bool lanes_below_numbers : {true, false})
                            decide(*plan, segment_lane_bits, number_bits, element_bits, first, run, numbers, unit,
                                   lanes_below_numbers);
                }
    }

private:
    finding& found_;

    void decide(reorder_plan& plan, int lane_bits, int number_bits, int element_bits, int first, int run,
                unsigned numbers, dim_t unit, bool lanes_below_numbers) {
        plan = {};
        plan.pattern.lane_bits = lane_bits;  // a register is a segment; numbers count registers
        plan.pattern.register_bits = number_bits;
        plan.sizes = element_sizes(1 << element_bits);
        for (int lane = 0; lane < lane_bits; ++lane) plan.pattern.dst_lanes.push_back(lane);
        dim_t next = unit, reach = 1;
        const auto give_lanes = [&] {
            for (int lane = first; lane < first + run; ++lane, next *= 2) plan.bits[lane].index_step = next;
        };
        for (int bit = 0; bit < lane_bits + number_bits; ++bit) {
            plan.bits.push_back({});
            plan.pattern.bounds.push_back(-1);
        }
        if (lanes_below_numbers) give_lanes();
        segment_bits counted;
        for (int k = 0; k < number_bits; ++k) {
            counted.push_back(lane_bits + k);
            if ((numbers >> k & 1) == 0) continue;
            plan.bits[lane_bits + k].index_step = next;
            plan.pattern.bounds[lane_bits + k] = 0;
            next *= 2;
        }
        if (!lanes_below_numbers) give_lanes();
        for (int lane = first; lane < first + run; ++lane) plan.pattern.bounds[lane] = 0;
        for (const tile_bit& bit : plan.bits) reach += bit.index_step;
        const bounded_side side(plan, counted, element_bits, side::source, 0);
        const std::uint64_t all = all_lanes_of(lane_bits + element_bits);
        // The index of each lane of each segment.
        std::vector<dim_t> index(std::size_t{1} << (number_bits + lane_bits));
        for (std::size_t k = 0; k < index.size(); ++k)
            for (int b = 0; b < lane_bits + number_bits; ++b)
                if ((k >> b & 1) != 0) index[k] += plan.bits[b].index_step;
        for (dim_t remaining = -1; remaining <= reach; ++remaining) {
            std::uint64_t masks[max_segments];
            segment_masks(masks, number_bits, all).keep(side, remaining);
            ++found_.cases;
            for (std::size_t segment = 0; segment < std::size_t{1} << number_bits; ++segment) {
                std::uint64_t expected = 0;
                for (std::size_t lane = 0; lane < std::size_t{1} << lane_bits; ++lane)
                    if (index[segment << lane_bits | lane] < remaining)
                        expected |= all_lanes_of(element_bits) << (lane << element_bits);
                if (masks[segment] != expected)
                    return found_.fail("segments of 2^" + std::to_string(lane_bits) + " lanes, number " +
                                       std::to_string(segment) + ", " + std::to_string(run) + " lane bits from " +
                                       std::to_string(first) + " along the axis, of which " +
                                       std::to_string(remaining) + " indices remain");
            }
        }
    }
};

}  // namespace listed_tiles
