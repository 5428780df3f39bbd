// BOTH: elements_that_are_no_numbers_of_plait_are_moved_to_the_same_type_and_not_converted
// GCC: const long int
// CLANG: const long

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

#ifdef FIXED
void to_blocks(const int* in, float* out) {
#else
void to_blocks(const long* in, float* out) {
#endif
    reorder(plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
}
