// EXPECT: fields_overlap
#include <plait/core/allowed.hpp>
#include <plait/packed/record_laws.hpp>

#ifdef FIXED
constexpr plait::record panels("nk: w:f32 N K 4k-n 8n", {16, 8});
#else
// One value serves eight rows, but each row has its values in other slots.
constexpr plait::record panels("nk: w:f32 N K 4k-n /8n", {16, 8});
#endif
constexpr bool refused = plait::allowed<plait::check_fields_disjoint(panels)>;
