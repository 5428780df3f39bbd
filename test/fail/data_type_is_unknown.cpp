// EXPECT: data_type_is_unknown
// NUMBERS: 0, 0
#include <plait/descriptor/descriptor.hpp>

constexpr plait::layout rows({2, 3}, "ab");

#ifdef FIXED
constexpr plait::descriptor refused(plait::data_type::s8, rows);
#else
constexpr plait::descriptor refused(plait::data_type::undef, rows);
#endif
