// BOTH: a_descriptor_has_a_layout_which_is_made_of_extents_and_a_tag

#include <plait/plait.hpp>

#ifdef FIXED
const plait::descriptor image(plait::data_type::f32, plait::layout({1, 64, 8, 8}, "nchw"));
#else
const plait::descriptor image(plait::data_type::f32, "nchw");
#endif
