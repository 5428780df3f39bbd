// EXPECT: cost_option_is_negative
// NUMBERS: -1, 3, -1
#include <plait/graph/choose_formats.hpp>

using plait::data_type, plait::primitive_kind;

#ifdef FIXED
constexpr plait::dim_t runs = 1;
#else
constexpr plait::dim_t runs = -1;
#endif

constexpr plait::graph make() {
    plait::graph g;
    const auto a = g.tensor({4, 2}, data_type::f32, "ab");
    const auto b = g.tensor({4, 2}, data_type::f32, "any");
    g.operation(primitive_kind::matmul, {a}, {b}).accepts({"ba"}, {"ba"});
    return g;
}
constexpr plait::graph whole = make();
constexpr auto refused = plait::choose_formats(whole, {.runs = runs});
