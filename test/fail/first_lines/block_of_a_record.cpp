// GCC: rank_differs: there are indices for 1 axes, but the blocks of the field have 2
// CLANG: rank_differs
// CLANG: the::field_blocks
// CLANG: numbers<1, 2>
#include <plait/packed.hpp>

using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
const std::byte* first(plait::record_view<const std::byte, weights> w) {
#ifdef FIXED
    return w.block<"q">(0, 0).data();
#else
    return w.block<"q">(0).data();
#endif
}
