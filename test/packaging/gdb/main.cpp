// Layouts for a debugger, and their names as format_name returns them. check_gdb.py compares the two.
#include <plait/algebra/format_name.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/descriptor/descriptor.hpp>

#include <cstdio>

using plait::layout, plait::dims, plait::strides;

void look(const layout*, const plait::descriptor*) {}

// Returns a layout with more padding than needed: 17 channels need 32 in memory, and it has 48.
layout padded_further() {
    layout out({2, 33}, "aB16b");
    out.dims[1] = 17;
    return out;
}

int main() {
    const dims image{2, 17, 5, 4};
    const layout blocked(image, "nChw16c"), weights({64, 32, 3, 3}, "OIhw4i16o4i");
    const layout all[] = {blocked,
                          layout(image, "nchw"),
                          layout(image, "nhwc"),
                          layout(image, strides{400, 20, 4, 1}),
                          weights,
                          layout({6, 4}, "ba"),
                          layout({1, 16, 1, 1}, "nChw16c"),
                          layout(),
                          layout({plait::dynamic, 16, 2, 3}, "nchw"),
                          layout({3, 4}, strides{0, 1}),
                          plait::submemory(blocked, {1, 1, 5, 4}, {1, 16, 0, 0}),
                          padded_further(),
                          plait::permute_axes(weights, {1, 0, 3, 2}),
                          plait::view(layout({2, 32, 6}, "aBc16b"), {2, 4, 8, 6}),
                          layout({0, 4}, "ab"),
                          layout({4, 5, 6}, strides{60, 1, 10})};
    const plait::descriptor quantised(plait::data_type::s8, weights, {.s8s8_compensation = true, .s8s8_mask = 1});
    for (const layout& each : all) std::puts(plait::format_name(each).c_str());
    look(all, &quantised);
    return 0;
}
