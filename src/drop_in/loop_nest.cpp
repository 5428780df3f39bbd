#include "loop_nest.hpp"

#include <algorithm>

namespace plait_drop_in {
namespace {

/// The loops of one side, the greatest stride first.
struct side_loops {
    struct loop {
        count extent, stride;
    };
    int size = 0;
    loop loops[loop_nest::most];

    side_loops(const loop_nest& nest, side of) {
        for (; size < nest.size; ++size) loops[size] = {nest[size].extent, nest[size].*of};
        std::sort(loops, loops + size, [](const loop& x, const loop& y) { return x.stride > y.stride; });
    }
    /// True if each stride is at least the span of the loops inside it.
    bool nests() const {
        count span = 1;
        for (int k = size - 1; k >= 0; --k) {
            if (loops[k].stride < span) return false;
            span += (loops[k].extent - 1) * loops[k].stride;
        }
        return true;
    }
    /// Returns the least offset of an element that is at least x; -1 if there is none.
    ///
    /// Pre:     nests()
    count least_from(count x, int k = 0) const {
        if (x <= 0) return 0;
        if (k == size) return -1;
        const auto [extent, stride] = loops[k];
        const count step = x / stride;
        if (step >= extent) return -1;
        if (const count inside = least_from(x - step * stride, k + 1); inside >= 0) return step * stride + inside;
        return step + 1 < extent ? (step + 1) * stride : -1;
    }
};

}  // namespace

bool shares_bytes(const loop_nest& nest, std::ptrdiff_t distance, std::size_t element_size) {
    const auto size = static_cast<count>(element_size);
    const count src_bytes = span_of(nest, &move_loop::src) * size, dst_bytes = span_of(nest, &move_loop::dst) * size;
    if (distance >= src_bytes || -distance >= dst_bytes) return false;
    if (distance % size != 0) return true;
    const side_loops to(nest, &move_loop::dst);
    if (!to.nests()) return true;
    const count shift = distance / size, step = nest.size == 0 ? 1 : nest[nest.size - 1].src;
    bool shared = false;
    for_each_run(nest, [&](count src, count, count length) {
        for (count i = 0, first = src - shift; i < length && !shared; ++i, first += step) {
            const count run = step == 1 ? length : 1;  // a dense run is one question
            const count found = to.least_from(first);
            shared = found >= 0 && found < first + run;
            if (step == 1) return;
        }
    });
    return shared;
}

}  // namespace plait_drop_in
