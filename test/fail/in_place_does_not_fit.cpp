// EXPECT: in_place_does_not_fit
// NUMBERS: -1, 0, 0
#include <plait/graph/choose_formats.hpp>

using plait::data_type, plait::primitive_kind, plait::propagation;

constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
    const auto b = g.tensor({1, 32, 4, 4}, data_type::f32, "any");
#ifdef FIXED
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nchw"}).in_place();
#else
    g.operation(primitive_kind::convolution, {a}, {b}).accepts({"nchw"}, {"nhwc"}).in_place();
#endif
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);
