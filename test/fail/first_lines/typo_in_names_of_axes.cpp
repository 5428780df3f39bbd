// GCC: tag_character_is_unknown: column 3 of the format tag
// CLANG: tag_character_is_unknown
// CLANG: numbers<3, 0>

#include <plait/plait.hpp>

void weights(plait::tensor_view<float, plait::oihw<64, 64, 3, 3>> v) {
#ifdef FIXED
    plait::require_axes<"oihw">(v);
#else
    plait::require_axes<"oi1w">(v);
#endif
}
