// GCC: tag_character_is_unknown: column 7 of the format tag
// CLANG: tag_character_is_unknown
// CLANG: numbers<7, 0>

#include <plait/plait.hpp>

constexpr plait::layout plain({1, 5, 4, 17}, "abcd");
void to_blocks(const float* in, float* out) {
#ifdef FIXED
    plait::permute_with_reorder<plain, plait::permutation{0, 2, 3, 1}, "nChw16c">(in, out);
#else
    plait::permute_with_reorder<plain, plait::permutation{0, 2, 3, 1}, "nChw16q">(in, out);
#endif
}
