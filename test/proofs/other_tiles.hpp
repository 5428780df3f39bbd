#pragma once
// Runs the tiles of run-time plans that have no network: interleaves, single elements, rows of staging buffers; and the
// walks of kernels over tiles.

#include "interleaved_tile.hpp"

namespace listed_tiles {

/// Runs an interleave whose tables are data.
inline void decide_interleave(isa instructions, const simd::table_kernels& kernels, int element_bytes, int lane_bits,
                              int count, bool deals, finding& whole, finding& ends) {
    const interleaved_tile tile(instructions, element_bytes, lane_bits, count, deals);
    const auto text = [&] { return tile.text(); };
    const running here(text);
    const run_time_kernel* const kernel = kernels.find_interleave(tile.plan().pattern, element_bytes);
    if (kernel == nullptr) return whole.fail(text() + ": there is no kernel");
    const run_time_offsets offsets;
    const kernel_walk one{tile_walk{}};
    tile.decide_whole(whole, [&](bool streams, const std::byte* src, std::byte* dst) {
        (streams ? kernel->stream : kernel->whole)(tile.plan(), offsets, one, src, dst);
    });
    tile.decide_ends(ends, [&](const remaining_extents<>& remaining, const std::byte* src, std::byte* dst) {
        kernel->edge(tile.plan(), remaining, one, src, dst);
    });
}

/// Runs the kernel of single elements: one that is moved, one that is zeroed, one that is left alone.
template <int Bytes>
void decide_elements(finding& found) {
    const run_time_kernel& kernel = simd::element_kernel_for<simd::moved_elements<Bytes>>;
    guarded_memory in(1), out(1);
    const reorder_plan plan;
    const run_time_offsets offsets;
    for (const bool loaded : {true, false})
        for (const bool stored : {true, false})
            for (const bool masked : {true, false}) {
                if (!masked && (!loaded || !stored)) continue;
                const auto text = [&] { return "an element of " + std::to_string(Bytes) + " bytes"; };
                const running here(text);
                ++found.cases;
                ++found.runs;
                std::byte* const src = loaded ? in.end() - Bytes : in.end();
                std::byte* const dst = stored ? out.end() - Bytes : out.end();
                std::memset(out.begin(), static_cast<int>(old_byte), out.size());
                for (int b = 0; loaded && b < Bytes; ++b) src[b] = static_cast<std::byte>(b + 1);
                const std::uint64_t some = 1, none = 0;
                const dim_t offset = 0;
                segment_lanes lanes;
                lanes.loaded = loaded ? &some : &none;
                lanes.stored = stored ? &some : &none;
                lanes.src_offsets = lanes.dst_offsets = &offset;
                const kernel_walk one{tile_walk{}};
                if (masked) kernel.masked(plan, offsets, lanes, one, src, dst);
                else kernel.whole(plan, offsets, one, src, dst);
                for (std::byte* at = out.begin(); at != out.end(); ++at) {
                    const bool is_there = stored && at >= out.end() - Bytes;
                    const auto b = static_cast<int>(at - (out.end() - Bytes));
                    if (*at != (is_there ? static_cast<std::byte>(loaded ? b + 1 : 0) : old_byte))
                        return found.fail(text());
                }
            }
}

/// Copies rows to and from staging buffers: each length that a buffer has, in several rows.
inline void decide_staged_rows(isa instructions, const run_time_kernel& kernel, finding& found) {
    constexpr int most_rows = 3;
    guarded_memory memory(2 * most_rows * most_staging_bytes),
        rows(most_rows * (most_staging_bytes + cache_line_bytes));
    reorder_plan plan;
    plan.sizes = element_sizes(1);
    plan.staged_from = 0;
    plan.loops.push_back({.extent = 1, .src = 1, .dst = 1});
    staging_buffer through(plan);
    for (dim_t length = 16; length <= staging_bytes; length += 16) {
        const auto text = [&] {
            return std::string(to_string(instructions)) + ", rows of " + std::to_string(length) + " bytes";
        };
        const running here(text);
        const auto size = static_cast<std::size_t>(length);
        const auto value = [](std::size_t k) { return static_cast<std::byte>(k % 251 + k / 251 * 7 + 1); };
        // In memory, rows are two lengths apart, in falling order; the first one ends at a page that cannot be
        // accessed.
        inline_list<dim_t, max_rows_of_short_runs> begins;
        staged_source from;
        for (int row = 0; row < most_rows; ++row)
            begins.push_back(-2 * row * length), from.rows.push_back(-2 * row * length);
        from.row_bytes = through.row_elements = length;
        through.rows = begins;
        through.pitch = length + cache_line_bytes;
        if (length <= cache_line_bytes) {  // staged_source has no longer rows
            ++found.cases;
            ++found.runs;
            for (std::size_t k = 0; k < memory.size(); ++k) memory.begin()[k] = value(k);
            std::byte* const to = rows.end() - most_rows * size;
            std::memset(rows.begin(), static_cast<int>(old_byte), rows.size());
            kernel.load_rows(from, memory.end() - size, to);
            bool right = to == rows.begin() || to[-1] == old_byte;
            for (std::size_t row = 0; row < most_rows; ++row)
                right = right && std::memcmp(to + row * size, memory.end() - size - 2 * row * size, size) == 0;
            if (!right) found.fail(text() + ", loaded");
        }
        for (const bool streams : {false, true}) {
            if (streams && length % cache_line_bytes != 0) continue;
            ++found.cases;
            ++found.runs;
            const std::size_t pitch = size + cache_line_bytes, held = pitch * (most_rows - 1) + size;
            std::byte* const held_rows = rows.end() - held;
            for (std::size_t k = 0; k < held; ++k) held_rows[k] = value(k);
            std::memset(memory.begin(), static_cast<int>(old_byte), memory.size());
            (streams ? kernel.stream_rows : kernel.store_rows)(through, held_rows, memory.end() - size);
            bool right = true;
            for (std::size_t row = 0; row < most_rows; ++row) {
                const std::byte* const at = memory.end() - size - 2 * row * size;
                right = right && std::memcmp(at, held_rows + row * pitch, size) == 0;
                for (std::size_t k = 1; k <= size; ++k) right = right && *(at - k) == old_byte;
            }
            if (!right) found.fail(text() + (streams ? ", past the caches" : ", stored"));
        }
    }
}

/// Walks of kernels: each number of planes, rows and tiles up to four times the tiles that are unrolled, with and
/// without a tile that is moved back. For longer walks see loops.cpp.
///
/// Pre:     the kernel is of 2^register_bits registers of 2^lane_bits bytes, or of one byte if lane_bits is 0
inline void decide_walks(isa instructions, const run_time_kernel& kernel, int lane_bits, int register_bits,
                         finding& found) {
    constexpr dim_t most_tiles = 13;
    const dim_t tile_bytes = dim_t{1} << (lane_bits + register_bits);
    const auto bytes = static_cast<std::size_t>(tile_bytes);
    std::vector<std::byte> in, out;
    reorder_plan plan;
    plan.sizes = element_sizes(1);
    run_time_offsets offsets;
    if (lane_bits > 0) {
        plan.pattern = pattern_of({1, lane_bits, register_bits, lane_bits, lane_bits});
        for (int lane = 0; lane < lane_bits; ++lane) plan.pattern.dst_lanes.push_back(lane);
        for (int bit = 0; bit < lane_bits + register_bits; ++bit)
            plan.bits.push_back({dim_t{1} << bit, dim_t{1} << bit, 0, 0});
        kernel.set_offsets(offsets, plan);
    }
    for (dim_t planes = 1; planes <= 3; ++planes)
        for (dim_t rows = 1; rows <= 3; ++rows)
            for (dim_t tiles = 1; tiles <= most_tiles; ++tiles)
                for (const bool overlap : {false, true}) {
                    ++found.cases;
                    ++found.runs;
                    tile_walk walk;
                    walk.planes = planes, walk.rows = rows, walk.tiles = tiles;
                    walk.src_tile = tile_bytes, walk.dst_tile = 2 * tile_bytes;
                    walk.src_row = (most_tiles + 2) * walk.src_tile, walk.dst_row = (most_tiles + 2) * walk.dst_tile;
                    walk.src_plane = 3 * walk.src_row, walk.dst_plane = 3 * walk.dst_row;
                    walk.has_overlap = overlap;
                    walk.overlap_src = walk.src_tile / 2, walk.overlap_dst = walk.dst_tile / 2;
                    in.resize(static_cast<std::size_t>(3 * walk.src_plane));
                    out.assign(static_cast<std::size_t>(3 * walk.dst_plane), old_byte);
                    std::vector<std::byte> expected = out;
                    for (std::size_t k = 0; k < in.size(); ++k)
                        in[k] = static_cast<std::byte>(k % 233 + k / 233 % 7 + 1);
                    for (dim_t p = 0; p < planes; ++p)
                        for (dim_t r = 0; r < rows; ++r)
                            for (dim_t t = 0; t < tiles + overlap; ++t) {
                                const bool back = t == tiles;
                                const dim_t src = p * walk.src_plane + r * walk.src_row + t * walk.src_tile -
                                                  (back ? walk.overlap_src : 0),
                                            dst = p * walk.dst_plane + r * walk.dst_row + t * walk.dst_tile -
                                                  (back ? walk.overlap_dst : 0);
                                std::memcpy(expected.data() + dst, in.data() + src, bytes);
                            }
                    kernel.whole(plan, offsets, kernel_walk(walk), in.data(), out.data());
                    if (out != expected)
                        return found.fail(std::string(to_string(instructions)) + ", tiles of " +
                                          std::to_string(tile_bytes) + " bytes: " + std::to_string(planes) +
                                          " planes of " + std::to_string(rows) + " rows of " + std::to_string(tiles) +
                                          " tiles" + (overlap ? ", and one moved back" : ""));
                }
}

}  // namespace listed_tiles
