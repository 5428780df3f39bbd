// EXPECT: data_types_differ
// NUMBERS: 9, 8
#include <plait/descriptor/operations.hpp>

constexpr plait::layout whole({4, 3}, "ab");
constexpr plait::layout first = plait::submemory(whole, {2, 3}, {0, 0}),
                        second = plait::submemory(whole, {2, 3}, {2, 0});
constexpr plait::descriptor above(plait::data_type::u8, first);

#ifdef FIXED
constexpr plait::descriptor below(plait::data_type::u8, second);
#else
constexpr plait::descriptor below(plait::data_type::s8, second);
#endif
constexpr plait::descriptor refused = plait::concatenate_along(above, below, 0);
