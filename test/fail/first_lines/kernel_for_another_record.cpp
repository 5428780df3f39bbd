// GCC: no matching function for call to
// CLANG: constraints not satisfied
#include <plait/packed.hpp>

template <plait::record_type R>
void dequantize(
    plait::record_view<const std::byte, R>) requires plait::reads<R, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"> {}

void run(std::span<const std::byte> bytes) {
#ifdef FIXED
    using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;
#else
    using weights = plait::record_constant<"nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)", 64, 256>;
#endif
    dequantize(plait::record_view(bytes, weights()));
}
