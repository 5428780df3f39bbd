// GCC: rank_differs: there are indices for 1 axes, but the record has 2
// CLANG: rank_differs
// CLANG: the::index
// CLANG: the::record
// CLANG: numbers<1, 2>
#include <plait/packed.hpp>

using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
int first(plait::record_view<const std::byte, weights> w) {
#ifdef FIXED
    return static_cast<int>(w.get<"q">(0, 0));
#else
    return static_cast<int>(w.get<"q">(0));
#endif
}
