// GCC: tag_character_is_unknown: column 5 of the format tag
// CLANG: tag_character_is_unknown
// CLANG: numbers<5, 0>

#include <plait/plait.hpp>

bool is_known(const plait::layout& l) {
#ifdef FIXED
    return plait::with_format<"nChw16c", "nhwc">(l, [](auto) {});
#else
    return plait::with_format<"nChw16c", "nhwcx">(l, [](auto) {});
#endif
}
