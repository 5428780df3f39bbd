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
