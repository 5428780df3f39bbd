#pragma once
// Runs all tiles whose networks are tables, and their masks.

#include "listed_tiles.hpp"
#include "moved_bytes.hpp"

#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/simd/portable.hpp>

#include <memory>
#include <vector>

namespace listed_tiles {

using namespace moved_bytes;

/// Returns the text of a pattern, for messages.
inline std::string text_of(isa instructions, const tile_shape& s, const tile_pattern& p) {
    std::string out = std::string(to_string(instructions)) + ", elements of " + std::to_string(s.element_bytes) +
                      " bytes, 2^" + std::to_string(s.register_bits) + " registers of 2^" +
                      std::to_string(s.lane_bits) + " lanes, segments of 2^" + std::to_string(s.src_bits) + " and 2^" +
                      std::to_string(s.dst_bits) + ", lanes of the destination";
    for (const int lane : p.dst_lanes) out += " " + std::to_string(lane);
    if (p.half_bytes >= 0) out += ", halves of the bytes of bit " + std::to_string(p.half_bytes);
    return out;
}

/// The places of a tile in test memory. The source has no gaps. A segment of the destination is followed by as many
/// bytes that must not change as it has itself. Segments are in the opposite order on the two sides.
inline void set_steps(reorder_plan& plan, const tile_shape& s) {
    plan.sizes = element_sizes(s.element_bytes);
    plan.bits = {};
    for (int bit = 0; bit < s.tile_bits(); ++bit) plan.bits.push_back({0, 0, dim_t{1} << bit, 0});
    for (int bit = 0; bit < s.tile_bits(); ++bit)
        plan.bits[bit].src = dim_t{1} << (bit < s.src_bits ? bit : s.tile_bits() - 1 - (bit - s.src_bits));
    std::uint32_t lanes = 0;
    for (int lane = 0; lane < s.dst_bits; ++lane) {
        plan.bits[plan.pattern.dst_lanes[lane]].dst = dim_t{1} << lane;
        lanes |= std::uint32_t{1} << plan.pattern.dst_lanes[lane];
    }
    dim_t step = dim_t{2} << s.dst_bits;
    for (int bit = 0; bit < s.tile_bits(); ++bit) {
        if ((lanes >> bit & 1) != 0) continue;
        plan.bits[bit].dst = step;
        step *= 2;
    }
}

/// Returns the places of all elements of a tile on one side, in elements.
inline void places_of_tile(std::vector<int>& out, const reorder_plan& plan, side of) {
    out.assign(std::size_t{1} << plan.bits.size(), 0);
    for (int bit = 0; bit < plan.bits.size(); ++bit) {
        const std::size_t below = std::size_t{1} << bit;
        const auto step = static_cast<int>(of == side::source ? plan.bits[bit].src : plan.bits[bit].dst);
        for (std::size_t k = 0; k < below; ++k) out[below + k] = out[k] + step;
    }
}

/// A way to run a tile.
enum class access { whole, ahead, stream, masked, masked_in_part };
inline constexpr const char* names_of_access[] = {"whole", "with a prefetch", "past the cache", "masked",
                                                  "masked, with lanes that are not loaded"};

/// The bytes of each segment of one side of a tile at an end.
struct lanes_of_side {
    std::uint64_t bytes[max_segments]{};
    dim_t offsets[max_segments]{};
};

/// Runs the tiles of one instruction set whose networks are tables.
class table_tiles {
public:
    table_tiles(isa instructions, const simd::table_kernels& kernels, finding& networks, finding& halves)
        : instructions_(instructions), kernels_(kernels), networks_(networks), halves_(halves) {}

    /// Runs all patterns of a shape, in each way.
    void decide(const tile_shape& s) {
        const run_time_kernel* const kernel = kernels_.of[log2_of(s.register_bytes())][s.register_bits];
        if (kernel == nullptr) return networks_.fail(text_of(instructions_, s, {}) + ": there is no kernel");
        auto plan = std::make_unique<reorder_plan>();
        for_each_pattern(s, [&](const tile_pattern& pattern) {
            plan->pattern = pattern;
            set_steps(*plan, s);
            run(*plan, s, *kernel, unit::byte, networks_);
            if (s.element_bytes != 1) return;
            for (int bit = 0; bit < s.tile_bits(); ++bit) {
                if (!can_exchange_halves(pattern, bit)) continue;
                plan->pattern.half_bytes = bit;
                run(*plan, s, *kernel, unit::half_byte, halves_);
            }
        });
    }

private:
    static constexpr std::size_t most_bytes = 2048;  // of a destination
    isa instructions_;
    const simd::table_kernels& kernels_;
    finding &networks_, &halves_;
    guarded_memory in_{most_bytes}, out_{most_bytes};
    std::vector<int> src_, dst_;
    std::byte expected_[4][most_bytes];

    /// Computes what the destination must hold after each run.
    void expect(const reorder_plan& plan, const tile_shape& s, unit of, int runs) {
        places_of_tile(src_, plan, side::source);
        places_of_tile(dst_, plan, side::destination);
        const auto bytes = static_cast<std::size_t>(s.element_bytes);
        const int half = plan.pattern.half_bytes;
        for (int number = 0; number < runs; ++number) {
            std::byte* const to = expected_[number];
            std::memset(to, static_cast<int>(old_byte), 2 * static_cast<std::size_t>(s.tile_bytes()));
            const auto value = [&](std::size_t place) {
                return value_of(of, static_cast<std::uint32_t>(place), number, runs);
            };
            for (std::size_t k = 0; k < src_.size(); ++k) {
                const std::size_t from = static_cast<std::size_t>(src_[k]) * bytes,
                                  at = static_cast<std::size_t>(dst_[k]) * bytes;
                if (half < 0) {
                    for (std::size_t b = 0; b < bytes; ++b) to[at + b] = value(from + b);
                    continue;
                }
                // The halves of this byte are those of the two bytes of the bit, of the number that the bit has here.
                const std::size_t bit = std::size_t{1} << half;
                const std::byte low = value(static_cast<std::size_t>(src_[k & ~bit])),
                                high = value(static_cast<std::size_t>(src_[k | bit]));
                to[at] = (k & bit) == 0 ? (low & std::byte{15}) | high << 4 : low >> 4 | (high & std::byte{0xf0});
            }
        }
    }
    void run(reorder_plan& plan, const tile_shape& s, const run_time_kernel& kernel, unit of, finding& found) {
        const run_time_offsets offsets = kernel.offsets_for(plan);
        const int runs = runs_for(of, s.tile_bytes());
        expect(plan, s, of, runs);
        const run_time_kernel* const known = kernels_.find_known(plan.pattern, s.element_bytes, offsets.network);
        access now = access::whole;
        bool is_known = false;
        const auto text = [&] {
            return text_of(instructions_, s, plan.pattern) + ", " + names_of_access[static_cast<int>(now)] +
                   (is_known ? ", by the kernel of the network" : "");
        };
        const running here(text);
        lanes_of_side loaded, stored;
        const int src_segments = 1 << offsets.src_bits.size(), dst_segments = 1 << offsets.dst_bits.size();
        for (int k = 0; k < src_segments; ++k)
            loaded.bytes[k] = all_lanes_of(s.src_bits + log2_of(s.element_bytes)),
            loaded.offsets[k] = offsets.src.offset_of(k);
        for (int k = 0; k < dst_segments; ++k)
            stored.bytes[k] = all_lanes_of(s.dst_bits + log2_of(s.element_bytes)),
            stored.offsets[k] = offsets.dst.offset_of(k);
        const auto size = static_cast<std::size_t>(s.tile_bytes());
        const bool is_widest = s.register_bytes() == vector_bytes(instructions_);
        ++found.cases;
        for (int number = 0; number < runs; ++number) {
            // The tile ends at a page that cannot be accessed, or begins behind one.
            const bool at_end = number % 2 == 0;
            std::byte* const src = at_end ? in_.end() - size : in_.begin();
            std::byte* const memory = at_end ? out_.end() - 2 * size : out_.begin();
            const std::size_t segment = size / static_cast<std::size_t>(dst_segments);
            std::byte* const dst = at_end ? memory + segment : memory;
            for (std::size_t k = 0; k < size; ++k) src[k] = value_of(of, static_cast<std::uint32_t>(k), number, runs);
            // A kernel for this network alone moves whole tiles otherwise.
            for (const run_time_kernel* const by : {&kernel, known})
                for (const access way :
                     {access::whole, access::ahead, access::stream, access::masked, access::masked_in_part}) {
                    if (by == nullptr || (by == known && way >= access::masked)) continue;
                    if (way == access::ahead && (!is_widest || s.register_bits < 3)) continue;
                    if (way == access::stream && (!is_widest || s.register_bytes() == 16)) continue;
                    std::memset(memory, static_cast<int>(old_byte), 2 * size);
                    now = way, is_known = by == known;
                    run_once(way, plan, offsets, loaded, stored, *by, src, dst);
                    ++found.runs;
                    // Bytes around the segments are old ones in both cases, because the expected ones begin with
                    // segment 0.
                    const bool right =
                        at_end ? is_old(memory, segment) && std::memcmp(dst, expected_[number], 2 * size - segment) == 0
                               : std::memcmp(memory, expected_[number], 2 * size) == 0;
                    if (!right) found.fail(text());
                }
        }
    }
    static bool is_old(const std::byte* bytes, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k)
            if (bytes[k] != old_byte) return false;
        return true;
    }

    void run_once(access way, reorder_plan& plan, const run_time_offsets& offsets, const lanes_of_side& loaded,
                  const lanes_of_side& stored, const run_time_kernel& kernel, const std::byte* src, std::byte* dst) {
        const kernel_walk one{tile_walk{}};
        plan.destination_prefetch = way == access::ahead ? 64 : 0;
        if (way == access::whole || way == access::ahead) return kernel.whole(plan, offsets, one, src, dst);
        if (way == access::stream) return kernel.stream(plan, offsets, one, src, dst);
        segment_lanes lanes;
        lanes.loaded = loaded.bytes;
        lanes.stored = stored.bytes;
        lanes.src_offsets = loaded.offsets;
        lanes.dst_offsets = stored.offsets;
        lanes.loads_whole = way == access::masked;
        kernel.masked(plan, offsets, lanes, one, src, dst);
    }
};

}  // namespace listed_tiles
