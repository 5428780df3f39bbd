#pragma once
// Tiles that interleave registers: whole, and with all that can remain of their axes. The kernels of tables and static
// tiles are called alike.

#include "table_tiles.hpp"

namespace listed_tiles {

/// A tile of `count` registers of 2^lane_bits elements, which alternate in the source if it deals them to registers,
/// otherwise in the destination.
class interleaved_tile {
public:
    interleaved_tile(isa instructions, int element_bytes, int lane_bits, int count, bool deals)
        : element_bytes_(element_bytes), lanes_(1 << lane_bits), count_(count), deals_(deals) {
        text_ = std::string(to_string(instructions)) + ", " + std::to_string(count) + " elements of " +
                std::to_string(element_bytes) + " bytes alternate in the " + (deals ? "source" : "destination") + ", " +
                std::to_string(lanes_) + " lanes";
        plan_.sizes = element_sizes(element_bytes);
        plan_.pattern.lane_bits = lane_bits;
        plan_.pattern.interleave = count;
        plan_.pattern.interleaves_source = deals;
        for (int lane = 0; lane < lane_bits; ++lane) {
            plan_.pattern.dst_lanes.push_back(lane);
            plan_.pattern.bounds.push_back(0);
            plan_.bits.push_back({0, 0, dim_t{1} << lane, 0});
        }
        (deals ? plan_.interleaved.dst : plan_.interleaved.src) = apart();
        // The axis of the lanes, and another one.
        plan_.bounds.push_back({lanes_, lanes_, lanes_});
        plan_.bounds.push_back({1, 1, 1});
    }
    const reorder_plan& plan() const { return plan_; }
    const std::string& text() const { return text_; }

    /// Runs the tile whole, through the cache and past it: move(streams, src, dst).
    template <class Move>
    void decide_whole(finding& found, const Move& move) const {
        for (const bool streams : {false, true}) {
            ++found.cases;
            if (!run(lanes_, lanes_, found, [&](const std::byte* src, std::byte* dst) { move(streams, src, dst); }))
                found.fail(text_ + (streams ? ", past the cache" : ""));
        }
    }
    /// Runs the tile with all that can remain of its axes: move(remaining, src, dst).
    template <class Move>
    void decide_ends(finding& found, const Move& move) const {
        for (int stored = 0; stored <= lanes_; ++stored)
            for (int valid = 0; valid <= stored; ++valid)
                for (const int other : {2, 1, 0}) {  // all is there, all is padding, all is beyond
                    remaining_extents<> remaining(plan_);
                    remaining.valid[0] = valid;
                    remaining.stored[0] = stored;
                    remaining.valid[1] = other == 2 ? 1 : 0;
                    remaining.stored[1] = other == 0 ? 0 : 1;
                    ++found.cases;
                    if (!run(other == 2 ? valid : 0, other == 0 ? 0 : stored, found,
                             [&](const std::byte* src, std::byte* dst) { move(remaining, src, dst); }))
                        found.fail(text_ + ", " + std::to_string(valid) + " of " + std::to_string(stored) + " valid");
                }
    }

private:
    int element_bytes_, lanes_, count_;
    bool deals_;
    reorder_plan plan_;
    std::string text_;

    /// Returns the elements between the beginnings of registers on the side where they do not alternate.
    dim_t apart() const { return 2 * lanes_; }
    /// Returns the place of an element on the side where registers alternate, or on the other side.
    dim_t place(bool alternates, int lane, int number) const {
        return alternates ? dim_t{lane} * count_ + number : number * apart() + lane;
    }
    /// Moves the tile between guarded pages, and compares it with what is expected of `valid` and `stored` lanes.
    template <class Move>
    bool run(int valid, int stored, finding& found, const Move& move) const {
        const auto bytes = static_cast<std::size_t>(element_bytes_);
        const std::size_t most = bytes * static_cast<std::size_t>(2 * lanes_ * count_);
        thread_local guarded_memory in(8192), out(8192);
        thread_local std::vector<std::byte> expected;
        const auto extent = [&](bool alternates, int lanes) {
            return lanes == 0 ? 0 : bytes * static_cast<std::size_t>(place(alternates, lanes - 1, count_ - 1) + 1);
        };
        const std::size_t read = extent(deals_, valid), written = extent(!deals_, stored);
        const int runs = runs_for(unit::byte, static_cast<int>(most));
        bool right = true;
        for (int number = 0; number < runs; ++number)
            for (const bool at_end : {true, false}) {
                // What a whole tile writes is a multiple of a register, so that it is aligned for stores past the
                // cache.
                std::byte* const src = at_end ? in.end() - read : in.begin();
                std::byte* const dst = at_end ? out.end() - written : out.begin();
                for (std::size_t k = 0; k < read; ++k)
                    src[k] = value_of(unit::byte, static_cast<std::uint32_t>(k), number, runs);
                std::memset(out.begin(), static_cast<int>(old_byte), out.size());
                expected.assign(out.size(), old_byte);
                std::byte* const to = expected.data() + (dst - out.begin());
                for (int lane = 0; lane < stored; ++lane)
                    for (int r = 0; r < count_; ++r)
                        for (std::size_t b = 0; b < bytes; ++b) {
                            const std::size_t from = static_cast<std::size_t>(place(deals_, lane, r)) * bytes + b;
                            to[static_cast<std::size_t>(place(!deals_, lane, r)) * bytes + b] =
                                lane < valid ? value_of(unit::byte, static_cast<std::uint32_t>(from), number, runs)
                                             : std::byte{0};
                        }
                move(src, dst);
                ++found.runs;
                right = right && std::memcmp(out.begin(), expected.data(), out.size()) == 0;
            }
        return right;
    }
};

}  // namespace listed_tiles
