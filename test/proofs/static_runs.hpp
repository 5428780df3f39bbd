#pragma once
// Runs the code of static tiles: each pair of shuffles, each network as a sequence of them, and one tile of each shape,
// whole and at the ends of axes.

#include "interleaved_tile.hpp"
#include "static_tiles.hpp"

namespace listed_tiles {

/// The findings about the static tiles of an instruction set.
struct static_findings {
    finding shuffles, networks, tiles, ends, interleaves, interleave_ends;
    std::atomic<std::uint64_t> without_network{};
};

class static_runs {
public:
    static_runs(isa instructions, const static_code& code, static_findings& found)
        : instructions_(instructions), code_(code), found_(found) {}

    /// Runs each pair of shuffles on two registers whose bytes are all different.
    void decide_shuffles() {
        for (const static_shuffle& s : code_.shuffles) {
            if (s.run == nullptr) continue;
            const int bytes = s.element_bytes << s.lane_bits, lanes = 1 << s.lane_bits;
            guarded_memory low(1), high(1);
            std::byte *const a = low.end() - bytes, *const b = high.end() - bytes;
            for (int k = 0; k < bytes; ++k)
                a[k] = static_cast<std::byte>(k + 1), b[k] = static_cast<std::byte>(bytes + k + 1);
            const auto text = [&] {
                return std::string(to_string(instructions_)) + ", elements of " + std::to_string(s.element_bytes) +
                       " bytes, registers of " + std::to_string(bytes) + ", lane bits " + std::to_string(s.rule.first) +
                       " to " + std::to_string(s.rule.last) + (s.rule.upwards ? " upwards" : " downwards");
            };
            const running here(text);
            ++found_.shuffles.cases;
            ++found_.shuffles.runs;
            s.run(a, b);
            // By definition, on the numbers of the bits: see bit_positions::apply.
            tile_pattern two;
            two.lane_bits = s.lane_bits;
            two.register_bits = 1;
            bit_positions after(two);
            after.apply({s.rule, 0});
            for (int number = 0; number < 2; ++number)
                for (int lane = 0; lane < lanes; ++lane) {
                    int from = number << after.registers[0];
                    for (int t = 0; t < s.lane_bits; ++t) from |= (lane >> t & 1) << after.lanes[t];
                    for (int k = 0; k < s.element_bytes; ++k)
                        if ((number == 0 ? a : b)[lane * s.element_bytes + k] !=
                            static_cast<std::byte>(from * s.element_bytes + k + 1))
                            return found_.shuffles.fail(text());
                }
        }
    }

    /// Runs the network of each pattern of a shape, step by step, with the shuffles above.
    void decide_networks(const tile_shape& s) {
        const shuffle_rules rules = rules_of(instructions_, s.element_bytes, s.lane_bits);
        const auto bytes = static_cast<std::size_t>(s.register_bytes());
        alignas(64) std::byte registers[1024];
        for_each_pattern(s, [&](const tile_pattern& pattern) {
            const auto network = find_network(pattern, rules);
            if (!network) {
                ++found_.without_network;
                return;
            }
            ++found_.networks.cases;
            const auto text = [&] { return text_of(instructions_, s, pattern); };
            const running here(text);
            for (int lane = 0; lane < s.dst_bits; ++lane)
                if (network->ends.lanes[lane] != pattern.dst_lanes[lane]) return found_.networks.fail(text());
            if (!has_each_register(store_order(network->ends), s.register_bits))
                return found_.networks.fail(text() + ", the order of stores");
            const int runs = runs_for(unit::byte, s.tile_bytes());
            for (int number = 0; number < runs; ++number) {
                ++found_.networks.runs;
                for (std::size_t k = 0; k < static_cast<std::size_t>(s.tile_bytes()); ++k)
                    registers[k] = value_of(unit::byte, static_cast<std::uint32_t>(k), number, runs);
                for (const shuffle_step& step : network->steps) {
                    const static_shuffle* const code = find(s.lane_bits, step.rule);
                    if (code == nullptr) return found_.networks.fail(text() + ": a step has no code");
                    for (int pair = 0; pair < 1 << (s.register_bits - 1); ++pair) {
                        const auto low = static_cast<std::size_t>(simd::lower_of_pair(pair, step.register_bit));
                        code->run(registers + low * bytes,
                                  registers + (low | std::size_t{1} << step.register_bit) * bytes);
                    }
                }
                if (!is_in_place(s, network->ends, registers, number, runs)) return found_.networks.fail(text());
            }
        });
    }

    /// Runs each compiled tile whole, past the cache, and with all that can remain of its axes.
    void decide_tiles() {
        for (const static_tile& t : code_.tiles) decide(t);
    }

    void decide_interleaves() {
        for (const static_interleave& t : code_.interleaves)
            if (t.move != nullptr) decide(t);
    }

private:
    isa instructions_;
    const static_code& code_;
    static_findings& found_;
    guarded_memory in_{2048}, out_{2048};
    std::vector<int> src_, dst_;

    const static_shuffle* find(int lane_bits, const shuffle_rule& rule) const {
        for (const static_shuffle& s : code_.shuffles)
            if (s.run != nullptr && s.lane_bits == lane_bits && s.rule == rule) return &s;
        return nullptr;
    }
    static bool has_each_register(const inline_list<int, max_register_bits>& order, int register_bits) {
        unsigned found = 0;
        for (const int k : order) found |= 1u << k;
        return order.size() == register_bits && found == (1u << register_bits) - 1;
    }
    /// Compares registers with the bits that the network says they count.
    static bool is_in_place(const tile_shape& s, const bit_positions& ends, const std::byte* registers, int number,
                            int runs) {
        std::uint32_t from_of[1024] = {};
        int step_of[max_tile_bits];
        for (int t = 0; t < s.lane_bits; ++t) step_of[t] = 1 << ends.lanes[t];
        for (int k = 0; k < s.register_bits; ++k) step_of[s.lane_bits + k] = 1 << ends.registers[k];
        for (int bit = 0; bit < s.tile_bits(); ++bit)
            for (int k = 0; k < 1 << bit; ++k)
                from_of[1 << bit | k] = from_of[k] + static_cast<std::uint32_t>(step_of[bit]);
        const auto element = static_cast<std::uint32_t>(s.element_bytes);
        for (std::uint32_t k = 0; k < std::uint32_t{1} << s.tile_bits(); ++k)
            for (std::uint32_t b = 0; b < element; ++b)
                if (registers[k * element + b] != value_of(unit::byte, from_of[k] * element + b, number, runs))
                    return false;
        return true;
    }

    void decide(const static_tile& t) {
        auto plan = std::make_unique<reorder_plan>();
        plan->pattern = t.pattern;
        set_steps(*plan, t.shape);
        dim_t reach[static_bounds] = {1, 1};
        for (int bit = 0; bit < t.shape.tile_bits(); ++bit) {
            const int bound = t.pattern.bounds[bit];
            plan->bits[bit].index_step = dim_t{1} << (bound == 0 ? bit : bit - t.shape.src_bits);
            plan->bits[bit].axis = bound;
            reach[bound] += plan->bits[bit].index_step;
            // The source has its elements in the order of their numbers, so that what remains of it ends at a page.
            plan->bits[bit].src = dim_t{1} << bit;
        }
        for (const dim_t r : reach) plan->bounds.push_back({r, r, r});
        places_of_tile(src_, *plan, side::source);
        places_of_tile(dst_, *plan, side::destination);
        remaining_extents<> remaining(*plan);
        for (const bool streams : {false, true}) {
            ++found_.tiles.cases;
            run(t, *plan, remaining, streams, found_.tiles);
        }
        for (int x = 0; x < static_bounds; ++x) {
            const dim_t other = reach[1 - x];
            for (dim_t stored = 0; stored <= reach[x]; ++stored)
                for (const dim_t valid : {stored, stored - 1, stored / 2, dim_t{1}, dim_t{0}})
                    for (const dim_t of_other : {other, other - 1, (other + 1) / 2, dim_t{1}, dim_t{0}}) {
                        if (valid < 0 || valid > stored || of_other < 0) continue;
                        remaining.stored[x] = stored;
                        remaining.valid[x] = valid;
                        remaining.stored[1 - x] = of_other;
                        for (const dim_t valid_of_other : {of_other, of_other / 3}) {
                            remaining.valid[1 - x] = valid_of_other;
                            ++found_.ends.cases;
                            run(t, *plan, remaining, false, found_.ends);
                        }
                    }
        }
    }
    void run(const static_tile& t, const reorder_plan& plan, remaining_extents<>& remaining, bool streams,
             finding& found) {
        const auto text = [&] {
            return text_of(instructions_, t.shape, t.pattern) + ", " + std::to_string(remaining.valid[0]) + " of " +
                   std::to_string(remaining.stored[0]) + " and " + std::to_string(remaining.valid[1]) + " of " +
                   std::to_string(remaining.stored[1]) + " valid" + (streams ? ", past the cache" : "");
        };
        const running here(text);
        const auto bytes = static_cast<std::size_t>(t.shape.element_bytes);
        const unsigned mask = (1u << t.shape.src_bits) - 1;
        const auto is_below = [&](std::size_t k, const dim_t* left) {
            return static_cast<dim_t>(k & mask) < left[0] && static_cast<dim_t>(k >> t.shape.src_bits) < left[1];
        };
        std::size_t read = 0, written = 0;
        for (std::size_t k = 0; k < src_.size(); ++k) {
            if (is_below(k, remaining.valid) && is_below(k, remaining.stored))
                read = std::max(read, (static_cast<std::size_t>(src_[k]) + 1) * bytes);
            if (is_below(k, remaining.stored))
                written = std::max(written, (static_cast<std::size_t>(dst_[k]) + 1) * bytes);
        }
        const int runs = runs_for(unit::byte, t.shape.tile_bytes());
        for (int number = 0; number < runs; ++number) {
            ++found.runs;
            std::byte *const src = in_.end() - read, *const dst = out_.end() - written;
            for (std::size_t k = 0; k < read; ++k)
                src[k] = value_of(unit::byte, static_cast<std::uint32_t>(k), number, runs);
            const std::size_t shown = written + 64 < out_.size() ? written + 64 : out_.size();
            std::memset(out_.end() - shown, static_cast<int>(old_byte), shown);
            remaining.src_end = src + read;
            t.move(plan, remaining, streams, src, dst);
            std::size_t right = 0, stored = 0;
            for (std::size_t k = 0; k < src_.size(); ++k) {
                if (!is_below(k, remaining.stored)) continue;
                stored += bytes;
                for (std::size_t b = 0; b < bytes; ++b) {
                    const std::size_t from = static_cast<std::size_t>(src_[k]) * bytes + b;
                    std::byte& at = dst[static_cast<std::size_t>(dst_[k]) * bytes + b];
                    right += at == (is_below(k, remaining.valid)
                                        ? value_of(unit::byte, static_cast<std::uint32_t>(from), number, runs)
                                        : std::byte{0});
                    at = old_byte;  // so that all bytes are old ones below
                }
            }
            bool others_are_old = true;
            for (const std::byte* at = out_.end() - shown; at != out_.end(); ++at)
                others_are_old = others_are_old && *at == old_byte;
            if (right != stored || !others_are_old) found.fail(text());
        }
    }

    void decide(const static_interleave& t) {
        const interleaved_tile tile(instructions_, t.element_bytes, t.lane_bits, t.count, t.deals);
        const auto text = [&] { return "static, " + tile.text(); };
        const running here(text);
        tile.decide_whole(found_.interleaves, [&](bool streams, const std::byte* src, std::byte* dst) {
            t.move(tile.plan(), remaining_extents<>(tile.plan()), streams, src, dst);
        });
        tile.decide_ends(found_.interleave_ends,
                         [&](const remaining_extents<>& remaining, const std::byte* src, std::byte* dst) {
                             t.move(tile.plan(), remaining, false, src, dst);
                         });
    }
};

}  // namespace listed_tiles
