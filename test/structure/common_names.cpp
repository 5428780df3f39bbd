// A user's unit whose globals have common names. Neither the headers of plait nor their instantiations here may cause a
// warning of -Wshadow. GCC looks up the names of constructors, and of lambdas in templates, in the global namespace.

#include "common_names.hpp"

#include <plait/plait.hpp>
//
#include <plait/io/draw.hpp>
#include <plait/io/draw_choice.hpp>
#include <plait/io/draw_reorder.hpp>
#include <plait/reorder/converted_rows.hpp>

#include <vector>

// The layout of most examples.
constexpr plait::layout l({2, 17, 5, 4}, "nChw16c");

namespace {

using plain_image = plait::nchw<1, 17, 6, 5>;
using blocked_image = plait::nChw16c<1, 17, 6, 5>;

void move_static(const float* given, float* taken, signed char* small) {
    plait::reorder<plain_image::value, blocked_image::value>(given, taken);
    plait::reorder<plain_image::value, blocked_image::value>(given, small, {.src_scale = 0.5f, .dst_zero_point = 3});
    const std::vector<float> by_channel(17, 2.0f);
    plait::reorder<plain_image::value, blocked_image::value>(given, small, {.dst_scale = {by_channel, 2}});
}

void move_at_run_time(const std::vector<float>& given, std::vector<float>& taken) {
    const plait::layout goal({2, 17, 5, 4}, "nhwc");
    const plait::descriptor source(plait::data_type::f32, l), target(plait::data_type::f32, goal);
    const auto planned = plait::make_reorder(source, target);
    if (planned) (*planned)(given.data(), taken.data());
    plait::reorder(l, given.data(), goal, taken.data());
}

float visit(float* memory) {
    const plait::tensor_view seen(memory, blocked_image());
    const auto turned = plait::permute_axes(seen, plait::permutation_c<0, 3, 1, 2>);
    float added = turned(0, 1, 2, 3);
    plait::for_each_element(seen, [&](float& stored) { added += stored; });
    plait::for_each_block(
        seen, [&](const plait::position&, std::span<float, 16> stored, const plait::dims&) { added += stored[0]; });
    return added;
}

}  // namespace

int main() {
    std::vector<float> given(l.element_span(), 1.0f), taken(2 * l.element_span());
    std::vector<signed char> small(blocked_image::value.element_span());
    move_static(given.data(), taken.data(), small.data());
    move_at_run_time(given, taken);
    return visit(taken.data()) > 0 && plait::reshape(l, {34, 5, 4}).ndims() == 3 ? 0 : 1;
}
