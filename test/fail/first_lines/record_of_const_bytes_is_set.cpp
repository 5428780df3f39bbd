// BOTH: values_are_set_in_a_view_of_std_byte_which_is_not_const

#include <plait/packed.hpp>

#include <vector>

using weights = plait::record_constant<"nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", 64, 256>;

#ifdef FIXED
void put(std::vector<std::byte>& bytes) {
#else
void put(const std::vector<std::byte>& bytes) {
#endif
    plait::record_view(std::span(bytes), weights()).set<"q">(0, 0, 3U);
}
