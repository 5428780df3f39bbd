#include "strided_move.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

namespace plait_drop_in {
namespace {

/// Plans the loops for elements of 4, 8 or 16 bytes; f32 may be multiplied by a scale. There is no plan if plait has
/// too few axes for them.
planned_box plan_box(const loop_nest& nest, std::size_t element_size, float scale = 1) {
    planned_box out;
    // An element of 16 bytes is an innermost axis of two of 8.
    const bool is_pair = element_size == 16;
    const int ndims = nest.size + (is_pair || nest.size == 0 ? 1 : 0);
    if (ndims > PLAIT_MAX_NDIMS) return out;
    plait_dims_t extents, strides[2];
    extents[ndims - 1] = is_pair ? 2 : 1;
    strides[0][ndims - 1] = strides[1][ndims - 1] = 1;
    const count unit = is_pair ? 2 : 1;
    for (int k = 0; k < nest.size; ++k) {
        extents[k] = nest[k].extent;
        strides[0][k] = nest[k].src * unit;
        strides[1][k] = nest[k].dst * unit;
    }
    const plait_data_type_t type = element_size == 4 ? PLAIT_F32 : PLAIT_F64;
    plait_memory_desc_t src, dst;
    plait_reorder_t* reorder = nullptr;
    plait_reorder_attributes_t attributes;
    plait_reorder_attributes_init(&attributes);
    attributes.src_scale.value = scale;
    if (plait_memory_desc_init_by_strides(&src, ndims, extents, strides[0], type) != PLAIT_SUCCESS ||
        plait_memory_desc_init_by_strides(&dst, ndims, extents, strides[1], type) != PLAIT_SUCCESS ||
        plait_reorder_create(&reorder, &src, &dst, scale == 1 ? nullptr : &attributes) != PLAIT_SUCCESS)
        return out;
    out.reorder.reset(reorder);
    out.src_size = static_cast<std::size_t>(span_of(nest, &move_loop::src)) * element_size;
    out.dst_size = static_cast<std::size_t>(span_of(nest, &move_loop::dst)) * element_size;
    return out;
}

/// Returns how many threads a move is worth. There is a loop with a step for each of them.
int parts_for(const loop_nest& nest, std::size_t element_size, int threads) {
    constexpr count least = count{1} << 20;  // read and written: to start a thread takes as long as to move some 100 KB
    if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    count longest = 1;
    for (int k = 0; k < nest.size; ++k) longest = std::max(longest, nest[k].extent);
    const count worth = 2 * nest.elements() * static_cast<count>(element_size) / least;
    return static_cast<int>(std::clamp<count>(worth, 1, std::min<count>(threads, longest)));
}

/// Cuts the outermost loop of the destination that has a step for each part.
///
/// Pre:     a loop has, or there is one part
part_plans cut_loops(const loop_nest& nest, int parts) {
    part_plans out;
    while (out.loop + 1 < nest.size && nest[out.loop].extent < parts) ++out.loop;
    const count extent = nest.size == 0 ? 1 : nest[out.loop].extent;
    out.length = extent / parts;
    out.longer = extent % parts;
    return out;
}

/// A part of a move: its loops, and where it begins on each side.
struct part_of_nest {
    loop_nest nest;
    count src = 0, dst = 0;
    bool is_longer = false;

    part_of_nest(const loop_nest& all, const part_plans& cut, int part) : nest(all) {
        const count number = part;
        is_longer = number < cut.longer;
        const count begin = number * cut.length + std::min(number, cut.longer), extent = cut.length + is_longer;
        if (nest.size == 0) return;
        nest[cut.loop].extent = extent;
        src = begin * nest[cut.loop].src;
        dst = begin * nest[cut.loop].dst;
    }
};

/// Grows the blocks of the loops in `order`, the innermost of a side first, until the block has `wanted` elements along
/// them, or `budget` in all.
void grow(count* block, const loop_nest& nest, const int* order, count wanted, count budget) {
    count along = 1, all = 1;
    for (int k = 0; k < nest.size; ++k) all *= block[k];
    for (int k = 0; k < nest.size && along < wanted; ++k) {
        count& steps = block[order[k]];
        const count extent = nest[order[k]].extent, others = all / steps;
        count more = std::min({extent, (wanted + along - 1) / along, budget / others});
        if (more < extent && more > 16) more -= more % 16;  // whole tiles
        if (more > steps) {
            steps = more;
            all = others * more;
        }
        along *= steps;
        if (steps < extent) return;
    }
}

/// Chooses the blocks of a nest with loops: runs of four cache lines on each side, then as much as the buffer holds.
block_plans plan_blocks(const loop_nest& nest, std::size_t element_size) {
    block_plans out;
    const auto size = static_cast<count>(element_size);
    const count budget = block_plans::buffer_bytes / size;
    int by_dst[loop_nest::most], by_src[loop_nest::most];
    for (int k = 0; k < nest.size; ++k) {
        out.block[k] = 1;
        by_src[k] = by_dst[k] = nest.size - 1 - k;
    }
    std::sort(by_src, by_src + nest.size, [&](int x, int y) { return nest[x].src < nest[y].src; });
    grow(out.block, nest, by_dst, 256 / size, budget);
    grow(out.block, nest, by_src, 256 / size, budget);
    grow(out.block, nest, by_dst, budget, budget);
    grow(out.block, nest, by_src, budget, budget);
    for (int k = 0; k < nest.size; ++k) {
        out.steps[k] = (nest[k].extent + out.block[k] - 1) / out.block[k];
        out.blocks *= out.steps[k];
        // Each side has at most one loop that is neither whole in a block nor a single step of it.
        if (nest[k].extent % out.block[k] != 0) out.cut[out.cuts++] = k;
    }
    for (int last = 0; last < 1 << out.cuts; ++last) {
        loop_nest box = nest;
        for (int k = 0; k < nest.size; ++k) box[k].extent = out.block[k];
        for (int k = 0; k < out.cuts; ++k)
            if ((last >> k & 1) != 0) box[out.cut[k]].extent = nest[out.cut[k]].extent % out.block[out.cut[k]];
        count dense = 1;
        for (int k = nest.size - 1; k >= 0; --k) {
            box[k].dst = dense;
            dense *= box[k].extent;
        }
        out.plans[last] = plan_box(box, element_size);
        if (out.plans[last].reorder == nullptr) {
            out.blocks = 0;  // without all plans there are none
            return out;
        }
    }
    return out;
}

/// Calls f(part) for each part, on a thread of its own if there is one.
template <class F>
void run_parts(int parts, const F& f) {
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(parts));
    int started = 1;  // part 0 is the caller's
    try {
        for (; started < parts; ++started) threads.emplace_back([&f, part = started] { f(part); });
    } catch (const std::system_error&) {
        // No more threads: the caller moves the rest.
    }
    f(0);
    for (int part = started; part < parts; ++part) f(part);
    for (std::thread& thread : threads) thread.join();
}

template <class T>
bool is_aligned(const T* pointer) {
    constexpr std::size_t alignment = sizeof(T) == 16 ? 8 : sizeof(T);  // that of what plait moves
    return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0;
}

/// Returns true if plait's own reorder computes a move: it moves bytes, or multiplies f32.
template <class T>
bool is_one_reorder(const scaling<T>& by) {
    return by.moves_bytes() || (std::is_same_v<T, float> && by.beta == T{0} && !by.conjugates);
}

/// Moves a nest of which each run of the innermost loop is dense on both sides.
template <class T>
void move_rows(const loop_nest& nest, const T* in, T* out, const scaling<T>& by) {
    with_computation(by, [&](const auto& compute) {
        for_each_run(nest, [&](count src, count dst, count length) { compute.row(in + src, out + dst, length); });
    });
}

/// Writes beta times what the destination holds, or zeros; the source is not read.
template <class T>
void scale_destination(const loop_nest& nest, T* out, const T& beta) {
    const count step = nest.size == 0 ? 1 : nest[nest.size - 1].dst;
    const computation<T, true, false, false> scale({beta, T{0}, false});
    for_each_run(nest, [&](count, count dst, count length) {
        if (step == 1) {
            if (beta == T{0}) std::fill_n(out + dst, length, T{0});
            else scale.row(out + dst, out + dst, length);
        } else {
            for (count i = 0; i < length; ++i) {
                T* const element = out + dst + i * step;
                if (beta == T{0}) *element = T{0};
                else scale.element(element, element);
            }
        }
    });
}

}  // namespace

template <class T>
strided_move<T>::strided_move(const loop_nest& nest, int threads)
    : nest_(nest), parts_(parts_for(nest, sizeof(T), threads)), cut_(cut_loops(nest, parts_)) {}

template <class T>
void strided_move<T>::run(const T* in, T* out, const scaling<T>& by) {
    if (parts_ == 1) run_part(in, out, by, 0);
    else run_parts(parts_, [&](int part) { run_part(in, out, by, part); });
}

template <class T>
void strided_move<T>::run_part(const T* in, T* out, const scaling<T>& by, int part) {
    if (nest_.elements() == 0) return;
    const bool dense = nest_.size == 0 || (nest_[nest_.size - 1].src == 1 && nest_[nest_.size - 1].dst == 1);
    const bool is_row = dense && (nest_.size <= 1 || nest_[nest_.size - 1].extent * count{sizeof(T)} >= 64);
    const bool reads = by.alpha != T{0};
    if (reads && in != out) {
        // Rows that a cache holds are moved as fast by memcpy.
        const bool is_small = nest_.elements() * static_cast<count>(sizeof(T)) < count{1} << 20;
        if (is_one_reorder(by) && !(is_row && is_small) && move_by_one_reorder(in, out, by, part)) return;
        if (!is_row && move_blocks(in, out, by, part)) return;
    }
    const part_of_nest mine(nest_, cut_, part);
    if (!reads) scale_destination(mine.nest, out + mine.dst, by.beta);
    else if (dense) move_rows(mine.nest, in + mine.src, out + mine.dst, by);
    else run_directly(mine.nest, in + mine.src, out + mine.dst, by);
}

/// Moves everything by one reorder of plait. Returns false, before anything is written, if it cannot: the spans of both
/// sides overlap, a pointer is not aligned, or the plan is for another alpha.
template <class T>
bool strided_move<T>::move_by_one_reorder(const T* in, T* out, const scaling<T>& by, int part) {
    float scale = 1;
    if constexpr (std::is_same_v<T, float>) scale = by.alpha;
    const part_plans& plans = (by.moves_bytes() ? plain_ : scaled_).get([&] {
        part_plans made = cut_loops(nest_, parts_);
        made.scale = scale;
        made.plan = plan_box(part_of_nest(nest_, made, parts_ - 1).nest, sizeof(T), scale);
        if (made.longer > 0) made.longer_plan = plan_box(part_of_nest(nest_, made, 0).nest, sizeof(T), scale);
        return made;
    });
    if (plans.scale != scale) return false;
    // All parts decide alike: what one of them could move, others might not.
    if (plans.plan.reorder == nullptr || (plans.longer > 0 && plans.longer_plan.reorder == nullptr)) return false;
    if (!is_aligned(in) || !is_aligned(out)) return false;
    if (parts_ == 1) return plans.plan.run(in, out);
    const auto begin = reinterpret_cast<std::uintptr_t>(in), to = reinterpret_cast<std::uintptr_t>(out);
    if (begin < to + static_cast<std::uintptr_t>(span_of(nest_, &move_loop::dst)) * sizeof(T) &&
        to < begin + static_cast<std::uintptr_t>(span_of(nest_, &move_loop::src)) * sizeof(T))
        return false;
    const part_of_nest mine(nest_, cut_, part);
    return (mine.is_longer ? plans.longer_plan : plans.plan).run(in + mine.src, out + mine.dst);
}

/// Moves blocks through a buffer. Returns false, before anything is written, if there are no plans or the source is not
/// aligned.
template <class T>
bool strided_move<T>::move_blocks(const T* in, T* out, const scaling<T>& by, int part) {
    if (nest_.size == 0 || !is_aligned(in)) return false;
    const block_plans& plans = blocks_.get([&] { return plan_blocks(nest_, sizeof(T)); });
    if (plans.blocks == 0) return false;
    alignas(64) std::byte memory[block_plans::buffer_bytes];  // bytes, because complex numbers would be set to 0
    T* const buffer = reinterpret_cast<T*>(memory);
    const int inner = nest_.size - 1;
    const count first = plans.blocks * part / parts_, last = plans.blocks * (part + 1) / parts_;
    count at[loop_nest::most];
    for (count k = inner, rest = first; k >= 0; --k) {
        at[k] = rest % plans.steps[k];
        rest /= plans.steps[k];
    }
    return with_computation(by, [&](const auto& compute) {
        for (count number = first; number < last; ++number) {
            loop_nest rows;
            count src = 0, dst = 0, dense = 1;
            int at_end = 0;
            for (int k = inner; k >= 0; --k) {
                const count begin = at[k] * plans.block[k];
                const count extent = std::min(plans.block[k], nest_[k].extent - begin);
                rows.insert({extent, dense, nest_[k].dst});
                dense *= extent;
                src += begin * nest_[k].src;
                dst += begin * nest_[k].dst;
            }
            rows.join();
            const count step = rows.size == 0 ? 1 : rows[rows.size - 1].dst;
            for (int k = 0; k < plans.cuts; ++k)
                if (at[plans.cut[k]] == plans.steps[plans.cut[k]] - 1) at_end |= 1 << k;
            // The source is readable and aligned, and the buffer is large enough, so that plait accepts every block.
            if (!plans.plans[at_end].run(in + src, buffer)) return false;
            for_each_run(rows, [&](count from, count to, count length) {
                if (step == 1) compute.row(buffer + from, out + dst + to, length);
                else
                    for (count i = 0; i < length; ++i) compute.element(buffer + from + i, out + dst + to + i * step);
            });
            for (int k = inner; k >= 0 && ++at[k] == plans.steps[k]; --k) at[k] = 0;
        }
        return true;
    });
}

template <class T>
void strided_move<T>::run_directly(const loop_nest& nest, const T* in, T* out, const scaling<T>& by) {
    if (nest.elements() == 0) return;
    if (by.alpha == T{0}) return scale_destination(nest, out, by.beta);
    with_computation(by, [&](const auto& compute) {
        loop_nest planes = nest;
        while (planes.size < 2) planes.loops[planes.size++] = {1, 1, 1};
        const move_loop outer = planes[planes.size - 2], inner = planes[planes.size - 1];
        planes[--planes.size - 1] = {1, 0, 0};
        for_each_run(planes, [&](count src, count dst, count) {
            const T* const from = in + src;
            T* const to = out + dst;
            if (inner.src == 1 && inner.dst == 1) {
                compute.copy(outer.extent, inner.extent, from, outer.src, to, outer.dst);
            } else if (inner.dst == 1 && outer.src == 1) {
                compute.transpose(inner.extent, outer.extent, from, inner.src, to, outer.dst);
            } else {
                for (count j = 0; j < outer.extent; ++j)
                    for (count i = 0; i < inner.extent; ++i)
                        compute.element(from + j * outer.src + i * inner.src, to + j * outer.dst + i * inner.dst);
            }
        });
    });
}

template class strided_move<float>;
template class strided_move<double>;
template class strided_move<std::complex<float>>;
template class strided_move<std::complex<double>>;

}  // namespace plait_drop_in
