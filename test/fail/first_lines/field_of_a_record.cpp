// GCC: field_is_missing: field scale is not in the record
// CLANG: field_is_missing
// CLANG: name<'s', 'c', 'a', 'l', 'e'>
#include <plait/packed.hpp>

using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
float first(plait::record_view<const std::byte, weights> w) {
#ifdef FIXED
    return static_cast<float>(w.get<"d">(0, 0));
#else
    return static_cast<float>(w.get<"scale">(0, 0));
#endif
}
