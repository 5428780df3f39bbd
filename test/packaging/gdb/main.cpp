// Layouts for a debugger, and their names as format_name returns them. check_gdb.py compares the two.
#include <plait/algebra/format_name.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/descriptor/descriptor.hpp>
#include <plait/distribution/sharded.hpp>
#include <plait/io/distribution_name.hpp>
#include <plait/typed/formats.hpp>
#include <plait/view/tensor_view.hpp>

#include <cstdio>

using plait::layout, plait::dims, plait::strides;

void look(const layout*, const plait::descriptor*, const plait::distribution*) {}

// Uses views where only their types say their layouts, also in const and by reference.
template <class... Views>
void look_at(const Views&...) {}

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
    for (const layout& each : all) std::printf("layout %s\n", plait::format_name(each).c_str());
    const plait::distribution spread[] = {
        plait::sharded({8, 6}, plait::mesh{2, 3}, {plait::shard(1, 1)}),
        plait::block_cyclic({1000, 700}, {64, 64}, plait::mesh{2, 2}),
        plait::sharded({8, 6}, plait::mesh(layout({2, 3}, "ba")), {plait::shard(0, 0), plait::shard(1, 1)}),
        plait::sharded({8}, plait::mesh(layout({4, 1}, "Ab2a")), {plait::shard(0, 0)}),
        plait::sharded({8}, plait::mesh(layout({1, 4}, "ba")), {}),
        plait::distribution()};
    for (const plait::distribution& each : spread) std::printf("distribution %s\n", plait::to_string(each).c_str());
    float data[17 * 32 * 3 * 3] = {};
    std::byte nibbles[60] = {};
    const plait::tensor_view<float, plait::nChw16c<2, 17, 5, 4>> of_format(data, {});
    const plait::tensor_view<float, plait::OIhw4i16o4i<17, 32, 3, 3>> in_letters(data, {});
    const plait::tensor_view<float, plait::format<"nhwc", 2, 17, 5, 4>> of_tag(data, {});
    const plait::tensor_view<float, plait::layout_constant<layout({2, 3}, strides{1, 9})>> of_strides(data, {});
    const plait::tensor_view<const float, layout> at_run_time(data, blocked);
    using some_extents = plait::bound_layout<layout({plait::dynamic, 17, 5, plait::dynamic}, "nchw")>;
    const some_extents some({2, 4});
    const plait::tensor_view<float, some_extents> bound(data, some);
    using some_channels = plait::bound_layout<layout({1, plait::dynamic, 5, 4}, "nChw8c")>;
    const plait::tensor_view<float, some_channels> bound_in_blocks(data, some_channels({20}));
    using small = plait::abc<2, 3, 4>;
    const plait::tensor_view<plait::u4, small> packed({nibbles, 0}, {});
    const plait::tensor_view<const plait::u4, small> packed_further({nibbles, 2}, {});
    look_at(of_format, in_letters, of_tag, of_strides, at_run_time, bound, bound_in_blocks, packed, packed_further);
    look(all, &quantised, spread);
    return 0;
}
