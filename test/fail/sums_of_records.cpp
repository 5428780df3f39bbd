// Sums in records.
#include <plait/packed/record.hpp>

// EXPECT: sum_constant_is_malformed (39, 65535)
constexpr plait::record_tag refused("nk: N(q:u4 4n k, sum:s32 4n /k =sum(q-z))");
// FIXED: constexpr plait::record_tag refused("nk: N(q:u4 4n k, sum:s32 4n /k =sum(q-8))");

// EXPECT: sum_constant_is_not_closed (55, 0)
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, d:f32 4n /8k, s:f32 4n /8k =sum(q-8*d;8k))");
// FIXED: constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, d:f32 4n /8k, s:f32 4n /8k =sum((q-8)*d;8k))");

// EXPECT: sum_digit_is_malformed (40, 0)
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, s:f32 4n /8k =sum(q;k))");
// FIXED: constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, s:f32 4n /8k =sum(q;8k))");

// EXPECT: sum_factor_is_malformed (40, 0)
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q)*)");
// FIXED: constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q)*2)");

// EXPECT: sum_factor_is_not_whole (18, 0)
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q)*0.5)");
// FIXED: constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q)*5)");

// EXPECT: sum_group_is_not_shared
constexpr plait::record refused("nk: (q:u4 n k, s:f32 n K /16k, sum:f32 n /k =sum(q*s;32k))", {4, 96});
// FIXED: constexpr plait::record refused("nk: (q:u4 n k, s:f32 n K /16k, sum:f32 n /k =sum(q*s;16k))", {4, 96});

// EXPECT: sum_has_no_order (21, 0)
constexpr plait::record_tag refused("nk: N(q:s8 4n K 4k, sum:f32 4n /k =sum(q))");
// FIXED: constexpr plait::record_tag refused("nk: N(q:s8 4n K 4k, sum:f32 4n /k =sum(q;4k))");

// EXPECT: sum_is_exact (20, 0)
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, s:s32 4n /8k =sum(q;8k))");
// FIXED: constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, s:s32 4n /8k =sum(q))");

// EXPECT: sum_is_not_closed (38, 0, 1)
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q,))");
// FIXED: constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q))");

// EXPECT: sum_names_no_field (37, 0)
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum())");
// FIXED: constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q))");

// EXPECT: sum_of_a_sum (18, 0)
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(sum))");
// FIXED: constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q))");

// EXPECT: sum_of_fractions (19, 0)
constexpr plait::record_tag refused("nk: N(q:f16 4n k, sum:s32 4n /k =sum(q))");
// FIXED: constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q))");

// EXPECT: sum_of_upper_bits (31, 0)
constexpr plait::record_tag refused("nk: N(q.4:u4 4n k, q:u4 4n k, sum:s32 4n /k =sum(q))");
// FIXED: constexpr plait::record_tag refused("nk: N(q:u4 4n k, q.4:u4 4n k, sum:s32 4n /k =sum(q))");
