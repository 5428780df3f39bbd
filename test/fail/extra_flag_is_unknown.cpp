// EXPECT: extra_flag_is_unknown
// NUMBERS: 5, 11
#include <plait/interop/onednn_fields.hpp>

constexpr plait::detail::onednn_fields with(std::uint64_t flags) {
    plait::detail::onednn_fields out =
        plait::detail::fields_of(plait::descriptor(plait::data_type::s8, plait::layout({2, 16}, "aB4b")), 6).value();
    out.flags = flags, out.compensation_mask = 1;
    return out;
}
#ifdef FIXED
constexpr auto refused = plait::detail::descriptor_of_fields(with(plait::detail::onednn_s8s8)).value();
#else
constexpr auto refused = plait::detail::descriptor_of_fields(with(plait::detail::onednn_s8s8 | 4)).value();
#endif
