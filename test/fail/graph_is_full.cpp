// EXPECT: graph_is_full
// NUMBERS: -1, 160, 0
#include <plait/graph/choose_formats.hpp>

using plait::data_type;

#ifdef FIXED
constexpr int tensors = 160;
#else
constexpr int tensors = 161;
#endif

constexpr plait::graph refused = [] {
    plait::graph g;
    for (int t = 0; t < tensors; ++t) static_cast<void>(g.tensor({2, 3}, data_type::f32, "ab"));
    return g;
}();
