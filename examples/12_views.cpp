// Computing on a tensor: views, blocks, slices, and loops in the order of memory.

#include <plait/plait.hpp>

#include <iostream>
#include <vector>

using plait::dim_t, plait::layout, plait::tensor_view;

template <int N>
inline constexpr std::integral_constant<int, N> axis{};

// 17 channels in blocks of 16: the first block is full, the second has one channel and 15 places of padding.
using image = plait::nChw16c<2, 17, 5, 6>;

// Takes any view: static, bound, or with a layout known at run time. Indices are positions in the tensor; blocks do not
// matter.
template <class View>
float sum_of_channel(const View& v, dim_t c) {
    float sum = 0;
    for (dim_t n = 0; n < v.extent(0); ++n)
        for (dim_t h = 0; h < v.extent(2); ++h)
            for (dim_t w = 0; w < v.extent(3); ++w) sum += v(n, c, h, w);
    return sum;
}

int main(int argc, char**) {
    std::vector<float> data(image::value.element_span());
    const tensor_view v(data.data(), image());
    static_assert(sizeof(v) == sizeof(float*));

    // Visits the elements in logical order, with their positions.
    plait::for_each_position(v, [](const plait::position& at, float& x) { x = static_cast<float>(at[1]); });
    std::cout << "channel 16 sums to " << sum_of_channel(v, 16) << " = 16 * 2 * 5 * 6\n";

    // Two more views of the same memory: with a layout known at run time, and with a partly static layout.
    const layout late({2, 17, 4 + argc, 6}, "nChw16c");
    const auto partly = plait::bind(plait::nChw16c<plait::dynamic, 17, plait::dynamic, 6>(), 2, 4 + argc);
    std::cout << "and by layouts of the run time: " << sum_of_channel(tensor_view(data.data(), late), 16) << ", "
              << sum_of_channel(tensor_view(data.data(), partly), 16) << '\n';

    // A block is 16 consecutive elements. Its length is part of the span's type, so the loop has a constant bound.
    float first_block = 0;
    for (const float x : v.block(0, 0, 2, 3)) first_block += x;
    std::cout << "channels 0 to 15 at one pixel: " << first_block << '\n';

    // Visits the blocks in the order of memory. `valid` is the number of elements in each block that are not
    // padding; the padding must stay zero.
    plait::for_each_block(v, [](const plait::position&, std::span<float, 16> block, const plait::dims& valid) {
        for (std::size_t c = 0; c < block.size(); ++c) block[c] = static_cast<dim_t>(c) < valid[1] ? 2 * block[c] : 0;
    });
    std::cout << "channel 16, doubled: " << v(1, 16, 4, 5) << '\n';

    // Visits the elements in the order of memory; padding only with padding::included.
    int elements = 0, places = 0;
    plait::for_each_element(v, [&](float) { ++elements; });
    plait::for_each_element<plait::padding::included>(v, [&](float) { ++places; });
    std::cout << elements << " elements in " << places << " places\n";

    // Operations on views move no data. The axis of a slice is part of the type; its index may be a run-time value.
    const auto channel = plait::slice(v, axis<1>, 15 + argc);
    const auto channels_last = plait::rename_axes(v, plait::permutation_c<0, 2, 3, 1>);
    const auto corner = plait::submemory(v, plait::dims_c<1, 17, 2, 2>, plait::position_c<1, 0, 3, 4>);
    const bool same = &channel(1, 4, 5) == &v(1, 16, 4, 5) && &channels_last(1, 4, 5, 16) == &v(1, 16, 4, 5) &&
                      &corner(0, 16, 1, 1) == &v(1, 16, 4, 5);
    std::cout << "slice, rename_axes, submemory: " << (same ? "the same element\n" : "another element\n");

    // at() throws if the position is outside the tensor; the sentence names the axis and the numbers.
    try {
        return v.at(0, 17, 0, 0) > 0 ? 1 : 2;
    } catch (const plait::rejection& refused) {
        std::cout << refused.what() << '\n';
        return same && v(1, 16, 4, 5) == 32 ? 0 : 3;
    }
}
