#pragma once
// Reorders that convert, scale or sum, for descriptors known only at run time: all pairs of types, and all attributes.

#include <plait/engine/kernel/order_trials.hpp>
#include <plait/engine/quantize/converting_run.hpp>

#include <new>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A planned reorder. It is copyable, and running it does not change it, so threads may share it.
///
/// Attributes with one value for the tensor are kept by value. Arrays by index belong to the caller. They are read when
/// the reorder runs, and must exist then.
struct converting_reorder {
    converting_plan plan;
    bool has_cache_blocks = false;
    bool keeps_steps = false;  ///< true if the first call finds the steps of later calls
    union {
        char none;
        cache_block_plan blocks;
        converting_layouts layouts;  ///< used if there are no cache blocks
    };

    converting_reorder() : none() {}

    /// Runs the reorder.
    ///
    /// Pre:     in and out point to offset 0 of tensors that match the descriptors; they do not overlap
    /// Post:    as reference_reorder(src, in, dst, out, attributes)
    /// Cost:    no allocation, no lock; at most 90 KB of stack. Element by element if the layouts have no common
    ///          refinement: with padding in front of the tensor, or more nodes or bounds than a cache block has
    template <class = void>  // a template, so that it is compiled only if it is used
    void operator()(const void* in, void* out) const noexcept {
        begin_sums(out);
        run(in, out, past_caches(0));
        finish(out);
    }
    /// Runs it as `trials` say: past the caches, as planned, or into them, for tensors that some last caches hold. The
    /// steps of a small one are kept there.
    template <class = void>
    void operator()(const void* in, void* out, const order_trials& trials) const noexcept {
        if (!keeps_steps && number_of_orders() == 1) return (*this)(in, out);
        begin(out);
        if (keeps_steps) run_kept(plan, in, out, trials);
        else run_chunk(in, out, 0, 1, trials);
        finish(out);
    }
    /// Does the same with arrays of values that begin elsewhere. Those that it was planned with are not read.
    ///
    /// Pre:     also: the arrays have the types, masks and layouts that it was planned with
    template <class = void>
    void run_with(const void* in, void* out, const reorder_attributes& values,
                  const order_trials& trials) const noexcept {
        converting_plan own = plan;
        own.conversion.take_arrays(values);
        if (keeps_steps) begin(out), run_kept(own, in, out, trials);
        else begin_sums(out), run_plan(own, in, out, past_caches(0));
        finish(out);
    }
    /// Returns the number of orders that calls try.
    int number_of_orders() const noexcept {
        const bool streams = has_cache_blocks && (blocks.streams || blocks.block_copy.streams);
        return streams && (!blocks.streams_first() || bytes_moved() < most_bytes_into_caches) ? 2 : 1;
    }

    /// Returns the loops by which the reorder can be cut into parts. Without cache blocks there is one unit.
    values_loops loops() const noexcept { return has_cache_blocks ? find_loops(plan, blocks) : values_loops{}; }
    /// Runs one part. Parts may run concurrently and in any order, between begin and finish.
    ///
    /// Pre:     as for operator(); part is of loops()
    /// Post:    begin, all parts and finish together write what operator() writes
    template <class = void>
    void run_part(const void* in, void* out, const values_loops& loops, const converting_part& part) const noexcept {
        if (!part.is_empty()) run(in, out, past_caches(0), loops, part);
    }
    /// Runs the part of chunk number `chunk` of `chunks`.
    template <class = void>
    void run_chunk(const void* in, void* out, int chunk, int chunks) const noexcept {
        const values_loops all = loops();
        run_part(in, out, all, part_of(all, chunk, chunks));
    }
    /// Does the same as `trials` say. Only the first chunk is timed.
    template <class = void>
    void run_chunk(const void* in, void* out, int chunk, int chunks, const order_trials& trials) const noexcept {
        const int orders = number_of_orders();
        if (orders == 1) return run_chunk(in, out, chunk, chunks);
        const values_loops all = loops();
        const converting_part part = part_of(all, chunk, chunks);
        if (part.is_empty()) return;
        trials.try_next(orders, chunk == 0, static_cast<float>(part.end - part.begin),
                        [&](int number) { run(in, out, past_caches(number), all, part); });
    }
    /// Clears the sums that parts add to. Also zeros a destination that is largely padding.
    void begin(void* out) const noexcept {
        begin_sums(out);
        if (has_cache_blocks) blocks.zeroed.write(out);
    }
    /// Converts the sums to compensation.
    void finish(void* out) const noexcept { sums_in_place(plan, static_cast<std::byte*>(out)).finish(); }

    /// Returns the number of bytes read and written, without those of intermediate buffers.
    dim_t bytes_moved() const noexcept {
        dim_t elements = has_cache_blocks ? 1 : 0;
        for (int k = 0; has_cache_blocks && k < blocks.shape.nodes.size(); ++k)
            elements *= blocks.shape.nodes[k].extent;
        return elements * (plan.conversion.src_bytes + plan.conversion.dst_bytes);
    }

private:
    /// Returns true if an order stores past the caches, where anything is.
    bool past_caches(int order) const noexcept { return has_cache_blocks && (order == 0) == blocks.streams_first(); }
    void begin_sums(void* out) const noexcept { sums_in_place(plan, static_cast<std::byte*>(out)).begin(); }
    template <class... Part>
    void run(const void* in, void* out, bool past_caches, const Part&... part) const noexcept {
        run_plan(plan, in, out, past_caches, part...);
    }
    template <class... Part>
    void run_plan(const converting_plan& with, const void* in, void* out, bool past_caches,
                  const Part&... part) const noexcept {
        const plan_of_run of_run(with);
        if (with.conversion.in_f64) run_in<double>(*of_run, in, out, past_caches, part...);
        else run_in<float>(*of_run, in, out, past_caches, part...);
    }
    template <class Number, class... Part>
    void run_in(const converting_plan& with, const void* in, void* out, bool past_caches,
                const Part&... part) const noexcept {
        if (has_cache_blocks) converting_run<Number>(with, blocks, in, out, past_caches)(part...);
        else run_elements<Number>(with, layouts.src, layouts.dst, in, out);
    }
    /// Runs all of it by the steps in `trials`, which the first call finds.
    template <class = void>
    void run_kept(const converting_plan& with, const void* in, void* out, const order_trials& trials) const noexcept {
        if (with.conversion.in_f64) run_kept_in<double>(with, in, out, trials);
        else run_kept_in<float>(with, in, out, trials);
    }
    template <class Number>
    void run_kept_in(const converting_plan& with, const void* in, void* out,
                     const order_trials& trials) const noexcept {
        const auto* kept = trials.kept<kept_conversion>();
        // The plan's own attributes are those that steps are found with: neutral values may change until the next call.
        if (kept == nullptr)
            kept = trials.keep_made<kept_conversion>([&](void* room) {
                converting_run<Number>(plan, blocks, in, out).find_steps(*new (room) kept_conversion);
            });
        if (kept == nullptr || !kept->exists) return run_plan(with, in, out, past_caches(0));
        run_steps<Number>(with, blocks, *kept, in, out);
    }
};

/// The functions of an instruction set that convert rows: with arithmetic in f32 and in f64, and by look-ups of results
/// of one and of two bytes; these are null if the CPU has none.
struct conversions_of_rows {
    const row_conversions &in_f32, &in_f64;
    byte_lookup* look_ups[2]{};
};

/// Plans a reorder of values for the instruction set of `rows` and `copies`.
///
/// Pre:     check_reorder(src, dst, attributes).ok(), the CPU has the instruction set; src_end is
///          end_of_elements(src.layout)
/// Post:    out(in, out) does what reference_reorder(src, in, dst, out, attributes) does
/// Cost:    one to two microseconds; no allocation
template <class BlockCopies>
void plan_values(converting_reorder& out, const descriptor& src, const descriptor& dst,
                 const reorder_attributes& attributes, dim_t src_end, const conversions_of_rows& rows,
                 const BlockCopies& copies) {
    converting_plan& plan = out.plan;
    plan.conversion.attributes = attributes;
    forget_unused_values(plan.conversion.attributes, dst.layout.dims);
    set_conversion(plan.conversion, src.type, dst.type, dst.extra.scale_adjust);
    plan.conversion.use(plan.conversion.in_f64 ? rows.in_f64 : rows.in_f32);
    if (plan.conversion.has_few_results(dst.layout.volume()))
        plan.conversion.look_up = rows.look_ups[plan.conversion.dst_bytes - 1];
    if (dst.extra.has_buffers()) {
        plan.s8s8 = {dst.s8s8_begin(), dst.s8s8_count(), dst.extra.s8s8_mask};
        plan.asymmetric_source = {dst.asymmetric_source_begin(), dst.asymmetric_source_count(),
                                  dst.extra.asymmetric_source_mask};
    }
    new (static_cast<void*>(&out.blocks)) cache_block_plan(no_cache_blocks);
    out.has_cache_blocks = plan_cache_blocks(plan, out.blocks, src.layout, dst.layout, src_end) &&
                           plan_block_copy(plan.conversion, out.blocks, copies);
    if (!out.has_cache_blocks) {
        out.layouts = {src.layout, dst.layout};
        return;
    }
    choose_memory_access(plan.conversion, out.blocks);
    out.keeps_steps = may_keep_steps(out.blocks, out.bytes_moved());
}

}  // namespace plait::engine
