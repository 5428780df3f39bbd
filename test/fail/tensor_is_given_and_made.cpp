// EXPECT: tensor_is_given_and_made
// NUMBERS: -1, 2, 1
#include <plait/graph/choose_formats.hpp>

using plait::data_type, plait::primitive_kind, plait::propagation;

constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
    const auto b = g.tensor({1, 32, 4, 4}, data_type::f32, "any");
    g.operation(primitive_kind::eltwise, {a}, {b});
#ifdef FIXED
    g.operation(primitive_kind::eltwise, {b}, {g.tensor({1, 32, 4, 4}, data_type::f32, "any")});
#else
    g.operation(primitive_kind::eltwise, {b}, {g.constant({1, 32, 4, 4}, data_type::f32, "nchw")});
#endif
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);
