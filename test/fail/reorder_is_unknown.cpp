// EXPECT: reorder_is_unknown
// NUMBERS: -1, 1, 1
#include <plait/graph/graph_constant.hpp>

using plait::data_type, plait::primitive_kind;

constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({1, 32, 4, 4}, data_type::f32, "nchw");
    const auto b = g.tensor({1, 32, 4, 4}, data_type::f32, "nhwc");
    g.operation(primitive_kind::eltwise, {a}, {b});
    return g;
}

void move(const float* in, float* out) {
#ifdef FIXED
    plait::choose_formats(plait::graph_c<make()>).run<0>(in, out);
#else
    plait::choose_formats(plait::graph_c<make()>).run<1>(in, out);
#endif
}
