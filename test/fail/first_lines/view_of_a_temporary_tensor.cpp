// BOTH: a_temporary_tensor_is_destroyed_before_its_view_is_used_give_it_a_name

#include <plait/plait.hpp>

#ifdef FIXED
const auto owner = plait::make_tensor<float>(plait::nChw16c<1, 64, 8, 8>());
const auto image = owner.view();
#else
const auto image = plait::make_tensor<float>(plait::nChw16c<1, 64, 8, 8>()).view();
#endif
