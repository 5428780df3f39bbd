// A user-defined operation: the rule is written once, for layouts, and works on types, views and descriptors.

#include <plait/plait.hpp>

#include <iostream>
#include <vector>

namespace {

// Exchanges two axes. The steps determine what is rejected, and for which reason; one line each defines the names of
// axes and the compensation of the result.
struct swap_axes_rule {
    static constexpr plait::expected<plait::layout> attempt(const plait::layout& l, int first, int second) {
        for (const int axis : {first, second})
            if (axis < 0 || axis >= l.ndims())
                return plait::verdict{plait::reason::axis_is_out_of_range, -1, axis, l.ndims()};
        plait::permutation order = plait::identity_permutation(l.ndims());
        order[first] = second;
        order[second] = first;
        return plait::try_permute_axes(l, order);
    }
    // Axis i of the result is axis axes[i] of the operand. Called only if attempt succeeds.
    static constexpr plait::axis_list axes(int ndims, int first, int second) {
        plait::axis_list out = plait::all_axes(ndims);
        out[first] = second;
        out[second] = first;
        return out;
    }
    static constexpr plait::sums_rule sums = plait::sums_rule::keep;
    static constexpr bool commutes_with_bind = true;
};
constexpr plait::operation<swap_axes_rule> swap_axes;

constexpr plait::layout image({2, 3, 4, 6}, "nchw");
template <int Axis>
constexpr std::integral_constant<int, Axis> axis{};

}  // namespace

static_assert(swap_axes(image, 1, 3).dims == plait::dims{2, 6, 4, 3});
static_assert(swap_axes.check(image, 1, 4).reason == plait::reason::axis_is_out_of_range);
static_assert(plait::with_axes<decltype(swap_axes(plait::nchw<2, 3, 4, 6>(), axis<1>, axis<3>)), "nwhc">);

int main() {
    std::vector<float> memory(144);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
    const plait::tensor_view<float, plait::nchw<2, 3, 4, 6>> v(memory.data(), {});
    const auto swapped = swap_axes(v, axis<1>, axis<3>);
    std::cout << "v(1, 2, 3, 4) is " << v(1, 2, 3, 4) << ", and so is swapped(1, 4, 3, 2): " << swapped(1, 4, 3, 2)
              << '\n';

    const plait::descriptor weights(plait::data_type::s8, image, {.s8s8_compensation = true, .s8s8_mask = 2});
    std::cout << "the mask of compensation goes with its axis: " << weights.extra.s8s8_mask << " becomes "
              << swap_axes(weights, 1, 3).extra.s8s8_mask << '\n';
    const plait::verdict why = swap_axes.check(weights, 1, 4);
    std::cout << "refused: " << plait::describe(why).c_str() << '\n';
}
