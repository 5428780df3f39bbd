// Mistakes with records.
#include <plait/packed.hpp>

#include <vector>

// GCC: rank_differs: there are indices for 1 axes, but the blocks of the field have 2
// CLANG: rank_differs
// CLANG: the::field_blocks
// CLANG: numbers<1, 2>
using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
const std::byte* first(plait::record_view<const std::byte, weights> w) {
    return w.block<"q">(0).data();
    // FIXED: return w.block<"q">(0, 0).data();
}

// GCC: field_is_missing: field scale is not in the record
// CLANG: field_is_missing
// CLANG: name<'s', 'c', 'a', 'l', 'e'>
using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
float first(plait::record_view<const std::byte, weights> w) {
    return static_cast<float>(w.get<"scale">(0, 0));
    // FIXED: return static_cast<float>(w.get<"d">(0, 0));
}

// GCC: no matching function for call to
// CLANG: constraints not satisfied
template <plait::record_type R>
void dequantize(
    plait::record_view<const std::byte, R>) requires plait::reads<R, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"> {}
void run(std::span<const std::byte> bytes) {
    using weights = plait::record_constant<"nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)", 64, 256>;
    // FIXED: using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
    dequantize(plait::record_view(bytes, weights()));
}

// GCC: rank_differs: there are indices for 1 axes, but the record has 2
// CLANG: rank_differs
// CLANG: the::index
// CLANG: the::record
// CLANG: numbers<1, 2>
using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
int first(plait::record_view<const std::byte, weights> w) {
    return static_cast<int>(w.get<"q">(0));
    // FIXED: return static_cast<int>(w.get<"q">(0, 0));
}

// BOTH: the_bytes_stay_the_callers_and_cannot_be_a_temporary_that_owns_them
using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
std::vector<std::byte> bytes(weights::size_in_bytes());
const plait::record_view<const std::byte, weights> w{std::vector<std::byte>(weights::size_in_bytes())};
// FIXED: const plait::record_view<const std::byte, weights> w(bytes);

// BOTH: values_are_set_in_a_view_of_std_byte_which_is_not_const
using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
void put(const std::vector<std::byte>& bytes) {
    // FIXED: void put(std::vector<std::byte>& bytes) {
    plait::record_view(std::span(bytes), weights()).set<"q">(0, 0, 3U);
}

// GCC: record_type_is_unknown: column 10 of the record\'s tag is not an element type, nor u1 to u16; the nearest is s4
// CLANG: &record_type_is_unknown, plait::rejected::no_axis, plait::rejected::numbers<10,
constexpr auto bytes = plait::record_constant<"nk: nK(q:i4 32k, d:f16 /32k)", 40, 256>::size_in_bytes();
// FIXED: constexpr auto bytes = plait::record_constant<"nk: nK(q:s4 32k, d:f16 /32k)", 40, 256>::size_in_bytes();

// GCC: loops_differ: the loop at column 6 of the record\'s tag steps by 32 for one field inside, and by 64 for another
// CLANG: &loops_differ, plait::rejected::no_axis, plait::rejected::numbers<6, 32, 64>
constexpr auto bytes = plait::record_constant<"nk: nK(q:u4 16k 2k@16, d:f16 /64k)", 40, 256>::size_in_bytes();
// FIXED: constexpr auto bytes = plait::record_constant<"nk: nK(q:u4 16k 2k@16, d:f16 /32k)", 40, 256>::size_in_bytes();

// GCC: tag_blocked_axis_is_not_upper_case: column 6 of the format tag is lower case, but column 8 blocks that axis
// CLANG: &tag_blocked_axis_is_not_upper_case, plait::rejected::no_axis, plait::rejected::numbers<6, 8>
constexpr auto bytes = plait::record_constant<"nk: nk(q:u4 16k 2k@16, d:f16 /32k)", 40, 256>::size_in_bytes();
// FIXED: constexpr auto bytes = plait::record_constant<"nk: nK(q:u4 16k 2k@16, d:f16 /32k)", 40, 256>::size_in_bytes();

// GCC: rank_differs: the extents have 1 axes, but the record\'s tag has 2
// CLANG: &rank_differs, plait::rejected::axes_of<plait::rejected::the::extents, plait::rejected::the::record_tag>
constexpr auto bytes = plait::record_constant<"nk: nK(q:u4 32k, d:f16 /32k)", 40>::size_in_bytes();
// FIXED: constexpr auto bytes = plait::record_constant<"nk: nK(q:u4 32k, d:f16 /32k)", 40, 256>::size_in_bytes();

// GCC: dims_differ: axis 1 has 256 elements in one layout and 128 in the other
// CLANG: &dims_differ, plait::rejected::axis<1>, plait::rejected::numbers<256, 128>
using rows = plait::record_constant<"nk: nK(q:u4 16k 2k@16, d:f16 /32k)", 40, 256>;
using panels = plait::record_constant<"nk: NK(q:u4 8n 16k 2k@16, d:f16 8n /32k)", 40, 128>;
// FIXED: using panels = plait::record_constant<"nk: NK(q:u4 8n 16k 2k@16, d:f16 8n /32k)", 40, 256>;
void pack(std::span<const std::byte> from, std::span<std::byte> to) { plait::repack<rows, panels>(from, to); }
