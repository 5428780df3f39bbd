// EXPECT: narrow
#include <plait/algebra/flatten.hpp>
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>

constexpr auto rows = plait::formats::ab<4, 8>{};

// Converted to int, the number would be axis 1.
#ifdef FIXED
constexpr auto refused = plait::flatten(rows, std::integral_constant<long long, 1>{});
#else
constexpr auto refused = plait::flatten(rows, std::integral_constant<long long, (1LL << 32) + 1>{});
#endif
