// EXPECT: dims_differ
// NUMBERS: 1, 256, 128
#include <plait/packed/record_constant.hpp>
#include <plait/packed/repack.hpp>

using rows = plait::record_constant<"nk: nK(d:f16 /32k, q:u4 16k 2k@16)", 64, 256>;

#ifdef FIXED
using panels = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", 64, 256>;
#else
using panels = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", 64, 128>;
#endif
void pack(std::span<const std::byte> in, std::span<std::byte> out) { plait::repack<rows, panels>(in, out); }
