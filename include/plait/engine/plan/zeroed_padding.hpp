#pragma once
// Destinations that are largely padding: all is zeroed in a few long runs first, then elements are written without
// padding.
//
// abcd of 1 x 64 x 3 x 3 in ABcd16b16a: one of 16 floats is an element. 36,864 bytes are zeroed, 576 elements written.

#include <plait/engine/plan/order_loops.hpp>
#include <plait/engine/plan/padding_boxes.hpp>
#include <plait/engine/plan/plan.hpp>
#include <plait/engine/plan/refinement.hpp>

#include <cstring>  // std::memset

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The least number of places for each element for which a destination is zeroed first, if tiles move the elements.
///
/// Example: f32 abdec -> aBcde16b of 64x4x7x3x3: 9.3 us with its padding, and 6.3 zeroed first (Zen 4)
inline constexpr dim_t least_padding = 4;
/// That number if masks cost less, as constants in a static kernel do, or if the zeros are not in a near cache.
inline constexpr dim_t much_padding = 16;
/// The least number of places for each element if elements are moved one by one.
inline constexpr dim_t least_padding_of_elements = 2;
/// The least number of contiguous bytes of elements for which a destination is zeroed before values are converted.
inline constexpr dim_t least_run_of_values = 8;
/// The most bytes of a destination that the second-level cache still has after they were zeroed.
inline constexpr dim_t zeros_in_cache = dim_t{1} << 20;
/// Returns the least number of places for each element if values are converted. It is smaller because a conversion
/// takes longer than a move. If the zeros have left the second-level cache before elements overwrite them, they are
/// read again.
constexpr dim_t least_padding_of_values(dim_t dst_bytes) { return dst_bytes <= zeros_in_cache ? 2 : 3; }

/// The bytes of a dense destination, relative to offset 0, that are zeroed before anything is moved.
struct zeroed_run {
    dim_t from = 0, bytes = 0;

    void write(void* out) const noexcept {
        if (bytes > 0) std::memset(static_cast<std::byte*>(out) + from, 0, static_cast<std::size_t>(bytes));
    }
};
constexpr zeroed_run all_of(const layout& dst, int bytes) {
    return {dst.span_begin() * bytes, dst.padded_volume() * bytes};
}

/// The bytes of any destination that are zeroed before anything is moved: runs at equal distances, in up to three
/// loops. Gaps between the runs belong to other tensors.
///
/// Example: u8 Ab64a of 100 x 3, of which b are 3 of 5 places: 2 runs of 192 bytes, 320 bytes apart
struct zeroed_runs {
    static constexpr int most_loops = 3;
    zeroed_run first;                           ///< no bytes: nothing is zeroed
    inline_list<place_loop, most_loops> loops;  ///< innermost first, in bytes

    void write(void* out) const noexcept {
        if (first.bytes > 0) write_runs(loops.size(), static_cast<std::byte*>(out));
    }

private:
    void write_runs(int inside, std::byte* out) const noexcept {
        if (inside == 0) return first.write(out);
        const place_loop& loop = loops[inside - 1];
        for (dim_t i = 0; i < loop.count; ++i) write_runs(inside - 1, out + i * loop.stride);
    }
};

/// The least number of elements of a run of a destination that is not dense. Shorter runs take longer to zero than
/// tiles take to write padding.
inline constexpr dim_t least_zeroed_run = 16;

/// Finds the runs of all places of a destination. Returns no bytes if they are too short or in too many loops, or if
/// the tensor is a part that ends inside a block.
constexpr zeroed_runs runs_of(const layout& dst, int bytes) {
    if (dst.is_dense()) return {all_of(dst, bytes), {}};
    place_box box{dst.offset0, {}};
    dim_t places = 1;  // the digits of a part count the rest of its last block, too
    for (const digit& d : dst.digits) {
        box.loops.push_back({d.extent, d.stride});
        places = wrapping_multiply(places, d.extent);
    }
    const place_box all = with_fewest_loops(box);
    if (places != dst.padded_volume() || all.loops.empty() || all.loops[0].stride != 1 ||
        all.loops[0].count < least_zeroed_run || all.loops.size() > 1 + zeroed_runs::most_loops)
        return {};
    zeroed_runs out{{all.begin * bytes, all.loops[0].count * bytes}, {}};
    for (int k = 1; k < all.loops.size(); ++k) out.loops.push_back({all.loops[k].count, all.loops[k].stride * bytes});
    return out;
}

/// True if at most one of `least` places of a destination is not padding.
constexpr bool is_mostly_padding(const layout& src, const layout& dst, dim_t least) {
    return dst.volume() <= dst.padded_volume() / least && src != dst;
}

/// True if a plan moves elements one by one and at least half of them are padding: one run of zeros is faster.
constexpr bool moves_padding_one_by_one(const reorder_plan& plan, const layout& src, const layout& dst) {
    return !plan.pattern.has_vectors() && is_mostly_padding(src, dst, least_padding_of_elements);
}

/// True if the tiles of a destination that was zeroed write padding again, in segments of which each cache line gets
/// several, and the lines leave the first cache in between. Then tiles that store whole lines are faster. The plan
/// stores `stored` of `padded` elements.
///
/// Example: bf16 abcd -> aBcd8b with one channel: an element and a zero behind it are stored in every 16 bytes, four
///          times for a line. 64x1x28x28 takes 22 us in whole lines instead of 48 (Emerald Rapids)
constexpr bool stores_padding_in_parts(const reorder_plan& plan, dim_t stored, dim_t padded) {
    constexpr dim_t first_cache = dim_t{32} << 10;
    bool pads = false;
    for (const plan_bound& bound : plan.bounds) pads = pads || bound.has_padding();
    return pads && padded * plan.sizes.dst > first_cache &&
           stored * cache_line_bytes >= 2 * padded * plan.contiguous_bytes();
}

/// Removes the padding of a destination that is zeroed first: axes end with their elements, and nodes lose the steps
/// that only padding has. Padding within four bytes of elements is written with them, so no segment is shorter.
/// Returns how many elements are then stored.
///
/// Example: 2 channels of bf16 in blocks of 32: 2 steps of 32 are left. One in blocks 16b48a2b: of 32 the first 2
constexpr dim_t leave_out_padding(refinement& r, int bytes) {
    constexpr dim_t least_bytes = 4;
    dim_t volume = 1;
    for (int axis = 0; axis < r.bounds.size(); ++axis) {
        axis_bound& bound = r.bounds[axis];
        dim_t block = 1;
        for (const reorder_node& n : r.nodes) {
            if (n.axis != axis || n.dst <= 0 || n.dst * bytes >= least_bytes) continue;
            const dim_t near_by = n.index_step * smaller_of(n.extent, least_bytes / (n.dst * bytes));
            block = larger_of(block, near_by);
        }
        const dim_t whole = divide_up(bound.valid, block) * block;
        if (whole < bound.stored) bound.stored = whole;
        volume *= bound.stored;
    }
    for (reorder_node& n : r.nodes) {
        const dim_t steps = divide_up(r.bounds[n.axis].stored, n.index_step);
        if (!n.is_uneven && steps < n.extent) n.extent = steps;
    }
    return volume;
}

/// Returns how many elements are contiguous in a destination in which each node has all of its steps, at least 1.
constexpr dim_t stored_run(const refinement& r) {
    dim_t run = 1;
    for (bool longer = true; longer;) {
        longer = false;
        for (const reorder_node& n : r.nodes) {
            if (n.dst != run || n.extent <= 1 || n.is_uneven) continue;
            run *= n.extent;
            longer = true;
        }
    }
    return run;
}

/// The elements of a destination without its padding.
struct elements_alone {
    dim_t stored = 0, run_bytes = 0, lines = 0;  ///< all; those without a gap; cache lines that have any, at most

    constexpr elements_alone(refinement r, int bytes) : stored(leave_out_padding(r, bytes)) {
        const dim_t run = stored_run(r);
        run_bytes = run * bytes;
        lines = divide_up(stored, run) * divide_up(run_bytes, cache_line_bytes);
    }
    /// True if at most one in `least` cache lines of the destination has elements.
    constexpr bool are_in_few_lines(const layout& dst, int bytes, dim_t least) const {
        return lines * least <= dst.padded_volume() * bytes / cache_line_bytes;
    }
};

/// The most bytes of a destination of which all are zeroed before any element is moved: the second-level cache has lost
/// the first lines of a larger one by then, and they are read again.
///
/// Example: bf16 aBcd16b -> ABcd16b64a of 1x16x64x64, 8 MB of which 128 KB are elements: 650 us if zeroed first, now 443
///          (Xeon, Emerald Rapids)
inline constexpr dim_t most_zeroed_bytes = dim_t{2} << 20;

/// True if a large destination should be zeroed in strips, each before its elements are moved: at most one in four
/// cache lines has elements, and these fill no line. Otherwise tiles write the padding together with the elements.
///
/// Example: bf16 abcd -> BcdA16a32b4a of 3x64x32x64, one line in eight: 0.79 ms with its padding, and 0.42 in strips;
///          f16 aBcd16b -> BcdA16a16b2a, of 1x128x63x64, a full line in sixteen: 0.95 and 1.40 (Zen 5)
constexpr bool is_faster_in_strips(const elements_alone& elements, const layout& dst, int bytes) {
    return elements.run_bytes < cache_line_bytes && elements.are_in_few_lines(dst, bytes, 4);
}

/// True if a static kernel first zeroes all places of a destination: if its plan moves padding one by one, or if at
/// most one in four cache lines has elements. More of them are written faster with their padding, because masks are
/// constants.
///
/// Example: f16 abcd of 512x4x3x3, a part of 516x4x3x3, into 3 of 5 places d of aCBd2c8b16c2b: one line in eight. 255 us
///          with its padding, now 48 (Xeon, Emerald Rapids)
constexpr bool zeroes_before_elements(const reorder_plan& plan, const refinement& r, const layout& src,
                                      const layout& dst, int bytes) {
    if (moves_padding_one_by_one(plan, src, dst)) return true;
    const dim_t all = dst.padded_volume() * bytes;
    return is_mostly_padding(src, dst, much_padding) &&
           elements_alone(r, bytes).are_in_few_lines(dst, bytes, all <= most_zeroed_bytes ? 4 : 32);
}

/// The bytes of a destination that are zeroed before the elements among them are moved: they are then still in the
/// first-level cache.
inline constexpr dim_t strip_bytes = dim_t{16} << 10;

/// Zeros a dense destination little by little, each place before an element is written there: what is written next must
/// lie below the place up to which zeros have been written, or beyond all that was written before.
class zeroed_ahead {
public:
    /// Nothing is zeroed yet.
    constexpr zeroed_ahead(const zeroed_run& all, void* out)
        : out_(static_cast<std::byte*>(out)), from_(all.from), end_(all.from + all.bytes) {}
    /// Zeros what is left below a place, in bytes from offset 0.
    void up_to(dim_t place) {
        const dim_t end = smaller_of(place, end_);
        if (end <= from_) return;
        zeroed_run{from_, end - from_}.write(out_);
        from_ = end;
    }
    /// Zeros what is left.
    void finish() { up_to(end_); }

private:
    std::byte* out_;
    dim_t from_, end_;
};

/// Returns how far a tile, and the steps of loops from number `first`, reach beyond their first place in the
/// destination, in elements.
constexpr dim_t destination_reach(const reorder_plan& plan, int first) {
    dim_t reach = 1;
    for (const tile_bit& bit : plan.bits) reach += larger_of(bit.dst, 0);
    if (plan.pattern.interleave != 0) reach += (plan.pattern.interleave - 1) * larger_of(plan.interleaved.dst, 0);
    for (int k = first; k < plan.loops.size(); ++k)
        reach += (plan.loops[k].extent - 1) * larger_of(plan.loops[k].dst, 0);
    return reach;
}

/// Puts the loops of a plan in the order of its destination, and returns the innermost of the outer loops around
/// strips: at each of its steps the destination moves on by at most `strip_bytes`, if there is such a loop. Returns -1,
/// and changes nothing, if the destination is smaller than three strips, or if the loop cannot be cut.
///
/// Tiles do not prefetch lines of the next strip: a CPU zeroes whole lines faster if no cache has them. f32 abcd ->
/// aCdB16b32c4b of 512x512x1x1: 0.98 ms instead of 2.4 (Zen 4).
///
/// Example: f32 ABcd16b16a -> aCdb32c of 128x64x1x1: 8 steps of 128 KB, 16 of 8 KB, then 64 channels: loop 1
constexpr int order_for_strips(reorder_plan& plan, dim_t zeroed_bytes) {
    if (zeroed_bytes < 3 * strip_bytes || !plan.uneven_steps.empty() || plan.staged_from >= 0) return -1;
    auto loops = plan.loops;
    sort_loops(loops, [](const plan_loop& loop) { return -loop.dst; });
    int around = -1;
    for (int k = 0; k < loops.size(); ++k) {
        const plan_loop& loop = loops[k];
        if (loop.dst <= 0 || loop.overlap != 0 || loop.is_uneven || loop.bound >= 0) break;
        around = k;
        if (loop.dst * plan.sizes.dst <= strip_bytes) break;
    }
    if (around < 0) return -1;
    plan.loops = loops;
    plan.destination_prefetch = 0;
    return around;
}

/// Removes the padding of a destination that is zeroed before values are converted; false if that gains nothing. Runs
/// of few bytes gain if most is padding, and the zeros are still in cache or a cache line has many elements to convert.
///
/// Example: s8 -> f32 abcde of 1x16x29x29x20 into Acdeb16a, one element in each line of 17 MB: 0.9 ms written with its
///          padding, and 1.9 if zeroed first (Zen 5)
constexpr bool leave_out_padding_of_values(refinement& r, const layout& src, const layout& dst, int bytes) {
    const dim_t all = dst.padded_volume() * bytes;
    if (!is_mostly_padding(src, dst, least_padding_of_values(all)) || !dst.is_dense()) return false;
    refinement without_padding = r;
    leave_out_padding(without_padding, bytes);
    const bool is_in_cache = all <= zeros_in_cache,
               may_have_short_runs = is_mostly_padding(src, dst, is_in_cache ? least_padding : much_padding) &&
                                     (bytes < 4 || is_in_cache);
    if (!may_have_short_runs && stored_run(without_padding) * bytes < least_run_of_values) return false;
    r = without_padding;
    return true;
}

}  // namespace plait::engine
