// EXPECT: port_extents_differ
// NUMBERS: 1, 0, 33, 32
#include <plait/graph/choose_formats.hpp>

using plait::data_type, plait::primitive_kind;

constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
#ifdef FIXED
    g.operation(primitive_kind::eltwise, {a}, {g.tensor({1, 32, 4, 4}, data_type::f32, "any")});
#else
    g.operation(primitive_kind::eltwise, {a}, {g.tensor({1, 33, 4, 4}, data_type::f32, "any")});
#endif
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);
