// Values for a debugger to show; check_gdb.py says how.
#include <plait/algebra/slice.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/descriptor/descriptor.hpp>

void look(const void*...) {}

int main() {
    const plait::dims image{2, 17, 5, 4};
    const plait::layout plain(image, "nchw"), last(image, "nhwc"), blocked(image, "nChw16c");
    const plait::layout strided(image, plait::strides{400, 20, 4, 1}), empty;
    const plait::layout weights({64, 32, 3, 3}, "OIhw4i16o4i"), matrix({6, 4}, "ba"), single({1, 16, 1, 1}, "nChw16c");
    const plait::layout any_batch({plait::dynamic, 16, 2, 3}, "nchw"), broadcast({3, 4}, plait::strides{0, 1});
    const plait::layout part = plait::submemory(blocked, {1, 1, 5, 4}, {1, 16, 0, 0});
    const plait::descriptor quantised(plait::data_type::s8, weights, {.s8s8_compensation = true, .s8s8_mask = 1});
    look(&image, &plain, &last, &blocked, &strided, &empty, &weights, &matrix, &single, &any_batch, &broadcast, &part, &quantised);
    return 0;
}
