// BOTH: the_first_of_three_arguments_is_an_executor_which_has_concurrency_and_run

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
constexpr auto axes = plait::axis_map_c<0, 3, 1, 2>;

void to_blocks(const float* in, float* out) {
#ifdef FIXED
    reorder(plait::sequential, plait::shaped_buffer(in, plain(), axes), plait::shaped_buffer(out, blocked(), axes));
#else
    reorder(4, plait::shaped_buffer(in, plain(), axes), plait::shaped_buffer(out, blocked(), axes));
#endif
}
