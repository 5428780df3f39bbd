// EXPECT: fields_are_not_decided
#include <plait/packed/record_laws.hpp>

constexpr plait::record changed(plait::dim_t stride) {
    plait::record out("nk: w:u4 nk", {4, 4});
    out.pieces[0].digits[1].stride = stride;
    return out;
}

#ifdef FIXED
constexpr auto refused = plait::find_field_overlap(changed(64));
#else
constexpr auto refused = plait::find_field_overlap(changed(plait::dim_t{1} << 62));
#endif
