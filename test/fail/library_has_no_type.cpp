// EXPECT: library_has_no_type
// NUMBERS: 1, 6
#include <plait/interop/onednn_fields.hpp>

#ifdef FIXED
constexpr int last_type = 7;
#else
constexpr int last_type = 6;
#endif
constexpr auto refused =
    plait::detail::fields_of(plait::descriptor(plait::data_type::f64, plait::layout({2, 16}, "ab")), last_type).value();
