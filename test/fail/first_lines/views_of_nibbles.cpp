// BOTH: elements_smaller_than_a_byte_are_reordered_by_pointers_to_their_bytes_with_both_types_named

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

void to_blocks(std::byte* in, float* out) {
#ifdef FIXED
    plait::reorder<plain::value, blocked::value, plait::u4, float>(in, out);
#else
    reorder(plait::tensor_view(plait::nibbles<plait::u4>(in), plain()), plait::tensor_view(out, blocked()));
#endif
}
