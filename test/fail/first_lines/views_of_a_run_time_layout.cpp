// BOTH: a_reorder_of_views_needs_layouts_that_are_types_otherwise_pass_layouts_and_pointers
// BOTH: layout>

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

void to_any(const float* in, float* out, const plait::layout& l) {
    const plait::tensor_view from(in, plain());
    const plait::tensor_view to(out, l);
#ifdef FIXED
    reorder(from.plain_layout(), from.data(), to.plain_layout(), to.data());
#else
    reorder(from, to);
#endif
}
