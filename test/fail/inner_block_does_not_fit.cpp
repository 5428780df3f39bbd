// EXPECT: inner_block_does_not_fit
// NUMBERS: 1, 1, 2, 1
#include <plait/interop/onednn_fields.hpp>

/// Returns a layout in blocks of four elements, with these strides. {16, 8, 1} leaves a gap after each block.
constexpr plait::layout with(plait::dim_t outermost, plait::dim_t outer, plait::dim_t inner) {
    plait::layout out({4, 8}, "aB4b");
    out.digits[0].stride = outermost;
    out.digits[1].stride = outer;
    out.digits[2].stride = inner;
    return out;
}
#ifdef FIXED
constexpr auto refused = plait::detail::fields_of(plait::descriptor(plait::data_type::f32, with(16, 8, 1)), 6).value();
#else
constexpr auto refused = plait::detail::fields_of(plait::descriptor(plait::data_type::f32, with(16, 8, 2)), 6).value();
#endif
