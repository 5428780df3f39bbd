// EXPECT: propagation_does_not_apply
// NUMBERS: -1, 0, 5, 2
#include <plait/graph/choose_formats.hpp>

using plait::data_type, plait::primitive_kind, plait::propagation;

constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
    const auto b = g.tensor({1, 32, 4, 4}, data_type::f32, "any");
#ifdef FIXED
    g.operation(primitive_kind::pooling, propagation::forward, {a}, {b});
#else
    g.operation(primitive_kind::pooling, propagation::none, {a}, {b});
#endif
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);
