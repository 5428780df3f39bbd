// EXPECT: tensor_cost_overflows
// NUMBERS: -1, 0, 0
#include <plait/graph/choose_formats.hpp>

using plait::data_type, plait::primitive_kind;

#ifdef FIXED
constexpr plait::dim_t rows = 1;
#else
constexpr plait::dim_t rows = plait::dim_t{1} << 58;
#endif

constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({rows, 2}, data_type::f32, "ab");
    const auto b = g.tensor({rows, 2}, data_type::f32, "any");
    g.operation(primitive_kind::matmul, {a}, {b}).accepts({"ba"}, {"ba"});
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole);
