// BOTH: the_bytes_stay_the_callers_and_cannot_be_a_temporary_that_owns_them

#include <plait/packed.hpp>

#include <vector>

using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;

std::vector<std::byte> bytes(weights::size_in_bytes());
#ifdef FIXED
const plait::record_view<const std::byte, weights> w(bytes);
#else
const plait::record_view<const std::byte, weights> w{std::vector<std::byte>(weights::size_in_bytes())};
#endif
