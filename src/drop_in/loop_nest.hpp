#pragma once
// What a drop-in moves, as loops: extents, and the strides of both sides. Strides and offsets are in elements.

#include <cstddef>
#include <cstdint>

namespace plait_drop_in {

using count = std::int64_t;

/// One loop of a move. A step of it goes `src` elements forward in the source, and `dst` in the destination.
struct move_loop {
    count extent, src, dst;
    bool operator==(const move_loop&) const = default;
};

/// The loops of a move, the outermost first. Each has two steps or more, so that there are fewer than 64 if the number
/// of elements fits 64 bits.
struct loop_nest {
    static constexpr int most = 64;

    int size = 0;
    move_loop loops[most];

    loop_nest() {}  // leaves the loops as they are, because most calls have two
    loop_nest(const loop_nest& other) { *this = other; }
    loop_nest& operator=(const loop_nest& other) {
        size = other.size;
        for (int k = 0; k < size; ++k) loops[k] = other.loops[k];
        return *this;
    }
    bool operator==(const loop_nest& other) const {
        if (size != other.size) return false;
        for (int k = 0; k < size; ++k)
            if (loops[k] != other.loops[k]) return false;
        return true;
    }
    const move_loop& operator[](int k) const { return loops[k]; }
    move_loop& operator[](int k) { return loops[k]; }

    /// Adds a loop so that the strides of the destination fall from the first loop to the last. A loop of one step is
    /// left out.
    ///
    /// Pre:     the nest has fewer than `most` loops, or extent is 1
    void insert(const move_loop& loop) {
        if (loop.extent == 1) return;
        int k = size++;
        for (; k > 0 && loops[k - 1].dst < loop.dst; --k) loops[k] = loops[k - 1];
        loops[k] = loop;
    }
    /// Joins each two neighbouring loops that are one loop on both sides.
    void join() {
        int kept = 0;
        for (int k = 0; k < size; ++k) {
            const move_loop& inner = loops[k];
            if (kept > 0 && loops[kept - 1].src == inner.extent * inner.src &&
                loops[kept - 1].dst == inner.extent * inner.dst)
                loops[kept - 1] = {loops[kept - 1].extent * inner.extent, inner.src, inner.dst};
            else loops[kept++] = inner;
        }
        size = kept;
    }

    count elements() const {
        count product = 1;
        for (int k = 0; k < size; ++k) product *= loops[k].extent;
        return product;
    }
};

/// One side of a move.
using side = count move_loop::*;

/// Returns the distance from the first element of a side to one past its last; 1 without loops.
inline count span_of(const loop_nest& nest, side of) {
    count span = 1;
    for (int k = 0; k < nest.size; ++k) span += (nest[k].extent - 1) * (nest[k].*of);
    return span;
}

/// Calls f(src, dst, length) for each run of the innermost loop, in the order of the loops. A nest without loops is one
/// run of one element.
template <class F>
void for_each_run(const loop_nest& nest, const F& f) {
    const int outer = nest.size == 0 ? 0 : nest.size - 1;
    const count length = nest.size == 0 ? 1 : nest[outer].extent;
    count step[loop_nest::most] = {};
    count src = 0, dst = 0;
    while (true) {
        f(src, dst, length);
        int k = outer - 1;
        for (; k >= 0; --k) {
            src += nest[k].src;
            dst += nest[k].dst;
            if (++step[k] < nest[k].extent) break;
            src -= nest[k].extent * nest[k].src;
            dst -= nest[k].extent * nest[k].dst;
            step[k] = 0;
        }
        if (k < 0) return;
    }
}

/// Returns true if an element of the source and one of the destination share bytes. `distance` is from the first byte
/// of the source to the first of the destination.
///
/// If the spans of both sides do not overlap, two comparisons decide. Otherwise the sides may be interleaved, as the
/// two halves of the columns of one matrix: each run of the source is then compared with the destination. Sides that
/// are not interleaved by whole elements, or whose strides do not nest, count as overlapping.
bool shares_bytes(const loop_nest& nest, std::ptrdiff_t distance, std::size_t element_size);

}  // namespace plait_drop_in
