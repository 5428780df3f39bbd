// EXPECT: view_does_not_fit
// NUMBERS: 1, 0, 4, 5
#include <plait/graph/choose_formats.hpp>

using plait::data_type, plait::primitive_kind, plait::propagation;

constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
#ifdef FIXED
    const auto b = g.tensor({1, 4, 4, 32}, data_type::f32, "any");
#else
    const auto b = g.tensor({1, 5, 4, 32}, data_type::f32, "any");
#endif
    g.permute_axes(a, {0, 3, 1, 2}, b);
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);
