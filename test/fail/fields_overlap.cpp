// EXPECT: fields_overlap
#include <plait/core/allowed.hpp>
#include <plait/packed/record_laws.hpp>

constexpr plait::record two_fields() {
    plait::record r("nk: (a:u8 nk, b:u8 nk)", {16, 8});
#ifdef FIXED
    r.pieces[1].at = r.pieces[1].at;  // where the tag lays it
#else
    r.pieces[1].at = 8;  // assembled by hand: the second field begins in the first one
#endif
    return r;
}
constexpr plait::record fields = two_fields();
constexpr bool refused = plait::allowed<plait::check_fields_disjoint(fields)>;
