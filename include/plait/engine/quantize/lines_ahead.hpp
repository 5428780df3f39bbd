#pragma once
// Prefetches of the memory of the next cache block. Where a cache block reads or writes runs that are far apart, the
// CPU itself prefetches little, and each run waits for memory.
//
// Example: s8 abcd -> acbd of 64x50x16x128, a scale for each a: a cache block reads 50 runs of 512 bytes, 2048 bytes
// apart. While it is converted, the 50 runs beside them are prefetched: 0.8 ms instead of 1.8 (Zen 4).

#include <plait/engine/plan/plan.hpp>
#include <plait/engine/quantize/cache_block_shape.hpp>

#include <cstddef>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The memory of a cache block on one side: runs of bytes, at the steps of some loops.
class lines_ahead {
public:
    constexpr lines_ahead() = default;
    /// Nothing is prefetched if a cache block is one run, or a few long ones.
    ///
    /// Pre:     the nodes have their steps in a cache block
    constexpr lines_ahead(const cache_block_shape& shape, bool source, dim_t bytes) : run_(bytes) {
        bool is_taken[max_block_nodes]{};
        for (int next = 0; next >= 0;) {
            next = -1;  // the node of the smallest step
            for (int k = 0; k < shape.inner; ++k) {
                const dim_t step = step_size(shape.stride(shape.nodes[k], source));
                if (step == 0 || is_taken[k]) continue;
                if (next < 0 || step < step_size(shape.stride(shape.nodes[next], source))) next = k;
            }
            if (next >= 0)
                is_taken[next] = take(shape.nodes[next].block_steps, shape.stride(shape.nodes[next], source) * bytes);
        }
        if (loops_.empty() || run_ > most_run) run_ = 0;
    }
    constexpr bool is_empty() const { return run_ == 0; }
    /// Returns the number of bytes that are prefetched for a cache block.
    constexpr dim_t bytes() const {
        dim_t product = run_;
        for (const loop& l : loops_) product *= l.count;
        return product;
    }

    /// Prefetches what a cache block that begins at `at` reads, or writes.
    template <bool Writes>
    void ask(const std::byte* at) const noexcept {
        if (run_ != 0) ask<Writes>(loops_.size() - 1, at);
    }

private:
    static constexpr dim_t most_run = 2048;  ///< the CPU itself prefetches the lines of longer runs

    struct loop {
        dim_t count = 0, step = 0;
    };
    inline_list<loop, 3> loops_;  ///< the innermost first
    dim_t run_ = 0;               ///< bytes without a gap of a cache line; 0: nothing is prefetched

    /// Adds the steps of a node. If there are too many loops, nothing will be prefetched.
    constexpr bool take(dim_t count, dim_t step) {
        if (step > 0 && (step <= run_ || step <= cache_line_bytes)) run_ += (count - 1) * step;
        else if (loops_.full()) run_ = most_run + 1;
        else loops_.push_back({count, step});
        return true;
    }
    template <bool Writes>
    void ask(int outermost, const std::byte* at) const noexcept {
        if (outermost >= 0) {
            for (dim_t i = 0; i < loops_[outermost].count; ++i)
                ask<Writes>(outermost - 1, at + i * loops_[outermost].step);
            return;
        }
        for (dim_t line = 0; line < run_; line += cache_line_bytes) __builtin_prefetch(at + line, Writes ? 1 : 0, 2);
    }
};

/// The prefetches of a cache block for the next one, on both sides.
struct prefetched_lines {
    lines_ahead src, dst;
    dim_t src_bytes = 0, dst_bytes = 0;  ///< of an element

    /// Prefetches the cache block that comes next in the loops, the first fastest. The one at `index` begins `from` and
    /// `to` elements after `in` and `out`.
    void ask_for_next(const inline_list<int, max_block_nodes>& loops, const cache_block_node* nodes, const dim_t* index,
                      const std::byte* in, dim_t from, const std::byte* out, dim_t to) const noexcept {
        if (src.is_empty() && dst.is_empty()) return;
        for (const int k : loops) {
            const cache_block_node& n = nodes[k];
            const bool goes_on = index[k] + n.block_steps < n.extent;
            const dim_t steps = goes_on ? n.block_steps : -index[k];
            from += steps * n.src;
            to += steps * n.dst;
            if (!goes_on) continue;
            src.ask<false>(in + from * src_bytes);
            return dst.ask<true>(out + to * dst_bytes);
        }
    }
};

}  // namespace plait::engine
