// EXPECT: library_has_no_stride
// NUMBERS: 0, -16, 0
#include <plait/interop/onednn_fields.hpp>

#ifdef FIXED
constexpr plait::strides steps{16, 1};
#else
constexpr plait::strides steps{-16, 1};
#endif
constexpr auto refused =
    plait::detail::fields_of(plait::descriptor(plait::data_type::f32, plait::layout({2, 16}, steps)), 6).value();
