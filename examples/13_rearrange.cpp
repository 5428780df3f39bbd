// Axes by names, in einops' notation: the effect of each pattern on memory, patterns that no view can express, and the
// reorder for these. The tensor has 2 images, 32 channels in blocks of 16, 4 rows, 6 columns.

#include <plait/plait.hpp>

#include <iostream>
#include <numeric>
#include <vector>

using plait::dims, plait::layout, plait::rearrange;

constexpr plait::nChw16c<2, 32, 4, 6> image;

// Permuted: no element moves, and the pattern's letters name the axes of the result.
constexpr auto channels_last = rearrange<"n c h w -> n h w c">(image);
static_assert(plait::with_axes<std::remove_const_t<decltype(channels_last)>, "nhwc">);

// Split: 32 channels become 4 groups of 8, through the blocks of 16. The 8 is computed by division.
constexpr auto groups = rearrange<"n (g c) h w -> n g c h w", 4>(image);
static_assert(groups.value.dims == dims{2, 4, 8, 4, 6});

// Split and joined: patches of 2 x 3 pixels become the rows of a matrix, each with all its channels. The reversed
// pattern gives the original layout.
constexpr auto patches = rearrange<"n c (h p) (w q) -> (n h w) (p q c)", 2, 2, 2, 3>(image);
static_assert(patches.value.dims == dims{8, 192});
static_assert(rearrange<"(n h w) (p q c) -> n c (h p) (w q)", 2, 2, 2, 2, 3, 32>(patches).value == image.value);

// The ellipsis stands for all other axes, alone or in a group.
static_assert(rearrange<"... w -> w ...">(image).value.dims == dims{6, 2, 32, 4});
static_assert(rearrange<"n ... c -> n (... c)">(layout({2, 4, 6, 32}, "abcd")).dims == dims{2, 768});

// 17 channels have 15 places of padding in the second block, which no axis can skip: that needs a copy.
constexpr plait::nChw16c<2, 17, 4, 6> padded;
static_assert(plait::rearrange_needs_copy<"n c h w -> n (c h w)">(padded));
constexpr plait::rearranged_copy copy = plait::rearrange_copy<"n c h w -> n (c h w)">(padded);

int main() {
    std::cout << "image          " << image.value << "\nchannels last  " << channels_last.value << "\ngroups         "
              << groups.value << "\npatches        " << patches.value << '\n';
    std::vector<float> data(static_cast<std::size_t>(image.value.element_span()));
    std::iota(data.begin(), data.end(), 0.0f);
    const plait::tensor_view v(data.data(), image);

    // On views: the same element, at the indices of the other side. Channel 21 is channel 5 of group 2.
    const auto by_group = rearrange<"n (g c) h w -> n g c h w", 4>(v);
    const auto by_patch = rearrange<"n c (h p) (w q) -> (n h w) (p q c)", 2, 2, 2, 3>(v);
    if (&by_group(1, 2, 5, 3, 4) != &v(1, 21, 3, 4)) return 1;
    if (&by_patch(7, 53) != &v(1, 21, 2, 4))
        return 2;  // patch 7: rows 2, 3 and columns 3 to 5; 53 = (0 * 3 + 1) * 32 + 21

    // The copy that rearrange requires is a reorder; its result is dense, in the order of the pattern.
    std::vector<float> in(static_cast<std::size_t>(copy.from.element_span())), out(2 * 17 * 4 * 6);
    plait::for_each_position(plait::tensor_view(in.data(), padded), [](const plait::position& at, float& x) {
        x = static_cast<float>(((at[0] * 17 + at[1]) * 4 + at[2]) * 6 + at[3]);
    });
    plait::reorder<copy.from, copy.to>(in.data(), out.data());
    const plait::tensor_view flat(out.data(), plait::layout_c<copy.result>);
    if (flat(1, 407) != 815) return 3;

    // A pattern, extents and a tensor that are known only at run time.
    const auto pattern = plait::parse_axis_pattern("n (heads c) h w -> n heads (h w) c");
    const plait::descriptor tensor(plait::data_type::f32, image.value);
    if (!pattern || rearrange(tensor, *pattern, {{"heads", 8}}).dims() != dims{2, 8, 24, 4}) return 4;

    // A rejection names the place: the column in the pattern, or the axis in the layout.
    std::cout << "needs a copy   " << copy.from << " to " << copy.to << ", seen as " << copy.result << "\n\n";
    std::cout << plait::check_axis_pattern("n (g c h w -> n g h w c") << '\n'
              << check_rearrange(tensor, *pattern, {{"heads", 5}}) << '\n'
              << plait::check_rearrange<"n c h w -> n (c h w)">(padded) << '\n'
              << plait::check_rearrange<"n h w c -> n c h w">(image) << '\n';
}
